/* mxm_run.c: a product on the device, and its result in C. */
#include "mxm_call.h"
#include "accumulate.h"
#include "compute.h"
#include "compute_away.h"
#include "finish.h"
#include "mask_bytes.h"
#include "put_off.h"
#include "rates.h"
#include "residency.h"
#include "session.h"
#include <stdatomic.h>

bool torc_mxm_mask_is_clear(torc_mxm_call *call)
{
    const torc_view *mask = &call->view_mask;
    if (!call->output.mask || call->output.has_structure || !torc_mask_may_have_negative_zeros(mask)) {
        return true;
    }
    torc_session_lock();
    torc_residency_bring_home(mask->values);
    torc_residency_bring_home(mask->bitmap);
    torc_session_release();
    return !torc_mask_has_negative_zeros(mask) || torc_mxm_decline(call, "a mask with a negative zero");
}

static double bytes_of_result(const torc_mxm_call *call)
{
    const torc_dense *R = &call->product.result_view;
    double size = (double)torc_type_size(R->type) + (call->epilogue.has_presence ? 1 : 0);
    return (double)R->nrows * (double)R->ncols * size;
}

/* Where a result that would stay finds no room, it passes by. */
static torc_status multiply(torc_mxm_call *call, torc_arrays *T, torc_context *context)
{
    torc_status status = TORC_OUT_OF_MEMORY;
    if (call->stays) {
        status = torc_compute_away(T, &call->product, call->alone.is_fused ? &call->alone : &call->epilogue,
            call->graphblas, context, call->maker, &call->times);
        call->stays = status != TORC_OUT_OF_MEMORY || torc_mxm_needs_to_stay(call);
        call->work.out_staged += call->stays ? 0 : bytes_of_result(call);
    }
    return call->stays
               ? status
               : torc_compute(T, &call->product, &call->epilogue, call->graphblas, context, &call->times);
}

static GrB_Info put_into_c(torc_mxm_call *call, torc_arrays *T)
{
    GrB_Type type = torc_mxm_result_type(call);
    if (!call->stays) {
        return torc_finish(&call->output, call->graphblas, &call->view_c, type, call->epilogue.is_fused, T);
    }
    if (call->alone.is_fused) {
        return torc_accumulate(&call->output, call->graphblas, &call->view_c, type, T);
    }
    GrB_Info info = torc_put_off_pack(call->output.C, call->graphblas, T);
    torc_arrays_release(call->graphblas, T);
    return info;
}

/* On the device up to C itself. false: C is unchanged. */
static bool compute(torc_mxm_call *call, int threads)
{
    torc_context *context = torc_session_acquire(&call->why, call->patience);
    if (!context) {
        call->is_put_off = call->why == torc_being_opened;
        return false;
    }
    torc_arrays T;
    /* By the first call: beside the program, rates would be those of a busy machine. */
    torc_rates_meet_device(context, threads);
    torc_context_defer_kernels(context, call->defers_kernel);
    torc_status status = multiply(call, &T, context);
    torc_session_release();
    if (call->user.source && (status == TORC_COMPILE_ERROR || status == TORC_NO_COMPILER)) {
        torc_user_source_refuse(call->user.source);
    } else if (status == TORC_NO_COMPILER) {
        *torc_mxm_kernel_state(call) = TORC_KERNEL_MISSING;
    } else if (status == TORC_NOT_COMPILED) {
        call->is_put_off = true;
        *torc_mxm_kernel_state(call) = TORC_KERNEL_COMPILING;
        torc_session_compile_beside();
    } else {
        *torc_mxm_kernel_state(call) = TORC_KERNEL_UNKNOWN;
    }
    if (status != TORC_SUCCESS) {
        return torc_mxm_decline(call, torc_status_text(status));
    }
    double start = torc_clock();
    GrB_Info info = put_into_c(call, &T);
    if (!call->stays) {
        torc_put_off_settle(call->output.C);
    }
    call->times.finish += torc_clock() - start;
    torc_rates_measure_beside();
    return info == GrB_SUCCESS || torc_mxm_decline(call, "the result was refused");
}

bool torc_mxm_run(torc_mxm_call *call)
{
    int threads = torc_binding_threads(call->graphblas, call->descriptor);
    int limit = torc_threads_limit(threads);
    bool is_done = compute(call, threads);
    torc_threads_limit(limit);
    return is_done;
}
