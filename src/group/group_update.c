/* group_update.c: the mask and accumulator that go into C. */
#include "dense.h"
#include "group_operands.h"

static const torc_group_update overwrite;

torc_update torc_group_update_of(const torc_group_update *update, int member)
{
    update = update ? update : &overwrite;
    torc_update own = {.complement = update->complement,
        .replace = update->replace,
        .has_accum = update->has_accum,
        .accum = update->accum};
    if (update->mask) {
        const torc_dense *part = &update->mask->parts[member];
        own.mask = update->is_structural ? part->bitmap : part->data;
    }
    return own;
}

static const char *wrong_mask(const torc_group_dense *C, const torc_group_update *update)
{
    torc_dense mask = torc_group_whole(update->mask);
    bool is_empty = mask.nrows == 0 || mask.ncols == 0;
    if (mask.nrows != C->nrows || mask.ncols != C->ncols) {
        return "the mask has another shape than C";
    }
    if (update->is_structural) {
        return mask.bitmap || is_empty ? NULL : "a structural mask without bitmap";
    }
    return mask.bitmap              ? "a mask of values with a bitmap"
           : mask.type == TORC_BOOL ? NULL
                                    : "a mask of values that are not bool";
}

torc_status torc_group_prepare_update(
    torc_group *group, const torc_group_dense *C, const torc_group_update *update)
{
    if (!update || !update->mask) {
        return TORC_SUCCESS;
    }
    torc_status status = torc_group_check(group, update->mask);
    const char *wrong = status == TORC_SUCCESS ? wrong_mask(C, update) : NULL;
    if (wrong) {
        return torc_group_refuse(group, TORC_INVALID_VALUE, wrong);
    }
    return status == TORC_SUCCESS ? torc_group_exchange(update->mask) : status;
}
