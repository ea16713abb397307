/* test_device_joined.c: several GPUs as one: the same bits as one GPU gives, whatever is done. */
#include "gpu.h"
#include "joined_walk.h"
#include <criterion/criterion.h>

/* Large enough that copies are shared out, and products by rows. */
static joined_walk walk_of(uint64_t seed)
{
    static const int64_t columns[] = {16, 64, 128, 100, 1, 8, 24};
    return (joined_walk){.seed = seed,
        .n = seed % 4 ? 20000 : 1 << 16,
        .columns = seed % 4 ? columns[seed % 7] : 15,
        .row = seed % 4 ? 16 : 192,
        .steps = 24,
        .type = seed % 3 ? TORC_FP32 : TORC_FP64,
        .order = seed / 7 % 2 ? TORC_COL_MAJOR : TORC_ROW_MAJOR,
        .padding = seed % 5 == 2 ? 4 : 0,
        .has_bitmap = seed % 6 == 1};
}

Test(device_joined, walks_as_one_gpu_does)
{
    enum { WALKS = 24 };
    torc_options options = TORC_OPTIONS_INIT;
    torc_context *one = torc_gpu_context(&options), *joined = torc_gpu_joined_context();
    for (uint64_t seed = 1; seed <= WALKS; seed++) {
        joined_walk walk = walk_of(seed);
        uint64_t expected = joined_walk_take(one, &walk), found = joined_walk_take(joined, &walk);
        cr_expect(found == expected, "seed %llu", (unsigned long long)seed);
    }
    torc_context_destroy(one);
    torc_context_destroy(joined);
}
