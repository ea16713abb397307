/* occupancy.c: as many as find registers, of which a multiprocessor has 65536.
 *
 * A kernel is not compiled before it is chosen, so its registers are estimated: so many, and so many for each
 * word of a thread's piece of C, several of which are under way, and of a value of A. The numbers were read
 * from what NVRTC 13.0 makes of plus-times in fp32 and fp64 for sm_90; most are less than 4 off. That threads
 * come in blocks, and registers by the 8, is left out: with an estimate it says more than is known. */
#include "occupancy.h"
#include <math.h>

enum { REGISTERS = 65536, MOST = 255, WORD = 4, LIGHT = 40, LIGHT_VECTOR = 4 };

typedef struct need {
    double always, piece, value; /* registers: for a word each */
} need;

static const need of_rows = {28, 2, 4}, of_parallel_rows = {27, 1, 9}, of_slices = {29, 3, 5},
                  of_cached_slices = {36, 5, 2}, of_parallel_slices = {37, 2, 7},
                  of_streamed_slices = {34, 13, 16};

static const need *need_of(const torc_spmm_kernel *kernel)
{
    if (kernel->split == TORC_SPLIT_BUNDLES) {
        return &of_cached_slices;
    }
    if (kernel->split == TORC_SPLIT_ROWS) {
        return kernel->ways > 0 ? &of_parallel_rows : &of_rows;
    }
    return kernel->streams                             ? &of_streamed_slices
           : kernel->ways > 0                          ? &of_parallel_slices
           : kernel->shape.lanes >= TORC_CACHING_LANES ? &of_cached_slices
                                                       : &of_slices;
}

/* Kernels that are compiled for 6 blocks (cuda/jit/spmm_source.c), without spilling. */
static bool is_light(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    bool is_small = problem->c_size <= WORD && problem->b_size <= WORD;
    return kernel->caches_rows || (kernel->split == TORC_SPLIT_ROWS && kernel->shape.lanes > 1 &&
                                      kernel->shape.vector == LIGHT_VECTOR && is_small);
}

static double words(size_t bytes)
{
    return ceil((double)bytes / WORD);
}

double torc_resident_threads(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    const need *n = need_of(kernel);
    bool has_values = kernel->a_access == TORC_ACCESS_ARRAY;
    double piece = words((kernel->is_uniform ? 1 : (size_t)kernel->shape.vector) * problem->c_size);
    double value = has_values ? words(torc_type_size(kernel->a_type)) : 0;
    double registers = n->always + n->piece * piece + n->value * value;
    registers = fmin(is_light(kernel, problem) ? LIGHT : MOST, registers);
    return fmin(problem->device.threads, REGISTERS / registers);
}
