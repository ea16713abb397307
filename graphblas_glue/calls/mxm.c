/* mxm.c: how one product (GrB_mxm, GrB_mxv, GrB_vxm) travels: read the descriptor and the operands in place,
 * recognise the semiring, plan the product and what follows it, decide, compute on the device, finish C.
 * Whatever does not fit on the way, or fails, leaves the caller's objects as they were, and SuiteSparse
 * computes instead: its answer, its error code, its text. What is cheap to ask is asked first: most calls of
 * most programs are not torc's.
 */
#include "arena.h"
#include "beside.h"
#include "burble.h"
#include "away.h"
#include "compute.h"
#include "compute_away.h"
#include "decision.h"
#include "dense_cost.h"
#include "epilogue.h"
#include "experience.h"
#include "finish.h"
#include "mask_bytes.h"
#include "match.h"
#include "missing_kernels.h"
#include "operand_copies.h"
#include "placement.h"
#include "process.h"
#include "put_off.h"
#include "profit.h"
#include "residency.h"
#include "session.h"
#include "statistics.h"
#include "upfront.h"
#include "user_semiring.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* A vector is a matrix of one column: mxv is mxm of a matrix and one, and vxm that of the transposed matrix,
 * with multiply's arguments exchanged. GraphBLAS takes a vector's handle for a matrix's. */
typedef enum product_name { MXM, MXV, VXM } product_name;
static const char *const names[] = {"GrB_mxm", "GrB_mxv", "GrB_vxm"};

typedef struct mxm_call {
    product_name name;
    const torc_binding *graphblas;
    torc_output output;
    GrB_Semiring semiring;
    GrB_Matrix A, B;
    GrB_Descriptor descriptor;
    bool transpose_a, transpose_b;
    torc_view view_a, view_b, view_c; /* nvec < 0: not read */
    torc_view view_mask;
    torc_semiring known;
    bool is_known;
    torc_user_semiring user; /* what `known` borrows from, where it is user-defined */
    torc_product product;
    torc_epilogue epilogue;
    torc_workload work;
    torc_cost cost;
    torc_call_kind kind;
    torc_upfront_call upfront;
    int like_calls;
    bool has_cost;   /* and a kind */
    double patience; /* seconds that it waits for the device */
    bool defers_kernel, is_put_off;
    bool stays;     /* the result, on the device */
    uint64_t maker; /* of it */
    torc_times times;
    const char *why;
} mxm_call;

static const double COMPILE_SECONDS = 0.2; /* of a kernel: .1 to .5 */

static _Atomic double time_lost; /* by calls that an open device would have sped up */

/* What became of the last call with a semiring: its operands travel in vain once. */
typedef enum kernel_state {
    KERNEL_UNKNOWN,
    KERNEL_COMPILING, /* while that is under way beside the program */
    KERNEL_MISSING,   /* and there is no compiler */
} kernel_state;
static _Atomic kernel_state kernel_states[TORC_MONOID_COUNT][TORC_MULTIPLY_COUNT][TORC_TYPE_COUNT];
static _Atomic kernel_state user_kernel_state; /* of all that are user-defined */

static bool decline(mxm_call *call, const char *why)
{
    call->why = why;
    return false;
}

/* GxB_Descriptor_get reads any object of GraphBLAS as a descriptor. GrB_mxm refuses one whose fields hold
 * values that none can have; hints of a method have five numbers in a row. */
static bool is_descriptor(const torc_numbers *numbers, GrB_Desc_Value outp, GrB_Desc_Value mask,
    GrB_Desc_Value inp0, GrB_Desc_Value inp1, GrB_Desc_Value axb)
{
    unsigned hint = (unsigned)axb - (unsigned)numbers->axb_gustavson;
    return (outp == GxB_DEFAULT || outp == GrB_REPLACE) &&
           ((unsigned)mask & ~(unsigned)(GrB_COMP | GrB_STRUCTURE)) == 0 &&
           (inp0 == GxB_DEFAULT || inp0 == GrB_TRAN) && (inp1 == GxB_DEFAULT || inp1 == GrB_TRAN) &&
           (axb == GxB_DEFAULT || hint < 5);
}

