/* dense_call.c: see dense_call.h. C⟨M,r⟩ = accum (C, T) in one pass over what is dense. A sparse input, mask
 * or old C beside dense ones becomes a bitmap on the device. */
#include "dense_call.h"
#include "arena.h"
#include "away.h"
#include "clock.h"
#include "mask_bytes.h"
#include "match.h"
#include "missing_kernels.h"
#include "placement.h"
#include "rates.h"
#include "process.h"
#include "put_off.h"
#include "session.h"
#include "statistics.h"
#include <pthread.h>
#include <stdatomic.h>

/* How T goes into C. */
typedef struct dense_plan {
    torc_view C, mask;
    bool has_mask, mask_is_pattern;
    torc_type c_type, types[2];
    bool t_is_full, is_full, reads_old;
    bool has_bitmap;    /* on the device: of a result that is full, old content may have one */
    torc_update update; /* without the arrays */
    bool stays;         /* the result, on the device */
    uint64_t maker;
} dense_plan;

/* What it needs on the device. */
typedef struct dense_places {
    torc_placed_dense inputs[2];
    torc_placed_array mask, iso;
    torc_placed_result result;
} dense_places;

static bool is_forced(void)
{
    return torc_session_settings()->force == TORC_FORCE_GPU;
}

/* ---- Is it thinkable? ---------------------------------------------------------------------------------- */

/* Without a device that is open there is nothing to gain: products open it. Below a megabyte the CPU is done
 * before a kernel begins. */
bool torc_dense_call_is_thinkable(GrB_Matrix C)
{
    if (torc_session_device_state() != TORC_DEVICE_OPEN && !is_forced()) {
        return false;
    }
    const torc_binding *graphblas = torc_binding_get();
    GrB_Index nrows, ncols;
    return C && graphblas && graphblas->is_known && torc_session_settings()->force != TORC_FORCE_CPU &&
           graphblas->matrix_nrows(&nrows, C) == GrB_SUCCESS &&
           graphblas->matrix_ncols(&ncols, C) == GrB_SUCCESS && nrows > 0 && ncols > 0 &&
           (torc_away_is_any() || is_forced() || nrows >= TORC_ARENA_SMALLEST / ncols);
}

torc_dense_call torc_dense_call_begin(const torc_target *target)
{
    return (torc_dense_call){
        .name = target->name,
        .output = {.C = target->C, .mask = target->mask, .accum = target->accum},
    };
}

bool torc_dense_call_read_descriptor(torc_dense_call *call, GrB_Descriptor desc)
{
    GrB_Desc_Value outp, mask, inp0, inp1;
    const torc_binding *graphblas = torc_binding_get();
    if (!desc) {
        return true;
    }
    if (graphblas->descriptor_get(&outp, desc, GrB_OUTP) != GrB_SUCCESS ||
        graphblas->descriptor_get(&mask, desc, GrB_MASK) != GrB_SUCCESS ||
        graphblas->descriptor_get(&inp0, desc, GrB_INP0) != GrB_SUCCESS ||
        graphblas->descriptor_get(&inp1, desc, GrB_INP1) != GrB_SUCCESS) {
        return false;
    }
    call->output.has_replace = outp == GrB_REPLACE;
    call->output.has_complement = mask & GrB_COMP;
    call->output.has_structure = mask & GrB_STRUCTURE;
    call->inputs[0].transpose = inp0 == GrB_TRAN && !call->inputs[0].is_value;
    call->inputs[1].transpose = inp1 == GrB_TRAN && !call->inputs[1].is_value;
    return true;
}

/* ---- The plan ------------------------------------------------------------------------------------------ */

static bool has_shape(const torc_input *input, int64_t nrows, int64_t ncols)
{
    const torc_view *view = &input->view;
    return (input->transpose ? view->ncols : view->nrows) == nrows &&
           (input->transpose ? view->nrows : view->ncols) == ncols;
}

/* Of one value each, they give a result that GraphBLAS makes of one value, at once. */
static bool read_inputs(torc_dense_call *call, dense_plan *plan)
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
            !torc_match_type(&plan->types[i], input->view.type) ||
            (call->is_reduction && torc_view_is_listed(&input->view))) {
            return false;
        }
        int64_t width = !call->is_reduction ? plan->C.ncols
                        : input->transpose  ? input->view.nrows
                                            : input->view.ncols;
        if (width == 0 || !has_shape(input, plan->C.nrows, width)) {
            return false;
        }
        is_iso = is_iso && input->view.iso;
    }
    return !is_iso || call->output.mask || call->output.accum;
}

