/* test_device_brick_plan.c: the bricks that the device makes are those of host_bricks.h, array by array for
 * windows of either height, each time, with values of every size. */
#include "gpu.h"
#include "host_bricks.h"
#include "ugly_csr.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static torc_device *open_reference(void)
{
    torc_device *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    return reference;
}

enum { ARRAYS = 4 };

typedef struct array {
    const char *name;
    void *memory;
    size_t size;
} array;

/* expected: the bricks that tell how large arrays are. */
static void list_arrays(
    array list[ARRAYS], const torc_bricks *bricks, const torc_bricks *expected, size_t value_bytes)
{
    size_t npairs = (size_t)(expected->nbricks + TORC_BRICK_SPARE) * TORC_BRICK_PAIRS;
    const array all[ARRAYS] = {
        {"pairs", bricks->pairs, npairs * sizeof(torc_brick_pair)},
        {"values", bricks->values, value_bytes},
        {"pieces", bricks->pieces, (size_t)expected->npieces * sizeof(torc_brick_piece)},
        {"split_rows", bricks->split_rows, (size_t)expected->nsplit_rows * sizeof(torc_split_row)},
    };
    memcpy(list, all, sizeof all);
}

static void compare(torc_device *device, const torc_ugly_csr *A, size_t value_size, int height,
    const torc_bricks *found, const torc_bricks *expected)
{
    array there[ARRAYS], here[ARRAYS];
    size_t value_bytes = (size_t)A->nnz * value_size;
    list_arrays(there, found, expected, value_bytes);
    list_arrays(here, expected, expected, value_bytes);
    cr_assert(found->nbricks == expected->nbricks && found->npieces == expected->npieces &&
                  found->npartials == expected->npartials && found->nsplit_rows == expected->nsplit_rows &&
                  found->most == expected->most,
        "\"%s\", height %d: %lld bricks, %lld pieces, %lld partials, up to %g", A->name, height,
        (long long)found->nbricks, (long long)found->npieces, (long long)found->npartials, found->most);
    for (int i = 0; i < ARRAYS; i++) {
        void *copy = malloc(here[i].size + 1);
        if (here[i].size > 0) {
            TORC_GPU_TRY(device, torc_executor_cuda()->download(device, copy, there[i].memory, here[i].size));
        }
        cr_expect_eq(memcmp(copy, here[i].memory, here[i].size), 0,
            "\"%s\", height %d, values of %zu: %s differ", A->name, height, value_size, here[i].name);
        free(copy);
    }
}

static void release(const torc_executor *executor, torc_device *device, const torc_bricks *bricks)
{
    array list[ARRAYS];
    list_arrays(list, bricks, bricks, 0);
    for (int i = 0; i < ARRAYS; i++) {
        executor->release(device, list[i].memory);
    }
}

/* Different numbers, and what is none at the end of some. */
static void *number_entries(const torc_ugly_csr *A, size_t value_size)
{
    char *values = calloc((size_t)A->nnz + 1, value_size + 1);
    for (int64_t e = 0; e < A->nnz; e++) {
        double value = e + 1 == A->nnz && A->nrows % 2 == 1 ? NAN : 1 - (double)e;
        torc_cast(
            values + (size_t)e * value_size, value_size == 4 ? TORC_FP32 : TORC_FP64, &value, TORC_FP64);
    }
    return values;
}

/* here, there: A in host memory, and on the device. */
static void check(torc_device *device, torc_device *reference, const torc_ugly_csr *A,
    const torc_device_csr *here, const torc_device_csr *there, int height)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_type type = here->value_size == 4 ? TORC_FP32 : TORC_FP64;
    torc_bricks expected, bricks;
    TORC_GPU_TRY(device, torc_host_plan_bricks(reference, &expected, here, type, height));
    for (int turn = 0; turn < 2; turn++) {
        TORC_GPU_TRY(device, cuda->plan_bricks(device, &bricks, there, type, height));
        compare(device, A, here->value_size, height, &bricks, &expected);
        release(cuda, device, &bricks);
    }
    release(torc_executor_reference(), reference, &expected);
}

Test(device_brick_plan, equals_that_of_the_host_array_by_array)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0), *reference = open_reference();
    for (int which = 0; which < TORC_UGLY_COUNT; which++) {
        torc_ugly_csr A = torc_ugly_csr_build(which);
        for (size_t value_size = 0; value_size <= 8 && A.nnz > 0; value_size += 4) {
            void *values = value_size > 0 ? number_entries(&A, value_size) : NULL;
            size_t nnz = (size_t)A.nnz;
            torc_device_csr here = {A.nrows, A.ncols, A.nnz, false, value_size, A.row_ptr, A.col_idx, values};
            torc_device_csr there = here;
            there.row_ptr = torc_gpu_copy(device, A.row_ptr, ((size_t)A.nrows + 1) * sizeof *A.row_ptr);
            there.col_idx = torc_gpu_copy(device, A.col_idx, nnz * sizeof *A.col_idx);
            there.values = torc_gpu_copy(device, values, nnz * value_size);
            for (int height = 1; height <= 2; height++) {
                check(device, reference, &A, &here, &there, height);
            }
            cuda->release(device, there.row_ptr);
            cuda->release(device, there.col_idx);
            cuda->release(device, there.values);
            free(values);
        }
        torc_ugly_csr_free(&A);
    }
    torc_executor_reference()->close(reference);
    cuda->close(device);
}
