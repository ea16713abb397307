/* dense_plan.h: a dense call in the engine's terms: C⟨M,r⟩ = accum (C, T) in one pass over dense arrays. A
 * sparse input, mask or old C beside dense ones becomes a bitmap on the device. */
#ifndef TORC_DENSE_PLAN_H
#define TORC_DENSE_PLAN_H

#include "dense_call.h"
#include "iso_result.h"

/* How T goes into C. */
typedef struct torc_dense_plan {
    torc_view C, mask;
    bool has_mask, mask_is_pattern;
    bool is_part;         /* an assignment, and not to all of C */
    bool deletes;         /* and elements of C go since the mask excludes them */
    int64_t nrows, ncols; /* of T */
    int64_t entries;      /* that SuiteSparse visits at most, of T and of C */
    torc_type c_type, types[2];
    bool t_is_full, is_full, reads_old;
    torc_iso_result all;    /* what all values of the result are */
    bool has_bitmap;        /* on the device: of a result that is full, old content may have one */
    torc_update update;     /* without the arrays */
    bool lacks_accumulator; /* all else is covered */
    bool stays;             /* the result, on the device */
    uint64_t maker, kernel; /* numbers of what makes results alike, and of what the kernel depends on */
} torc_dense_plan;

/* Opens the views of the call's inputs. false: it is not covered. */
bool torc_dense_plan_make(torc_dense_plan *plan, torc_dense_call *call);

#endif
