#include "small_product.h"
#include "match.h"
#include <complex.h>
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static bool is_real(torc_type type)
{
    return type == TORC_FP32 || type == TORC_FP64;
}

static bool is_complex(torc_type type)
{
    return type == TORC_FC32 || type == TORC_FC64;
}

static bool rounds(torc_semiring semiring)
{
    return !torc_semiring_traits(semiring).is_exact && semiring.add != TORC_ANY_MONOID;
}

/* ---- Drawing ------------------------------------------------------------------------------------------ */

static const double ugly_reals[] = {0.0, -0.0, 1, -1, 0.5, 3, -7, 1e-3, 1234.5, NAN, INFINITY, -INFINITY, 3e9,
    -3e9, 1e19, -1e19, 1e30, 5e-324, 127.5, -128.5, 255.5, 65535.5};
static const double unit_reals[] = {1, -1, 0.5, 3, -2, 1.1, -0.3, 0.7};
static const double special_reals[] = {NAN, INFINITY, -INFINITY};
static const int64_t ugly_integers[] = {0, 1, -1, 2, 3, -7, 100, 127, -128, 255, 32767, -32768, 65535,
    INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN, (int64_t)1 << 53, 16777217};

static uint64_t draw(uint64_t *state, uint64_t bound)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
    return (*state >> 33) % bound;
}

#define PICK(array) (array)[draw(state, sizeof(array) / sizeof(array)[0])]

static double draw_real(torc_semiring semiring, uint64_t *state)
{
    if (!rounds(semiring)) {
        return PICK(ugly_reals);
    }
    bool is_real_sum = semiring.add == TORC_PLUS_MONOID && is_real(semiring.type);
    return is_real_sum && draw(state, 50) == 0 ? PICK(special_reals) : PICK(unit_reals);
}

static void draw_value(void *value, torc_type type, torc_semiring semiring, uint64_t *state)
{
    torc_fc64 number = {draw_real(semiring, state), draw_real(semiring, state)};
    int64_t integer = PICK(ugly_integers);
    if (type >= TORC_FP32) {
        torc_cast(value, type, &number, TORC_FC64);
    } else {
        torc_cast(value, type, &integer, TORC_INT64);
    }
}

static void draw_matrix(
    small_matrix *X, int nrows, int ncols, bool is_full, torc_semiring semiring, uint64_t *state)
{
    bool is_cast = !rounds(semiring) && draw(state, 2) == 0;
    *X = (small_matrix){.nrows = nrows, .ncols = ncols, .is_full = is_full};
    X->type = is_cast ? (torc_type)draw(state, TORC_TYPE_COUNT) : semiring.type;
    size_t size = torc_type_size(X->type);
    int empty = (int)draw(state, 5); /* a row and a column */
    for (int p = 0; p < nrows * ncols; p++) {
        bool is_empty = p / ncols == empty || p % ncols == empty;
        X->is_present[p] = is_full || (!is_empty && draw(state, 3) > 0);
        draw_value(X->values + (size_t)p * size, X->type, semiring, state);
    }
}

void torc_small_product_draw(small_product *product, torc_semiring semiring, bool sparse_left, uint64_t seed)
{
    uint64_t state = seed * 2 + sparse_left;
    product->semiring = semiring;
    draw_matrix(&product->A, SMALL_M, SMALL_K, !sparse_left, semiring, &state);
    draw_matrix(&product->B, SMALL_K, SMALL_N, sparse_left, semiring, &state);
}

/* ---- In and out of GraphBLAS -------------------------------------------------------------------------- */

static void pack_full(GrB_Matrix matrix, const small_matrix *X)
{
    size_t bytes = (size_t)(X->nrows * X->ncols) * torc_type_size(X->type);
    void *values = malloc(bytes);
    memcpy(values, X->values, bytes);
    cr_assert_eq(GxB_Matrix_pack_FullR(matrix, &values, bytes, false, NULL), GrB_SUCCESS);
}

