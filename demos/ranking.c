/* ranking.c: insertion into a short sorted list. */
#include "ranking.h"

#include <math.h>

int64_t torc_ranking_round(double score)
{
    return llround(score * 1e9);
}

int torc_ranking_top(torc_rank *top, int count, const double *score, uint64_t n, uint64_t except)
{
    int found = 0;
    for (uint64_t v = 0; v < n; v++) {
        torc_rank rank = {v, torc_ranking_round(score[v])};
        if (rank.score <= 0 || v == except || (found == count && rank.score <= top[count - 1].score)) {
            continue;
        }
        int at = found < count ? found++ : count - 1;
        for (; at > 0 && top[at - 1].score < rank.score; at--) {
            top[at] = top[at - 1];
        }
        top[at] = rank;
    }
    return found;
}
