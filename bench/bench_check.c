#include "bench_check.h"
#include "bench_values.h"
#include <math.h>

enum { CHECKED_COLUMNS = 64 };

/* min, max and any compare with the term as the type holds it; plus sums the exact one. */
static long double multiply(torc_semiring semiring, double x, double y)
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
    default: /* pair */
        break;
    }
    return !is_rounded ? z : semiring.type == TORC_FP32 ? (float)z : (double)z;
}

static double element(torc_type type, const void *values, int64_t j)
{
    return type == TORC_FP32   ? (double)((const float *)values)[j]
           : type == TORC_FP64 ? ((const double *)values)[j]
                               : ((const uint8_t *)values)[j];
}

double bench_row_error(const bench_matrix *A, torc_semiring semiring, torc_order order, int64_t ncols,
    int64_t row, const void *found)
{
    int64_t begin = A->row_ptr[row], end = A->row_ptr[row + 1];
    int64_t step = (ncols + CHECKED_COLUMNS - 1) / CHECKED_COLUMNS;
    double worst = 0;
    for (int64_t j = row % step; j < ncols; j += step) {
        double c = element(semiring.type, found, j);
        long double sum = 0, magnitude = 0, least = INFINITY, most = -INFINITY;
        bool is_term = begin == end && c == 0;
        for (int64_t p = begin; p < end; p++) {
            double x = bench_value(semiring.type, p);
            int64_t k = A->col_idx[p], at = order == TORC_ROW_MAJOR ? k * ncols + j : k + j * A->ncols;
            double y = bench_value(semiring.type, at);
            long double z = multiply(semiring, x, y);
            sum += z;
            magnitude += fabsl(z);
            least = z < least ? z : least;
            most = z > most ? z : most;
            is_term = is_term || z == c;
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
