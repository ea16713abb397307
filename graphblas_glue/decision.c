/* decision.c: rates of one H200 with 16 cores, each rounded to the side that keeps a call on the CPU when in
 * doubt. Measured on 2026-11-21: 20 steps of PageRank on R-MAT of scale 20, 64 columns of fp64, took 0.109 s
 * a GrB_mxm on SuiteSparse and 0.352 s through the device, most of it in the fresh pages of the result. */
#include "decision.h"
#include <stdatomic.h>

/* Seconds, and bytes or multiplications a second. */
#define CALL_LATENCY 100e-6 /* allocations, launches and waits of one call: reasoned */
#define DEVICE_START 0.25   /* creating the device context: 0.242 */
#define BUS_IN 6e9          /* pageable memory to the device, staged by one thread: 6 to 7 */
#define BUS_OUT 1.5e9       /* and back: 7 to 8 into pages that are there, about 1.5 into fresh ones */
#define DEVICE_MEMORY 4e12  /* copy, read and written: 4.3 */
#define GATHER 2e12         /* bytes of B gathered: 3.5 to 5.5 */
#define CPU_MULTIPLIES 1e9  /* of SuiteSparse 7.4, a core: 0.05 to 1 on R-MAT */
#define CPU_LATENCY 5e-6

static double bytes(int64_t nrows, int64_t ncols, size_t size)
{
    return (double)nrows * (double)ncols * (double)size;
}

torc_cost torc_decision_cost(const torc_product *product, bool has_copy, int processors)
{
    const torc_view *S = product->sparse;
    const torc_dense *D = &product->dense_view, *R = &product->result_view;
    torc_traits traits = torc_semiring_traits(product->semiring);
    double in = 0, device = 0;
    if (!has_copy) {
        int64_t rows = product->is_compact || S->format == TORC_SPARSE ? S->nvec : D->nrows;
        in += bytes(rows, 1, sizeof(uint64_t)) + bytes(S->nvals, 1, sizeof(uint32_t));
        in += traits.reads_a && !S->iso ? bytes(S->nvals, 1, torc_type_size(product->sparse_type)) : 0;
        device += product->transpose_sparse ? 10 * in / DEVICE_MEMORY : 0; /* a sort of a few passes */
    }
    if (traits.reads_b && !D->iso) {
        double size = bytes(D->nrows, D->ncols, torc_type_size(D->type));
        in += size;
        device += D->order == TORC_COL_MAJOR ? 2 * size / DEVICE_MEMORY : 0;
        device += bytes(S->nvals, D->ncols, torc_type_size(D->type)) / GATHER;
    }
    in += product->side_bytes;
    device += D->bitmap ? bytes(S->nvals, D->ncols, 1) / GATHER : 0;
    double out = bytes(R->nrows, R->ncols, torc_type_size(R->type));
    device += (R->order == TORC_COL_MAJOR ? 3 : 1) * out / DEVICE_MEMORY;
    return (torc_cost){
        .cpu = CPU_LATENCY + bytes(S->nvals, R->ncols, 1) / (CPU_MULTIPLIES * processors),
        .gpu = CALL_LATENCY + in / BUS_IN + out / BUS_OUT + device,
    };
}

bool torc_decision_is_worth_it(torc_cost cost, bool is_open, _Atomic double *lost)
{
    double gain = cost.cpu - cost.gpu;
    if (is_open || gain <= 0) {
        return gain > 0;
    }
    double before = atomic_load(lost);
    while (!atomic_compare_exchange_weak(lost, &before, before + gain)) {
    }
    return before + gain > DEVICE_START;
}
