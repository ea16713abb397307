#include "dense_part.h"

/* Sent each time: nobody sees what a program does with a list that it has lent for one call. */
torc_status torc_place_list(torc_placed_array *placed, torc_context *context, const torc_dense_list *list)
{
    size_t size = (size_t)list->count * sizeof *list->places;
    return list->places ? torc_place_bytes(placed, context, list->places, size) : TORC_SUCCESS;
}

/* Is (i,j) in the part? A table of the two answers for its row and the two for its column. */
typedef struct membership {
    torc_placed_array table, rows, columns;
    torc_dense dense;
} membership;

static void release_membership(membership *is_in, torc_context *context)
{
    torc_placed_array_release(&is_in->table, context);
    torc_placed_array_release(&is_in->rows, context);
    torc_placed_array_release(&is_in->columns, context);
}

static torc_status place_membership(
    membership *is_in, torc_context *context, const torc_dense_lists *lists, torc_order order)
{
    static const uint8_t both[2][2] = {{0, 0}, {0, 1}};
    *is_in = (membership){.dense = {.nrows = 2, .ncols = 2, .ld = 2, .order = order, .type = TORC_UINT8}};
    torc_status status = torc_place_bytes(&is_in->table, context, both, sizeof both);
    is_in->dense.data = is_in->table.data;
    if (status == TORC_SUCCESS) {
        status = torc_place_list(&is_in->rows, context, &lists->row_is_in);
    }
    if (status == TORC_SUCCESS) {
        status = torc_place_list(&is_in->columns, context, &lists->column_is_in);
    }
    if (status != TORC_SUCCESS) {
        release_membership(is_in, context);
    }
    return status;
}

/* Bytes that are nonzero in the part where the mask, of which NULL is true, is; or where it is not. */
static torc_status write_bytes(torc_placed_array *bytes, torc_context *context, const torc_view *C,
    const membership *is_in, const torc_operand *mask, bool is_complement)
{
    size_t cells = (size_t)C->nrows * (size_t)C->ncols;
    torc_status status = torc_place_bytes(bytes, context, NULL, cells);
    torc_dense dense = {
        .nrows = C->nrows,
        .ncols = C->ncols,
        .ld = C->by_col ? C->nrows : C->ncols,
        .order = is_in->dense.order,
        .type = TORC_UINT8,
        .data = bytes->data,
    };
    torc_operation both = {
        .kind = mask ? TORC_EWISE_MULT : TORC_APPLY,
        .unary = TORC_UNARY_IDENTITY,
        .binary = is_complement ? TORC_GT : TORC_LAND,
        .type = TORC_UINT8,
    };
    torc_operand part = {.dense = &is_in->dense, .rows = is_in->rows.data, .columns = is_in->columns.data};
    return status == TORC_SUCCESS ? torc_elementwise(&dense, &both, context, &part, mask, NULL) : status;
}

torc_status torc_place_part(torc_placed_part *part, torc_context *context, const torc_dense_call *call,
    const torc_dense_plan *plan, const torc_dense_lists *lists, const torc_placed_array *mask,
    const torc_placed_array *rows, const torc_placed_array *columns)
{
    const torc_view *C = &plan->C, *M = &plan->mask;
    torc_order order = C->by_col ? TORC_COL_MAJOR : TORC_ROW_MAJOR;
    torc_dense bytes = {
        .nrows = M->nrows,
        .ncols = M->ncols,
        .ld = C->by_col ? M->nrows : M->ncols,
        .order = order,
        .type = TORC_UINT8,
        .data = mask->data,
    };
    torc_operand operand = {.dense = &bytes, .transpose = call->transposes_mask};
    operand.rows = call->mask_is_of_part ? rows->data : NULL;
    operand.columns = call->mask_is_of_part ? columns->data : NULL;
    const torc_operand *M_or_true = plan->has_mask ? &operand : NULL;
    bool is_complement = plan->update.complement;
    membership is_in;
    torc_status status = place_membership(&is_in, context, lists, order);
    if (status != TORC_SUCCESS) {
        return status;
    }
    status = write_bytes(&part->taken, context, C, &is_in, M_or_true, is_complement);
    if (status == TORC_SUCCESS && plan->deletes && call->mask_is_of_part) {
        status = write_bytes(&part->dropped, context, C, &is_in, M_or_true, !is_complement);
    }
    release_membership(&is_in, context);
    if (status != TORC_SUCCESS) {
        torc_placed_part_release(part, context);
    }
    return status;
}

void torc_placed_part_release(torc_placed_part *part, torc_context *context)
{
    torc_placed_array_release(&part->taken, context);
    torc_placed_array_release(&part->dropped, context);
}
