/* mxm_plan.c: the arguments of a product, read and put in the engine's terms. */
#include "mxm_call.h"
#include "accumulate.h"
#include "away.h"
#include "descriptor.h"
#include "machine_memory.h"
#include "match.h"
#include "pack.h"
#include "placed_result.h"
#include "process.h"
#include "rates.h"
#include "session.h"
#include "small_full.h"

bool torc_mxm_decline(torc_mxm_call *call, const char *why)
{
    call->why = why;
    return false;
}

static bool read_descriptor(torc_mxm_call *call)
{
    torc_descriptor desc;
    if (!torc_descriptor_read(&desc, call->graphblas, call->descriptor)) {
        return torc_mxm_decline(call, "invalid descriptor");
    }
    call->output.has_replace = desc.has_replace;
    call->output.has_complement = desc.has_complement;
    call->output.has_structure = desc.has_structure;
    call->transpose_a = call->name == TORC_VXM ? !desc.transposes_second : desc.transposes_first;
    call->transpose_b = call->name == TORC_MXM && desc.transposes_second;
    return true;
}

/* Shapes that do not fit are the caller's error, which SuiteSparse words. */
static bool shapes_fit(const torc_mxm_call *call)
{
    const torc_view *A = &call->view_a, *B = &call->view_b, *C = &call->view_c;
    int64_t m = call->transpose_a ? A->ncols : A->nrows, k = call->transpose_a ? A->nrows : A->ncols;
    int64_t k_of_b = call->transpose_b ? B->ncols : B->nrows, n = call->transpose_b ? B->nrows : B->ncols;
    return C->nrows == m && C->ncols == n && k == k_of_b;
}

static bool mask_fits(const torc_mxm_call *call)
{
    const torc_view *mask = &call->view_mask, *C = &call->view_c;
    return !call->output.mask || (mask->nrows == C->nrows && mask->ncols == C->ncols);
}

static bool may_be_frontier(const torc_mxm_call *call, GrB_Matrix matrix)
{
    GrB_Index nrows, ncols;
    return call->graphblas->matrix_nrows(&nrows, matrix) == GrB_SUCCESS &&
           call->graphblas->matrix_ncols(&ncols, matrix) == GrB_SUCCESS &&
           torc_product_may_be_frontier((int64_t)nrows, (int64_t)ncols);
}

/* GraphBLAS's formats are bits. Whether one of two dense ones is small is seen where they are read. */
static bool is_sparse_times_dense(torc_mxm_call *call)
{
    torc_format a, b;
    if (torc_view_format(&a, call->graphblas, call->A) != GrB_SUCCESS ||
        torc_view_format(&b, call->graphblas, call->B) != GrB_SUCCESS) {
        return torc_mxm_decline(call, "invalid object");
    }
    int dense = TORC_BITMAP | TORC_FULL;
    return a & dense || b & dense || may_be_frontier(call, call->A) || may_be_frontier(call, call->B) ||
           torc_mxm_decline(call, "not sparse times dense");
}

static bool read_operands(torc_mxm_call *call)
{
    const torc_binding *graphblas = call->graphblas;
    if (torc_view_open(&call->view_c, graphblas, call->output.C) != GrB_SUCCESS ||
        torc_view_open(&call->view_a, graphblas, call->A) != GrB_SUCCESS ||
        torc_view_open(&call->view_b, graphblas, call->B) != GrB_SUCCESS ||
        (call->output.mask &&
            torc_view_open(&call->view_mask, graphblas, call->output.mask) != GrB_SUCCESS)) {
        return torc_mxm_decline(call, "invalid object");
    }
    return torc_pack_is_possible(call->output.C, graphblas) || torc_mxm_decline(call, "C is read-only");
}

/* Of two dense operands, read the small one as sparse, if the large one is long, or on the device already. */
static bool read_small_as_sparse(torc_mxm_call *call)
{
    torc_view *a = &call->view_a, *b = &call->view_b;
    if (torc_view_is_listed(a) || torc_view_is_listed(b)) {
        return true;
    }
    torc_two_dense two = torc_two_dense_of(a, call->transpose_a, b, call->transpose_b);
    return two.small && torc_bytes_to_fetch(two.small) == 0 &&
           (two.is_long || (torc_away_is_any() && torc_bytes_to_place(two.large, true) == 0)) &&
           torc_full_as_sparse(two.small, &call->lists);
}

/* At most one term per entry of S and column of D. Two sparse operands: SKEW times the mean, since the
 * entries of a frontier name the vertices of the largest degree first. */
static double most_terms(const torc_mxm_call *call)
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

static bool has_away(const torc_mxm_call *call)
{
    return torc_away_is_any() && torc_bytes_to_fetch(&call->view_a) + torc_bytes_to_fetch(&call->view_b) +
                                         (call->output.mask ? torc_bytes_to_fetch(&call->view_mask) : 0) >
                                     0;
}

