/* bfs_algorithm.c: the loop over levels, the sides of the product chosen by the frontier's density. */
#include "bfs_algorithm.h"

#include <stdlib.h>

#include "clock_now.h"
#include "grb_try.h"

/* The frontier's share of all K·n pairs from which on a level is pulled. Reasoned, not measured: there each
 * vertex not seen yet finds one of ten in-neighbours in the frontier, so that a search ends early. */
static const double pull_share = 0.1;

typedef struct search {
    GrB_Index n, K;
    GrB_Matrix A, AT, F, L, P;
    GrB_Semiring semiring;
    torc_bfs_report *report;
    uint64_t capacity; /* of report->levels */
} search;

static GrB_Info start(search *it, const GrB_Index *sources, bool has_parents)
{
    GrB_Info info;
    it->semiring = has_parents ? GxB_MIN_SECONDI_INT64 : GxB_ANY_PAIR_BOOL;
    TRY(GrB_Matrix_new(&it->F, has_parents ? GrB_INT64 : GrB_BOOL, it->K, it->n));
    TRY(GrB_Matrix_new(&it->L, GrB_INT32, it->K, it->n));
    TRY(GxB_Matrix_Option_set(it->L, GxB_SPARSITY_CONTROL, GxB_BITMAP | GxB_FULL));
    if (has_parents) {
        TRY(GrB_Matrix_new(&it->P, GrB_INT64, it->K, it->n));
        TRY(GxB_Matrix_Option_set(it->P, GxB_SPARSITY_CONTROL, GxB_BITMAP | GxB_FULL));
    }
    for (GrB_Index s = 0; s < it->K; s++) {
        TRY(GrB_Matrix_setElement_INT64(it->F, has_parents ? (int64_t)sources[s] : 1, s, sources[s]));
    }
done:
    return info;
}

/* Enter the frontier, `size` pairs, as the next level. */
static GrB_Info settle(search *it, GrB_Index size, bool is_pulled)
{
    torc_bfs_report *report = it->report;
    if (report->nlevels == it->capacity) {
        uint64_t capacity = it->capacity ? 2 * it->capacity : 64;
        torc_bfs_level *levels = realloc(report->levels, capacity * sizeof *levels);
        if (!levels) {
            return GrB_OUT_OF_MEMORY;
        }
        report->levels = levels;
        it->capacity = capacity;
    }
    GrB_Info info;
    TRY(GrB_Matrix_assign_INT32(
        it->L, it->F, NULL, (int32_t)report->nlevels, GrB_ALL, it->K, GrB_ALL, it->n, GrB_DESC_S));
    if (it->P) {
        TRY(GrB_Matrix_assign(it->P, it->F, NULL, it->F, GrB_ALL, it->K, GrB_ALL, it->n, GrB_DESC_S));
    }
    report->levels[report->nlevels++] = (torc_bfs_level){size, is_pulled};
done:
    return info;
}

/* F becomes the frontier of the next level. */
static GrB_Info advance(search *it, bool is_pulled)
{
    GrB_Info info;
    TRY(GxB_Matrix_Option_set(it->F, GxB_SPARSITY_CONTROL, is_pulled ? GxB_BITMAP : GxB_SPARSE));
    TRY(GrB_Matrix_wait(it->F, GrB_MATERIALIZE));
    TRY(GrB_Matrix_wait(it->L, GrB_MATERIALIZE));
    double begin = torc_now();
    if (is_pulled) {
        TRY(GrB_mxm(it->F, it->L, NULL, it->semiring, it->F, it->AT, GrB_DESC_RSCT1));
    } else {
        TRY(GrB_mxm(it->F, it->L, NULL, it->semiring, it->F, it->A, GrB_DESC_RSC));
    }
    TRY(GrB_Matrix_wait(it->F, GrB_MATERIALIZE));
    it->report->seconds_mxm += torc_now() - begin;
done:
    return info;
}

GrB_Info torc_bfs(GrB_Matrix *L, GrB_Matrix *P, torc_bfs_report *report, GrB_Matrix A, GrB_Matrix AT,
    const GrB_Index *sources, GrB_Index K, torc_progress *progress)
{
    search it = {.K = K, .A = A, .AT = AT, .report = report};
    GrB_Index size, reached = 0;
    bool is_pulled = false;
    double begin = torc_now();
    GrB_Info info;
    *L = NULL;
    if (P) {
        *P = NULL;
    }
    *report = (torc_bfs_report){0};
    TRY(GrB_Matrix_nrows(&it.n, A));
    TRY(start(&it, sources, P != NULL));
    for (;;) {
        TRY(GrB_Matrix_nvals(&size, it.F));
        if (size == 0) {
            break;
        }
        TRY(settle(&it, size, is_pulled));
        reached += size;
        double pairs = (double)K * (double)it.n;
        torc_progress_show(progress, report->nlevels, (double)reached / pairs, "level %llu, frontier %llu",
            (unsigned long long)report->nlevels - 1, (unsigned long long)size);
        is_pulled = (double)size > pull_share * pairs;
        TRY(advance(&it, is_pulled));
    }
    *L = it.L;
    it.L = NULL;
    if (P) {
        *P = it.P;
        it.P = NULL;
    }
done:
    GrB_Matrix_free(&it.F);
    GrB_Matrix_free(&it.L);
    GrB_Matrix_free(&it.P);
    report->seconds_total = torc_now() - begin;
    return info;
}