/* SuiteSparse takes -0.0 for true at times: masks of floating point are its own. */
static bool read_mask(torc_dense_call *call, dense_plan *plan)
{
    const torc_output *output = &call->output;
    torc_type type;
    if (!output->mask) {
        return !output->has_complement;
    }
    if (torc_view_open(&plan->mask, torc_binding_get(), output->mask) != GrB_SUCCESS ||
        plan->mask.nrows != plan->C.nrows || plan->mask.ncols != plan->C.ncols) {
        return false;
    }
    bool is_readable;
    plan->has_mask = true;
    plan->mask_is_pattern = torc_mask_is_pattern(&is_readable, &plan->mask, output->has_structure);
    if (plan->mask_is_pattern && !output->has_complement && torc_view_is_dense(&plan->mask)) {
        plan->has_mask = false;
    }
    return is_readable &&
           (plan->mask_is_pattern || (torc_match_type(&type, plan->mask.type) && type < TORC_FP32));
}

static bool is_present_everywhere(const torc_dense_call *call)
{
    bool is_full[2] = {true, true};
    for (int i = 0; i < call->ninputs; i++) {
        is_full[i] = call->inputs[i].is_value || torc_view_is_dense(&call->inputs[i].view);
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

/* FNV-1a of what makes results alike: the function, the place, the size. */
static uint64_t maker_of(const torc_dense_call *call, const dense_plan *plan)
{
    uint64_t number = 0xcbf29ce484222325u;
    for (const char *c = call->name; *c; c++) {
        number = (number ^ (unsigned char)*c) * 0x100000001b3u;
    }
    number = (number ^ (uint64_t)plan->C.nrows) * 0x100000001b3u;
    number = (number ^ (uint64_t)plan->C.ncols) * 0x100000001b3u;
    return (number ^ (uint64_t)(call->operation.unary + 64 * call->operation.binary)) * 0x100000001b3u;
}

/* SuiteSparse transposes the one of two inputs that lies otherwise than C, and casts it then, as the operator
 * reads it: where eWiseAdd meets one of its entries alone, that shows. */
static bool shows_a_cast(const torc_dense_call *call, const dense_plan *plan)
{
    bool is_turned[2], is_cast = false;
    if (call->operation.kind != TORC_EWISE_ADD || call->inputs[0].is_value || call->inputs[1].is_value) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const torc_input *input = &call->inputs[i];
        is_turned[i] = (input->view.by_col != input->transpose) != plan->C.by_col;
        is_cast = is_cast || plan->types[i] != call->operation.type;
    }
    return is_cast && is_turned[0] != is_turned[1];
}

/* Of a result that does not stay. Where C's sparsity control forbids its format SuiteSparse converts, and 7.4
 * forgets the control at times: it stays SuiteSparse's. */
static bool may_have_format(GrB_Matrix C, torc_format format)
{
    const torc_binding *graphblas = torc_binding_get();
    int32_t control;
    return graphblas->option_get_int32(C, graphblas->numbers->sparsity_control, &control) == GrB_SUCCESS &&
           (control & (int32_t)format);
}

/* Is anything dense? What is sparse throughout is better off where lists of entries are worked on. */
static bool has_dense_part(const torc_dense_call *call, const dense_plan *plan)
{
    bool is_any = (plan->reads_old && !torc_view_is_listed(&plan->C)) ||
                  (call->output.mask && !torc_view_is_listed(&plan->mask));
    for (int i = 0; i < call->ninputs; i++) {
        is_any = is_any || (!call->inputs[i].is_value && !torc_view_is_listed(&call->inputs[i].view));
    }
    return is_any;
}

static bool plan_call(dense_plan *plan, torc_dense_call *call)
{
    const torc_output *output = &call->output;
    if (torc_view_open(&plan->C, torc_binding_get(), output->C) != GrB_SUCCESS ||
        !torc_match_type(&plan->c_type, plan->C.type) || !read_inputs(call, plan) || !read_mask(call, plan) ||
        shows_a_cast(call, plan)) {
        return false;
    }
    bool has_content = plan->C.nvals > 0;
    if (output->accum && !torc_match_accum(&plan->update.accum, plan->c_type, output->accum)) {
        return false;
    }
    plan->update.has_accum = output->accum && has_content;
    plan->update.complement = plan->has_mask && output->has_complement;
    plan->update.replace = plan->has_mask && (output->has_replace || !has_content);
    plan->reads_old = plan->update.has_accum || (plan->has_mask && !plan->update.replace);
    if (!has_dense_part(call, plan)) {
        return false;
    }
    bool c_is_dense = torc_view_is_dense(&plan->C);
    plan->t_is_full = is_present_everywhere(call);
    plan->is_full = (plan->t_is_full && !plan->has_mask) ||
                    (c_is_dense && !plan->update.replace && (plan->t_is_full || plan->update.has_accum));
    plan->has_bitmap = !plan->is_full || (plan->reads_old && !c_is_dense);
    plan->maker = maker_of(call, plan);
    plan->stays = torc_result_may_leave(torc_binding_get(), plan->C.nrows * plan->C.ncols, plan->c_type);
    return plan->stays || may_have_format(output->C, plan->is_full ? TORC_FULL : TORC_BITMAP);
}

/* ---- The decision -------------------------------------------------------------------------------------- */

enum { USES = 4 }; /* of an operand that is sent once, in a chain */

typedef struct dense_bytes {
    double on_device, on_host; /* that are passed over */
    double away, sent;
} dense_bytes;

static void count_view(dense_bytes *bytes, const torc_view *view)
{
    double cells = (double)view->nrows * (double)view->ncols;
    double values = view->iso ? 0 : (double)view->type_size, presence = torc_view_is_dense(view) ? 0 : 1;
    bytes->on_device += cells * (values + presence);
    bytes->sent += torc_bytes_to_place(view, true);
    if (torc_view_is_listed(view)) {
        bytes->on_host += (double)view->nvals * (values + sizeof(uint64_t));
        return;
    }
    bytes->on_host += cells * (values + presence);
    bytes->away += torc_away_journey(view->values) != 0 ? cells * values : 0;
    bytes->away += torc_away_journey(view->bitmap) != 0 ? cells : 0;
}

static atomic_bool products_wait;

void torc_dense_call_expect_products(bool they_wait)
{
    atomic_store_explicit(&products_wait, they_wait, memory_order_relaxed);
}

/* By where the operands are: on the device a pass at its bandwidth and what is sent, on the CPU one at the
 * speed of its processors and what comes home. What is sent is kept, and a chain uses it again. */
static bool is_worth_it(const torc_dense_call *call, const dense_plan *plan)
{
    const double *of = torc_rates_get()->of, queued = 15e-6;
    dense_bytes bytes = {0};
    for (int i = 0; i < call->ninputs; i++) {
        if (!call->inputs[i].is_value) {
            count_view(&bytes, &call->inputs[i].view);
        }
    }
    if (plan->reads_old) {
        count_view(&bytes, &plan->C);
    }
    if (plan->has_mask) {
        count_view(&bytes, &plan->mask);
    }
    double written = (double)plan->C.nrows * (double)plan->C.ncols * (double)plan->C.type_size;
    double sent = bytes.sent / (bytes.away > 0 ? USES : 1);
    double device =
        queued + sent / of[TORC_RATE_IN_PINNED] + (bytes.on_device + written) / of[TORC_RATE_DEVICE_COPY];
    double cpu = bytes.away / of[TORC_RATE_OUT_PINNED] + (bytes.on_host + written) / of[TORC_RATE_OUT_STAGED];
    bool may_leave = bytes.away > 0 || torc_residency_should_leave(plan->maker);
    return device < cpu && may_leave && !(products_wait && bytes.away == 0);
}

/* ---- On the device ------------------------------------------------------------------------------------- */

static torc_status place_inputs(
    dense_places *places, const torc_dense_call *call, const dense_plan *plan, torc_context *context)
{
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < call->ninputs && status == TORC_SUCCESS; i++) {
        if (!call->inputs[i].is_value) {
            status = torc_place_dense(
                &places->inputs[i], context, &call->inputs[i].view, plan->types[i], true, NULL);
        }
    }
    if (status == TORC_SUCCESS && plan->has_mask) {
        status = torc_place_mask(&places->mask, context, &plan->mask, plan->mask_is_pattern, plan->C.by_col);
    }
    if (status == TORC_SUCCESS && plan->reads_old && plan->C.iso) {
        status = torc_place_bytes(&places->iso, context, plan->C.values, plan->C.type_size);
    }
    return status;
}

