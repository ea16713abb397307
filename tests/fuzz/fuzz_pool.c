/* fuzz_pool.c: see fuzz_pool.h. The parent never starts GraphBLAS or CUDA, neither of which outlives a fork.
 */
#include "fuzz_pool.h"
#include "random_chance.h"
#include "require.h"
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PROGRESS = 10, /* seconds between two lines */
    SHARE = 64,    /* calls that a worker takes at most */
    USED_UP = 3,   /* exit status of a worker that leaves the others to another one */
};

typedef struct worker {
    pid_t pid;         /* 0: none */
    int64_t next, end; /* numbers of the calls that it has taken and not made */
    _Atomic uint64_t seed;
    _Atomic double started; /* when the call of that seed did; 0 between calls */
    fuzz_tally tally;
} worker;

typedef struct pool {
    fuzz_plan plan;
    double begin;
    _Atomic int64_t taken;
    int64_t failing_anyway; /* of the parent's making alone */
    _Atomic int nfailures;
    fuzz_failure failures[FUZZ_MAX_FAILURES];
    worker workers[];
} pool;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void *torc_fuzz_shared(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    TORC_REQUIRE(memory != MAP_FAILED);
    return memory;
}

void torc_fuzz_count_place(fuzz_tally *tally, const char *text, size_t length, int64_t calls)
{
    length = length < sizeof tally->places->text ? length : sizeof tally->places->text - 1;
    for (int i = 0; i < FUZZ_PLACES; i++) {
        bool is_free = tally->places[i].calls == 0;
        bool is_same = strncmp(tally->places[i].text, text, length) == 0 && !tally->places[i].text[length];
        if (is_free) {
            memcpy(tally->places[i].text, text, length);
        }
        if (is_free || is_same) {
            tally->places[i].calls += calls;
            return;
        }
    }
}

static void add_tally(fuzz_tally *total, const fuzz_tally *part)
{
    total->calls += part->calls;
    total->steps += part->steps;
    total->on_device += part->on_device;
    total->refused += part->refused;
    total->in_other_format += part->in_other_format;
    for (int i = 0; i < FUZZ_PLACES && part->places[i].calls > 0; i++) {
        torc_fuzz_count_place(
            total, part->places[i].text, strlen(part->places[i].text), part->places[i].calls);
    }
}

static void note_failure(pool *p, uint64_t seed, fuzz_verdict verdict)
{
    int at = atomic_fetch_add(&p->nfailures, 1);
    if (at < FUZZ_MAX_FAILURES) {
        p->failures[at] = (fuzz_failure){seed, verdict};
    }
}

/* Of a worker that died or had to. */
static void note_end(pool *p, uint64_t seed, fuzz_verdict verdict)
{
    bool (*fails_anyway)(uint64_t) = p->plan.work->fails_anyway;
    if (fails_anyway && fails_anyway(seed)) {
        p->failing_anyway++;
    } else {
        note_failure(p, seed, verdict);
    }
}

static bool is_over(const pool *p)
{
    return p->nfailures >= FUZZ_MAX_FAILURES ||
           (p->plan.seconds > 0 && seconds_now() - p->begin > p->plan.seconds);
}

int64_t torc_fuzz_share(const fuzz_plan *plan)
{
    return plan->alike < SHARE ? plan->alike : SHARE;
}

/* The number of the worker's next call; it goes on where another died in its place. false: none is left. */
static bool take_call(int64_t *number, pool *p, worker *self)
{
    if (self->next == self->end) {
        int64_t share = torc_fuzz_share(&p->plan);
        int64_t first = atomic_fetch_add(&p->taken, share), last = first + share;
        self->next = first;
        self->end = last < p->plan.calls ? last : p->plan.calls;
    }
    *number = self->next;
    self->next += self->next < self->end;
    return *number < self->end;
}

static void make_call(pool *p, worker *self, uint64_t seed)
{
    self->seed = seed;
    self->started = seconds_now();
    bool is_same = p->plan.work->make(seed, &self->tally);
    self->started = 0;
    if (!is_same) {
        note_failure(p, seed, FUZZ_DIFFERENT);
    }
}

