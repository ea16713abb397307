/* dropin.c: libtorc_dropin.so, put before GraphBLAS by LD_PRELOAD: its GrB_mxm is torc_mxm. It intercepts the
 * start and the end of GraphBLAS too, so that torc knows the allocator, or chooses it, and closes the device
 * in time. Without a GraphBLAS in the process nothing here is ever called.
 *
 * torc's allocator replaces libc's functions, whether a program names none or names them to GxB_init, as
 * LAGraph does; and numpy's, which python-graphblas names. A program that brings an allocator of its own
 * keeps it.
 */
#include "burble.h"
#include "dropin_free.h"
#include "dropin_signals.h"
#include "dropin_real.h"
#include "log.h"
#include "named_allocator.h"
#include "numpy_allocator.h"
#include "pack.h"
#include "process.h"
#include "profit.h"
#include "put_off.h"
#include "seal.h"
#include "session.h"
#include "ways_out.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *(*malloc_function)(size_t);
typedef void *(*calloc_function)(size_t, size_t);
typedef void *(*realloc_function)(void *, size_t);
typedef void (*free_function)(void *);

/* ISO C knows no cast from an object pointer to a function pointer. False where there is no GraphBLAS. */
static bool find_real(void *function, const void *caller, const char *name)
{
    void *address = torc_library_symbol(caller, name);
    memcpy(function, &address, sizeof address);
    return address;
}

TORC_API GrB_Info GrB_mxm(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
    const GrB_Semiring semiring, const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc)
{
    if (torc_binding_is_for(TORC_CALLER)) {
        return torc_mxm(C, Mask, accum, semiring, A, B, desc);
    }
    TORC_RETURN_REAL(GrB_mxm, C, Mask, accum, semiring, A, B, desc);
}

TORC_API GrB_Info GrB_mxv(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
    const GrB_Semiring semiring, const GrB_Matrix A, const GrB_Vector u, const GrB_Descriptor desc)
{
    if (torc_binding_is_for(TORC_CALLER)) {
        return torc_mxv(w, mask, accum, semiring, A, u, desc);
    }
    TORC_RETURN_REAL(GrB_mxv, w, mask, accum, semiring, A, u, desc);
}

TORC_API GrB_Info GrB_vxm(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
    const GrB_Semiring semiring, const GrB_Vector u, const GrB_Matrix A, const GrB_Descriptor desc)
{
    if (torc_binding_is_for(TORC_CALLER)) {
        return torc_vxm(w, mask, accum, semiring, u, A, desc);
    }
    TORC_RETURN_REAL(GrB_vxm, w, mask, accum, semiring, u, A, desc);
}

/* Programs free what GraphBLAS hands out with the free that they see, so that must be the drop-in's. */
static bool is_all_here(void)
{
    const char *foreign = torc_dropin_foreign_function();
    if (foreign) {
        char text[128];
        snprintf(text, sizeof text, "GraphBLAS stays with libc's allocator: %s of this process is not torc's",
            foreign);
        torc_burble_note(text);
    }
    return !foreign;
}

/* In all other modes GraphBLAS chooses its allocator itself. */
static bool is_arena_for(GrB_Mode mode)
{
    torc_options options;
    torc_options_from_environment(&options);
    return options.backend != TORC_BACKEND_OFF && (mode == GrB_NONBLOCKING || mode == GrB_BLOCKING) &&
           is_all_here();
}

/* No result stays on the device, and no copy of an array that the program made, where it may be handed out
 * unseen. */
static void allow_away(const void *caller)
{
    const char *which;
    bool are_known = torc_ways_out_are_known(&which, caller);
    torc_seal_allow_foreign(are_known);
    if (are_known) {
        torc_dropin_watch_signals();
        return;
    }
    char text[256];
    snprintf(text, sizeof text, "no result stays on the device: this GraphBLAS hands out arrays by %s",
        which ? which : "functions that cannot be listed");
    torc_burble_note(text);
}

static void note_start(const void *caller, malloc_function allocate, free_function release)
{
    torc_put_off_begin();
    if (allocate != torc_malloc) { /* it frees arrays unseen */
        torc_seal_allow_foreign(false);
    }
    torc_binding_start(caller);
    torc_allocator_note(caller, allocate, release);
    torc_profit_begin();
}

