#include "bench_check.h"
#include "bench_values.h"
#include <math.h>

enum { CHECKED_COLUMNS = 64 };

typedef struct place {
    int64_t i, k, j;
} place;

/* min, max and any compare with the term as the type holds it; plus sums the exact one. */
static long double multiply(torc_semiring semiring, double x, double y, place at)
{
    bool is_rounded = semiring.add != TORC_PLUS_MONOID;
    long double z = 1;
    switch (semiring.multiply) {
    case TORC_TIMES:
    case TORC_LAND:
        z = (long double)x * y;
        break;
    case TORC_PLUS:
        z = (long double)x + y;
        break;
    case TORC_MIN:
        z = fmin(x, y);
        break;
    case TORC_MAX:
        z = fmax(x, y);
        break;
    case TORC_FIRST:
        z = x;
        break;
    case TORC_SECOND:
        z = y;
        break;
    case TORC_FIRSTI:
        z = at.i;
        break;
    case TORC_FIRSTJ:
    case TORC_SECONDI:
        z = at.k;
        break;
    case TORC_SECONDJ:
        z = at.j;
        break;
    case TORC_FIRSTI1:
        z = at.i + 1;
        break;
    case TORC_FIRSTJ1:
    case TORC_SECONDI1:
        z = at.k + 1;
        break;
    case TORC_SECONDJ1:
        z = at.j + 1;
        break;
    default: /* pair */
        break;
    }
    return !is_rounded ? z : semiring.type == TORC_FP32 ? (float)z : (double)z;
}

static double element(torc_type type, const void *values, int64_t j)
{
    return type == TORC_FP32    ? (double)((const float *)values)[j]
           : type == TORC_FP64  ? ((const double *)values)[j]
           : type == TORC_INT64 ? (double)((const int64_t *)values)[j]
                                : ((const uint8_t *)values)[j];
}

static bool is_marked(int64_t at)
{
    return bench_value(TORC_BOOL, at) != 0;
}

double bench_row_error(const bench_matrix *A, torc_semiring semiring, torc_order order, int64_t ncols,
    int64_t row, const void *found, const uint8_t *present)
{
    int64_t begin = A->row_ptr[row], end = A->row_ptr[row + 1];
    int64_t step = (ncols + CHECKED_COLUMNS - 1) / CHECKED_COLUMNS;
    bool is_by_row = order == TORC_ROW_MAJOR;
    double worst = 0;
    for (int64_t j = row % step; j < ncols; j += step) {
        double c = element(semiring.type, found, j);
        long double sum = 0, magnitude = 0, least = INFINITY, most = -INFINITY;
        bool is_term = begin == end && c == 0, is_expected = false;
        for (int64_t p = begin; p < end; p++) {
            int64_t k = A->col_idx[p], at = is_by_row ? k * ncols + j : k + j * A->ncols;
            if (present && !is_marked(at)) {
                continue;
            }
            double x = bench_value(semiring.type, p), y = bench_value(semiring.type, at);
            long double z = multiply(semiring, x, y, (place){row, k, j});
            sum += z;
            magnitude += fabsl(z);
            least = z < least ? z : least;
            most = z > most ? z : most;
            is_term = is_term || z == c;
            is_expected = true;
        }
        if (present) {
            is_expected = is_expected && !is_marked(is_by_row ? row * ncols + j : row + j * A->nrows);
            worst = is_expected == (present[j] != 0) ? worst : INFINITY;
            if (!is_expected) {
                continue;
            }
        }
        double error = 0;
        switch (semiring.add) {
        case TORC_PLUS_MONOID:
            error = c == sum ? 0 : (double)(fabsl(c - sum) / magnitude);
            break;
        case TORC_MIN_MONOID:
            error = c == least ? 0 : INFINITY;
            break;
        case TORC_LOR_MONOID: /* of nothing: false */
            most = fmaxl(most, 0);
            error = c == most ? 0 : INFINITY;
            break;
        case TORC_MAX_MONOID:
            error = c == most ? 0 : INFINITY;
            break;
        default: /* any */
            error = is_term ? 0 : INFINITY;
            break;
        }
        worst = isnan(error) ? INFINITY : fmax(worst, error);
    }
    return worst;
}
