/* paths_algorithm.c: start, rounds, and now and then a look for a cycle. */
#include "paths_algorithm.h"

#include <stdlib.h>
#include <string.h>

#include "clock_now.h"
#include "grb_try.h"
#include "paths_plain.h"

enum { FIRST_LOOK = 32 }; /* the round after which a cycle is first looked for */

typedef struct rounds {
    const torc_paths_problem *problem;
    torc_paths_report *report;
    GrB_Index n, K;
    GrB_Semiring semiring;
    GrB_BinaryOp add;
    GrB_Matrix AT, X, T, F; /* F: what changed, bool; of counting, what is new */
} rounds;

/* X = nothing everywhere */
static GrB_Info fill(GrB_Matrix X, const torc_algebra *algebra, GrB_Index n, GrB_Index K)
{
    return algebra->type
               ? GrB_Matrix_assign_UDT(X, NULL, NULL, (void *)algebra->nothing, GrB_ALL, n, GrB_ALL, K, NULL)
               : GrB_Matrix_assign_FP64(
                     X, NULL, NULL, *(const double *)algebra->nothing, GrB_ALL, n, GrB_ALL, K, NULL);
}

/* X(v,j) = source */
static GrB_Info set(GrB_Matrix X, const torc_algebra *algebra, GrB_Index v, GrB_Index j)
{
    return algebra->type ? GrB_Matrix_setElement_UDT(X, (void *)algebra->source, v, j)
                         : GrB_Matrix_setElement_FP64(X, *(const double *)algebra->source, v, j);
}

static GrB_Info start(rounds *it)
{
    const torc_algebra *algebra = it->problem->algebra;
    GrB_Type type = torc_algebra_type(algebra);
    GrB_Info info;
    it->semiring = torc_algebra_semiring(algebra);
    it->add = torc_algebra_add(algebra);
    TRY(GrB_Matrix_new(&it->X, type, it->n, it->K));
    TRY(GrB_Matrix_new(&it->T, type, it->n, it->K));
    TRY(GrB_Matrix_new(&it->F, algebra->is_counting ? type : GrB_BOOL, it->n, it->K));
    if (!algebra->is_counting) {
        TRY(fill(it->X, algebra, it->n, it->K));
    }
    for (GrB_Index j = 0; j < it->K; j++) {
        TRY(set(it->X, algebra, it->problem->sources[j], j));
        if (algebra->is_counting) {
            TRY(set(it->F, algebra, it->problem->sources[j], j));
        }
    }
    TRY(GrB_Matrix_wait(it->X, GrB_MATERIALIZE));
    TRY(GrB_Matrix_wait(it->F, GrB_MATERIALIZE));
done:
    return info;
}

static GrB_Info improve(rounds *it, uint64_t *changed)
{
    GrB_Info info;
    TRY(GrB_Matrix_assign(it->T, NULL, NULL, it->X, GrB_ALL, it->n, GrB_ALL, it->K, NULL));
    TRY(GrB_Matrix_wait(it->T, GrB_MATERIALIZE));
    double begin = torc_now();
    TRY(GrB_mxm(it->T, NULL, it->add, it->semiring, it->AT, it->X, NULL));
    TRY(GrB_Matrix_wait(it->T, GrB_MATERIALIZE));
    it->report->seconds_mxm += torc_now() - begin;
    TRY(GrB_Matrix_eWiseMult_BinaryOp(
        it->F, NULL, NULL, torc_algebra_better(it->problem->algebra), it->T, it->X, NULL));
    *changed = 0;
    TRY(GrB_Matrix_reduce_UINT64(changed, NULL, GrB_PLUS_MONOID_UINT64, it->F, NULL));
    GrB_Matrix swap = it->X;
    it->X = it->T;
    it->T = swap;
done:
    return info;
}

static GrB_Info settle(rounds *it, uint64_t *changed)
{
    GrB_Info info;
    TRY(GrB_Matrix_wait(it->X, GrB_MATERIALIZE));
    double begin = torc_now();
    TRY(GrB_mxm(it->F, it->X, NULL, it->semiring, it->AT, it->F, GrB_DESC_RSC));
    TRY(GrB_Matrix_wait(it->F, GrB_MATERIALIZE));
    it->report->seconds_mxm += torc_now() - begin;
    TRY(GrB_Matrix_assign(it->X, it->F, NULL, it->F, GrB_ALL, it->n, GrB_ALL, it->K, GrB_DESC_S));
    TRY(GrB_Matrix_nvals(changed, it->F));
done:
    return info;
}

