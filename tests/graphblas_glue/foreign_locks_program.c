/* foreign_locks_program.c: a plain GraphBLAS program with locks of its own around its calls, as libraries
 * have. It ends under torc too.
 *
 *     foreign_locks_program fork | allocator | exit | jump
 */
#include <GraphBLAS.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 256, OUT_OF_MEMORY = 3, CHILD = 7 };

#define TRY(call) require((call) == GrB_SUCCESS, #call)

static pthread_mutex_t mutex;
static GrB_Matrix A;

static void require(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "foreign_locks_program: %s\n", what);
        _exit(1);
    }
}

static void lock(void)
{
    pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

static void make_mutex(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
}

/* Full, of which torc computes sums. */
static void make_matrix(void)
{
    GrB_Matrix ones;
    TRY(GxB_Global_Option_set(GxB_NTHREADS, 1));
    TRY(GrB_Matrix_new(&ones, GrB_FP64, N, N));
    TRY(GrB_Matrix_assign_FP64(ones, NULL, NULL, 1, GrB_ALL, N, GrB_ALL, N, NULL));
    TRY(GrB_Matrix_setElement_FP64(ones, 2, 0, 0)); /* not of one value */
    TRY(GrB_Matrix_new(&A, GrB_FP64, N, N));
    TRY(GrB_Matrix_apply(A, NULL, NULL, GrB_AINV_FP64, ones, NULL));
    TRY(GrB_Matrix_free(&ones));
}

static void add(GrB_Matrix C)
{
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GrB_PLUS_FP64, A, A, NULL));
}

/* ---- The lock is taken for a fork, and another thread has it while it computes ------------------------- */

static atomic_bool is_over;

static void *compute_locked(void *unused)
{
    GrB_Matrix C;
    TRY(GrB_Matrix_new(&C, GrB_FP64, N, N));
    while (!is_over) {
        lock();
        add(C);
        add(C);
        unlock();
        usleep(100);
    }
    TRY(GrB_Matrix_free(&C));
    return unused;
}

static void fork_often(void)
{
    pthread_t thread;
    make_mutex();
    pthread_atfork(lock, unlock, unlock);
    TRY(GrB_init(GrB_NONBLOCKING));
    make_matrix();
    pthread_create(&thread, NULL, compute_locked, NULL);
    for (int i = 0; i < 50; i++) {
        int status;
        usleep(1000);
        pid_t child = fork();
        if (child == 0) {
            _exit(CHILD);
        }
        require(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == CHILD, "a child");
    }
    is_over = true;
    pthread_join(thread, NULL);
    TRY(GrB_finalize());
}

/* ---- The allocator has the lock, which one thread has while it computes -------------------------------- */

static void *allocate(size_t size)
{
    lock();
    void *memory = malloc(size);
    unlock();
    return memory;
}

static void release(void *memory)
{
    lock();
    free(memory);
    unlock();
}

static void *compute(void *is_locked)
{
    for (int i = 0; i < 200; i++) {
        GrB_Matrix C;
        TRY(GrB_Matrix_new(&C, GrB_FP64, N, N));
        if (is_locked) {
            lock();
        }
        add(C);
        if (is_locked) {
            unlock();
        }
        TRY(GrB_Matrix_free(&C));
    }
    return NULL;
}

static void share_the_allocator(void)
{
    pthread_t threads[2];
    make_mutex();
    TRY(GxB_init(GrB_NONBLOCKING, allocate, NULL, NULL, release));
    make_matrix();
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, compute, i == 0 ? NULL : &mutex);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    TRY(GrB_finalize());
}

/* ---- The allocator ends the program -------------------------------------------------------------------- */

static atomic_int blocks_left = 1000;

static void *allocate_or_exit(size_t size)
{
    if (size >= N * N * sizeof(double) && blocks_left-- == 0) {
        exit(OUT_OF_MEMORY);
    }
    return malloc(size);
}

static void finalize(void)
{
    puts("the end");
    GrB_finalize();
}

static void run_out_of_memory(void)
{
    atexit(finalize);
    TRY(GxB_init(GrB_NONBLOCKING, allocate_or_exit, NULL, NULL, free));
    make_matrix();
    blocks_left = 5;
    for (;;) {
        GrB_Matrix C;
        TRY(GrB_Matrix_new(&C, GrB_FP64, N, N));
        add(C);
    }
}

/* ---- A user's function leaves a call ------------------------------------------------------------------- */

static jmp_buf place;

static void leave(void *z, const void *x, const void *y)
{
    (void)z, (void)x, (void)y;
    longjmp(place, 1);
}

static void jump(void)
{
    GrB_BinaryOp multiply;
    GrB_Semiring semiring;
    GrB_Matrix C;
    int state;
    TRY(GrB_init(GrB_NONBLOCKING));
    make_matrix();
    TRY(GrB_BinaryOp_new(&multiply, leave, GrB_FP64, GrB_FP64, GrB_FP64));
    TRY(GrB_Semiring_new(&semiring, GrB_PLUS_MONOID_FP64, multiply));
    TRY(GrB_Matrix_new(&C, GrB_FP64, N, N));
    if (!setjmp(place)) {
        GrB_mxm(C, NULL, NULL, semiring, A, A, NULL);
        require(false, "the function was not called");
    }
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    require(state == PTHREAD_CANCEL_ENABLE, "the thread may not be cancelled any longer");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"fork", fork_often}, {"allocator", share_the_allocator}, {"exit", run_out_of_memory},
        {"jump", jump}};
    setvbuf(stdout, NULL, _IONBF, 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (argc > 1 && strcmp(argv[1], parts[i].name) == 0) {
            parts[i].run();
            puts(parts[i].name);
        }
    }
    return 0;
}