static bool read_descriptor(mxm_call *call)
{
    GrB_Descriptor desc = call->descriptor;
    GrB_Desc_Value outp, mask, inp0, inp1, axb;
    const torc_binding *graphblas = call->graphblas;
    call->transpose_a = call->name == VXM;
    if (!desc) {
        return true;
    }
    if (graphblas->descriptor_get(&outp, desc, GrB_OUTP) != GrB_SUCCESS ||
        graphblas->descriptor_get(&mask, desc, GrB_MASK) != GrB_SUCCESS ||
        graphblas->descriptor_get(&inp0, desc, GrB_INP0) != GrB_SUCCESS ||
        graphblas->descriptor_get(&inp1, desc, GrB_INP1) != GrB_SUCCESS ||
        graphblas->descriptor_get(&axb, desc, (GrB_Desc_Field)graphblas->numbers->axb_method) !=
            GrB_SUCCESS ||
        !is_descriptor(graphblas->numbers, outp, mask, inp0, inp1, axb)) {
        return decline(call, "invalid descriptor");
    }
    call->output.has_replace = outp == GrB_REPLACE;
    call->output.has_complement = mask & GrB_COMP;
    call->output.has_structure = mask & GrB_STRUCTURE;
    call->transpose_a = call->name == VXM ? inp1 != GrB_TRAN : inp0 == GrB_TRAN;
    call->transpose_b = call->name == MXM && inp1 == GrB_TRAN;
    return true;
}

/* Shapes that do not fit are the caller's error, which SuiteSparse words. */
static bool shapes_fit(const mxm_call *call)
{
    const torc_view *A = &call->view_a, *B = &call->view_b, *C = &call->view_c;
    int64_t m = call->transpose_a ? A->ncols : A->nrows, k = call->transpose_a ? A->nrows : A->ncols;
    int64_t k_of_b = call->transpose_b ? B->ncols : B->nrows, n = call->transpose_b ? B->nrows : B->ncols;
    return C->nrows == m && C->ncols == n && k == k_of_b;
}

static bool mask_fits(const mxm_call *call)
{
    const torc_view *mask = &call->view_mask, *C = &call->view_c;
    return !call->output.mask || (mask->nrows == C->nrows && mask->ncols == C->ncols);
}

static bool may_be_frontier(const mxm_call *call, GrB_Matrix matrix)
{
    GrB_Index nrows, ncols;
    return call->graphblas->matrix_nrows(&nrows, matrix) == GrB_SUCCESS &&
           call->graphblas->matrix_ncols(&ncols, matrix) == GrB_SUCCESS &&
           torc_product_may_be_frontier((int64_t)nrows, (int64_t)ncols);
}

/* GraphBLAS's formats are bits. */
static bool is_sparse_times_dense(mxm_call *call)
{
    torc_format a, b;
    if (torc_view_format(&a, call->graphblas, call->A) != GrB_SUCCESS ||
        torc_view_format(&b, call->graphblas, call->B) != GrB_SUCCESS) {
        return decline(call, "invalid object");
    }
    int sparse = TORC_SPARSE | TORC_HYPERSPARSE, dense = TORC_BITMAP | TORC_FULL;
    bool has_frontier =
        a & sparse && b & sparse && (may_be_frontier(call, call->A) || may_be_frontier(call, call->B));
    return (a & sparse && b & dense) || (a & dense && b & sparse) || has_frontier ||
           decline(call, "not sparse times dense");
}

static bool read_operands(mxm_call *call)
{
    const torc_binding *graphblas = call->graphblas;
    if (torc_view_open(&call->view_c, graphblas, call->output.C) != GrB_SUCCESS ||
        torc_view_open(&call->view_a, graphblas, call->A) != GrB_SUCCESS ||
        torc_view_open(&call->view_b, graphblas, call->B) != GrB_SUCCESS ||
        (call->output.mask &&
            torc_view_open(&call->view_mask, graphblas, call->output.mask) != GrB_SUCCESS)) {
        return decline(call, "invalid object");
    }
    return true;
}

/* A term for each entry of S and column of D. The entries of a frontier name the vertices of the largest
 * degree first. */
