#include "dense_plan.h"
#include "fnv1a.h"
#include "machine_memory.h"
#include "mask_bytes.h"
#include "match.h"
#include "pack.h"
#include "placed_result.h"
#include <string.h>

/* T is as large as C, or the part of it that is assigned to. */
static void find_shape(torc_dense_plan *plan, const torc_dense_call *call)
{
    plan->is_part = call->is_assignment && (call->rows.is_part || call->columns.is_part);
    plan->nrows = plan->is_part ? torc_index_list_count(&call->rows, plan->C.nrows) : plan->C.nrows;
    plan->ncols = plan->is_part ? torc_index_list_count(&call->columns, plan->C.ncols) : plan->C.ncols;
}

static bool has_shape(const torc_dense_call *call, const torc_input *input, int64_t nrows, int64_t ncols)
{
    const torc_view *view = &input->view;
    int64_t rows = input->transpose ? view->ncols : view->nrows;
    int64_t columns = input->transpose ? view->nrows : view->ncols;
    if (!call->is_assignment && input == &call->inputs[0]) {
        rows = torc_index_list_count(&call->rows, rows);
        columns = torc_index_list_count(&call->columns, columns);
    }
    return rows == nrows && columns == ncols;
}

/* A sparse one of which a part is read may be too large to be a bitmap. */
static bool may_be_listed(const torc_dense_call *call)
{
    return call->is_assignment || (!call->is_reduction && !call->rows.is_part && !call->columns.is_part);
}

/* A user-defined type is one that the operator has at this place. */
static bool match_type(torc_type *type, const torc_dense_call *call, const torc_view *view, GrB_Type at_place)
{
    if (torc_match_type(type, view->type)) {
        return true;
    }
    *type = torc_opaque_type(view->type_size);
    return call->user.source && view->type == at_place;
}

/* eWiseAdd takes a lone entry for a result. */
static GrB_Type type_at(const torc_dense_call *call, int input)
{
    GrB_Type type = input == 0 ? call->user.x_type : call->user.y_type;
    bool may_be_result = !call->is_reduction && call->operation.kind == TORC_EWISE_ADD;
    return may_be_result && type != call->user.z_type ? NULL : type;
}

/* false also if each input has one value for all entries: then the result has too, and GraphBLAS makes it at
 * once. */
static bool read_inputs(torc_dense_call *call, torc_dense_plan *plan)
{
    const torc_binding *graphblas = torc_binding_get();
    bool is_iso = true;
    for (int i = 0; i < call->ninputs; i++) {
        torc_input *input = &call->inputs[i];
        if (input->is_value) {
            plan->types[i] = input->value.type;
            continue;
        }
        if (!input->matrix || torc_view_open(&input->view, graphblas, input->matrix) != GrB_SUCCESS ||
            !match_type(&plan->types[i], call, &input->view, type_at(call, i)) ||
            (torc_view_is_listed(&input->view) && !may_be_listed(call))) {
            return false;
        }
        int64_t width = !call->is_reduction ? plan->ncols
                        : input->transpose  ? input->view.nrows
                                            : input->view.ncols;
        if (width == 0 || !has_shape(call, input, plan->nrows, width)) {
            return false;
        }
        is_iso = is_iso && input->view.iso;
    }
    return !is_iso || call->output.mask || call->output.accum || plan->is_part;
}

static bool mask_has_shape(const torc_dense_call *call, const torc_dense_plan *plan)
{
    const torc_view *mask = &plan->mask;
    int64_t nrows = call->mask_is_of_part ? plan->nrows : plan->C.nrows;
    int64_t ncols = call->mask_is_of_part ? plan->ncols : plan->C.ncols;
    return (call->transposes_mask ? mask->ncols : mask->nrows) == nrows &&
           (call->transposes_mask ? mask->nrows : mask->ncols) == ncols;
}

/* SuiteSparse takes -0.0 for true at times: masks of floating point are its own. */
static bool read_mask(torc_dense_call *call, torc_dense_plan *plan)
{
    const torc_output *output = &call->output;
    torc_type type;
    if (!output->mask) {
        return !output->has_complement;
    }
    if (torc_view_open(&plan->mask, torc_binding_get(), output->mask) != GrB_SUCCESS ||
        !mask_has_shape(call, plan)) {
        return false;
    }
    bool is_readable;
    plan->has_mask = true;
    plan->mask_is_pattern = torc_mask_is_pattern(&is_readable, &plan->mask, output->has_structure);
    if (plan->mask_is_pattern && !output->has_complement && torc_view_has_all_elements(&plan->mask)) {
        plan->has_mask = false;
    }
    return is_readable &&
           (plan->mask_is_pattern || (torc_match_type(&type, plan->mask.type) && type < TORC_FP32));
}

