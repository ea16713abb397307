/* ranking.h: the vertices that matter most to one seed, so ordered that two runs whose sums were added up in
 * different orders print the same: scores are rounded to units of 1e-9 first, ties go to the smaller vertex.
 */
#ifndef TORC_RANKING_H
#define TORC_RANKING_H

#include <stdint.h>

typedef struct torc_rank {
    uint64_t vertex;
    int64_t score; /* rounded */
} torc_rank;

/* A score in units of 1e-9. */
int64_t torc_ranking_round(double score);

/* The highest `count` of score[0 .. n-1] above 0, without the vertex `except`; returns how many there are. */
int torc_ranking_top(torc_rank *top, int count, const double *score, uint64_t n, uint64_t except);

#endif
