/* pagerank_on_device.c: a whole program on the engine: PageRank, whose loop never leaves the device. Per step
 * one product, a few passes over vectors, and one number that the host looks at.
 *
 *     cc pagerank_on_device.c $(pkg-config --cflags --libs torc) -o pagerank_on_device
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torc/elementwise.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        torc_status status = (call);                                                                         \
        if (status != TORC_SUCCESS) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, torc_status_text(status));                    \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

enum { N = 5 };

static const double damping = .85, tolerance = 1e-12;

static torc_context *open_device(void)
{
    torc_options options = TORC_OPTIONS_INIT;
    torc_context *context;
    torc_status opened = torc_context_create(&context, &options);
    if (opened == TORC_NO_DEVICE) { /* for tests: plain C */
        options.backend = TORC_BACKEND_REFERENCE;
        opened = torc_context_create(&context, &options);
    }
    CHECK(opened);
    return context;
}

static torc_dense new_vector(torc_context *context)
{
    torc_dense x = {.nrows = N, .ncols = 1, .ld = N, .order = TORC_COL_MAJOR, .type = TORC_FP64};
    CHECK(torc_memory_allocate(&x.data, context, N * sizeof(double)));
    return x;
}

/* z(i) = x. */
static void fill(torc_context *context, const torc_dense *z, double x)
{
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = TORC_FP64};
    torc_operand value = {.value = {.type = TORC_FP64}};
    memcpy(value.value.value, &x, sizeof x);
    CHECK(torc_elementwise(z, &identity, context, &value, NULL, NULL));
}

/* z = x op y; z may be x or y. */
static void combine(
    torc_context *context, const torc_dense *z, const torc_dense *x, torc_multiply op, const torc_dense *y)
{
    torc_operation operation = {.kind = TORC_EWISE_MULT, .binary = op, .type = TORC_FP64};
    torc_operand a = {.dense = x}, b = {.dense = y};
    CHECK(torc_elementwise(z, &operation, context, &a, &b, NULL));
}

/* Of x, which becomes them. */
static double sum_of_magnitudes(torc_context *context, const torc_dense *x)
{
    torc_operation magnitude = {.kind = TORC_APPLY, .unary = TORC_UNARY_ABS, .type = TORC_FP64};
    torc_reduction plus = {.add = TORC_PLUS_MONOID, .type = TORC_FP64};
    torc_operand operand = {.dense = x};
    double sum;
    CHECK(torc_elementwise(x, &magnitude, context, &operand, NULL, NULL));
    CHECK(torc_reduce_to_scalar(&sum, NULL, plus, context, x));
    return sum;
}

int main(void)
{
    /* 0 -> 1, 2;  1 -> 2;  2 -> 0;  3 -> 2, 4;  4 -> 3 */
    const int32_t row_ptr[N + 1] = {0, 2, 3, 4, 6, 7}, col_idx[] = {1, 2, 2, 0, 2, 4, 3};
    double divisors[N] = {2, 1, 1, 2, 1}; /* out-degrees */
    for (int i = 0; i < N; i++) {
        divisors[i] /= damping;
    }
    torc_context *context = open_device();
    torc_sparse *A;
    CHECK(torc_sparse_create(&A, context,
        &(torc_csr){.nrows = N,
            .ncols = N,
            .row_ptr = row_ptr,
            .col_idx = col_idx,
            .row_ptr_bits = 32,
            .col_idx_bits = 32,
            .type = TORC_FP64}));
    torc_dense rank = new_vector(context), next = new_vector(context), share = new_vector(context);
    torc_dense divisor = new_vector(context);
    CHECK(torc_memory_upload(context, divisor.data, divisors, sizeof divisors));

    const torc_semiring plus_second = {.add = TORC_PLUS_MONOID, .multiply = TORC_SECOND, .type = TORC_FP64};
    const torc_update add_to = {.has_accum = true, .accum = TORC_PLUS};
    fill(context, &rank, 1. / N);
    for (double change = 1; change > tolerance;) {
        combine(context, &share, &rank, TORC_DIV, &divisor);
        fill(context, &next, (1 - damping) / N);
        CHECK(torc_spmm(&next, plus_second, A, true, &share, &add_to));
        combine(context, &rank, &rank, TORC_MINUS, &next);
        change = sum_of_magnitudes(context, &rank);
        torc_dense swap = rank;
        rank = next;
        next = swap;
    }

    double ranks[N];
    CHECK(torc_memory_download(context, ranks, rank.data, sizeof ranks));
    for (int i = 0; i < N; i++) {
        printf("%d %.6f\n", i, ranks[i]);
    }
    torc_memory_release(context, rank.data);
    torc_memory_release(context, next.data);
    torc_memory_release(context, share.data);
    torc_memory_release(context, divisor.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    return 0;
}