/* The result may be computed where an input lies if each element comes from its own place. */
static torc_status place_result(
    dense_places *places, const torc_dense_call *call, const dense_plan *plan, torc_context *context)
{
    const torc_binding *graphblas = torc_binding_get();
    bool may_overlap = !call->is_reduction;
    for (int i = 0; i < call->ninputs; i++) {
        const torc_input *input = &call->inputs[i];
        bool is_same = !input->is_value && input->view.values == plan->C.values;
        may_overlap = may_overlap && !(is_same && (input->transpose || input->view.by_col != plan->C.by_col));
    }
    return torc_place_result(&places->result, context, graphblas, &plan->C, plan->c_type, plan->stays,
        plan->has_bitmap, plan->reads_old, may_overlap);
}

static torc_operand operand_of(const torc_input *input, const torc_placed_dense *placed)
{
    return (torc_operand){
        .dense = input->is_value ? NULL : &placed->dense,
        .value = input->value,
        .transpose = input->transpose,
    };
}

static torc_status compute(
    dense_places *places, const torc_dense_call *call, const dense_plan *plan, torc_context *context)
{
    const torc_dense *C = &places->result.placed.dense;
    torc_update update = plan->update;
    update.mask = places->mask.data;
    update.iso = places->iso.data;
    if (call->is_reduction) {
        return torc_reduce_to_vector(
            C, call->reduction, context, &places->inputs[0].dense, call->inputs[0].transpose, &update);
    }
    torc_operand A = operand_of(&call->inputs[0], &places->inputs[0]);
    torc_operand B = operand_of(&call->inputs[1], &places->inputs[1]);
    return torc_elementwise(C, &call->operation, context, &A, call->ninputs == 2 ? &B : NULL, &update);
}