static GrB_Info start(const void *caller, GrB_Mode mode, malloc_function allocate,
    calloc_function allocate_zeroed, realloc_function reallocate, free_function release)
{
    GrB_Info (*real)(GrB_Mode, malloc_function, calloc_function, realloc_function, free_function);
    if (!find_real(&real, caller, "GxB_init")) {
        return GrB_PANIC;
    }
    GrB_Info status = real(mode, allocate, allocate_zeroed, reallocate, release);
    if (status == GrB_SUCCESS) {
        note_start(caller, allocate, release);
    }
    return status;
}

TORC_API GrB_Info GrB_init(GrB_Mode mode)
{
    static const torc_malloc_family libc = {malloc, calloc, realloc, free};
    if (is_arena_for(mode)) {
        allow_away(TORC_CALLER);
        torc_dropin_name_allocator(&libc);
        return start(TORC_CALLER, mode, torc_malloc, torc_calloc, torc_realloc, torc_free);
    }
    GrB_Info (*real)(GrB_Mode);
    if (!find_real(&real, TORC_CALLER, "GrB_init")) {
        return GrB_PANIC;
    }
    GrB_Info status = real(mode);
    if (status == GrB_SUCCESS) {
        note_start(TORC_CALLER, malloc, free);
    }
    return status;
}

static bool is_libc(const torc_malloc_family *family)
{
    return family->allocate == malloc && family->release == free &&
           (!family->allocate_zeroed || family->allocate_zeroed == calloc) &&
           (!family->reallocate || family->reallocate == realloc);
}

TORC_API GrB_Info GxB_init(GrB_Mode mode, malloc_function allocate, calloc_function allocate_zeroed,
    realloc_function reallocate, free_function release)
{
    const torc_malloc_family family = {allocate, allocate_zeroed, reallocate, release};
    bool is_numpy = torc_dropin_is_numpy(&family);
    if (!is_numpy && !is_libc(&family)) {
        torc_session_give_way();
    }
    if ((!is_numpy && !is_libc(&family)) || !is_arena_for(mode)) {
        return start(TORC_CALLER, mode, allocate, allocate_zeroed, reallocate, release);
    }
    if (is_numpy) {
        static torc_malloc_family numpy;
        numpy = family;
        torc_malloc_behind(&numpy);
    }
    allow_away(TORC_CALLER);
    torc_dropin_name_allocator(&family);
    return start(TORC_CALLER, mode, torc_malloc, torc_calloc, torc_realloc, torc_free);
}

/* Since 10.4, and so not in the header: GraphBLAS gets one more allocator, for objects that the program
 * chooses. */
TORC_API GrB_Info GxB_arena_init(int arena, malloc_function allocate, calloc_function allocate_zeroed,
    realloc_function reallocate, free_function release);
GrB_Info GxB_arena_init(int arena, malloc_function allocate, calloc_function allocate_zeroed,
    realloc_function reallocate, free_function release)
{
    const torc_malloc_family family = {allocate, allocate_zeroed, reallocate, release};
    if (!is_libc(&family)) {
        torc_seal_allow_foreign(false);
        torc_session_give_way();
    }
    TORC_RETURN_REAL(GxB_arena_init, arena, allocate, allocate_zeroed, reallocate, release);
}

/* ---- Processes that ask for nothing ------------------------------------------------------------------- */

/* Or else nothing would tell a program that is not intercepted from one that has nothing to intercept. */
static void tell_if_unused(void)
{
    torc_mxm_statistics s = TORC_MXM_STATISTICS_INIT;
    torc_mxm_statistics_get(&s);
    if (s.cpu.calls + s.device.calls + s.other_calls == 0) {
        char line[NAME_MAX + 64];
        snprintf(line, sizeof line, "torc: loaded into %.*s (process %d), 0 calls\n", NAME_MAX,
            program_invocation_short_name, (int)getpid());
        torc_log_write(line);
    }
}

/* torc's locks are taken for a fork after the program's, and given back before: so its handlers come first.
 */
__attribute__((constructor)) static void watch_for_calls(void)
{
    torc_process_is_ours();
    if (torc_log_asked(NULL) > TORC_LOG_NOTHING) {
        atexit(tell_if_unused);
    }
}

/* ---- The end ------------------------------------------------------------------------------------------ */

TORC_API GrB_Info GrB_finalize(void)
{
    GrB_Info (*real)(void);
    if (!find_real(&real, TORC_CALLER, "GrB_finalize")) {
        return GrB_PANIC;
    }
    if (torc_binding_end(TORC_CALLER)) {
        torc_session_close();
    }
    return real();
}
