#include "bench_values.h"
#include "bench_require.h"

void *bench_values_make(torc_type type, int64_t count)
{
    void *values = bench_allocate((size_t)count, torc_type_size(type));
    for (int64_t e = 0; e < count; e++) {
        if (type == TORC_BOOL) {
            ((uint8_t *)values)[e] = (uint8_t)bench_value(type, e);
        } else if (type == TORC_INT64) {
            ((int64_t *)values)[e] = (int64_t)bench_value(type, e);
        } else if (type == TORC_FP64) {
            ((double *)values)[e] = bench_value(type, e);
        } else {
            ((float *)values)[e] = (float)bench_value(type, e);
        }
    }
    return values;
}
