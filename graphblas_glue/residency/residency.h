/* residency.h: device copies of host arrays, kept from call to call and never stale.
 *
 * A copy is found by the memory that it was made from, not by the matrix that had this memory then: matrices
 * swap, move, free and change their arrays by whatever means, and a copy serves any matrix that has those
 * bytes at that place. A copy is fresh if the seals of all arrays that it stands for hold (seal.h). It is
 * also fresh if the caller vouches for the content, and the same voucher was given when it was made (hold.h).
 *
 * A result may stay on the device alone. Then its block is away (away.h), and the copy is all there is of it.
 * It comes home when its block is touched, or when the host is about to read it. Where device memory is short
 * the one used longest ago comes home first. Before a fork, and before the device is closed, all come home.
 *
 * Copies take at most three quarters of the memory that the device has for torc; what counts is the size of
 * the host arrays. The one used longest ago goes first. The operands and the result of one call may take all
 * of the memory.
 *
 * Who lends, gives back or evicts must have the device; torc_residency_has and _count are for any thread. */
#ifndef TORC_RESIDENCY_H
#define TORC_RESIDENCY_H

#include "origin.h"

typedef struct torc_copy {
    torc_sparse *sparse; /* NULL: for the borrower to make */
    void *data;          /* of a dense copy, device memory */
    bool is_filled;      /* the array is there; false: for the borrower to send it, and to say so */
} torc_copy;

/* A fresh copy, or a new one for the borrower to fill, whose seals have been put. NULL: memory is short, or
 * nothing could prove a dense copy fresh later. */
torc_copy *torc_residency_lend(torc_context *context, const torc_origin *origin);

/* IS_THERE_ALONE: the result has to be on the device, and may take more than all copies together may. */
typedef enum torc_result_need { TORC_RESULT_IS_COPIED, TORC_RESULT_IS_THERE_ALONE } torc_result_need;

/* A dense copy to be filled with a result of `size` bytes. If there is a fresh copy of `old`, which may be
 * NULL, it is that one, and has old's content. From then on it no longer stands for old; or, if old is away,
 * from its naming on. A copy that is lent already is taken only where the result may overlap an operand.
 * NULL: memory is short. */
torc_copy *torc_residency_lend_result(
    torc_context *context, const torc_origin *old, size_t size, bool may_overlap, torc_result_need need);

/* The result is in this host array now, which nobody else knows yet. */
void torc_residency_name(torc_copy *copy, const torc_origin *origin);

/* The same, and the host array is away from now on (true): nobody may touch the block that begins there.
 * false: it stays home, and the caller fills and names it. */
enum { TORC_NO_MAKER = 0 }; /* for an array that is no result of its own: a bitmap beside the values */
bool torc_residency_leave(torc_copy *copy, const torc_origin *origin, uint64_t maker);

/* Is it worth it that results of this maker leave? Not if the last ones came home before anything on the
 * device had used them; from time to time it is tried again. maker: a number that like results share. */
bool torc_residency_should_leave(uint64_t maker);

/* Bring home the block that p points into, before the host reads it. false: its content is lost. */
bool torc_residency_bring_home(const void *p);

/* Was any content lost in this session? Then every function that the drop-in intercepts returns GrB_PANIC: an
 * execution error that is reported late (specification 2.0, section 2.6). Any thread. */
bool torc_residency_has_lost(void);

/* Read `size` bytes of a block that is away, which stays away. false: it is home, or lost. For
 * torc_residency_should_leave this is a return unused, unless something on the device uses the block later.
 */
bool torc_residency_read(void *to, const void *p, size_t size);

/* Read or write an element of `size` bytes of a block that is away, where it is (elements.h). false: it is
 * home, or lost. */
bool torc_residency_peek(void *to, const void *p, size_t size);
bool torc_residency_poke(void *p, const void *from, size_t size);

/* The same by what the host knows of the element already: any thread, with or without the device. false: the
 * device is needed. */
bool torc_residency_recall(void *to, const void *p, size_t size);
bool torc_residency_note(void *p, const void *from, size_t size);

/* The copy, which is lent, takes so many bytes of the device: less than its array, on several devices. */
void torc_residency_resize(torc_copy *copy, size_t size);

/* The copy is kept if it was filled and can be proven fresh, or is vouched for. NULL is allowed. */
void torc_residency_give_back(torc_copy *copy);

/* Would lending find a fresh copy? */
bool torc_residency_has(const torc_origin *origin);

/* The copy of this array is about to be lent: do not evict it for arrays that are placed before. Until
 * torc_residency_expect_none, at the end of the call. */
void torc_residency_expect(const void *memory);
void torc_residency_expect_none(void);

/* Would so many bytes fit on the device if all that is not lent were evicted? Evicts nothing: an operation
 * that does not fit is to move nothing. */
bool torc_residency_could_hold(torc_context *context, double size);

/* Free copies that are not lent: the one used longest ago that is not expected either; all; all that this
 * voucher was given for. false: there were none. */
bool torc_residency_evict_oldest(void);
bool torc_residency_evict(void);
void torc_residency_evict_vouched(const void *voucher);

/* Bring home all that is away, as before a fork: a child has no device. */
void torc_residency_return_all(void);

/* Since the process began, except for bytes_held, which is of now, and of the device: others are those of
 * host arrays. */
typedef struct torc_residency_counts {
    uint64_t hits, misses;
    uint64_t evictions;   /* to make room */
    uint64_t bytes_saved; /* not sent, thanks to hits */
    uint64_t bytes_held;
    uint64_t journeys, bytes_left;    /* results that stayed on the device */
    uint64_t returns, bytes_returned; /* of those, that came home */
    double return_seconds;            /* what that took */
} torc_residency_counts;
torc_residency_counts torc_residency_count(void);

#endif