static void pack_sparse(GrB_Matrix matrix, const small_matrix *X)
{
    size_t size = torc_type_size(X->type), cells = (size_t)(X->nrows * X->ncols), nvals = 0;
    GrB_Index *ptr = malloc(((size_t)X->nrows + 1) * sizeof *ptr), *idx = malloc(cells * sizeof *idx);
    char *data = malloc(cells * size);
    void *values = data;
    ptr[0] = 0;
    for (size_t p = 0; p < cells; p++) {
        if (X->is_present[p]) {
            idx[nvals] = p % (size_t)X->ncols;
            memcpy(data + nvals++ * size, X->values + p * size, size);
        }
        ptr[p / (size_t)X->ncols + 1] = nvals;
    }
    cr_assert_eq(GxB_Matrix_pack_CSR(matrix, &ptr, &idx, &values, ((size_t)X->nrows + 1) * sizeof *ptr,
                     cells * sizeof *idx, cells * size, false, false, NULL),
        GrB_SUCCESS);
}

GrB_Matrix torc_small_matrix_new(const small_matrix *X)
{
    GrB_Matrix matrix;
    cr_assert_eq(GrB_Matrix_new(&matrix, torc_type_handle(X->type), (GrB_Index)X->nrows, (GrB_Index)X->ncols),
        GrB_SUCCESS);
    if (X->is_full) {
        pack_full(matrix, X);
    } else {
        pack_sparse(matrix, X);
    }
    GxB_Matrix_Option_set(matrix, GxB_SPARSITY_CONTROL, X->is_full ? GxB_FULL : GxB_SPARSE);
    return matrix;
}

void torc_small_matrix_take(small_matrix *X, GrB_Matrix C, torc_type type)
{
    int8_t *bitmap = NULL;
    char *values = NULL;
    GrB_Index bitmap_bytes, value_bytes, nvals;
    bool is_iso;
    size_t size = torc_type_size(type);
    *X = (small_matrix){.nrows = SMALL_M, .ncols = SMALL_N, .type = type};
    GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_BITMAP);
    cr_assert_eq(GxB_Matrix_unpack_BitmapR(
                     C, &bitmap, (void **)&values, &bitmap_bytes, &value_bytes, &is_iso, &nvals, NULL),
        GrB_SUCCESS);
    for (size_t p = 0; p < SMALL_M * SMALL_N; p++) {
        X->is_present[p] = bitmap[p] != 0;
        if (bitmap[p]) {
            memcpy(X->values + p * size, values + (is_iso ? 0 : p) * size, size);
        }
    }
    free(bitmap);
    free(values);
}

/* ---- Judging ------------------------------------------------------------------------------------------ */

typedef struct term_list {
    torc_value z[SMALL_K];
    int count;
} term_list;

static torc_value as_operand(const small_matrix *X, int p, torc_type type)
{
    torc_value x = {0};
    torc_cast(&x, type, X->values + (size_t)p * torc_type_size(X->type), X->type);
    return x;
}

static term_list list_terms(const small_product *product, int i, int j)
{
    torc_semiring semiring = product->semiring;
    term_list terms = {0};
    for (int k = 0; k < SMALL_K; k++) {
        int a = i * SMALL_K + k, b = k * SMALL_N + j;
        if (!product->A.is_present[a] || !product->B.is_present[b]) {
            continue;
        }
        torc_value *z = &terms.z[terms.count++];
        *z = (torc_value){0};
        if (torc_semiring_traits(semiring).is_positional) {
            int64_t position = torc_reference_position(semiring.multiply, i, k, j);
            torc_cast(z, semiring.type, &position, TORC_INT64);
        } else {
            torc_value x = as_operand(&product->A, a, semiring.type);
            torc_value y = as_operand(&product->B, b, semiring.type);
            torc_reference_multiply(semiring.multiply, semiring.type)(z, &x, &y);
        }
    }
    return terms;
}

void torc_small_product_solve(small_matrix *C, const small_product *product)
{
    torc_monoid add = product->semiring.add;
    torc_type type = torc_semiring_traits(product->semiring).z_type;
    *C = (small_matrix){.nrows = SMALL_M, .ncols = SMALL_N, .type = type};
    for (int p = 0; p < SMALL_M * SMALL_N; p++) {
        term_list terms = list_terms(product, p / SMALL_N, p % SMALL_N);
        C->is_present[p] = terms.count > 0;
        for (int t = 1; t < terms.count; t++) {
            torc_reference_add(add, type)(&terms.z[0], &terms.z[0], &terms.z[t]);
        }
        memcpy(C->values + (size_t)p * torc_type_size(type), &terms.z[0], torc_type_size(type));
    }
}

