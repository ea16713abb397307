/* track.h: one array of a product on its way between host and device. */
#ifndef TORC_TRACK_H
#define TORC_TRACK_H

#include "panel_cut.h"
#include "sparse.h"

enum { TORC_FEW_COLUMNS = 16 }; /* narrower panels have no padding: memory is short where they are used */

/* One array on its way. */
typedef struct torc_track {
    bool is_used;
    torc_workspace workspace;
    torc_order order;
    int64_t nrows, ncols, ld; /* of the whole array */
    size_t size;              /* bytes of an element */
    const char *sent;         /* host memory; NULL: not sent */
    char *fetched;            /* likewise */
    torc_filled rows;         /* that have to be sent or fetched */
    bool is_set;              /* instead of being sent: bytes of 1 */
    bool is_whole;            /* on the device: no ring */
    char *device;             /* the caller's array or that of the workspace */
    int64_t device_ld;
    size_t stride; /* bytes from one buffer of the ring to the next */
    int64_t buffers;
} torc_track;

/* Bytes of the whole array in host memory. */
size_t torc_track_bytes(const torc_track *t);

/* Room on the device for panels of at most `width` columns. */
torc_status torc_track_place(torc_track *t, torc_context *context, int64_t width, int64_t buffers);

/* Where the panel is on the device. */
char *torc_track_panel(const torc_track *t, const torc_panel_cut *p, int64_t panel);

torc_status torc_track_send(
    const torc_track *t, torc_context *context, const torc_panel_cut *p, int64_t panel);
torc_status torc_track_fetch(
    const torc_track *t, torc_context *context, const torc_panel_cut *p, int64_t panel);

#endif