static bool is_present_everywhere(const torc_dense_call *call)
{
    bool is_full[2] = {true, true};
    for (int i = 0; i < call->ninputs; i++) {
        is_full[i] = call->inputs[i].is_value || torc_view_has_all_elements(&call->inputs[i].view);
    }
    switch (call->operation.kind) {
    case TORC_SELECT:
        return false;
    case TORC_EWISE_ADD:
    case TORC_EWISE_UNION:
        return is_full[0] || is_full[1];
    default:
        return is_full[0] && is_full[1];
    }
}

/* Is the only input the mask too, so that nothing is absent where the mask lets it through? Vertices whose
 * labels are known are given them again like this. */
static bool is_its_own_mask(const torc_dense_call *call, const torc_dense_plan *plan)
{
    const torc_input *input = &call->inputs[0];
    bool has_lists = call->rows.is_part || call->columns.is_part;
    return plan->has_mask && !call->output.has_complement && !has_lists && call->ninputs == 1 &&
           !call->is_reduction && call->operation.kind == TORC_APPLY && !input->is_value &&
           !input->transpose && input->view.bitmap && input->view.bitmap == plan->mask.bitmap;
}

static uint64_t add_name(uint64_t number, const char *name)
{
    return torc_fnv1a(number, name, strlen(name));
}

/* Of function and operator. */
static uint64_t operation_of(const torc_dense_call *call)
{
    const int64_t numbers[] = {call->operation.unary, call->operation.binary};
    uint64_t number = add_name(TORC_FNV1A_START, call->name);
    number = add_name(number, call->user.source ? call->user.source : "");
    return torc_fnv1a(number, numbers, sizeof numbers);
}

/* Results are alike if function, operator and size are the same. */
static uint64_t maker_of(const torc_dense_call *call, const torc_dense_plan *plan)
{
    const int64_t numbers[] = {plan->C.nrows, plan->C.ncols};
    return torc_fnv1a(operation_of(call), numbers, sizeof numbers);
}

/* SuiteSparse transposes the one of two inputs that lies otherwise than C, and casts it then, as the operator
 * reads it: where eWiseAdd meets one of its entries alone, that shows. */
static bool shows_a_cast(const torc_dense_call *call, const torc_dense_plan *plan)
{
    bool is_turned[2];
    if (call->operation.kind != TORC_EWISE_ADD || call->inputs[0].is_value || call->inputs[1].is_value) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const torc_input *input = &call->inputs[i];
        is_turned[i] = (input->view.by_col != input->transpose) != plan->C.by_col;
    }
    torc_operation_traits traits = torc_operation_get_traits(&call->operation);
    bool is_cast = plan->types[0] != traits.x_type || plan->types[1] != traits.y_type;
    return is_cast && is_turned[0] != is_turned[1];
}

/* May C have the format of a result that does not stay? Where C's sparsity control forbids it, the call is
 * left to SuiteSparse, which converts; its version 7.4 sometimes forgets the control then. */
static bool may_have_format(GrB_Matrix C, torc_format format)
{
    const torc_binding *graphblas = torc_binding_get();
    int32_t control;
    return torc_binding_get_option(graphblas, C, graphblas->numbers->sparsity_control, &control) ==
               GrB_SUCCESS &&
           (control & (int32_t)format);
}

/* Is anything dense? A call on sparse objects alone is faster where lists of entries are worked on. */
static bool has_dense_part(const torc_dense_call *call, const torc_dense_plan *plan)
{
    bool is_any = (plan->reads_old && !torc_view_is_listed(&plan->C)) ||
                  (call->output.mask && !torc_view_is_listed(&plan->mask));
    for (int i = 0; i < call->ninputs; i++) {
        is_any = is_any || (!call->inputs[i].is_value && !torc_view_is_listed(&call->inputs[i].view));
    }
    return is_any;
}

/* A number of what the kernel depends on, as far as that is the same in each round of a loop. */
static uint64_t kernel_of(const torc_dense_call *call, const torc_dense_plan *plan)
{
    const torc_input *inputs = call->inputs;
    const int64_t numbers[] = {
        plan->update.has_accum ? plan->update.accum + 1 : 0,
        call->is_reduction ? call->reduction.add + 1 : 0,
        plan->c_type,
        plan->is_part,
        plan->deletes,
        plan->has_mask,
        plan->types[0],
        plan->types[1],
        inputs[0].is_value ? 0 : inputs[0].view.format + inputs[0].view.iso,
        inputs[1].is_value ? 0 : inputs[1].view.format + inputs[1].view.iso,
    };
    return torc_fnv1a(operation_of(call), numbers, sizeof numbers);
}

/* A call that deletes elements does not write to C's own arrays: C's old content is copied before. */
static bool plan_update(torc_dense_plan *plan, const torc_output *output)
{
    torc_update *update = &plan->update;
    bool has_content = plan->C.nvals > 0;
    plan->lacks_accumulator = output->accum && !torc_match_accum(&update->accum, plan->c_type, output->accum);
    if (plan->lacks_accumulator) {
        return false;
    }
    update->has_accum = output->accum && has_content;
    update->complement = plan->has_mask && output->has_complement;
    update->replace = plan->has_mask && !plan->is_part && (output->has_replace || !has_content);
    plan->deletes = plan->has_mask && plan->is_part && output->has_replace;
    plan->reads_old =
        !plan->deletes && (plan->is_part || update->has_accum || (plan->has_mask && !update->replace));
    return true;
}

