/* context.h: a context is an executor, its open device, and workspace that multiplications reuse. */
#ifndef TORC_CONTEXT_H
#define TORC_CONTEXT_H

#include "backend.h"
#include "device_facts.h"

typedef enum torc_workspace {
    TORC_WORKSPACE_PARTIALS, /* of split rows */
    TORC_WORKSPACE_A,        /* dense, in C's order */
    TORC_WORKSPACE_A_BITMAP,
    TORC_WORKSPACE_B, /* B, row-major, or in C's order */
    TORC_WORKSPACE_B_BITMAP,
    TORC_WORKSPACE_LINES_OF_B, /* columns of a row-major B, for launch_tiles.c */
    TORC_WORKSPACE_LEFT_OF_B,
    TORC_WORKSPACE_C, /* C, row-major */
    TORC_WORKSPACE_C_BITMAP,
    TORC_WORKSPACE_MASK,           /* laid out as that C */
    TORC_WORKSPACE_PARTIAL_BITMAP, /* of split rows */
    TORC_WORKSPACE_SUM,            /* one value, and its presence */
    TORC_WORKSPACE_PANELS,         /* this one and those after it: buffers of stream.c */
    TORC_WORKSPACE_PANEL_B = TORC_WORKSPACE_PANELS,
    TORC_WORKSPACE_PANEL_B_BITMAP,
    TORC_WORKSPACE_PANEL_C,
    TORC_WORKSPACE_PANEL_C_BITMAP,
    TORC_WORKSPACE_PANEL_MASK,
    TORC_WORKSPACE_ISO_B,
    TORC_WORKSPACE_ISO_C,
    TORC_WORKSPACE_COUNT
} torc_workspace;

enum { TORC_KERNEL_NAME = 64 }; /* bytes of the name of a kernel or a rule, its end included */

struct torc_context {
    const torc_executor *executor;
    torc_device *device;
    torc_device_facts facts;       /* of the device */
    size_t memory;                 /* bytes that it had when it was opened */
    char kernel[TORC_KERNEL_NAME]; /* the rule of selection.h */
    torc_precision precision;
    struct {
        void *memory;
        size_t size;
    } workspace[TORC_WORKSPACE_COUNT];
    bool is_streaming; /* panels are under way: their buffers must not be released */
};

/* A block of at least `size` bytes, kept by the context. The next user overwrites it, which is safe since
 * work is in order. */
torc_status torc_context_workspace(void **memory, torc_context *context, torc_workspace which, size_t size);

/* Set the text of torc_context_error, why an argument is refused, as printf does. Returns the status. */
__attribute__((format(printf, 3, 4))) torc_status torc_context_refuse(
    torc_context *context, torc_status status, const char *reason, ...);

/* Release all workspace that is not in use. false: there was none. */
bool torc_context_trim(torc_context *context);

#endif
