#include "host_matrix.h"
#include "fnv1a.h"
#include <stdlib.h>

typedef struct matrix_array {
    void *on_host;
    const void *on_device;
    size_t size;
} matrix_array;

enum { ARRAYS = 3 };

static size_t values_of(const torc_sparse *A)
{
    size_t count = A->access == TORC_ACCESS_ARRAY ? (size_t)A->csr.nnz : A->access == TORC_ACCESS_ISO;
    return count * torc_type_size(A->type);
}

static void list_arrays(matrix_array arrays[ARRAYS], const torc_host_matrix *m, const torc_sparse *A)
{
    const torc_device_csr *csr = &A->csr;
    arrays[0] = (matrix_array){m->row_ptr, csr->row_ptr, ((size_t)csr->nrows + 1) * sizeof *m->row_ptr};
    arrays[1] = (matrix_array){m->col_idx, csr->col_idx, (size_t)csr->nnz * sizeof *m->col_idx};
    arrays[2] = (matrix_array){m->values, csr->values, values_of(A)};
}

torc_status torc_host_matrix_fetch(torc_host_matrix *m, const torc_sparse *A)
{
    matrix_array arrays[ARRAYS];
    *m = (torc_host_matrix){.row_ptr = NULL};
    list_arrays(arrays, m, A);
    m->row_ptr = malloc(arrays[0].size);
    m->col_idx = malloc(arrays[1].size + 1);
    m->values = malloc(arrays[2].size + 1);
    if (!m->row_ptr || !m->col_idx || !m->values) {
        return TORC_OUT_OF_MEMORY;
    }
    m->csr = (torc_host_csr){A->csr.nrows, A->csr.ncols, m->row_ptr, m->col_idx};
    list_arrays(arrays, m, A);
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < ARRAYS && status == TORC_SUCCESS; i++) {
        status = torc_memory_download(A->context, arrays[i].on_host, arrays[i].on_device, arrays[i].size);
    }
    return status;
}

void torc_host_matrix_free(torc_host_matrix *m)
{
    free(m->row_ptr);
    free(m->col_idx);
    free(m->values);
}

void torc_host_matrix_hash(uint64_t hash[2], const torc_host_matrix *m, const torc_sparse *A)
{
    const int64_t facts[] = {A->csr.nrows, A->csr.ncols, A->csr.nnz, A->type, A->access};
    matrix_array arrays[ARRAYS];
    list_arrays(arrays, m, A);
    for (int h = 0; h < 2; h++) {
        uint64_t start = h == 0 ? TORC_FNV1A_START : ~hash[0];
        hash[h] = torc_fnv1a(start, facts, sizeof facts);
        for (int i = 0; i < ARRAYS; i++) {
            hash[h] = torc_fnv1a(hash[h], arrays[i].on_host, arrays[i].size);
        }
    }
}
