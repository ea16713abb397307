#include "dense_run.h"
#include "dense_part.h"
#include "missing_kernels.h"
#include "placed_result.h"
#include "put_off.h"
#include "session.h"

/* The operands of a call on the device. */
typedef struct dense_places {
    torc_placed_dense inputs[2];
    torc_placed_array rows, columns; /* by which the first input is read */
    torc_placed_array mask, iso;
    torc_placed_part part;
    torc_placed_dense old; /* where the part deletes */
    torc_placed_result result;
} dense_places;

static torc_status place_inputs(dense_places *places, const torc_dense_call *call,
    const torc_dense_plan *plan, const torc_dense_lists *lists, torc_context *context)
{
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < call->ninputs && status == TORC_SUCCESS; i++) {
        if (!call->inputs[i].is_value) {
            status = torc_place_dense(
                &places->inputs[i], context, &call->inputs[i].view, plan->types[i], true, NULL);
        }
    }
    if (status == TORC_SUCCESS) {
        status = torc_place_list(&places->rows, context, &lists->rows);
    }
    if (status == TORC_SUCCESS) {
        status = torc_place_list(&places->columns, context, &lists->columns);
    }
    if (status == TORC_SUCCESS && plan->has_mask) {
        status = torc_place_mask(&places->mask, context, &plan->mask, plan->mask_is_pattern, plan->C.by_col);
    }
    if (status == TORC_SUCCESS && plan->is_part) {
        status = torc_place_part(
            &places->part, context, call, plan, lists, &places->mask, &places->rows, &places->columns);
    }
    if (status == TORC_SUCCESS && plan->deletes) {
        status = torc_place_dense(&places->old, context, &plan->C, plan->c_type, true, NULL);
    }
    if (status == TORC_SUCCESS && plan->reads_old && plan->C.iso) {
        status = torc_place_bytes(&places->iso, context, plan->C.values, plan->C.type_size);
    }
    return status;
}

/* The result may be computed where an input lies if each element comes from its own place. */
static torc_status place_result(
    dense_places *places, const torc_dense_call *call, const torc_dense_plan *plan, torc_context *context)
{
    const torc_binding *graphblas = torc_binding_get();
    bool may_overlap = !call->is_reduction && !plan->deletes;
    bool has_lists = call->rows.is_part || call->columns.is_part;
    for (int i = 0; i < call->ninputs; i++) {
        const torc_input *input = &call->inputs[i];
        bool is_same = !input->is_value && input->view.values == plan->C.values;
        bool is_turned = input->transpose || input->view.by_col != plan->C.by_col;
        may_overlap = may_overlap && !(is_same && (is_turned || has_lists));
    }
    const torc_result_form form = {
        .type = plan->c_type,
        .stays = plan->stays,
        .has_bitmap = plan->has_bitmap,
        .reads_old = plan->reads_old,
        .may_overlap = may_overlap,
        .iso = plan->all.is_iso ? &plan->all : NULL,
    };
    return torc_place_result(&places->result, context, graphblas, &plan->C, &form);
}

/* Consecutive rows and columns are read as a window, without lists. */
static torc_dense window_of(const torc_dense_call *call, const torc_dense *all)
{
    bool is_turned = call->inputs[0].transpose;
    const torc_index_list *rows = is_turned ? &call->columns : &call->rows;
    const torc_index_list *columns = is_turned ? &call->rows : &call->columns;
    torc_dense window = *all;
    int64_t row = 0, column = 0;
    if (torc_index_list_is_window(rows)) {
        row = rows->first;
        window.nrows = rows->count;
    }
    if (torc_index_list_is_window(columns)) {
        column = columns->first;
        window.ncols = columns->count;
    }
    int64_t first = all->order == TORC_ROW_MAJOR ? row * all->ld + column : row + column * all->ld;
    window.data = all->iso ? all->data : (char *)all->data + (size_t)first * torc_type_size(all->type);
    window.bitmap = all->bitmap ? all->bitmap + first : NULL;
    return window;
}

static torc_operand operand_of(const torc_input *input, const torc_placed_dense *placed)
{
    return (torc_operand){
        .dense = input->is_value ? NULL : &placed->dense,
        .value = input->value,
        .transpose = input->transpose,
    };
}

/* Copy the part of C's old content that stays. */
static torc_status keep_old(dense_places *places, const torc_dense_plan *plan, torc_context *context)
{
    const torc_placed_array *dropped = &places->part.dropped;
    torc_operation same = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = plan->c_type};
    torc_operand old = {.dense = &places->old.dense};
    torc_update update = {
        .mask = dropped->data ? dropped->data : places->mask.data,
        .complement = dropped->data || plan->update.complement,
        .replace = true,
    };
    return torc_elementwise(&places->result.placed.dense, &same, context, &old, NULL, &update);
}