static GrB_Info record(torc_paths_report *report, uint64_t changed)
{
    if (report->rounds == report->capacity) {
        uint64_t capacity = report->capacity ? 2 * report->capacity : 64;
        uint64_t *grown = realloc(report->changed, capacity * sizeof *grown);
        if (!grown) {
            return GrB_OUT_OF_MEMORY;
        }
        report->changed = grown;
        report->capacity = capacity;
    }
    report->changed[report->rounds++] = changed;
    return GrB_SUCCESS;
}

/* Look for a cycle in a column that still changes. As many passes as there were rounds cost less than those.
 */
static GrB_Info look_for_cycle(rounds *it)
{
    GrB_Vector is_changing = NULL;
    void *value = malloc(it->n * torc_algebra_size(it->problem->algebra));
    bool is_found = false;
    GrB_Index j = 0;
    GrB_Info info = GrB_OUT_OF_MEMORY;
    if (!value) {
        goto done;
    }
    TRY(GrB_Vector_new(&is_changing, GrB_BOOL, it->K));
    TRY(GrB_Matrix_reduce_Monoid(is_changing, NULL, NULL, GrB_LOR_MONOID_BOOL, it->F, GrB_DESC_T0));
    TRY(GrB_Vector_extractElement_BOOL(&is_found, is_changing, j));
    while (!is_found) {
        j++;
        TRY(GrB_Vector_extractElement_BOOL(&is_found, is_changing, j));
    }
    TRY(torc_paths_column(value, it->X, it->problem->algebra, j));
    if (!torc_plain_cycle(&it->report->cycle, &it->report->length, value, it->problem, it->report->rounds)) {
        info = GrB_OUT_OF_MEMORY;
    }
done:
    free(value);
    GrB_Vector_free(&is_changing);
    return info;
}

GrB_Info torc_paths(GrB_Matrix *X, torc_paths_report *report, GrB_Matrix AT,
    const torc_paths_problem *problem, torc_progress *progress)
{
    rounds it = {.problem = problem, .report = report, .K = problem->K, .AT = AT};
    bool is_counting = problem->algebra->is_counting;
    double begin = torc_now();
    uint64_t changed = 1;
    GrB_Info info;
    *X = NULL;
    *report = (torc_paths_report){0};
    TRY(GrB_Matrix_nrows(&it.n, AT));
    TRY(start(&it));
    while (changed > 0 && !report->cycle) {
        TRY(is_counting ? settle(&it, &changed) : improve(&it, &changed));
        TRY(record(report, changed));
        torc_progress_show(progress, report->rounds, 0, "round %llu, %llu values changed",
            (unsigned long long)report->rounds, (unsigned long long)changed);
        bool is_power_of_two = (report->rounds & (report->rounds - 1)) == 0;
        if (changed > 0 && !is_counting && report->rounds >= FIRST_LOOK && is_power_of_two) {
            TRY(look_for_cycle(&it));
        }
    }
    if (!report->cycle) {
        *X = it.X;
        it.X = NULL;
    }
done:
    GrB_Matrix_free(&it.X);
    GrB_Matrix_free(&it.T);
    GrB_Matrix_free(&it.F);
    report->seconds_total = torc_now() - begin;
    return info;
}

void torc_paths_release(torc_paths_report *report)
{
    free(report->changed);
    free(report->cycle);
    *report = (torc_paths_report){0};
}

GrB_Info torc_paths_column(void *value, GrB_Matrix X, const torc_algebra *algebra, GrB_Index j)
{
    GrB_Vector column = NULL;
    size_t size = torc_algebra_size(algebra);
    GrB_Index n, count;
    GrB_Index *index = NULL;
    void *present = NULL;
    GrB_Info info;
    TRY(GrB_Matrix_nrows(&n, X));
    count = n;
    index = malloc(n * sizeof *index);
    present = malloc(n * size);
    if (!index || !present) {
        info = GrB_OUT_OF_MEMORY;
        goto done;
    }
    TRY(GrB_Vector_new(&column, algebra->type ? algebra->type : GrB_FP64, n));
    TRY(GrB_Col_extract(column, NULL, NULL, X, GrB_ALL, n, j, NULL));
    TRY(algebra->type ? GrB_Vector_extractTuples_UDT(index, present, &count, column)
                      : GrB_Vector_extractTuples_FP64(index, present, &count, column));
    for (GrB_Index v = 0; v < n; v++) {
        memcpy(torc_algebra_at(algebra, value, v), algebra->nothing, size);
    }
    for (GrB_Index i = 0; i < count; i++) {
        memcpy(torc_algebra_at(algebra, value, index[i]), torc_algebra_at(algebra, present, i), size);
    }
done:
    free(index);
    free(present);
    GrB_Vector_free(&column);
    return info;
}