static double most_terms(const mxm_call *call)
{
    static const double SKEW = 64;
    const torc_view *A = &call->view_a, *B = &call->view_b;
    bool a_is_listed = torc_view_is_listed(A), b_is_listed = torc_view_is_listed(B);
    int64_t rows = call->transpose_a ? A->ncols : A->nrows, inner = call->transpose_a ? A->nrows : A->ncols;
    int64_t columns = call->transpose_b ? B->nrows : B->ncols;
    return a_is_listed && b_is_listed ? SKEW * (double)A->nvals * (double)B->nvals / (double)(inner + 1)
           : a_is_listed              ? (double)A->nvals * (double)columns
                                      : (double)B->nvals * (double)rows;
}

static bool has_away(const mxm_call *call)
{
    return torc_away_is_any() && torc_bytes_to_fetch(&call->view_a) + torc_bytes_to_fetch(&call->view_b) +
                                         (call->output.mask ? torc_bytes_to_fetch(&call->view_mask) : 0) >
                                     0;
}

/* Asked before anything that takes time itself, such as reading user-defined operators. What would have to
 * come home takes longer than a small product. */
static bool is_too_small(const mxm_call *call)
{
    double terms = most_terms(call);
    return !has_away(call) && torc_session_settings()->force == TORC_FORCE_NEITHER &&
           torc_decision_is_too_small(terms, torc_rates_get());
}

static bool recognise(mxm_call *call)
{
    call->why = "a semiring that torc lacks";
    call->is_known = torc_match_semiring(&call->known, call->graphblas, call->semiring);
    if (!call->is_known &&
        torc_user_semiring_read(&call->user, &call->why, call->graphblas, call->semiring)) {
        call->known = call->user.semiring;
        call->is_known = true;
        bool is_vxm = call->name == VXM;
        return torc_user_semiring_fits(&call->user, is_vxm ? &call->view_b : &call->view_a,
                   is_vxm ? &call->view_a : &call->view_b, &call->view_c) ||
               decline(call, "a matrix of a type that the semiring does not take");
    }
    return call->is_known;
}

static GrB_Type result_type(const mxm_call *call)
{
    return call->user.source ? call->user.z_type : torc_type_handle(torc_semiring_traits(call->known).z_type);
}

static bool plan(mxm_call *call)
{
    if (!torc_process_is_ours()) {
        return decline(call, torc_process_why_not());
    }
    if (!call->graphblas->is_known) {
        return decline(call, "a version of GraphBLAS that torc does not know");
    }
    if (!call->output.C || !call->A || !call->B || !call->semiring) {
        return decline(call, "a NULL argument");
    }
    if (!is_sparse_times_dense(call) || !read_descriptor(call) || !read_operands(call)) {
        return false;
    }
    if (is_too_small(call)) {
        return decline(call, "too small for the device");
    }
    if (!recognise(call)) {
        return false;
    }
    if (!shapes_fit(call) || !mask_fits(call)) {
        return decline(call, "shapes that do not fit");
    }
    if (call->output.has_complement && !call->output.mask) {
        return decline(call, "the complement of no mask: nothing to compute");
    }
    torc_semiring semiring = call->name == VXM ? torc_semiring_transpose(call->known) : call->known;
    if (!torc_product_plan(&call->product, &call->why, semiring, call->A, &call->view_a, call->transpose_a,
            call->B, &call->view_b, call->transpose_b, call->view_c.by_col)) {
        return false;
    }
    const torc_dense *R = &call->product.result_view;
    bool may_stay = torc_result_may_leave(call->graphblas, R->nrows * R->ncols, R->type);
    if (call->product.dense_is_listed && !may_stay) {
        return decline(call, "not sparse times dense");
    }
    torc_epilogue_plan(&call->epilogue, &call->output, &call->view_c,
        call->output.mask ? &call->view_mask : NULL, &call->product, result_type(call), may_stay);
    return true;
}

/* A valued mask may leave less than its entries, and its complement more than what has none. */
static double share_of_mask(const mxm_call *call)
{
    const torc_view *mask = &call->view_mask;
    if (!call->output.mask) {
        return 1;
    }
    double share = (double)mask->nvals / ((double)mask->nrows * (double)mask->ncols);
    return call->output.has_complement ? 1 - share : share;
}

