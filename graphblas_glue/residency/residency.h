/* residency.h: device copies of host arrays, kept from call to call and never stale.
 *
 * A copy is found by the memory that it was made from, not by the matrix that had it then: matrices swap,
 * move, free and change their arrays by whatever means, and a copy serves whoever has those bytes at that
 * place. It is fresh if the seal of every array that it is asked to stand for holds (seal.h), or if the one
 * who asks vouches for the content and did when it was made (hold.h).
 *
 * A result may stay on the device alone: its block is away then (away.h), and the copy is all there is of it.
 * It comes home when its block is touched, when the host is about to read it, and, the one used longest ago
 * first, where device memory is short; before a fork, and before the device is closed, all of it does.
 *
 * Copies take at most three quarters of the memory that the device has for torc, counted as the host arrays
 * that they stand for; the one used longest ago goes first. The operands and the result of one call may take
 * all of it.
 *
 * Whoever lends, gives back or evicts has the device; has and count are for any thread. */
#ifndef TORC_RESIDENCY_H
#define TORC_RESIDENCY_H

#include "origin.h"

typedef struct torc_copy {
    torc_sparse *sparse; /* NULL: for the borrower to make */
    void *data;          /* of a dense copy, device memory */
    bool is_filled;      /* the array is there; false: for the borrower to send it, and to say so */
} torc_copy;

/* A fresh copy, or one that is to be made; its seals have been put then, so that copying may begin. NULL:
 * memory is short, or, of a dense one, nothing could prove it fresh later. */
torc_copy *torc_residency_lend(torc_context *context, const torc_origin *origin);

/* Where a result goes that has to be on the device may take more than copies may together. */
typedef enum torc_result_need { TORC_RESULT_IS_COPIED, TORC_RESULT_IS_THERE_ALONE } torc_result_need;

/* A dense copy to be filled with a result of `size` bytes. If there is a fresh one of `old`, which may be
 * NULL, it is that one, filled, and stands for old no more, unless old is away: then until it is named. One
 * that is lent already serves only where the result may overlap an operand. NULL: memory is short. */
torc_copy *torc_residency_lend_result(
    torc_context *context, const torc_origin *old, size_t size, bool may_overlap, torc_result_need need);

/* The result is in this host array now, which nobody else knows yet. */
void torc_residency_name(torc_copy *copy, const torc_origin *origin);

/* The same where the host array itself is to be away: true. The block that begins there is not touched from
 * then on, by whoever has it. false: it stays home, and is the caller's to fill and to name. */
enum { TORC_NO_MAKER = 0 }; /* of what is no result of its own: a bitmap beside the values */
bool torc_residency_leave(torc_copy *copy, const torc_origin *origin, uint64_t maker);

/* Is it worth it for results of this maker, any number that tells like results apart, to leave? Not where the
 * last ones came home before anything on the device had used them; they are tried again from time to time. */
bool torc_residency_should_leave(uint64_t maker);

/* Have what p points into home, before the host reads it. false: its content is lost. */
bool torc_residency_bring_home(const void *p);

/* Was any content lost in this session? Then every function that the drop-in stands before says GrB_PANIC: an
 * execution error that comes late (specification 2.0, section 2.6). Any thread. */
bool torc_residency_has_lost(void);

/* Read `size` bytes of a block that is away, which stays away. false: it is home, or lost. To what is known
 * of its maker it has come home unused, unless something on the device uses it after. */
bool torc_residency_read(void *to, const void *p, size_t size);

/* Read or write an element of `size` bytes of a block that is away, where it is (elements.h). false: it is
 * home, or lost. */
bool torc_residency_peek(void *to, const void *p, size_t size);
bool torc_residency_poke(void *p, const void *from, size_t size);

/* The same, for any thread, with or without the device. false: that does not do. */
bool torc_residency_recall(void *to, const void *p, size_t size);
bool torc_residency_note(void *p, const void *from, size_t size);

/* Kept are copies that were made and can be proven fresh or are vouched for. NULL is allowed. */
void torc_residency_give_back(torc_copy *copy);

/* Would lending find a fresh copy? */
bool torc_residency_has(const torc_origin *origin);

/* The copy of this array is about to be lent, and is not evicted for what is placed before it. So for as long
 * as the call takes that says so: until none is expected any more. */
void torc_residency_expect(const void *memory);
void torc_residency_expect_none(void);

/* Would so many bytes fit on the device, were all that is not lent evicted? Asked before anything is: an
 * operation that does not fit moves nothing. */
bool torc_residency_could_hold(torc_context *context, double size);

/* Free what is neither lent nor expected: the one used longest ago, all of it (false: there was nothing), or
 * what one has vouched for. */
bool torc_residency_evict_oldest(void);
bool torc_residency_evict(void);
void torc_residency_evict_vouched(const void *voucher);

/* Bring home all that is away, as before a fork: a child has no device. */
void torc_residency_return_all(void);

/* Since the process began, but for bytes_held. Bytes are those of host arrays. */
typedef struct torc_residency_counts {
    uint64_t hits, misses;
    uint64_t evictions;   /* to make room */
    uint64_t bytes_saved; /* not sent, thanks to hits */
    uint64_t bytes_held;
    uint64_t journeys, bytes_left;    /* results that stayed on the device */
    uint64_t returns, bytes_returned; /* of those, that came home */
} torc_residency_counts;
torc_residency_counts torc_residency_count(void);

#endif
