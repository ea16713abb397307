#include "index_list.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <torc/torc.h>

/* begin, end and increment, of which only the last may be missing. */
static bool read_range(torc_index_list *list, const torc_indices *indices, int64_t length)
{
    const GrB_Index *range = indices->list;
    bool is_backwards = indices->count == GxB_BACKWARDS;
    uint64_t step = indices->count == GxB_RANGE ? 1 : range[GxB_INC];
    uint64_t low = range[is_backwards ? GxB_END : GxB_BEGIN];
    uint64_t high = range[is_backwards ? GxB_BEGIN : GxB_END];
    if (step == 0 || low > high || high >= (uint64_t)length) {
        return false;
    }
    int64_t steps = (int64_t)((high - low) / step);
    *list = (torc_index_list){
        .is_part = is_backwards || low > 0 || steps + 1 < length,
        .count = steps + 1,
        .first = (int64_t)range[GxB_BEGIN],
        .step = steps == 0     ? 1
                : is_backwards ? -(int64_t)step
                               : (int64_t)step,
    };
    return true;
}

bool torc_index_list_read(
    torc_index_list *list, const torc_binding *graphblas, torc_indices indices, int64_t length)
{
    *list = (torc_index_list){0};
    if (indices.is_only_column) {
        return true;
    }
    if (!indices.list || indices.list == graphblas->all_indices) {
        return indices.list && indices.count == (GrB_Index)length;
    }
    if (indices.count == GxB_RANGE || indices.count == GxB_STRIDE || indices.count == GxB_BACKWARDS) {
        return read_range(list, &indices, length);
    }
    *list = (torc_index_list){true, (int64_t)indices.count, indices.list, 0, 0};
    return indices.count > 0 && indices.count < GxB_BACKWARDS;
}

bool torc_index_list_is_window(const torc_index_list *list)
{
    return list->is_part && !list->list && list->step == 1;
}

int64_t torc_index_list_count(const torc_index_list *list, int64_t length)
{
    return list->is_part ? list->count : length;
}

typedef struct index_check {
    const uint64_t *list;
    uint64_t length;
    atomic_bool is_out;
} index_check;

static void check_indices(void *argument, int64_t first, int64_t last)
{
    index_check *check = argument;
    bool is_out = false;
    for (int64_t k = first; k < last; k++) {
        is_out |= check->list[k] >= check->length;
    }
    if (is_out) {
        check->is_out = true;
    }
}

const uint64_t *torc_index_list_places(uint64_t **made, const torc_index_list *list, int64_t length)
{
    *made = NULL;
    if (list->list) {
        index_check check = {.list = list->list, .length = (uint64_t)length};
        torc_threads_loop(list->count, sizeof *list->list, check_indices, &check);
        return check.is_out ? NULL : list->list;
    }
    *made = malloc((size_t)list->count * sizeof **made);
    for (int64_t k = 0; *made && k < list->count; k++) {
        (*made)[k] = (uint64_t)(list->first + k * list->step);
    }
    return *made;
}