/* Asked before anything that takes time itself, such as reading user-defined operators. A product with
 * operands that are away is not too small: bringing them home takes longer. Of two sparse operands with few
 * terms one thread computes all. */
static bool is_too_small(const torc_mxm_call *call)
{
    double terms = most_terms(call);
    if (has_away(call) || torc_session_settings()->force != TORC_FORCE_NEITHER) {
        return false;
    }
    if (torc_view_is_listed(&call->view_a) && torc_view_is_listed(&call->view_b)) {
        torc_machine_rates of_one = torc_rates_for_call(1);
        return torc_decision_is_too_small(terms, &of_one);
    }
    return torc_decision_is_too_small(terms, torc_rates_get());
}

static bool recognise(torc_mxm_call *call)
{
    call->why = "a semiring that torc lacks";
    call->is_known = torc_match_semiring(&call->known, call->graphblas, call->semiring);
    if (!call->is_known &&
        torc_user_semiring_read(&call->user, &call->why, call->graphblas, call->semiring)) {
        call->known = call->user.semiring;
        call->is_known = true;
        bool is_vxm = call->name == TORC_VXM;
        return torc_user_semiring_fits(&call->user, is_vxm ? &call->view_b : &call->view_a,
                   is_vxm ? &call->view_a : &call->view_b, &call->view_c) ||
               torc_mxm_decline(call, "a matrix of a type that the semiring does not take");
    }
    return call->is_known;
}

GrB_Type torc_mxm_result_type(const torc_mxm_call *call)
{
    return call->user.source ? call->user.z_type : torc_type_handle(torc_semiring_traits(call->known).z_type);
}

/* Plan T as the content of an empty C. */
static void plan_alone(torc_mxm_call *call)
{
    torc_multiply accum;
    torc_type type = call->product.result_view.type;
    if (!call->output.accum || torc_match_accum(&accum, type, call->output.accum) ||
        !torc_accumulate_is_possible(&call->output, &call->view_c, torc_mxm_result_type(call))) {
        return;
    }
    const torc_output output = {.C = call->output.C};
    call->view_t = call->view_c;
    call->view_t.format = TORC_SPARSE;
    call->view_t.type = torc_mxm_result_type(call);
    call->view_t.nvals = 0;
    torc_epilogue_plan(&call->alone, &output, &call->view_t, NULL, &call->product, call->view_t.type, true);
}

/* R has few elements where S has fewer entries than R has rows, and its arrays have room for all. */
static bool has_room(const torc_mxm_call *call)
{
    const torc_dense *R = &call->product.result_view;
    return call->product.sparse->nvals >= R->nrows ||
           (size_t)(R->nrows * R->ncols) <= torc_machine_memory() / 4 / torc_type_size(R->type);
}

bool torc_mxm_plan(torc_mxm_call *call)
{
    if (!torc_process_is_ours()) {
        return torc_mxm_decline(call, torc_process_why_not());
    }
    if (!call->graphblas->is_known) {
        return torc_mxm_decline(call, "a version of GraphBLAS that torc does not know");
    }
    if (!call->output.C || !call->A || !call->B || !call->semiring) {
        return torc_mxm_decline(call, "a NULL argument");
    }
    if (!is_sparse_times_dense(call) || !read_descriptor(call) || !read_operands(call)) {
        return false;
    }
    if (!read_small_as_sparse(call)) {
        return torc_mxm_decline(call, "not sparse times dense");
    }
    if (is_too_small(call)) {
        return torc_mxm_decline(call, "too small for the device");
    }
    if (!recognise(call)) {
        return false;
    }
    if (!shapes_fit(call) || !mask_fits(call)) {
        return torc_mxm_decline(call, "shapes that do not fit");
    }
    if (call->output.has_complement && !call->output.mask) {
        return torc_mxm_decline(call, "the complement of no mask: nothing to compute");
    }
    torc_semiring semiring = call->name == TORC_VXM ? torc_semiring_transpose(call->known) : call->known;
    const torc_factor a = {call->A, &call->view_a, call->transpose_a};
    const torc_factor b = {call->B, &call->view_b, call->transpose_b};
    if (!torc_product_plan(&call->product, &call->why, semiring, &a, &b, call->view_c.by_col)) {
        return false;
    }
    const torc_dense *R = &call->product.result_view;
    if (!has_room(call)) {
        return torc_mxm_decline(call, "no room for all elements of a result that has few");
    }
    bool may_stay = torc_result_may_leave(call->graphblas, R->nrows * R->ncols, R->type);
    if (call->product.dense_is_listed && !may_stay) {
        return torc_mxm_decline(call, "not sparse times dense");
    }
    if (may_stay) {
        plan_alone(call);
    }
    torc_epilogue_plan(&call->epilogue, &call->output, &call->view_c,
        call->output.mask ? &call->view_mask : NULL, &call->product, torc_mxm_result_type(call), may_stay);
    return true;
}
