/* path_algebra.c: the table, and beside it the handles, which are no constants and so cannot be in it. */
#include "path_algebra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double plus(double path, double weight)
{
    return path + weight;
}

static double times(double path, double weight)
{
    return path * weight;
}

static double least(double path, double weight)
{
    return path < weight ? path : weight;
}

static bool is_less(double left, double right)
{
    return left < right;
}

static bool is_greater(double left, double right)
{
    return left > right;
}

enum { SHORTEST, WIDEST, RELIABLE, LONGEST, REACH, COUNT, ALGEBRAS };

static const torc_algebra algebras[ALGEBRAS] = {
    [SHORTEST] = {"shortest", "min.plus", 0, INFINITY, true, false, true, plus, is_less},
    [WIDEST] = {"widest", "max.min", INFINITY, -INFINITY, true, false, false, least, is_greater},
    [RELIABLE] = {"reliable", "max.times", 1, 0, true, false, false, times, is_greater},
    [LONGEST] = {"longest", "max.plus", 0, -INFINITY, true, false, true, plus, is_greater},
    [REACH] = {"reach", "lor.land", 1, 0, false, false, true, least, is_greater},
    [COUNT] = {"count", "plus.second", 1, 0, false, true, true, NULL, NULL},
};

const torc_algebra *torc_algebra_find(const char *name)
{
    for (int a = 0; a < ALGEBRAS; a++) {
        if (strcmp(algebras[a].name, name) == 0) {
            return &algebras[a];
        }
    }
    return NULL;
}

const char *torc_algebra_names(void)
{
    return "shortest, widest, reliable, longest, reach, count";
}

GrB_Type torc_algebra_type(const torc_algebra *algebra)
{
    return algebra == &algebras[REACH] ? GrB_BOOL : GrB_FP64;
}

GrB_Semiring torc_algebra_semiring(const torc_algebra *algebra)
{
    const GrB_Semiring semirings[ALGEBRAS] = {GrB_MIN_PLUS_SEMIRING_FP64, GrB_MAX_MIN_SEMIRING_FP64,
        GrB_MAX_TIMES_SEMIRING_FP64, GrB_MAX_PLUS_SEMIRING_FP64, GrB_LOR_LAND_SEMIRING_BOOL,
        GxB_PLUS_SECOND_FP64};
    return semirings[algebra - algebras];
}

GrB_BinaryOp torc_algebra_add(const torc_algebra *algebra)
{
    const GrB_BinaryOp adds[ALGEBRAS] = {
        GrB_MIN_FP64, GrB_MAX_FP64, GrB_MAX_FP64, GrB_MAX_FP64, GrB_LOR, GrB_PLUS_FP64};
    return adds[algebra - algebras];
}

/* SplitMix64's finish of the unordered pair and the seed */
static uint64_t draw(uint64_t u, uint64_t v, uint64_t random)
{
    uint64_t low = u < v ? u : v, high = u < v ? v : u;
    uint64_t z = (low * 0x9e3779b97f4a7c15u) ^ (high + random * 0xd1342543de82ef95u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double *torc_algebra_weights(const torc_algebra *algebra, torc_graph *graph, uint64_t random)
{
    bool is_reliable = algebra == &algebras[RELIABLE];
    double *weight = malloc((graph->nedges + 1) * sizeof *weight);
    if (!weight) {
        torc_graph_fail(graph, "not enough memory");
        return NULL;
    }
    for (uint64_t e = 0; e < graph->nedges; e++) {
        double drawn = (double)(draw(graph->source[e], graph->target[e], random) % 100 + 1);
        weight[e] = !algebra->has_weights ? 1
                    : graph->has_weights  ? graph->weight[e]
                    : is_reliable         ? drawn / 100
                                          : drawn;
        if (is_reliable && !(weight[e] >= 0 && weight[e] <= 1)) {
            torc_graph_fail(
                graph, "a weight is %g, and how reliable an edge is must be from 0 to 1", weight[e]);
            free(weight);
            return NULL;
        }
    }
    return weight;
}

bool torc_algebra_is_monotone(const torc_algebra *algebra, const double *weight, uint64_t nedges)
{
    bool is_monotone = algebra != &algebras[LONGEST];
    for (uint64_t e = 0; algebra == &algebras[SHORTEST] && is_monotone && e < nedges; e++) {
        is_monotone = weight[e] >= 0;
    }
    return is_monotone;
}
