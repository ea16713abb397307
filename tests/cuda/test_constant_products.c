/* test_constant_products.c: products whose sparse matrix is in the kernel's text equal the reference, on a
 * GPU, or without one emulated. */
#include "constant_cases.h"
#include "gpu.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whole numbers: every sum of products is exact, or has one term. */
static void *make_values(torc_type type, int64_t count)
{
    size_t size = torc_type_size(type);
    char *values = malloc((size_t)count * size);
    cr_assert_not_null(values);
    for (int64_t i = 0; i < count; i++) {
        double value = (double)(1 + i % 7);
        torc_cast(values + (size_t)i * size, type, &value, TORC_FP64);
    }
    return values;
}

/* As the reference executor has it: its memory is the host's. */
static void reference_product(void *c, const torc_constant_kernel *kernel, void *b)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_REFERENCE;
    torc_context *context;
    torc_sparse *A;
    cr_assert_eq(torc_context_create(&context, &options), TORC_SUCCESS);
    torc_csr csr = torc_constant_matrix(kernel->semiring.type);
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    torc_type type = kernel->semiring.type;
    torc_dense B = {csr.ncols, kernel->ncols, kernel->ncols, TORC_ROW_MAJOR, type, false, b, NULL};
    torc_dense C = {csr.nrows, kernel->ncols, kernel->ncols, TORC_ROW_MAJOR, type, false, c, NULL};
    cr_assert_eq(torc_spmm(&C, kernel->semiring, A, false, &B, NULL), TORC_SUCCESS);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* Equal, or both no number. */
static void compare(const void *found, const void *expected, torc_type type, int64_t count, int which)
{
    for (int64_t i = 0; i < count; i++) {
        double x, y;
        torc_cast(&x, TORC_FP64, (const char *)found + (size_t)i * torc_type_size(type), type);
        torc_cast(&y, TORC_FP64, (const char *)expected + (size_t)i * torc_type_size(type), type);
        cr_assert(x == y || (isnan(x) && isnan(y)), "case %d, element %ld: %g, not %g", which, (long)i, x, y);
    }
}

Test(constant_products, equal_the_reference)
{
    torc_device *device = torc_gpu_open(0);
    const torc_executor *executor = torc_executor_cuda();
    for (int which = 0; which < TORC_CONSTANT_CASES; which++) {
        torc_constant_kernel kernel = torc_constant_case(which);
        torc_type type = kernel.semiring.type;
        int64_t count = kernel.nrows * kernel.ncols; /* A is square */
        size_t size = (size_t)count * torc_type_size(type);
        void *b = make_values(type, count), *expected = malloc(size), *found = malloc(size);
        torc_constant_args args;
        void *on_device;
        torc_constant_program *program;
        TORC_GPU_TRY(device, executor->constant_load(&program, device, &kernel));
        TORC_GPU_TRY(device, executor->allocate(&on_device, device, size));
        TORC_GPU_TRY(device, executor->allocate(&args.c, device, size));
        args.b = on_device;
        memset(found, 0xff, size);
        TORC_GPU_TRY(device, executor->upload(device, on_device, b, size));
        TORC_GPU_TRY(device, executor->upload(device, args.c, found, size));
        TORC_GPU_TRY(device, executor->constant_multiply(device, program, &args));
        TORC_GPU_TRY(device, executor->download(device, found, args.c, size));
        reference_product(expected, &kernel, b);
        compare(found, expected, type, count, which);
        executor->release(device, on_device);
        executor->release(device, args.c);
        executor->constant_unload(device, program);
        free(b);
        free(expected);
        free(found);
    }
    executor->close(device);
}
