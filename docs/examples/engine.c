/* engine.c: torc without GraphBLAS. C = A min.+ B, A in CSR, B and C dense, on the GPU, or where there is
 * none on the reference executor, which is for tests.
 *
 *     cc engine.c $(pkg-config --cflags --libs torc) -o engine
 */
#include <stdio.h>
#include <stdlib.h>
#include <torc/torc.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        torc_status status = (call);                                                                         \
        if (status != TORC_SUCCESS) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, torc_status_text(status));                    \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

enum { M = 3, K = 4, N = 2 };

int main(void)
{
    /*      . 5 . 1          0 10
     *  A = 2 . . .      B = 1 20
     *      . . 4 7          2 30
     *                       3 40      */
    const int32_t row_ptr[M + 1] = {0, 2, 3, 5}, col_idx[] = {1, 3, 0, 2, 3};
    const float a[] = {5, 1, 2, 4, 7}, b[K * N] = {0, 10, 1, 20, 2, 30, 3, 40};
    float c[M * N];

    torc_options options = TORC_OPTIONS_INIT;
    torc_context *context;
    torc_status opened = torc_context_create(&context, &options);
    if (opened == TORC_NO_DEVICE) {
        options.backend = TORC_BACKEND_REFERENCE;
        opened = torc_context_create(&context, &options);
    }
    CHECK(opened);

    torc_csr csr = {.nrows = M,
        .ncols = K,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .values = a,
        .row_ptr_bits = 32,
        .col_idx_bits = 32,
        .type = TORC_FP32};
    CHECK(torc_csr_check(NULL, 0, &csr)); /* arrays of a file or a user, which torc_sparse_create trusts */
    torc_sparse *A;
    CHECK(torc_sparse_create(&A, context, &csr));

    torc_dense B = {.nrows = K, .ncols = N, .ld = N, .order = TORC_ROW_MAJOR, .type = TORC_FP32};
    torc_dense C = {.nrows = M, .ncols = N, .ld = N, .order = TORC_ROW_MAJOR, .type = TORC_FP32};
    CHECK(torc_memory_allocate(&B.data, context, sizeof b));
    CHECK(torc_memory_allocate(&C.data, context, sizeof c));
    CHECK(torc_memory_upload(context, B.data, b, sizeof b));

    torc_semiring min_plus = {.add = TORC_MIN_MONOID, .multiply = TORC_PLUS, .type = TORC_FP32};
    CHECK(torc_spmm(&C, min_plus, A, false, &B, NULL));
    CHECK(torc_memory_download(context, c, C.data, sizeof c));
    for (int i = 0; i < M; i++) {
        printf("%g %g\n", (double)c[i * N], (double)c[i * N + 1]);
    }

    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    return 0;
}
