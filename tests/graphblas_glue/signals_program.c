/* signals_program.c: a plain GraphBLAS program that looks at a result in handlers of signals and in threads
 * of timers. It prints the same under torc, where the result is away.
 *
 *     signals_program timer | suspend | ppoll | pselect | epoll | threads | ask
 */
#include <GraphBLAS.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 20000, WIDTH = 16, ALARMS = 200 };

#define TRY(call) require((call) == GrB_SUCCESS, #call)

static GrB_Matrix A, B, C;
static double found;
static sem_t looked;
static volatile int alarms;

static void require(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "signals_program: %s\n", what);
        _exit(1);
    }
}

static void multiply(GrB_Matrix result)
{
    TRY(GrB_mxm(result, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL));
}

static void start(void)
{
    TRY(GrB_init(GrB_NONBLOCKING));
    TRY(GrB_Matrix_new(&A, GrB_FP64, N, N));
    TRY(GrB_Matrix_new(&B, GrB_FP64, N, WIDTH));
    TRY(GrB_Matrix_new(&C, GrB_FP64, N, WIDTH));
    for (GrB_Index i = 0; i < N; i++) {
        TRY(GrB_Matrix_setElement_FP64(A, (double)(i % 5), i, i * 7919 % N));
        TRY(GrB_Matrix_setElement_FP64(A, 1, i, (i + 1) % N));
    }
    TRY(GrB_Matrix_assign_FP64(B, NULL, NULL, 1, GrB_ALL, N, GrB_ALL, WIDTH, NULL));
    TRY(GrB_Matrix_setElement_FP64(B, 2, 0, 0)); /* not of one value */
    TRY(GrB_Matrix_wait(A, GrB_MATERIALIZE));
    TRY(GrB_Matrix_wait(B, GrB_MATERIALIZE));
    multiply(C);
}

/* By an operator that torc leaves to SuiteSparse. */
static void look(void)
{
    GrB_Matrix D;
    TRY(GrB_Matrix_new(&D, GrB_FP64, N, WIDTH));
    TRY(GrB_Matrix_apply(D, NULL, NULL, GxB_EXPM1_FP64, C, NULL));
    TRY(GrB_Matrix_reduce_FP64(&found, NULL, GrB_MAX_MONOID_FP64, D, NULL));
    TRY(GrB_Matrix_free(&D));
}

static void look_as_handler(int number)
{
    (void)number;
    look();
}

static void look_in_thread(union sigval unused)
{
    (void)unused;
    look();
    sem_post(&looked);
}

static void look_by_timer(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = look_in_thread};
    const struct itimerspec soon = {.it_value = {0, 1000000}};
    timer_t timer;
    sem_init(&looked, 0, 0);
    require(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "timer_create");
    require(timer_settime(timer, 0, &soon, NULL) == 0, "timer_settime");
    sem_wait(&looked);
}

/* SIGUSR1 is pending, and comes while the mask of the wait blocks all others. */
static void wait_for_handler(const char *how)
{
    const struct timespec second = {1, 0};
    struct sigaction action = {.sa_handler = look_as_handler};
    struct epoll_event event;
    sigset_t one, others;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigfillset(&others);
    sigdelset(&others, SIGUSR1);
    sigaction(SIGUSR1, &action, NULL);
    sigprocmask(SIG_BLOCK, &one, NULL);
    raise(SIGUSR1);
    if (strcmp(how, "suspend") == 0) {
        sigsuspend(&others);
    } else if (strcmp(how, "ppoll") == 0) {
        ppoll(NULL, 0, &second, &others);
    } else if (strcmp(how, "pselect") == 0) {
        pselect(0, NULL, NULL, NULL, &second, &others);
    } else {
        epoll_pwait(epoll_create1(0), &event, 1, 1000, &others);
    }
}

static void nothing(int number)
{
    (void)number;
}

/* The handler asks for what the thread that it interrupts may be setting. */
static void ask_as_handler(int number)
{
    struct sigaction now;
    (void)number;
    sigaction(SIGSEGV, NULL, &now);
    alarms++;
}

static void end_child(pid_t child)
{
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* Then children of vfork and of fork set actions of their own. */
static void set_actions(void)
{
    struct sigaction asks = {.sa_handler = ask_as_handler}, sets = {.sa_handler = nothing}, now;
    const struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &asks, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    while (alarms < ALARMS) {
        sigaction(SIGSEGV, &sets, NULL);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    end_child(vfork());
    end_child(fork());
    sigaction(SIGSEGV, NULL, &now);
    require(now.sa_handler == nothing, "a child changed the parent's action");
    look();
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    start();
    if (strcmp(part, "timer") == 0) {
        look_by_timer();
    } else if (strcmp(part, "threads") == 0) {
        look();
    } else if (strcmp(part, "ask") == 0) {
        set_actions();
    } else {
        wait_for_handler(part);
    }
    require(found > 0, "nobody looked");
    printf("%s: %.17g\n", part, found);
    TRY(GrB_finalize());
    return 0;
}