/* What has to travel besides S and D's values where the result stays. */
static double bytes_beside(const mxm_call *call)
{
    const torc_epilogue *epilogue = &call->epilogue;
    double bytes = torc_bytes_to_place(call->product.dense, false);
    bytes += epilogue->mask ? torc_bytes_to_place(epilogue->mask, !epilogue->mask_is_pattern) : 0;
    return bytes + (epilogue->reads_old ? torc_bytes_to_place(epilogue->C, true) : 0);
}

static double bytes_away(const mxm_call *call)
{
    return torc_bytes_to_fetch(call->product.dense) +
           (call->epilogue.reads_old ? torc_bytes_to_fetch(&call->view_c) : 0) +
           (call->output.mask ? torc_bytes_to_fetch(&call->view_mask) : 0);
}

/* The arena's memory is pinned once it has travelled twice: to look at whether it is now would keep all of it
 * from travelling. Where D is the arena's, so is what the result goes to. */
static void predict(mxm_call *call)
{
    bool is_arena = torc_arena_owns(call->product.dense->values);
    const torc_update *update = &call->epilogue.update;
    bool is_accumulated = update->has_accum && update->accum == TORC_PLUS && call->view_c.format == TORC_FULL;
    torc_operands_present present = torc_operand_copies_look(&call->product, &call->epilogue);
    torc_circumstances circumstances = {
        .sparse.is_on_device = present.sparse,
        .dense.is_on_device = present.dense,
        .sparse.would_stay = present.sparse_would_stay,
        .dense.would_stay = present.dense_would_stay,
        .side.is_on_device = present.old && !call->output.mask && !torc_product_has_bitmap(&call->product),
        .sparse.is_pinned = torc_arena_owns(call->product.sparse->idx),
        .dense.is_pinned = is_arena,
        .side.is_pinned = is_arena,
        .result_is_pinned = is_arena,
        .cpu = {.has_accum = call->output.accum,
            .is_accumulated = is_accumulated && !call->output.mask,
            .is_masked = call->output.mask,
            .allowed = share_of_mask(call),
            .result_is_recycled = is_arena},
        .away = bytes_away(call),
    };
    call->kind = torc_experience_kind(&call->product, &call->epilogue, circumstances.cpu.allowed);
    call->maker = torc_experience_number(&call->kind);
    const torc_dense *R = &call->product.result_view;
    double size = (double)R->nrows * (double)R->ncols * (double)torc_type_size(R->type);
    bool may_stay = !torc_missing_kernels_send_home(size);
    call->stays = may_stay && torc_compute_away_is_possible(
                                  &call->product, &call->epilogue, call->graphblas, call->maker);
    circumstances.result_stays = call->stays;
    if (call->stays) {
        call->product.side_bytes = bytes_beside(call);
        circumstances.side.is_on_device = false;
    }
    call->work = torc_decision_workload(&call->product, &circumstances);
    call->cost = torc_decision_cost(&call->work, torc_rates_get());
    call->like_calls = torc_experience_apply(&call->cost, &call->kind);
    call->upfront = torc_upfront_call_of(call->product.sparse, call->maker, &circumstances);
    torc_upfront_apply(&call->cost, &call->upfront);
    call->has_cost = true;
}

static _Atomic kernel_state *state_of_kernel(const mxm_call *call)
{
    const torc_semiring *known = &call->known;
    return call->user.source ? &user_kernel_state : &kernel_states[known->add][known->multiply][known->type];
}

/* What is sparse on the host becomes dense on the device alone. */
static bool needs_to_stay(const mxm_call *call)
{
    return call->product.dense_is_listed || call->epilogue.old_is_listed;
}

/* In a loop, the memory of D, C and the result is that of the next calls', one way or the other. */
static void expect_blocks(const mxm_call *call)
{
    const torc_view *D = call->product.dense, *C = &call->view_c;
    const torc_dense *R = &call->product.result_view;
    bool is_dense = C->format == TORC_BITMAP || C->format == TORC_FULL;
    if (!D->iso && !torc_view_is_listed(D)) {
        torc_arena_expect(D->values, (size_t)D->nvec * (size_t)D->veclen * D->type_size);
    }
    if (is_dense && !C->iso) {
        torc_arena_expect(C->values, (size_t)C->nvec * (size_t)C->veclen * C->type_size);
    }
    torc_arena_expect_new((size_t)R->nrows * (size_t)R->ncols * torc_type_size(R->type));
}

