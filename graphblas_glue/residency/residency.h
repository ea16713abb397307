/* residency.h: device copies of host arrays, kept from call to call and never stale.
 *
 * A copy is found by the memory that it was made from, not by the matrix that had it then: matrices swap,
 * move, free and change their arrays by whatever means, and a copy serves whoever has those bytes at that
 * place. It is fresh if the seal of every array that it is asked to stand for holds (seal.h), or if the one
 * who asks vouches for the content and did when it was made (hold.h).
 *
 * Copies take at most three quarters of the memory that the device has for torc, counted as the host arrays
 * that they stand for; the one used longest ago goes first.
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

/* A dense copy to be filled with a result of `size` bytes. If there is a fresh one of `old`, which may be
 * NULL, it is that one, filled, and stands for old no more. NULL: memory is short. */
torc_copy *torc_residency_lend_result(torc_context *context, const torc_origin *old, size_t size);

/* The result is in this host array now, which nobody else knows yet. */
void torc_residency_name(torc_copy *copy, const torc_origin *origin);

/* Kept are copies that were made and can be proven fresh or are vouched for. NULL is allowed. */
void torc_residency_give_back(torc_copy *copy);

/* Would lending find a fresh copy? */
bool torc_residency_has(const torc_origin *origin);

/* Free what is not lent: all of it (false: there was nothing), or what one has vouched for. */
bool torc_residency_evict(void);
void torc_residency_evict_vouched(const void *voucher);

/* Since the process began, but for bytes_held. Bytes are those of host arrays. */
typedef struct torc_residency_counts {
    uint64_t hits, misses;
    uint64_t evictions;   /* to make room */
    uint64_t bytes_saved; /* not sent, thanks to hits */
    uint64_t bytes_held;
} torc_residency_counts;
torc_residency_counts torc_residency_count(void);

#endif
