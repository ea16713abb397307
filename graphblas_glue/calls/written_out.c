#include "written_out.h"
#include "dense_call.h"
#include "fnv1a.h"
#include "missing_kernels.h"
#include "placed_result.h"
#include "put_off.h"
#include "residency.h"
#include "session.h"
#include <string.h>
#include <torc/elementwise.h>

/* Tells such results, and their kernel, from others. */
static uint64_t number_of(const torc_view *view, torc_type type)
{
    static const char name[] = "written out";
    const int64_t numbers[] = {view->nrows, view->ncols, type};
    return torc_fnv1a(torc_fnv1a(TORC_FNV1A_START, name, sizeof name), numbers, sizeof numbers);
}

/* The CPU is done with a small one before the device has been asked. */
static bool is_worth_it(const torc_view *view, torc_type type)
{
    double bytes = (double)view->nrows * (double)view->ncols * (double)torc_type_size(type);
    return torc_dense_is_forced() ||
           (torc_session_device_state() == TORC_DEVICE_OPEN && bytes >= TORC_WORTH_FETCHING &&
               torc_residency_should_leave(number_of(view, type)));
}

static torc_status write_values(torc_arrays *T, torc_context *context, const torc_view *view, torc_type type)
{
    const torc_result_form form = {.type = type, .stays = true};
    const torc_operation same = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    torc_operand value = {.value.type = type};
    torc_placed_result result;
    memcpy(value.value.value, view->values, view->type_size);
    torc_context_defer_kernels(context, !torc_dense_is_forced());
    torc_status status = torc_place_result(&result, context, torc_binding_get(), view, &form);
    if (status == TORC_SUCCESS) {
        status = torc_elementwise(&result.placed.dense, &same, context, &value, NULL, NULL);
    }
    if (status == TORC_SUCCESS) {
        status = torc_result_finish(&result, T, context, view->nrows * view->ncols, number_of(view, type));
    }
    torc_result_release(&result, context, torc_binding_get());
    return status;
}

bool torc_write_out(GrB_Matrix C, const torc_view *view, torc_type type)
{
    const torc_binding *graphblas = torc_binding_get();
    torc_arrays T = {0};
    const char *why;
    if (!torc_result_may_leave(graphblas, view->nrows * view->ncols, type) || !is_worth_it(view, type)) {
        return false;
    }
    torc_context *context = torc_session_acquire(&why, torc_dense_is_forced() ? TORC_FOREVER : 0);
    if (!context) {
        return false;
    }
    torc_status status = write_values(&T, context, view, type);
    torc_session_release();
    if (status == TORC_NOT_COMPILED) {
        torc_missing_kernels_compile(number_of(view, type));
    }
    bool is_done = status == TORC_SUCCESS && torc_put_off_pack(C, graphblas, &T) == GrB_SUCCESS;
    torc_arrays_release(graphblas, &T);
    return is_done;
}