/* Until the device is open, if ever. */
static bool stay(mxm_call *call, const char *why)
{
    if (torc_session_device_state() < TORC_DEVICE_OPEN) {
        expect_blocks(call);
    }
    return decline(call, why);
}

/* The device would be faster, were it open. */
static bool stay_while_it_opens(mxm_call *call)
{
    const torc_prospect prospect = {
        .start = torc_rates_get()->of[TORC_RATE_START],
        .processors = torc_processors(),
        .lost = time_lost,
        .like_calls = call->like_calls,
    };
    if (torc_session_device_state() == TORC_DEVICE_UNTRIED &&
        !torc_decision_is_worth_opening(call->cost, &prospect)) {
        return stay(call, "not worth opening the device yet");
    }
    torc_session_open_beside();
    return stay(call, torc_being_opened);
}

static bool decide(mxm_call *call)
{
    torc_force force = torc_session_settings()->force;
    predict(call);
    if (force == TORC_FORCE_CPU) {
        return decline(call, "forced");
    }
    if (torc_session_settings()->options.backend == TORC_BACKEND_OFF) {
        return decline(call, torc_status_text(TORC_NO_DEVICE));
    }
    if (torc_session_device_state() == TORC_DEVICE_MISSING) {
        return decline(call, torc_session_why_missing());
    }
    if (needs_to_stay(call) && !call->stays) {
        return decline(call, "a sparse operand, and a result that would not stay on the device");
    }
    kernel_state kernel = *state_of_kernel(call);
    if (kernel == KERNEL_MISSING) {
        return decline(call, torc_status_text(TORC_NO_COMPILER));
    }
    if (force == TORC_FORCE_GPU) {
        call->why = "forced";
        call->patience = TORC_FOREVER;
        return true;
    }
    if (call->cost.cpu <= call->cost.gpu) {
        return stay(call, "predicted no faster on the device");
    }
    if (kernel == KERNEL_COMPILING && torc_beside_is_under_way()) {
        return decline(call, torc_status_text(TORC_NOT_COMPILED));
    }
    call->why = "predicted faster";
    call->defers_kernel = !torc_decision_is_worth_it(call->cost, COMPILE_SECONDS);
    if (!torc_decision_is_worth_it(call->cost, torc_session_delay(torc_rates_get()->of[TORC_RATE_START]))) {
        return stay_while_it_opens(call);
    }
    torc_session_open_beside();
    call->patience = call->cost.cpu - call->cost.gpu;
    return true;
}

/* Looks at every value of the mask, which a call that stays on the CPU need not wait for. */
static bool mask_is_clear(mxm_call *call)
{
    const torc_view *mask = &call->view_mask;
    if (!call->output.mask || call->output.has_structure || !torc_mask_may_have_negative_zeros(mask)) {
        return true;
    }
    torc_session_lock();
    torc_residency_bring_home(mask->values);
    torc_residency_bring_home(mask->bitmap);
    torc_session_release();
    return !torc_mask_has_negative_zeros(mask) || decline(call, "a mask with a negative zero");
}

static void note_loss(const mxm_call *call, double seconds)
{
    double loss = call->has_cost ? torc_decision_loss(call->cost, seconds) : 0, before = time_lost;
    while (loss > 0 && !atomic_compare_exchange_weak(&time_lost, &before, before + loss)) {
    }
    torc_profit_add(loss);
}

/* One that is only queued takes as long as predicted. */
static void note_gain(const mxm_call *call, double seconds)
{
    double taken = seconds - call->times.once;
    torc_profit_add(call->cost.cpu - (taken > call->cost.gpu ? taken : call->cost.gpu));
}

/* Where a result that would stay finds no room, it passes by. */
static torc_status multiply(mxm_call *call, torc_arrays *T, torc_context *context)
{
    torc_status status = TORC_OUT_OF_MEMORY;
    if (call->stays) {
        status = torc_compute_away(
            T, &call->product, &call->epilogue, call->graphblas, context, call->maker, &call->times);
        call->stays = status != TORC_OUT_OF_MEMORY || needs_to_stay(call);
    }
    return call->stays
               ? status
               : torc_compute(T, &call->product, &call->epilogue, call->graphblas, context, &call->times);
}

