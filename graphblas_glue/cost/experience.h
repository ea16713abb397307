/* experience.h: what calls like this one took.
 *
 * Calls are alike if they have the same semiring, types and formats, the same shape and number of entries of
 * S, and about as many entries of D and as much left by the mask: the rounds of an iteration are. And the
 * same has to travel: a call whose result came back tells nothing of one whose result stays. What like calls
 * took replaces the prediction:
 *
 *     on the CPU       the lesser of the last two, if it is longer than predicted; after 4 in any case
 *     on the device    the lesser of the last two: a single call that was disturbed sends nothing back to
 *                      the CPU, from where it would not return
 *
 * The first call on the device does not count: it pays for compiling and for sending S. Nor does what later
 * calls pay once, such as pinning. A call that did not gain on the device stays on the CPU from then on.
 *
 * About TORC_LIKES kinds of calls are remembered, those that were asked for last (recent.h). Calls with
 * user-defined operators are not: they could not be told apart. Any thread. */
#ifndef TORC_EXPERIENCE_H
#define TORC_EXPERIENCE_H

#include "decision.h"
#include "epilogue.h"

enum { TORC_LIKES = 1024 };

/* Compared by its bytes: it has no padding. */
typedef struct torc_call_kind {
    int add, multiply, type, sparse_type, dense_type;
    int sparse_format, dense_format, result_format;
    int is_flipped, transposes_sparse, has_mask, has_accum;
    int dense_entries, allowed; /* in steps of doubling */
    int operands_there;         /* on the device: 1 for S, 2 for D */
    int result_stays;
    int64_t nrows, ncols, nvals, width;
} torc_call_kind;

torc_call_kind torc_experience_kind(
    const torc_product *product, const torc_epilogue *epilogue, const torc_circumstances *circumstances);

/* A number that like calls share, whatever has to travel. */
uint64_t torc_experience_number(const torc_call_kind *kind);

/* Put what is known by experience in place of what was predicted. Returns the number of like calls on the
 * CPU. */
int torc_experience_apply(torc_cost *cost, const torc_call_kind *kind);

/* seconds: without what was paid once. */
void torc_experience_note(const torc_call_kind *kind, bool is_on_device, double seconds);

#endif
