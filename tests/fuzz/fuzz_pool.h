/* fuzz_pool.h: random calls or programs, one seed each, made by worker processes that are watched from
 * outside: one that dies or hangs names its seed, and another takes its place. */
#ifndef TORC_FUZZ_POOL_H
#define TORC_FUZZ_POOL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { FUZZ_PLACES = 32, FUZZ_MAX_FAILURES = 10, FUZZ_MAX_JOBS = 256 };

/* What calls of one worker have come to. */
typedef struct fuzz_tally {
    int64_t calls, steps, on_device, refused, in_other_format;
    struct {
        char text[80]; /* where a call ran, and why */
        int64_t calls;
    } places[FUZZ_PLACES];
} fuzz_tally;

typedef enum fuzz_verdict {
    FUZZ_SAME,
    FUZZ_DIFFERENT,
    FUZZ_DIED,
    FUZZ_HUNG,
} fuzz_verdict;

typedef struct fuzz_failure {
    uint64_t seed;
    fuzz_verdict verdict;
} fuzz_failure;

/* What a worker does; each worker is a process of its own. */
typedef struct fuzz_work {
    void (*begin)(void);
    bool (*make)(uint64_t seed, fuzz_tally *tally); /* false: answers differ, as it has said */
    void (*end)(void);
    /* Of a seed that died or hung, asked in the parent: would it without torc? NULL: it would not. */
    bool (*fails_anyway)(uint64_t seed);
    /* Asked after each call: are further ones another process's? NULL: never. */
    bool (*is_used_up)(void);
} fuzz_work;

typedef struct fuzz_plan {
    const fuzz_work *work;
    const fuzz_work *rough; /* what --rough asks for instead; NULL: there is none */
    uint64_t first_seed;
    int64_t calls, alike; /* random_series_seed of random_chance.h */
    int jobs;
    double seconds; /* 0: as long as the calls take */
} fuzz_plan;

typedef struct fuzz_result {
    fuzz_tally total;
    int64_t failing_anyway;
    int nfailures; /* at FUZZ_MAX_FAILURES the calls end */
    fuzz_failure failures[FUZZ_MAX_FAILURES];
} fuzz_result;

/* How many calls a worker takes at a time: those alike, but not too many, so that all workers end together.
 */
int64_t torc_fuzz_share(const fuzz_plan *plan);

fuzz_result torc_fuzz_pool_run(const fuzz_plan *plan);

/* Counts calls by where they ran; text need not end after length. */
void torc_fuzz_count_place(fuzz_tally *tally, const char *text, size_t length, int64_t calls);

/* Runs a task in a process of its own, begun as a worker, silently if told so. It returns whether answers are
 * the same. */
fuzz_verdict torc_fuzz_apart(const fuzz_work *work, bool (*task)(void *data), void *data, bool is_silent);

/* Memory that processes share, zeroed. */
void *torc_fuzz_shared(size_t size);

#endif