static GrB_Info pack_away(mxm_call *call, torc_arrays *T)
{
    GrB_Info info = torc_put_off_pack(call->output.C, call->graphblas, T);
    torc_arrays_release(call->graphblas, T);
    return info;
}

/* On the device up to C itself. false: C is unchanged. */
static bool compute(mxm_call *call)
{
    torc_context *context = torc_session_acquire(&call->why, call->patience);
    if (!context) {
        call->is_put_off = call->why == torc_being_opened;
        return false;
    }
    torc_arrays T;
    /* By the first call: beside the program, rates would be those of a busy machine. */
    torc_rates_meet_device(context);
    torc_context_defer_kernels(context, call->defers_kernel);
    torc_status status = multiply(call, &T, context);
    torc_session_release();
    if (call->user.source && (status == TORC_COMPILE_ERROR || status == TORC_NO_COMPILER)) {
        torc_user_semiring_refuse(&call->user);
    } else if (status == TORC_NO_COMPILER) {
        *state_of_kernel(call) = KERNEL_MISSING;
    } else if (status == TORC_NOT_COMPILED) {
        call->is_put_off = true;
        *state_of_kernel(call) = KERNEL_COMPILING;
        torc_session_compile_beside();
    } else {
        *state_of_kernel(call) = KERNEL_UNKNOWN;
    }
    if (status != TORC_SUCCESS) {
        return decline(call, torc_status_text(status));
    }
    double start = torc_clock();
    GrB_Info info = call->stays ? pack_away(call, &T)
                                : torc_finish(&call->output, call->graphblas, &call->view_c,
                                      result_type(call), call->epilogue.is_fused, &T);
    if (!call->stays) {
        torc_put_off_settle(call->output.C);
    }
    call->times.finish += torc_clock() - start;
    torc_rates_measure_beside();
    return info == GrB_SUCCESS || decline(call, "the result was refused");
}

/* With no more threads than GraphBLAS would take. */
static bool run(mxm_call *call)
{
    int limit = torc_threads_limit(torc_binding_threads(call->graphblas, call->descriptor));
    bool is_done = compute(call);
    torc_threads_limit(limit);
    return is_done;
}

/* What a line of TORC_BURBLE tells of a call that was declined before it was read. */
static void read_for_report(mxm_call *call)
{
    if (call->graphblas->is_known && !call->is_known && call->A && call->B && call->semiring) {
        torc_view_open(&call->view_a, call->graphblas, call->A);
        torc_view_open(&call->view_b, call->graphblas, call->B);
        call->is_known = torc_match_semiring(&call->known, call->graphblas, call->semiring);
    }
}

static void report(const mxm_call *call, bool is_done, double seconds)
{
    bool is_reference = torc_session_settings()->options.backend == TORC_BACKEND_REFERENCE;
    torc_burble(&(torc_report){
        .name = names[call->name],
        .where = !is_done       ? "cpu"
                 : is_reference ? "reference"
                                : "cuda",
        .why = call->why,
        .A = &call->view_a,
        .B = &call->view_b,
        .transpose_a = call->transpose_a,
        .transpose_b = call->transpose_b,
        .has_mask = call->output.mask,
        .has_accum = call->output.accum,
        .semiring = call->is_known ? &call->known : NULL,
        .seconds = seconds,
        .times = is_done ? &call->times : NULL,
    });
}

/* SuiteSparse has them in the formats that the program asked for. */
static void settle(GrB_Matrix C, GrB_Matrix mask, GrB_Matrix A, GrB_Matrix B)
{
    torc_put_off_settle(C);
    torc_put_off_settle(mask);
    torc_put_off_settle(A);
    torc_put_off_settle(B);
}

/* What SuiteSparse answers. Before it is initialised that differs between versions, and there is no binding.
 */
