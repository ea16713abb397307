/* test_device_tile_plan.c: the plan that the device makes is the one of host_tiles.h, array by array, each
 * time, with values of every size; and nothing is left of one that fails. */
#include "gpu.h"
#include "host_tiles.h"
#include "tile_patterns.h"
#include <stdlib.h>
#include <string.h>

static torc_device *open_reference(void)
{
    torc_device *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    return reference;
}

/* The arrays of a plan. */
enum { ARRAYS = 11 };

typedef struct array {
    const char *name;
    void *memory;
    size_t size;
} array;

/* expected: the plan that tells how large arrays are. */
static void list_arrays(array list[ARRAYS], const torc_tiles *plan, const torc_device_csr *rest,
    const torc_tiles *expected, const torc_device_csr *expected_rest)
{
    size_t nblocks = (size_t)expected->nblocks, warps = nblocks * TORC_TILE_WARPS;
    size_t ntiles = expected->tile_begin[nblocks], nrest = (size_t)expected_rest->nnz;
    size_t batches = (expected->batch_begin[warps] + 2) * (size_t)expected->batch_size;
    const array all[ARRAYS] = {
        {"tile_begin", plan->tile_begin, (nblocks + 1) * sizeof(uint32_t)},
        {"columns", plan->columns, ntiles * TORC_TILE_COLUMNS * sizeof(uint32_t)},
        {"ncolumns", plan->ncolumns, nblocks * sizeof(uint32_t)},
        {"owners", plan->owners, nblocks * TORC_TILE_ROWS * sizeof(uint32_t)},
        {"steps", plan->steps, ntiles * TORC_TILE_WARPS * TORC_TILE_SLOTS},
        {"batch_begin", plan->batch_begin, (warps + 1) * sizeof(uint32_t)},
        {"batches", plan->batches, batches},
        {"split_rows", plan->split_rows, (size_t)expected->nsplit_rows * sizeof(torc_split_row)},
        {"row_ptr of the rest", rest->row_ptr, nrest > 0 ? (size_t)(rest->nrows + 1) * sizeof(uint32_t) : 0},
        {"col_idx of the rest", rest->col_idx, nrest * sizeof(uint32_t)},
        {"values of the rest", rest->values, nrest * expected_rest->value_size},
    };
    memcpy(list, all, sizeof all);
}

static void compare(torc_device *device, const torc_ugly_csr *A, const torc_tiles *found,
    const torc_device_csr *found_rest, const torc_tiles *expected, const torc_device_csr *expected_rest)
{
    array there[ARRAYS], here[ARRAYS];
    list_arrays(there, found, found_rest, expected, expected_rest);
    list_arrays(here, expected, expected_rest, expected, expected_rest);
    cr_assert(found->nblocks == expected->nblocks && found->npieces == expected->npieces &&
                  found->nsplit_rows == expected->nsplit_rows && found->batch_size == expected->batch_size &&
                  found_rest->nnz == expected_rest->nnz,
        "\"%s\": %lld blocks, %lld pieces, %lld in the rest", A->name, (long long)found->nblocks,
        (long long)found->npieces, (long long)found_rest->nnz);
    for (int i = 0; i < ARRAYS; i++) {
        void *copy = malloc(here[i].size + 1);
        if (here[i].size > 0) {
            TORC_GPU_TRY(device, torc_executor_cuda()->download(device, copy, there[i].memory, here[i].size));
            cr_expect_eq(memcmp(copy, here[i].memory, here[i].size), 0, "\"%s\", values of %zu: %s differ",
                A->name, expected_rest->value_size, here[i].name);
        }
        free(copy);
    }
}

static void release(
    const torc_executor *executor, torc_device *device, const torc_tiles *plan, const torc_device_csr *rest)
{
    array list[ARRAYS];
    const torc_tiles none = {.tile_begin = (uint32_t[]){0}, .batch_begin = (uint32_t[]){0}};
    list_arrays(list, plan, rest, &none, rest);
    for (int i = 0; i < ARRAYS; i++) {
        executor->release(device, list[i].memory);
    }
}

static void *number_entries(const torc_ugly_csr *A, size_t value_size)
{
    char *values = calloc((size_t)A->nnz + 1, value_size + 1);
    for (int64_t e = 0; e < A->nnz; e++) {
        memcpy(values + (size_t)e * value_size, &e, value_size);
    }
    return values;
}

Test(device_tile_plan, equals_that_of_the_host_array_by_array)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0), *reference = open_reference();
    for (int which = 0; which < TORC_TILE_PATTERNS; which++) {
        torc_ugly_csr A = torc_tile_pattern_build(which);
        for (size_t value_size = 0; value_size <= 8; value_size += 4) {
            int parts = 1 + (which + (int)value_size / 4) % 4;
            void *values = number_entries(&A, value_size);
            size_t nnz = (size_t)A.nnz;
            torc_device_csr here = {A.nrows, A.ncols, A.nnz, false, value_size, A.row_ptr, A.col_idx, values};
            torc_device_csr there = here, expected_rest, rest;
            torc_tiles expected, tiles;
            there.row_ptr = torc_gpu_copy(device, A.row_ptr, ((size_t)A.nrows + 1) * sizeof *A.row_ptr);
            there.col_idx = torc_gpu_copy(device, A.col_idx, nnz * sizeof *A.col_idx);
            there.values = torc_gpu_copy(device, values, nnz * value_size);
            torc_host_plan_tiles(reference, &expected, &expected_rest, &here, parts);
            for (int turn = 0; turn < 2; turn++) {
                TORC_GPU_TRY(device, cuda->plan_tiles(device, &tiles, &rest, &there, parts));
                compare(device, &A, &tiles, &rest, &expected, &expected_rest);
                release(cuda, device, &tiles, &rest);
            }
            release(torc_executor_reference(), reference, &expected, &expected_rest);
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
