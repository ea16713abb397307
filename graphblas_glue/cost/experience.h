/* experience.h: what calls took that were like this one.
 *
 * Like: the same semiring, types and formats, shapes and entries of S, and about as many entries of D, and as
 * much left by the mask: so is a call that an iteration repeats. The least time of two calls or more on the
 * CPU, if that is longer than predicted, of four or more in any case, and the lesser of the last two on the
 * device, are better than any prediction. The first call on the device does not count, which pays for
 * compiling and for sending S, nor does what later ones pay once, such as pinning; and one call that was
 * disturbed sends nothing back to the CPU, from where it would not return. A call that did not gain on the
 * device stays on the CPU from then on. The last TORC_LIKES kinds of calls are remembered; user-defined
 * operators are not told apart and take no part. Any thread. */
#ifndef TORC_EXPERIENCE_H
#define TORC_EXPERIENCE_H

#include "decision.h"
#include "epilogue.h"

enum { TORC_LIKES = 64 };

/* Compared by its bytes: it has no padding. */
typedef struct torc_call_kind {
    int add, multiply, type, sparse_type, dense_type;
    int sparse_format, dense_format, result_format;
    int is_flipped, transposes_sparse, has_mask, has_accum;
    int dense_entries, allowed; /* in steps of doubling */
    int64_t nrows, ncols, nvals, width;
} torc_call_kind;

torc_call_kind torc_experience_kind(
    const torc_product *product, const torc_epilogue *epilogue, double allowed);

/* A number that like calls share. */
uint64_t torc_experience_number(const torc_call_kind *kind);

/* What is known by experience in place of what was predicted. Tells how many like calls there were on the
 * CPU.
 */
int torc_experience_apply(torc_cost *cost, const torc_call_kind *kind);

/* seconds: without what was paid once. */
void torc_experience_note(const torc_call_kind *kind, bool is_on_device, double seconds);

#endif