static GrB_Info ask_suitesparse(const mxm_call *call)
{
    const torc_binding *graphblas = call->graphblas;
    const torc_output *output = &call->output;
    torc_product_function product = NULL;
    if (graphblas) {
        product = call->name == MXM ? graphblas->mxm : call->name == MXV ? graphblas->mxv : graphblas->vxm;
    } else {
        void *address = torc_library_symbol(NULL, names[call->name]);
        memcpy(&product, &address, sizeof address); /* ISO C knows no cast to a function pointer */
    }
    if (graphblas) {
        settle(output->C, output->mask, call->A, call->B);
    }
    bool is_vxm = call->name == VXM;
    return product ? product(output->C, output->mask, output->accum, call->semiring,
                         is_vxm ? call->B : call->A, is_vxm ? call->A : call->B, call->descriptor)
                   : GrB_PANIC;
}

static GrB_Info respond(mxm_call *call)
{
    double start = torc_clock();
    call->graphblas = torc_binding_get();
    call->view_a.nvec = call->view_b.nvec = call->view_c.nvec = -1;
    if (!call->graphblas) {
        return ask_suitesparse(call);
    }
    bool is_burbling = torc_session_settings()->burble > 0;
    bool is_tried = plan(call) && decide(call) && mask_is_clear(call), is_done = is_tried && run(call);
    if (!is_done && is_burbling) {
        read_for_report(call);
    }
    double tried = torc_clock();
    GrB_Info info = is_done ? GrB_SUCCESS : ask_suitesparse(call);
    info = torc_residency_has_lost() ? GrB_PANIC : info;
    double end = torc_clock(), seconds = end - start;
    bool is_queued = is_done && call->stays; /* and so it is not known what it takes */
    if (call->has_cost && info == GrB_SUCCESS && !is_queued) {
        torc_experience_note(&call->kind, is_done, is_done ? seconds - call->times.once : end - tried);
    }
    if (call->has_cost && info == GrB_SUCCESS) {
        torc_upfront_note(&call->cost, &call->upfront, is_done);
    }
    if (is_done) {
        note_gain(call, seconds);
    } else {
        note_loss(call, seconds);
    }
    if (is_done || call->has_cost) {
        torc_dense_call_expect_products(!is_done && torc_upfront_gain(&call->cost) > 0);
    }
    if (is_tried && !is_done && !call->is_put_off && info == GrB_SUCCESS) { /* so long does it take to try */
        torc_experience_note(&call->kind, true, seconds);
    }
    torc_statistics_count(&(torc_call_record){
        .is_on_device = is_done,
        .why = call->why,
        .seconds = seconds,
        .work = call->has_cost ? &call->work : NULL,
        .cost = call->cost,
    });
    if (is_burbling) {
        report(call, is_done, seconds);
    }
    torc_user_semiring_release(&call->user);
    return info;
}

/* A thread that is cancelled ends after the call, at a point of the program's: a call leaves nothing half
 * done. */
static GrB_Info answer(mxm_call *call)
{
    int cancels;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    GrB_Info info = respond(call);
    pthread_setcancelstate(cancels, NULL);
    return info;
}

GrB_Info torc_mxm(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_Semiring semiring,
    const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc)
{
    mxm_call call = {
        .name = MXM,
        .output = {.C = C, .mask = Mask, .accum = accum},
        .semiring = semiring,
        .descriptor = desc,
        .A = A,
        .B = B,
    };
    return answer(&call);
}

GrB_Info torc_mxv(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Semiring semiring,
    const GrB_Matrix A, const GrB_Vector u, const GrB_Descriptor desc)
{
    mxm_call call = {
        .name = MXV,
        .output = {.C = (GrB_Matrix)w, .mask = (GrB_Matrix)mask, .accum = accum},
        .semiring = semiring,
        .descriptor = desc,
        .A = A,
        .B = (GrB_Matrix)u,
    };
    return answer(&call);
}

GrB_Info torc_vxm(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Semiring semiring,
    const GrB_Vector u, const GrB_Matrix A, const GrB_Descriptor desc)
{
    mxm_call call = {
        .name = VXM,
        .output = {.C = (GrB_Matrix)w, .mask = (GrB_Matrix)mask, .accum = accum},
        .semiring = semiring,
        .descriptor = desc,
        .A = A,
        .B = (GrB_Matrix)u,
    };
    return answer(&call);
}
