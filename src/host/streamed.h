/* streamed.h: a product whose dense operands lie in host memory, while its panels travel. The files of this
 * room share it. */
#ifndef TORC_STREAMED_H
#define TORC_STREAMED_H

#include "track.h"

enum {
    TORC_STAGES = 3,
    TORC_PANEL_BYTES = 4 << 20, /* reasoned: a step costs some 10 us beside 80 us of bus */
};

enum {
    TORC_TRACK_B,
    TORC_TRACK_B_BITMAP,
    TORC_TRACK_C,
    TORC_TRACK_C_BITMAP,
    TORC_TRACK_MASK,
    TORC_TRACK_COUNT
};

typedef struct torc_stream {
    torc_context *context;
    torc_sparse *A, *oriented; /* op(A) */
    torc_semiring semiring;
    bool transpose;
    torc_dense C, B; /* in host memory */
    torc_update update;
    torc_track tracks[TORC_TRACK_COUNT];
    void (*meanwhile)(void *argument); /* NULL once it has been called */
    void *argument;
    bool is_short; /* the last attempt ended there for want of device memory; C is untouched beyond */
} torc_stream;

/* Check the arguments and fill in *s. If C has no elements there is nothing to do, and the context stays
 * NULL. */
torc_status torc_stream_plan(torc_stream *s, const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update, const torc_host_options *options);

/* Choose the rows that travel. A copy of B that stays on the device gets all rows. */
torc_status torc_stream_choose_rows(torc_stream *s, bool leaves_empty_rows);

/* The width of a panel. Panels pay if each is large enough for the bus. The width depends on shapes, types,
 * orders and the number of entries alone, not on what travels or how: a kernel for another width may reduce
 * in another order, and the same call is to give the same bits. */
int64_t torc_stream_width(const torc_stream *s);

/* The first panel, in the order of their turns, that is not computed: of that step, that number. */
typedef struct torc_progress {
    int64_t step, number;
} torc_progress;

/* Compute panels, some every `interval` steps; with TORC_STAGES steps they do not overlap. All are done,
 * unless memory is lacking: then nothing of the panel where progress ends, and of those behind it, has been
 * touched. */
torc_status torc_stream_run(
    torc_stream *s, const torc_panel_cut *p, int64_t interval, torc_progress *progress);

#endif