/* Has the result one value for all entries, as SuiteSparse has it? It has if an input of one value is
 * assigned or copied to a C that is empty, or sparse and replaced; or if the operator is `one`. A dense C is
 * changed in place and keeps its array, and a C that is accumulated into gets one even if it was empty. */
static torc_iso_result plan_iso(const torc_dense_call *call, const torc_dense_plan *plan)
{
    const torc_input *input = &call->inputs[0];
    const torc_operation *operation = &call->operation;
    bool is_applied = !call->is_reduction && operation->kind == TORC_APPLY;
    bool is_new = plan->C.nvals == 0 || torc_view_is_listed(&plan->C);
    if (!is_applied || !is_new || call->output.accum || plan->reads_old || plan->deletes) {
        return (torc_iso_result){.is_iso = false};
    }
    if (operation->unary == TORC_UNARY_ONE) {
        return torc_iso_result_of(&(uint64_t){1}, TORC_UINT64, plan->c_type);
    }
    bool is_same = operation->unary == TORC_UNARY_IDENTITY && operation->type == plan->types[0];
    return is_same && (input->is_value || input->view.iso)
               ? torc_iso_result_of(
                     input->is_value ? input->value.value : input->view.values, plan->types[0], plan->c_type)
               : (torc_iso_result){.is_iso = false};
}

/* A part of a sparse or empty C is SuiteSparse's, which keeps it sparse. */
static bool may_be_part(const torc_dense_plan *plan)
{
    return !plan->is_part || (!torc_view_is_listed(&plan->C) && plan->C.nvals > 0);
}

/* Where T has entries only where its inputs do, SuiteSparse walks the shortest list of them. */
static int64_t most_entries(const torc_dense_call *call, const torc_dense_plan *plan)
{
    int64_t most = plan->nrows * plan->ncols;
    bool passes_c = plan->deletes || (plan->reads_old && !plan->update.has_accum);
    bool intersects = !call->is_reduction && call->operation.kind <= TORC_EWISE_MULT;
    for (int i = 0; i < call->ninputs && intersects && !passes_c; i++) {
        const torc_input *input = &call->inputs[i];
        if (!input->is_value && torc_view_is_listed(&input->view) && input->view.nvals < most) {
            most = input->view.nvals;
        }
    }
    return most;
}

/* A result of which SuiteSparse makes a list may have no room as a bitmap. */
static bool has_room(const torc_dense_plan *plan)
{
    int64_t cells = plan->nrows * plan->ncols;
    return plan->entries == cells || (size_t)cells <= torc_machine_memory() / 4 / plan->C.type_size;
}

bool torc_dense_plan_make(torc_dense_plan *plan, torc_dense_call *call)
{
    const torc_output *output = &call->output;
    if (torc_view_open(&plan->C, torc_binding_get(), output->C) != GrB_SUCCESS ||
        !torc_pack_is_possible(output->C, torc_binding_get()) ||
        !match_type(&plan->c_type, call, &plan->C, call->user.z_type)) {
        return false;
    }
    find_shape(plan, call);
    if (!may_be_part(plan) || !read_inputs(call, plan) || !read_mask(call, plan) ||
        shows_a_cast(call, plan) || !plan_update(plan, output) ||
        (!plan->is_part && !has_dense_part(call, plan))) {
        return false;
    }
    if (call->is_oriented_by_input) {
        plan->C.by_col = call->inputs[0].view.by_col;
    }
    bool c_has_all = torc_view_has_all_elements(&plan->C);
    bool loses = plan->update.replace || plan->deletes;
    plan->t_is_full = is_present_everywhere(call) || is_its_own_mask(call, plan);
    plan->is_full = (plan->t_is_full && !plan->has_mask && !plan->is_part) ||
                    (c_has_all && !loses && (plan->t_is_full || plan->update.has_accum));
    plan->has_bitmap = !plan->is_full || (plan->reads_old && !c_has_all);
    plan->all = plan_iso(call, plan);
    if (plan->all.is_iso && plan->is_full) {
        return false; /* GraphBLAS makes it at once */
    }
    plan->entries = most_entries(call, plan);
    if (!has_room(plan)) {
        return false;
    }
    plan->maker = maker_of(call, plan);
    plan->kernel = kernel_of(call, plan);
    plan->stays = torc_result_may_leave(torc_binding_get(), plan->C.nrows * plan->C.ncols, plan->c_type);
    return plan->stays || may_have_format(output->C, plan->is_full ? TORC_FULL : TORC_BITMAP);
}
