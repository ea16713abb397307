/* compare.c: see compare.h. Products are looked at only where some value differs. */
#include "compare.h"
#include "reference.h"
#include "require.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of the products at one position. */
typedef struct terms {
    double sum; /* of the absolute values of the finite ones */
    int64_t count;
    bool has_expected, has_actual; /* they are among the products, cast to C's type */
} terms;

typedef struct comparison {
    const random_call *call;
    const entries *expected, *actual;
    value_type type; /* of C */
    entries A, B;    /* op(A) and op(B) in the type that multiply takes; C before the call */
    entries C;
} comparison;

static char difference[512];

static const void *value_at(const entries *e, GrB_Index p)
{
    return (const char *)e->values + p * e->value_size;
}

static const char *compare_settings(const entries *expected, const entries *actual)
{
    const struct {
        const char *name;
        double expected, actual;
    } settings[] = {
        {"number of rows", (double)expected->nrows, (double)actual->nrows},
        {"number of columns", (double)expected->ncols, (double)actual->ncols},
        {"sameness of type", true, expected->type == actual->type},
        {"orientation", expected->by_col, actual->by_col},
        {"sparsity control", expected->control, actual->control},
        {"hyper switch", expected->hyper_switch, actual->hyper_switch},
        {"bitmap switch", expected->bitmap_switch, actual->bitmap_switch},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (settings[i].expected != settings[i].actual) {
            snprintf(difference, sizeof difference, "the %s of C is %g instead of %g", settings[i].name,
                settings[i].actual, settings[i].expected);
            return difference;
        }
    }
    return NULL;
}

static const char *compare_structure(const entries *expected, const entries *actual)
{
    if (expected->nvals != actual->nvals) {
        snprintf(difference, sizeof difference, "%llu entries instead of %llu",
            (unsigned long long)actual->nvals, (unsigned long long)expected->nvals);
        return difference;
    }
    size_t word = sizeof(GrB_Index), listed = expected->nlisted;
    bool is_equal = actual->nlisted == listed &&
                    memcmp(expected->ptr, actual->ptr, (listed + 1) * word) == 0 &&
                    (!expected->rows || memcmp(expected->rows, actual->rows, listed * word) == 0) &&
                    (expected->nvals == 0 || memcmp(expected->idx, actual->idx, expected->nvals * word) == 0);
    return is_equal ? NULL : "entries in other places";
}

static bool is_narrow(const comparison *c)
{
    return c->type == VALUE_FP32 || c->call->semiring.type == VALUE_FP32 ||
           (c->call->accum && c->call->accum_type == VALUE_FP32);
}

static void add_term(terms *t, const comparison *c, const void *product, GrB_Index at)
{
    double x = torc_value_as_double(c->call->semiring.type, product);
    t->sum += isfinite(x) ? fabs(x) : 0;
    t->count++;
    if (c->call->tolerance == TOLERANCE_ANY) {
        torc_value cast;
        torc_cast(&cast, (torc_type)c->type, product, (torc_type)c->call->semiring.type);
        t->has_expected |= torc_value_equal(c->type, &cast, value_at(c->expected, at));
        t->has_actual |= torc_value_equal(c->type, &cast, value_at(c->actual, at));
    }
}

/* The products of row i of C, at the positions where C has entries. */
static void collect_terms(terms *row, const comparison *c, GrB_Index i, GrB_Index *position)
{
    torc_semiring semiring = c->call->semiring.known;
    torc_reference_operator multiply = torc_reference_multiply(semiring.multiply, semiring.type);
    bool is_positional = torc_semiring_traits(semiring).is_positional;
    memset(row, 0, c->expected->ncols * sizeof *row);
    for (GrB_Index j = 0; j < c->expected->ncols; j++) {
        position[j] = GrB_INDEX_MAX;
    }
    for (GrB_Index p = c->expected->ptr[i]; p < c->expected->ptr[i + 1]; p++) {
        position[c->expected->idx[p]] = p;
    }
    for (GrB_Index p = c->A.ptr[i]; p < c->A.ptr[i + 1]; p++) {
        GrB_Index k = c->A.idx[p];
        for (GrB_Index q = c->B.ptr[k]; q < c->B.ptr[k + 1]; q++) {
            GrB_Index j = c->B.idx[q];
            if (position[j] != GrB_INDEX_MAX) {
                torc_value product;
                if (is_positional) {
                    int64_t at =
                        torc_reference_position(semiring.multiply, (int64_t)i, (int64_t)k, (int64_t)j);
                    torc_cast(&product, semiring.type, &at, TORC_INT64);
                } else {
                    multiply(&product, value_at(&c->A, p), value_at(&c->B, q));
                }
                add_term(&row[j], c, &product, position[j]);
            }
        }
    }
}

static double old_value(const comparison *c, GrB_Index i, GrB_Index j)
{
    for (GrB_Index p = c->C.ptr[i]; p < c->C.ptr[i + 1]; p++) {
        if (c->C.idx[p] == j) {
            return torc_value_as_double(c->type, value_at(&c->C, p));
        }
    }
    return 0;
}

