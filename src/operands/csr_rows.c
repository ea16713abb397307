#include "csr_rows.h"
#include "offsets.h"

static const void *behind(const void *array, int64_t elements, size_t size)
{
    return array ? (const char *)array + (size_t)elements * size : NULL;
}

torc_csr torc_csr_rows(const torc_csr *A, int64_t begin, int64_t end, int64_t *row_ptr)
{
    int64_t first = torc_offset(A->row_ptr, A->row_ptr_bits, begin);
    torc_csr rows = *A;
    for (int64_t i = begin; i <= end; i++) {
        row_ptr[i - begin] = torc_offset(A->row_ptr, A->row_ptr_bits, i) - first;
    }
    rows.nrows = end - begin;
    rows.row_ptr = row_ptr;
    rows.row_ptr_bits = 64;
    rows.col_idx = behind(A->col_idx, first, (size_t)A->col_idx_bits / 8);
    rows.values = A->iso ? A->values : behind(A->values, first, torc_type_size(A->type));
    rows.row_names = behind(A->row_names, begin, sizeof *A->row_names);
    return rows;
}
