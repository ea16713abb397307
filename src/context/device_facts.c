#include "device_facts.h"
#include "spmm_args.h"

#define MiB ((size_t)1 << 20)
#define KiB ((size_t)1 << 10)

/* GPUs as the driver describes them, by ascending compute capability. A GPU between two of them gets its
 * unknown facts from the one before it. */
static const torc_device_facts usual[] = {
    {75, 40, 1024, 64 * KiB, 64 * KiB, 4 * MiB, 1.590e9, 0.320e12},       /* T4 */
    {80, 108, 2048, 163 * KiB, 164 * KiB, 40 * MiB, 1.410e9, 2.039e12},   /* A100, 80 GB */
    {86, 84, 1536, 99 * KiB, 100 * KiB, 6 * MiB, 1.740e9, 0.696e12},      /* A40 */
    {89, 142, 1536, 99 * KiB, 100 * KiB, 96 * MiB, 2.520e9, 0.864e12},    /* L40S */
    {90, 132, 2048, 227 * KiB, 228 * KiB, 60 * MiB, 1.980e9, 4.917e12},   /* H200 */
    {100, 148, 2048, 227 * KiB, 228 * KiB, 126 * MiB, 1.965e9, 8.000e12}, /* B200 */
    {120, 188, 1536, 99 * KiB, 100 * KiB, 128 * MiB, 2.617e9, 1.792e12},  /* RTX PRO 6000 */
};

static const torc_device_facts *usual_of(int capability)
{
    enum { H200 = 90 };
    const torc_device_facts *found = &usual[0];
    for (size_t i = 1; i < sizeof usual / sizeof *usual; i++) {
        if (usual[i].compute_capability <= (capability > 0 ? capability : H200)) {
            found = &usual[i];
        }
    }
    return found;
}

torc_device_facts torc_device_complete(torc_device_facts facts)
{
    const torc_device_facts *known = usual_of(facts.compute_capability);
#define COMPLETE(fact) facts.fact = facts.fact > 0 ? facts.fact : known->fact
    COMPLETE(compute_capability);
    COMPLETE(multiprocessors);
    COMPLETE(threads);
    COMPLETE(block_shared);
    COMPLETE(multiprocessor_shared);
    COMPLETE(l2_bytes);
    COMPLETE(clock);
    COMPLETE(bandwidth);
#undef COMPLETE
    return facts;
}

torc_device_facts torc_device_facts_of(const torc_device_info *info)
{
    return torc_device_complete((torc_device_facts){
        .compute_capability = info->compute_capability,
        .multiprocessors = info->multiprocessors,
        .threads = info->multiprocessor_threads,
        .block_shared = info->block_shared,
        .multiprocessor_shared = info->multiprocessor_shared,
        .l2_bytes = info->l2_bytes,
        .clock = info->clock,
        .bandwidth = info->bandwidth,
    });
}

bool torc_device_has_tiles(const torc_device_facts *device, size_t value_size)
{
    enum { HOPPER = 90 };
    return device->compute_capability >= HOPPER &&
           (size_t)TORC_TILE_SHARED_BYTES((int)value_size) <= device->block_shared;
}

bool torc_device_has_bricks(const torc_device_facts *device)
{
    return device->compute_capability >= TORC_BRICK_CAPABILITY;
}
