/* several_gpus.c: several GPUs as one: C = A B from host memory to host memory, then C's columns summed where
 * they lie. TORC_DEVICES=0,1 says which GPUs, else all; where there is none, on the reference executor.
 *
 *     cc several_gpus.c $(pkg-config --cflags --libs torc) -o several_gpus
 */
#include <stdio.h>
#include <stdlib.h>
#include <torc/group.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        torc_status status = (call);                                                                         \
        if (status != TORC_SUCCESS) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, torc_status_text(status));                    \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

enum { M = 3, K = 4, N = 24 };

int main(void)
{
    /*      . 5 . 1
     *  A = 2 . . .      B(k,j) = k + j
     *      . . 4 7      */
    const int32_t row_ptr[M + 1] = {0, 2, 3, 5}, col_idx[] = {1, 3, 0, 2, 3};
    const double a[] = {5, 1, 2, 4, 7};
    double b[K * N], c[M * N], sums[N];
    for (int i = 0; i < K * N; i++) {
        b[i] = i / N + i % N;
    }

    torc_group_options options;
    torc_group *group;
    torc_group_options_from_environment(&options);
    torc_status opened = torc_group_create(&group, &options);
    if (opened == TORC_NO_DEVICE) {
        options.each.backend = TORC_BACKEND_REFERENCE;
        opened = torc_group_create(&group, &options);
    }
    CHECK(opened);

    torc_csr csr = {.nrows = M,
        .ncols = K,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .values = a,
        .row_ptr_bits = 32,
        .col_idx_bits = 32,
        .type = TORC_FP64};
    torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, NULL, false};
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    torc_dense B = {.nrows = K, .ncols = N, .ld = N, .type = TORC_FP64, .data = b};
    torc_dense C = {.nrows = M, .ncols = N, .ld = N, .type = TORC_FP64, .data = c};
    torc_group_sparse *A;
    CHECK(torc_group_sparse_create(&A, group, &csr)); /* to every GPU */

    /* Operands in host memory: every bus carries its share. */
    CHECK(torc_group_spmm_host(&C, plus_times, A, false, &B, NULL, NULL));
    printf("C(0,0) = %g, C(2,%d) = %g\n", c[0], N - 1, c[M * N - 1]);

    /* Operands that stay: each GPU has some of the columns. */
    torc_group_dense *X, *Y;
    CHECK(torc_group_dense_create(&X, group, K, N, TORC_FP64, false));
    CHECK(torc_group_dense_create(&Y, group, M, N, TORC_FP64, false));
    CHECK(torc_group_upload(X, &B));
    CHECK(torc_group_spmm(Y, plus_times, A, false, X, NULL));
    CHECK(torc_group_reduce_columns(sums, NULL, plus, Y));
    printf("column 0: %g, column %d: %g\n", sums[0], N - 1, sums[N - 1]);

    torc_group_dense_destroy(X);
    torc_group_dense_destroy(Y);
    torc_group_sparse_destroy(A);
    torc_group_destroy(group);
    return 0;
}
