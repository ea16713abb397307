#include "device_cuts.h"
#include "gpu.h"
#include <stdlib.h>

torc_device_cuts torc_device_cuts_build(torc_device *device, const torc_ugly_csr *csr)
{
    torc_device_cuts cuts;
    torc_partition *here = &cuts.host, *there = &cuts.device;
    cr_assert_eq(torc_partition_build(here, csr->row_ptr, 32, csr->nrows, csr->ncols), TORC_SUCCESS);
    cr_assert_eq(torc_partition_slice(here, csr->row_ptr, 32, csr->nrows), TORC_SUCCESS);
    *there = *here;
    there->present = NULL;
    there->segments = torc_gpu_copy(device, here->segments, (size_t)here->nsegments * sizeof *here->segments);
    there->long_rows =
        torc_gpu_copy(device, here->long_rows, (size_t)here->nlong_rows * sizeof *here->long_rows);
    there->pieces = torc_gpu_copy(device, here->pieces, (size_t)here->npieces * sizeof *here->pieces);
    there->pieced_rows =
        torc_gpu_copy(device, here->pieced_rows, (size_t)here->npieced_rows * sizeof *here->pieced_rows);
    there->row_ends = torc_gpu_copy(device, here->row_ends, (size_t)here->nslices * (TORC_SLICE_NNZ / 8));
    there->slice_rows =
        torc_gpu_copy(device, here->slice_rows, (size_t)here->nslices * sizeof *here->slice_rows);
    there->spanning_rows = torc_gpu_copy(
        device, here->spanning_rows, (size_t)here->nspanning_rows * sizeof *here->spanning_rows);
    there->rows = NULL;
    if (here->statistics.empty_rows > 0) {
        there->rows = torc_gpu_copy(device, here->rows, (size_t)csr->nrows * sizeof *here->rows);
    }
    return cuts;
}

void torc_device_cuts_free(torc_device *device, torc_device_cuts *cuts)
{
    const torc_partition *there = &cuts->device;
    void *on_device[] = {there->segments, there->long_rows, there->pieces, there->pieced_rows,
        there->row_ends, there->rows, there->slice_rows, there->spanning_rows};
    for (size_t i = 0; i < sizeof on_device / sizeof on_device[0]; i++) {
        torc_executor_cuda()->release(device, on_device[i]);
    }
    torc_partition_free(&cuts->host);
}

int64_t torc_device_cuts_take(
    torc_spmm_args *args, const torc_spmm_kernel *kernel, const torc_device_cuts *cuts)
{
    const torc_partition *there = &cuts->device;
    torc_cut cut = torc_families[kernel->family].cut;
    args->heavy_lanes = kernel->shape.lanes;
    if (cut == TORC_CUT_BLOCKS) {
        return 0;
    }
    if (cut == TORC_CUT_SEGMENTS) {
        args->segments = there->segments;
        args->nsegments = there->nsegments;
        args->split_rows = there->long_rows;
        args->nsplit_rows = there->nlong_rows;
        return there->nsegments;
    }
    if (cut == TORC_CUT_PIECES) {
        args->segments = there->pieces;
        args->nsegments = there->npieces;
        args->nsplit_segments = there->nsplit_pieces;
        args->split_rows = there->pieced_rows;
        args->nsplit_rows = there->npieced_rows;
        return there->nsplit_pieces;
    }
    args->nnz = there->statistics.nnz;
    args->row_ends = there->row_ends;
    args->rows = there->rows;
    args->slice_rows = there->slice_rows;
    args->nslices = there->nslices;
    args->nonempty_rows = there->statistics.nrows - there->statistics.empty_rows;
    if (cut == TORC_CUT_BUNDLES) {
        return 0;
    }
    args->split_rows = there->spanning_rows;
    args->nsplit_rows = there->nspanning_rows;
    args->nheavy_rows = there->nheavy_rows;
    return 2 * there->nslices;
}

bool torc_device_cuts_are_reversed(const torc_device_cuts *cuts, uint64_t seed)
{
    return (seed + (uint64_t)cuts->host.statistics.nnz) % 3 == 0;
}

void torc_device_cuts_reverse(torc_device *device, torc_spmm_args *args)
{
    size_t n = (size_t)args->nrows;
    uint32_t *c_rows = malloc((n + 1) * sizeof *c_rows);
    int64_t *names = malloc(n * sizeof *names + 1);
    for (size_t i = 0; i < n; i++) {
        c_rows[i] = (uint32_t)(n - 1 - i);
        names[i] = (int64_t)(n - 1 - i);
    }
    c_rows[n] = 0;
    args->c_rows = torc_gpu_copy(device, c_rows, (n + 1) * sizeof *c_rows);
    args->row_names = torc_gpu_copy(device, names, n * sizeof *names);
    free(c_rows);
    free(names);
}

void torc_device_cuts_unreverse(torc_device *device, const torc_spmm_args *args)
{
    torc_executor_cuda()->release(device, (void *)(uintptr_t)args->c_rows);
    torc_executor_cuda()->release(device, (void *)(uintptr_t)args->row_names);
}

void torc_reverse_lines(void *lines, int64_t count, size_t size)
{
    char *first = lines, *last = first + (size_t)(count > 0 ? count - 1 : 0) * size;
    for (; first < last; first += size, last -= size) {
        for (size_t b = 0; b < size; b++) {
            char kept = first[b];
            first[b] = last[b];
            last[b] = kept;
        }
    }
}