static torc_status compute(
    dense_places *places, const torc_dense_call *call, const torc_dense_plan *plan, torc_context *context)
{
    const torc_dense *C = &places->result.placed.dense;
    torc_update update = plan->update;
    update.mask = plan->is_part ? places->part.taken.data : places->mask.data;
    update.complement = update.complement && !plan->is_part;
    update.iso = places->iso.data;
    if (plan->deletes) {
        torc_status status = keep_old(places, plan, context);
        if (status != TORC_SUCCESS) {
            return status;
        }
    }
    if (call->is_reduction) {
        return torc_reduce_to_vector(
            C, call->reduction, context, &places->inputs[0].dense, call->inputs[0].transpose, &update);
    }
    torc_operand A = operand_of(&call->inputs[0], &places->inputs[0]);
    torc_dense window;
    if (A.dense && !call->is_assignment) {
        window = window_of(call, A.dense);
        A.dense = &window;
    }
    A.rows = places->rows.data;
    A.columns = places->columns.data;
    torc_operand B = operand_of(&call->inputs[1], &places->inputs[1]);
    return torc_elementwise(C, &call->operation, context, &A, call->ninputs == 2 ? &B : NULL, &update);
}

/* Bytes of the result, and of operands that do not lie where it goes. */
static double room_of(const torc_dense_call *call, const torc_dense_plan *plan)
{
    double cells = (double)plan->C.nrows * (double)plan->C.ncols;
    double room = cells * (double)torc_type_size(plan->c_type) + (plan->has_bitmap ? cells : 0);
    for (int i = 0; i < call->ninputs; i++) {
        const torc_input *input = &call->inputs[i];
        bool is_counted = input->is_value || input->view.values == plan->C.values ||
                          (i > 0 && input->view.values == call->inputs[0].view.values);
        room += is_counted ? 0 : torc_bytes_there(&input->view, true);
    }
    room += plan->has_mask ? (double)plan->mask.nrows * (double)plan->mask.ncols : 0;
    return room + (plan->deletes ? torc_bytes_there(&plan->C, true) : 0);
}

static void expect(const torc_dense_call *call, const torc_dense_plan *plan)
{
    for (int i = 0; i < call->ninputs; i++) {
        if (!call->inputs[i].is_value) {
            torc_placement_expect(&call->inputs[i].view, true);
        }
    }
    if (plan->has_mask) {
        torc_placement_expect(&plan->mask, !plan->mask_is_pattern);
    }
    torc_placement_expect(&plan->C, true);
}

static torc_status run_on(torc_context *context, dense_places *places, torc_arrays *T,
    const torc_dense_call *call, const torc_dense_plan *plan, const torc_dense_lists *lists)
{
    int64_t cells = plan->C.nrows * plan->C.ncols, nvals = cells;
    if (!torc_residency_could_hold(context, room_of(call, plan))) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_context_defer_kernels(context, !torc_dense_is_forced());
    expect(call, plan);
    torc_status status = place_inputs(places, call, plan, lists, context);
    if (status == TORC_SUCCESS) {
        status = place_result(places, call, plan, context);
    }
    if (status == TORC_SUCCESS) {
        do {
            status = compute(places, call, plan, context);
        } while (status == TORC_OUT_OF_MEMORY && torc_residency_evict_oldest());
    }
    if (status == TORC_SUCCESS && !plan->is_full) {
        status = torc_result_count(&nvals, &places->result, context);
    }
    if (status == TORC_SUCCESS) {
        status = torc_result_finish(&places->result, T, context, nvals, plan->maker);
    }
    torc_result_release(&places->result, context, torc_binding_get());
    torc_placed_release(&places->inputs[0], context);
    torc_placed_release(&places->inputs[1], context);
    torc_placed_release(&places->old, context);
    torc_placed_part_release(&places->part, context);
    torc_placed_array_release(&places->rows, context);
    torc_placed_array_release(&places->columns, context);
    torc_placed_array_release(&places->mask, context);
    torc_placed_array_release(&places->iso, context);
    torc_residency_expect_none();
    return status;
}

static bool run(uint64_t *bytes_sent, const torc_dense_call *call, const torc_dense_plan *plan,
    const torc_dense_lists *lists)
{
    const char *why;
    torc_context *context = torc_session_acquire(&why, torc_dense_is_forced() ? TORC_FOREVER : 0);
    if (!context) {
        return false;
    }
    dense_places places = {0};
    torc_arrays T = {0};
    uint64_t before = torc_placed_bytes_sent();
    torc_status status = run_on(context, &places, &T, call, plan, lists);
    *bytes_sent = torc_placed_bytes_sent() - before;
    torc_session_release();
    if (status == TORC_NOT_COMPILED) {
        torc_missing_kernels_compile(plan->kernel);
    } else if (call->user.source && (status == TORC_COMPILE_ERROR || status == TORC_NO_COMPILER)) {
        torc_user_source_refuse(call->user.source);
    } else if (status == TORC_COMPILE_ERROR || status == TORC_NO_COMPILER) {
        torc_missing_kernels_give_up(plan->kernel);
    }
    const torc_binding *graphblas = torc_binding_get();
    if (status == TORC_SUCCESS) {
        GrB_Info info = (plan->stays ? torc_put_off_pack : torc_pack)(call->output.C, graphblas, &T);
        status = info == GrB_SUCCESS ? TORC_SUCCESS : TORC_DEVICE_ERROR;
    }
    if (!plan->stays) {
        torc_put_off_settle(call->output.C);
    }
    torc_arrays_release(graphblas, &T);
    return status == TORC_SUCCESS;
}

bool torc_dense_run(uint64_t *bytes_sent, const torc_dense_call *call, const torc_dense_plan *plan)
{
    torc_dense_lists lists;
    bool is_done = torc_dense_lists_make(&lists, call, plan) && run(bytes_sent, call, plan, &lists);
    torc_dense_lists_free(&lists);
    return is_done;
}