static double complex number(const void *value, torc_type type)
{
    double complex x; /* of the layout of torc_fc64 */
    torc_cast(&x, TORC_FC64, value, type);
    return x;
}

static bool is_same_real(double x, double y)
{
    return (isnan(x) && isnan(y)) || x == y;
}

static bool is_same(const void *x, const void *y, torc_type type)
{
    if (!is_real(type) && !is_complex(type)) {
        return memcmp(x, y, torc_type_size(type)) == 0;
    }
    double complex a = number(x, type), b = number(y, type);
    return is_same_real(creal(a), creal(b)) && is_same_real(cimag(a), cimag(b));
}

static double gamma_bound(torc_type type, int nterms)
{
    double unit = (type == TORC_FP32 || type == TORC_FC32 ? FLT_EPSILON : DBL_EPSILON) / 2;
    double k = (is_complex(type) ? 3 * nterms + 24 : nterms + 2) * unit;
    return k / (1 - k);
}

static bool is_near(const void *x, const void *y, torc_type type, double distance)
{
    return is_same(x, y, type) || cabs(number(x, type) - number(y, type)) <= distance;
}

static bool is_a_term(const term_list *terms, const void *value, torc_type type)
{
    for (int t = 0; t < terms->count; t++) {
        double distance = is_complex(type) ? 2 * gamma_bound(type, 0) * cabs(number(&terms->z[t], type)) : 0;
        if (is_near(value, &terms->z[t], type, isfinite(distance) ? distance : 0)) {
            return true;
        }
    }
    return false;
}

static double magnitude(const term_list *terms, torc_monoid add, torc_type type)
{
    double sum = 0, product = 1;
    for (int t = 0; t < terms->count; t++) {
        double modulus = cabs(number(&terms->z[t], type));
        sum += isfinite(modulus) ? modulus : 0; /* then the answers are the same, not near */
        product *= modulus;
    }
    return add == TORC_TIMES_MONOID ? product : sum;
}

static bool are_all_nan(const term_list *terms, torc_type type)
{
    bool are_nan = is_real(type);
    for (int t = 0; t < terms->count; t++) {
        are_nan = are_nan && isnan(creal(number(&terms->z[t], type)));
    }
    return are_nan;
}

static const char *judge_value(
    torc_semiring semiring, const term_list *terms, const void *suitesparse, const void *torc)
{
    torc_type type = torc_semiring_traits(semiring).z_type;
    if (semiring.add == TORC_ANY_MONOID) {
        return !is_a_term(terms, torc, type)          ? "torc's is no term"
               : !is_a_term(terms, suitesparse, type) ? "SuiteSparse's is no term that torc knows"
                                                      : NULL;
    }
    if (rounds(semiring)) {
        double distance = 2 * gamma_bound(type, terms->count) * magnitude(terms, semiring.add, type);
        return is_near(torc, suitesparse, type, distance) ? NULL : "too far apart";
    }
    if ((semiring.add == TORC_MIN_MONOID || semiring.add == TORC_MAX_MONOID) && are_all_nan(terms, type)) {
        return isnan(creal(number(torc, type))) ? NULL : "not NaN";
    }
    return is_same(torc, suitesparse, type) ? NULL : "values differ";
}

const char *torc_small_product_judge(
    const small_product *product, const small_matrix *suitesparse, const small_matrix *torc)
{
    size_t size = torc_type_size(torc_semiring_traits(product->semiring).z_type);
    for (int p = 0; p < SMALL_M * SMALL_N; p++) {
        term_list terms = list_terms(product, p / SMALL_N, p % SMALL_N);
        if (suitesparse->is_present[p] != (terms.count > 0) || torc->is_present[p] != (terms.count > 0)) {
            return "structures differ";
        }
        const char *wrong =
            terms.count == 0 ? NULL
                             : judge_value(product->semiring, &terms, suitesparse->values + (size_t)p * size,
                                   torc->values + (size_t)p * size);
        if (wrong) {
            return wrong;
        }
    }
    return NULL;
}