static torc_status run_on(torc_context *context, dense_places *places, torc_arrays *T,
    const torc_dense_call *call, const dense_plan *plan)
{
    int64_t cells = plan->C.nrows * plan->C.ncols, nvals = cells;
    torc_context_defer_kernels(context, !is_forced());
    torc_status status = place_inputs(places, call, plan, context);
    if (status == TORC_SUCCESS) {
        status = place_result(places, call, plan, context);
    }
    if (status == TORC_SUCCESS) {
        status = compute(places, call, plan, context);
    }
    if (status == TORC_SUCCESS && !plan->is_full) {
        status = torc_count_present(&nvals, context, places->result.placed.dense.bitmap, (size_t)cells);
    }
    if (status == TORC_SUCCESS) {
        status = torc_result_finish(&places->result, T, context, nvals, plan->maker);
    }
    torc_result_release(&places->result, context, torc_binding_get());
    torc_placed_release(&places->inputs[0], context);
    torc_placed_release(&places->inputs[1], context);
    torc_placed_array_release(&places->mask, context);
    torc_placed_array_release(&places->iso, context);
    return status;
}

/* What its kernel depends on, as far as it is the same in each round of a loop. */
static uint64_t kernel_of(const torc_dense_call *call, const dense_plan *plan)
{
    uint64_t accum = plan->update.has_accum ? (uint64_t)plan->update.accum + 1 : 0;
    uint64_t add = call->is_reduction ? (uint64_t)call->reduction.add + 1 : 0;
    return (((plan->maker * 64 + accum) * 64 + add) * 16 + plan->c_type) * 2 + plan->has_mask;
}

static double bytes_of(const dense_plan *plan)
{
    return (double)plan->C.nrows * (double)plan->C.ncols * (double)plan->C.type_size;
}

static bool run(const torc_dense_call *call, const dense_plan *plan)
{
    const char *why;
    torc_context *context = torc_session_acquire(&why, is_forced() ? TORC_FOREVER : 0);
    if (!context) {
        return false;
    }
    dense_places places = {0};
    torc_arrays T = {0};
    torc_status status = run_on(context, &places, &T, call, plan);
    torc_session_release();
    if (status == TORC_NOT_COMPILED) {
        torc_missing_kernels_compile(kernel_of(call, plan));
    }
    const torc_binding *graphblas = torc_binding_get();
    if (status == TORC_SUCCESS && T.values) {
        GrB_Info info = (plan->stays ? torc_put_off_pack : torc_pack)(call->output.C, graphblas, &T);
        status = info == GrB_SUCCESS ? TORC_SUCCESS : TORC_DEVICE_ERROR;
    }
    if (!plan->stays) {
        torc_put_off_settle(call->output.C);
    }
    torc_arrays_release(graphblas, &T);
    return status == TORC_SUCCESS;
}

bool torc_dense_call_try(torc_dense_call *call)
{
    double start = torc_clock();
    dense_plan plan = {0};
    int cancels;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    bool is_done =
        torc_process_is_ours() && plan_call(&plan, call) &&
        (is_forced() || (!torc_missing_kernels_hold_back(kernel_of(call, &plan), bytes_of(&plan)) &&
                            is_worth_it(call, &plan))) &&
        run(call, &plan);
    pthread_setcancelstate(cancels, NULL);
    if (is_done) {
        torc_statistics_count_dense(call->name, torc_clock() - start);
    }
    return is_done;
}
