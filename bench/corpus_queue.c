#include "corpus_queue.h"
#include "bench_require.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_MAKERS = 64, AHEAD_OF_EACH = 2, PLACES = MOST_MAKERS * AHEAD_OF_EACH };

struct corpus_queue {
    corpus_families families;
    uint64_t first_seed;
    double most_entries;
    pthread_mutex_t mutex; /* of all that follows */
    pthread_cond_t changed;
    int64_t begun, taken; /* how many matrices */
    bool is_made[PLACES], is_closed;
    bench_matrix matrices[PLACES]; /* number i has place i % PLACES */
    int nmakers;
    pthread_t makers[MOST_MAKERS];
};

static void *make_matrices(void *argument)
{
    corpus_queue *q = argument;
    pthread_mutex_lock(&q->mutex);
    while (!q->is_closed) {
        if (q->begun - q->taken >= (int64_t)AHEAD_OF_EACH * q->nmakers) {
            pthread_cond_wait(&q->changed, &q->mutex);
            continue;
        }
        int64_t number = q->begun++;
        pthread_mutex_unlock(&q->mutex);
        bench_matrix made =
            corpus_matrix_make(&q->families, q->first_seed + (uint64_t)number, q->most_entries);
        pthread_mutex_lock(&q->mutex);
        q->matrices[number % PLACES] = made;
        q->is_made[number % PLACES] = true;
        pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->mutex);
    return NULL;
}

corpus_queue *corpus_queue_open(const corpus_families *families, uint64_t first_seed, double most_entries)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    corpus_queue *q = bench_allocate(1, sizeof *q);
    q->families = *families;
    q->first_seed = first_seed;
    q->most_entries = most_entries;
    pthread_mutex_init(&q->mutex, NULL);
    pthread_cond_init(&q->changed, NULL);
    q->nmakers = processors <= 2 ? 1 : processors > MOST_MAKERS ? MOST_MAKERS : (int)processors - 1;
    for (int i = 0; i < q->nmakers; i++) {
        bench_require(pthread_create(&q->makers[i], NULL, make_matrices, q) == 0, "pthread_create", "failed");
    }
    return q;
}

bench_matrix corpus_queue_next(corpus_queue *q)
{
    pthread_mutex_lock(&q->mutex);
    int64_t place = q->taken % PLACES;
    while (!q->is_made[place]) {
        pthread_cond_wait(&q->changed, &q->mutex);
    }
    q->is_made[place] = false;
    q->taken++;
    bench_matrix next = q->matrices[place];
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->mutex);
    return next;
}

void corpus_queue_close(corpus_queue *q)
{
    pthread_mutex_lock(&q->mutex);
    q->is_closed = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->mutex);
    for (int i = 0; i < q->nmakers; i++) {
        pthread_join(q->makers[i], NULL);
    }
    for (int place = 0; place < PLACES; place++) {
        if (q->is_made[place]) {
            bench_matrix_free(&q->matrices[place]);
        }
    }
    pthread_mutex_destroy(&q->mutex);
    pthread_cond_destroy(&q->changed);
    free(q);
}
