/* reference_bits.c: the reference executor's packed booleans, computed bit by bit with the operators on bool.
 */
#include "offsets.h"
#include "reference.h"

enum { WORD = TORC_WORD_COLUMNS };

static int64_t words_of(int64_t ncols)
{
    return (ncols + WORD - 1) / WORD;
}

static bool get_bit(const uint64_t *row, int64_t j)
{
    return row[j / WORD] >> j % WORD & 1;
}

static void set_bit(uint64_t *row, int64_t j, bool bit)
{
    uint64_t one = UINT64_C(1) << j % WORD;
    row[j / WORD] = bit ? row[j / WORD] | one : row[j / WORD] & ~one;
}

static char *element(const torc_dense *X, int64_t i, int64_t j)
{
    int64_t at = X->order == TORC_ROW_MAJOR ? i * X->ld + j : i + j * X->ld;
    return (char *)X->data + (size_t)at * torc_type_size(X->type);
}

void torc_reference_pack(uint64_t *words, const torc_dense *X)
{
    int64_t width = words_of(X->ncols);
    for (int64_t i = 0; i < X->nrows; i++) {
        for (int64_t j = 0; j < width * WORD; j++) {
            bool bit = false;
            if (j < X->ncols) {
                torc_cast(&bit, TORC_BOOL, element(X, i, j), X->type);
            }
            set_bit(words + i * width, j, bit);
        }
    }
}

void torc_reference_unpack(const torc_dense *X, const uint64_t *words)
{
    int64_t width = words_of(X->ncols);
    for (int64_t i = 0; i < X->nrows; i++) {
        for (int64_t j = 0; j < X->ncols; j++) {
            *(bool *)element(X, i, j) = get_bit(words + i * width, j);
        }
    }
}

void torc_reference_mask(uint64_t *words, const uint64_t *mask, int64_t count, bool complement)
{
    for (int64_t j = 0; j < count * WORD; j++) {
        set_bit(words, j, get_bit(words, j) && get_bit(mask, j) != complement);
    }
}

static bool value_of_a(const torc_spmm_kernel *kernel, const torc_spmm_args *args, int64_t p)
{
    bool x = false;
    if (kernel->a_access != TORC_ACCESS_NONE) {
        size_t at = kernel->a_access == TORC_ACCESS_ISO ? 0 : (size_t)p;
        torc_cast(&x, TORC_BOOL, (const char *)args->a + at * torc_type_size(kernel->a_type), kernel->a_type);
    }
    return x;
}

void torc_reference_spmm_bits(const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    torc_reference_operator add = torc_reference_add(kernel->semiring.add, TORC_BOOL);
    torc_reference_operator multiply = torc_reference_multiply(kernel->semiring.multiply, TORC_BOOL);
    int bits = kernel->wide_offsets ? 64 : 32;
    for (int64_t i = 0; i < args->nrows; i++) {
        int64_t begin = torc_offset(args->row_ptr, bits, i), end = torc_offset(args->row_ptr, bits, i + 1);
        for (int64_t j = 0; j < args->ncols * WORD; j++) {
            bool sum;
            torc_reference_identity(&sum, (torc_reduction){kernel->semiring.add, TORC_BOOL, NULL});
            for (int64_t p = begin; p < end; p++) {
                bool x = value_of_a(kernel, args, p);
                bool y = get_bit((const uint64_t *)args->b + args->col_idx[p] * args->ldb, j);
                bool z;
                multiply(&z, &x, &y);
                if (p == begin) {
                    sum = z;
                } else {
                    add(&sum, &sum, &z);
                }
            }
            set_bit((uint64_t *)args->c + torc_reference_row_of_c(args, i) * args->ldc, j, sum);
        }
    }
}