static void work(pool *p, worker *self)
{
    const fuzz_work *work = p->plan.work;
    work->begin();
    int64_t number;
    bool is_used_up = false;
    while (!is_used_up && !is_over(p) && take_call(&number, p, self)) {
        make_call(p, self, random_series_seed(p->plan.first_seed, number, p->plan.alike));
        is_used_up = work->is_used_up && work->is_used_up();
    }
    work->end();
    exit(is_used_up ? USED_UP : 0);
}

static void start(pool *p, worker *w)
{
    w->started = 0;
    fflush(NULL);
    pid_t pid = fork();
    TORC_REQUIRE(pid >= 0);
    if (pid == 0) {
        work(p, w);
    }
    w->pid = pid; /* of the parent's making alone: the memory is shared */
}

/* true: the worker goes on, or another instead of it. */
static bool watch(pool *p, worker *w)
{
    int status;
    double started = w->started;
    bool is_hanging = started > 0 && seconds_now() - started > TORC_HANGING;
    if (is_hanging) {
        kill(w->pid, SIGKILL);
    }
    pid_t ended = w->pid ? waitpid(w->pid, &status, is_hanging ? 0 : WNOHANG) : w->pid;
    if (!w->pid || (ended == w->pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        w->pid = 0;
        return false;
    }
    if (ended == w->pid && WIFEXITED(status) && WEXITSTATUS(status) == USED_UP) {
        start(p, w);
        return true;
    }
    if (ended == w->pid) {
        fprintf(stderr, "seed %llu: %s%s\n", (unsigned long long)w->seed, is_hanging ? "hangs" : "died",
            started > 0 ? "" : ", after the call");
        note_end(p, w->seed, is_hanging ? FUZZ_HUNG : FUZZ_DIED);
        w->pid = 0;
        if (is_over(p)) {
            return false;
        }
        start(p, w);
    }
    return true;
}

static void tell_progress(const pool *p, double *told)
{
    int64_t calls = 0;
    if (seconds_now() - *told < PROGRESS) {
        return;
    }
    for (int i = 0; i < p->plan.jobs; i++) {
        calls += p->workers[i].tally.calls;
    }
    *told = seconds_now();
    fprintf(stderr, "%.0f s: %lld calls, %d failures\n", *told - p->begin, (long long)calls, p->nfailures);
}

fuzz_result torc_fuzz_pool_run(const fuzz_plan *plan)
{
    size_t size = sizeof(pool) + (size_t)plan->jobs * sizeof(worker);
    pool *p = torc_fuzz_shared(size);
    fuzz_result result = {0};
    p->plan = *plan;
    p->begin = seconds_now();
    for (int i = 0; i < plan->jobs; i++) {
        start(p, &p->workers[i]);
    }
    double told = p->begin;
    for (bool is_working = true; is_working;) {
        is_working = false;
        for (int i = 0; i < plan->jobs; i++) {
            is_working |= watch(p, &p->workers[i]);
        }
        tell_progress(p, &told);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    for (int i = 0; i < plan->jobs; i++) {
        add_tally(&result.total, &p->workers[i].tally);
    }
    result.failing_anyway = p->failing_anyway;
    result.nfailures = p->nfailures < FUZZ_MAX_FAILURES ? p->nfailures : FUZZ_MAX_FAILURES;
    memcpy(result.failures, p->failures, sizeof result.failures);
    munmap(p, size);
    return result;
}

fuzz_verdict torc_fuzz_apart(const fuzz_work *work, bool (*task)(void *data), void *data, bool is_silent)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    TORC_REQUIRE(child >= 0);
    if (child == 0) {
        int nowhere = is_silent ? open("/dev/null", O_WRONLY) : -1;
        if (nowhere >= 0) {
            dup2(nowhere, STDERR_FILENO);
        }
        alarm(TORC_HANGING);
        work->begin();
        bool is_well = task(data);
        fflush(NULL);
        _exit(is_well ? FUZZ_SAME : FUZZ_DIFFERENT);
    }
    TORC_REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) && WEXITSTATUS(status) <= FUZZ_DIFFERENT ? (fuzz_verdict)WEXITSTATUS(status)
           : WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM       ? FUZZ_HUNG
                                                                      : FUZZ_DIED;
}
