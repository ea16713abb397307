/* corpus_queue.h: matrices of successive seeds, made ahead by all processors but one. */
#ifndef BENCH_CORPUS_QUEUE_H
#define BENCH_CORPUS_QUEUE_H

#include "corpus_matrix.h"

typedef struct corpus_queue corpus_queue;

corpus_queue *corpus_queue_open(const corpus_families *families, uint64_t first_seed, double most_entries);

/* The next one, in the order of seeds: waits for it. To be freed. */
bench_matrix corpus_queue_next(corpus_queue *queue);

/* Waits for those that are being made. */
void corpus_queue_close(corpus_queue *queue);

#endif