static bool is_same_sum(const comparison *c, const terms *t, double old, double expected, double actual)
{
    double unit = is_narrow(c) ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
    double least = is_narrow(c) ? FLT_TRUE_MIN : DBL_TRUE_MIN;
    double greatest = is_narrow(c) ? FLT_MAX : DBL_MAX;
    double n = (double)t->count + 3, gamma = n * unit / (1 - n * unit);
    double sum = t->sum + (isfinite(old) ? fabs(old) : 0);
    if (sum * (1 + gamma) >= greatest) {
        return true;
    }
    return isfinite(expected) && isfinite(actual) && fabs(expected - actual) <= 2 * (gamma * sum + n * least);
}

/* The monoid's identity and NaN stand for one another. */
static bool is_lone_nan(const comparison *c, double expected, double actual)
{
    double identity = c->call->semiring.known.add == TORC_MIN_MONOID ? INFINITY : -INFINITY;
    return (isnan(expected) && actual == identity) || (isnan(actual) && expected == identity);
}

static bool is_tolerated(const comparison *c, const terms *t, GrB_Index i, GrB_Index j, GrB_Index p)
{
    double expected = torc_value_as_double(c->type, value_at(c->expected, p));
    double actual = torc_value_as_double(c->type, value_at(c->actual, p));
    switch (c->call->tolerance) {
    case TOLERANCE_SUM:
        return is_same_sum(c, t, old_value(c, i, j), expected, actual);
    case TOLERANCE_ANY:
        return t->has_expected && t->has_actual;
    case TOLERANCE_LONE_NAN:
        return is_lone_nan(c, expected, actual);
    default:
        return false;
    }
}

static void open_products(comparison *c)
{
    call_operands operands = torc_call_operands_new(c->call);
    value_type type = (value_type)c->call->semiring.known.type;
    c->A = torc_entries_cast(operands.matrices[OPERAND_A], c->call->transpose_a, type);
    c->B = torc_entries_cast(operands.matrices[OPERAND_B], c->call->transpose_b, type);
    c->C = torc_entries_of(operands.matrices[OPERAND_C]);
    torc_call_operands_free(c->call, &operands);
}

static const char *tell(const comparison *c, GrB_Index i, GrB_Index j, GrB_Index p, const terms *t)
{
    snprintf(difference, sizeof difference,
        "C(%llu,%llu) is %.17g instead of %.17g; %lld products, sum %.17g",
        (unsigned long long)(c->expected->rows ? c->expected->rows[i] : i), (unsigned long long)j,
        torc_value_as_double(c->type, value_at(c->actual, p)),
        torc_value_as_double(c->type, value_at(c->expected, p)), (long long)t->count, t->sum);
    return difference;
}

static bool is_row_equal(const comparison *c, GrB_Index i)
{
    for (GrB_Index p = c->expected->ptr[i]; p < c->expected->ptr[i + 1]; p++) {
        if (!torc_value_equal(c->type, value_at(c->expected, p), value_at(c->actual, p))) {
            return false;
        }
    }
    return true;
}

static const char *compare_row(const comparison *c, GrB_Index i, terms *row, GrB_Index *position)
{
    if (c->A.ptr) {
        collect_terms(row, c, i, position);
    }
    for (GrB_Index p = c->expected->ptr[i]; p < c->expected->ptr[i + 1]; p++) {
        GrB_Index j = c->expected->idx[p];
        const terms *t = row ? &row[j] : &(terms){0};
        if (!torc_value_equal(c->type, value_at(c->expected, p), value_at(c->actual, p)) &&
            !is_tolerated(c, t, i, j, p)) {
            return tell(c, i, j, p, t);
        }
    }
    return NULL;
}

static const char *compare_values(const random_call *call, const entries *expected, const entries *actual)
{
    comparison c = {
        .call = call,
        .expected = expected,
        .actual = actual,
        .type = torc_random_call_recipe(call, OPERAND_C)->type,
    };
    const char *found = NULL;
    terms *row = NULL;
    GrB_Index *position = NULL;
    for (GrB_Index i = 0; i < expected->nlisted && !found; i++) {
        if (is_row_equal(&c, i)) {
            continue;
        }
        if (!c.A.ptr && call->tolerance != TOLERANCE_NONE) {
            open_products(&c);
            row = calloc(expected->ncols, sizeof *row);
            position = calloc(expected->ncols, sizeof *position);
            TORC_REQUIRE(row && position && !expected->rows);
        }
        found = compare_row(&c, i, row, position);
    }
    torc_entries_free(&c.A);
    torc_entries_free(&c.B);
    torc_entries_free(&c.C);
    free(row);
    free(position);
    return found;
}

const char *torc_compare(const random_call *call, const entries *expected, const entries *actual)
{
    const char *found = compare_settings(expected, actual);
    found = found ? found : compare_structure(expected, actual);
    return found ? found : compare_values(call, expected, actual);
}
