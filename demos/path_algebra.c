/* path_algebra.c: the table, and beside it the handles, which are no constants and so cannot be in it. */
#include "path_algebra.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number(const void *value)
{
    return *(const double *)value;
}

static void plus(void *extended, const void *path, const void *edge)
{
    *(double *)extended = number(path) + number(edge);
}

static void times(void *extended, const void *path, const void *edge)
{
    *(double *)extended = number(path) * number(edge);
}

static void least(void *extended, const void *path, const void *edge)
{
    *(double *)extended = number(path) < number(edge) ? number(path) : number(edge);
}

static bool is_less(const void *left, const void *right)
{
    return number(left) < number(right);
}

static bool is_greater(const void *left, const void *right)
{
    return number(left) > number(right);
}

enum { SHORTEST, WIDEST, RELIABLE, LONGEST, REACH, COUNT, ALGEBRAS };

static const double zero = 0, one = 1, plus_infinity = INFINITY, minus_infinity = -INFINITY;

static const torc_algebra algebras[ALGEBRAS] = {
    [SHORTEST] = {"shortest", "min.plus", &zero, &plus_infinity, true, false, false, plus, is_less},
    [WIDEST] = {"widest", "max.min", &plus_infinity, &minus_infinity, true, false, false, least, is_greater},
    [RELIABLE] = {"reliable", "max.times", &one, &zero, true, false, false, times, is_greater},
    [LONGEST] = {"longest", "max.plus", &zero, &minus_infinity, true, false, true, plus, is_greater},
    [REACH] = {"reach", "lor.land", &one, &zero, false, false, true, least, is_greater},
    [COUNT] = {"count", "plus.second", &one, &zero, false, true, true, NULL, is_greater},
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
    return algebra->type ? algebra->type : algebra == &algebras[REACH] ? GrB_BOOL : GrB_FP64;
}

GrB_Semiring torc_algebra_semiring(const torc_algebra *algebra)
{
    const GrB_Semiring semirings[ALGEBRAS] = {GrB_MIN_PLUS_SEMIRING_FP64, GrB_MAX_MIN_SEMIRING_FP64,
        GrB_MAX_TIMES_SEMIRING_FP64, GrB_MAX_PLUS_SEMIRING_FP64, GrB_LOR_LAND_SEMIRING_BOOL,
        GxB_PLUS_SECOND_FP64};
    return algebra->type ? algebra->semiring : semirings[algebra - algebras];
}

GrB_BinaryOp torc_algebra_add(const torc_algebra *algebra)
{
    const GrB_BinaryOp adds[ALGEBRAS] = {
        GrB_MIN_FP64, GrB_MAX_FP64, GrB_MAX_FP64, GrB_MAX_FP64, GrB_LOR, GrB_PLUS_FP64};
    return algebra->type ? algebra->add : adds[algebra - algebras];
}

GrB_BinaryOp torc_algebra_better(const torc_algebra *algebra)
{
    return algebra->type                   ? algebra->better
           : algebra->is_better == is_less ? GrB_LT_FP64
           : algebra == &algebras[REACH]   ? GrB_GT_BOOL
                                           : GrB_GT_FP64;
}

size_t torc_algebra_size(const torc_algebra *algebra)
{
    return algebra->type ? algebra->size : sizeof(double);
}

void *torc_algebra_at(const torc_algebra *algebra, const void *values, uint64_t i)
{
    return (char *)values + i * torc_algebra_size(algebra);
}

bool torc_algebra_is_nothing(const torc_algebra *algebra, const void *value)
{
    return !algebra->is_better(value, algebra->nothing);
}

void torc_algebra_show(char text[TORC_VALUE_TEXT], const torc_algebra *algebra, const void *value, int digits)
{
    if (algebra->show) {
        algebra->show(text, TORC_VALUE_TEXT, value);
    } else {
        snprintf(text, TORC_VALUE_TEXT, "%.*g", digits, number(value));
    }
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

static double weight_of(const torc_algebra *algebra, const torc_graph *graph, uint64_t e, uint64_t random)
{
    double drawn = (double)(draw(graph->source[e], graph->target[e], random) % 100 + 1);
    return !algebra->has_weights            ? 1
           : graph->has_weights             ? graph->weight[e]
           : random == 0                    ? 1
           : algebra == &algebras[RELIABLE] ? drawn / 100
                                            : drawn;
}

void *torc_algebra_weights(const torc_algebra *algebra, torc_graph *graph, uint64_t random)
{
    void *weights = malloc((graph->nedges + 1) * torc_algebra_size(algebra));
    if (!weights) {
        torc_graph_fail(graph, "not enough memory");
        return NULL;
    }
    for (uint64_t e = 0; e < graph->nedges; e++) {
        double weight = weight_of(algebra, graph, e, random);
        if (algebra == &algebras[RELIABLE] && !(weight >= 0 && weight <= 1)) {
            torc_graph_fail(graph, "a weight is %g, and how reliable an edge is must be from 0 to 1", weight);
            free(weights);
            return NULL;
        }
        if (algebra->edge) {
            algebra->edge(torc_algebra_at(algebra, weights, e), weight);
        } else {
            ((double *)weights)[e] = weight;
        }
    }
    return weights;
}

bool torc_algebra_is_monotone(const torc_algebra *algebra, const void *weight, uint64_t nedges)
{
    bool is_monotone = algebra != &algebras[LONGEST] && !algebra->type;
    for (uint64_t e = 0; algebra == &algebras[SHORTEST] && is_monotone && e < nedges; e++) {
        is_monotone = ((const double *)weight)[e] >= 0;
    }
    return is_monotone;
}
