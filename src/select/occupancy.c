/* occupancy.c: a multiprocessor holds as many threads as find registers, of which it has 65536.
 *
 * A kernel is not compiled before it is chosen, so its registers are estimated: a number for the family, and
 * some for each word of a thread's piece of C, several of which are under way, and of a value of A. The
 * numbers were read from what NVRTC 13.0 makes of plus-times in fp32 and fp64 for sm_90; most are less than 4
 * off. Threads come in blocks, and registers in units of 8: beside an estimate that is left out. */
#include "occupancy.h"
#include "gathers.h"
#include "wanted_blocks.h"

enum { REGISTERS = 65536, GRANULE = 8, MOST = 255, WORD = 4 };

static const torc_registers of_shared_entries = {36, 5, 2};

/* The most registers that a thread may have if the wanted blocks are to fit: a multiple of 8. */
static int most_registers(const torc_spmm_kernel *kernel)
{
    int threads = torc_families[kernel->family].threads * torc_wanted_blocks(kernel);
    int most = REGISTERS / threads / GRANULE * GRANULE;
    return most < MOST ? most : MOST;
}

static double words(size_t bytes)
{
    return ceil((double)bytes / WORD);
}

double torc_resident_threads(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    const torc_registers *n =
        torc_shares_entries(kernel) ? &of_shared_entries : &torc_family_models[kernel->family].registers;
    bool has_values = kernel->a_access == TORC_ACCESS_ARRAY;
    double piece = words((size_t)torc_computed_columns(kernel) * problem->c_size);
    double value = has_values ? words(torc_type_size(kernel->a_type)) : 0;
    double registers = n->always + n->piece * piece + n->value * value;
    registers = fmin(most_registers(kernel), registers);
    return fmin(problem->device.threads, REGISTERS / registers);
}
