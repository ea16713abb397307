/* traced_mxm.c: see traced_mxm.h. glibc lets a program put another stream in the place of stderr; reports of
 * sanitizers, which write to the descriptor, come through. That stream stays open: a libstdc++ that CUDA
 * loads in the middle of a call keeps it as its cerr and flushes it at exit. */
#include "traced_mxm.h"
#include "require.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static GrB_Info multiply(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Semiring semiring,
    GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc)
{
    return torc_mxm(C, mask, accum, semiring, A, B, desc);
}

mxm_function *torc_traced_function = multiply;

void torc_trace_begin(void)
{
    torc_context *context = NULL;
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_CUDA;
    bool has_gpu = !getenv("TORC_BACKEND") && torc_context_create(&context, &options) == TORC_SUCCESS;
    torc_context_destroy(context);
    setenv("TORC_BACKEND", has_gpu ? "cuda" : "reference", 0);
    setenv("TORC_FORCE", "gpu", 1);
    setenv("TORC_BURBLE", "1", 1);
}

bool torc_trace_is_reference(void)
{
    return strcmp(getenv("TORC_BACKEND"), "reference") == 0;
}

static void read_trace(mxm_trace *trace)
{
    static const char *const places[] = {"cpu", "reference", "cuda"};
    const char *first = NULL;
    trace->nlines = 0;
    trace->where[0] = '\0';
    for (const char *c = trace->text; *c; c++) {
        trace->nlines += *c == '\n';
    }
    for (int i = 0; i < 3; i++) {
        const char *found = strstr(trace->text, places[i]);
        if (found && (!first || found < first)) {
            first = found;
            strcpy(trace->where, places[i]);
        }
    }
}

GrB_Info torc_traced_mxm(mxm_trace *trace, GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum,
    GrB_Semiring semiring, GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc)
{
    static FILE *capture;
    static char captured[sizeof trace->text];
    if (!capture) {
        capture = fmemopen(captured, sizeof captured - 1, "w");
        TORC_REQUIRE(capture);
    }
    FILE *terminal = stderr;
    memset(captured, 0, sizeof captured);
    rewind(capture);
    stderr = capture;
    GrB_Info info = torc_traced_function(C, mask, accum, semiring, A, B, desc);
    fflush(stderr);
    stderr = terminal;
    memcpy(trace->text, captured, sizeof captured);
    read_trace(trace);
    return info;
}
