/* resident.h: the list of copies on the device. residency.c lends from it, away_content.c has content leave
 * and brings it home, eviction.c makes room. */
#ifndef TORC_RESIDENT_H
#define TORC_RESIDENT_H

#include "elements.h"
#include "residency.h"
#include "seal.h"
#include <stddef.h>

typedef struct torc_resident {
    torc_copy copy; /* first: this is what is lent, see torc_resident_of */
    torc_context *context;
    torc_origin origin; /* without arrays: of a result that has no name yet */
    torc_seal seals[TORC_ORIGIN_ARRAYS];
    size_t size;
    uint64_t journey; /* that its array is on; 0: none */
    uint64_t maker;   /* of that result */
    bool was_used;    /* since it left */
    bool was_read;    /* all of it, by the host, since it left */
    bool is_landing;
    bool is_expected;        /* by the call that has the device */
    torc_elements *elements; /* of an array that is away; NULL: none were looked at */
    int lends;
    bool is_made; /* it has been given back with its content */
    struct torc_resident *next;
} torc_resident;

/* What is lent as that copy. */
static inline torc_resident *torc_resident_of(torc_copy *copy)
{
    _Static_assert(offsetof(torc_resident, copy) == 0, "a resident is found by its copy's address");
    return (torc_resident *)copy;
}

/* Under the lock; the one given back last comes first. Only the thread that has the device changes it. */
extern torc_resident *torc_residents;
extern torc_residency_counts torc_residents_counts;

void torc_residents_lock(void);
void torc_residents_unlock(void);

/* To lock, the first time from outside of this room. */
void torc_residents_enter(void);

/* For all that follows the caller has locked. */

/* Put seals on its arrays, unless somebody vouches for them. */
void torc_resident_seal(torc_resident *r);

/* The array that it stands for. */
const void *torc_resident_memory(const torc_resident *r);
bool torc_resident_is_away(const torc_resident *r);

/* drop_name: it stands for no array any more. destroy: it is freed, with its device memory. */
void torc_resident_drop_name(torc_resident *r);
void torc_resident_destroy(torc_resident *r);

/* Send single elements that the host has written to the array. false: the device failed. */
bool torc_resident_settle(torc_resident *r);

/* Its content will not come home: it was freed, or overwritten. */
void torc_resident_end_journey(torc_resident *r);

/* The caller has the device, and nobody else changes the list. false: the content is lost. */
bool torc_resident_bring_home(torc_resident *r);

/* The same for the block that p points into, if it is away; and for all that are away. */
bool torc_residents_bring_memory_home(const void *p);
void torc_residents_bring_all_home(void);

/* Make room for one more copy within what copies may take. false: there is none; nothing was evicted for a
 * copy that could not fit anyway. */
bool torc_residents_make_room(torc_context *context, size_t size);

/* Device memory; copies are evicted for it where it is short. */
torc_status torc_residents_allocate(void **memory, torc_context *context, size_t size);

/* Something on the device reads its content, which is away. */
void torc_resident_note_use(torc_resident *r);

/* Called by the keeper: a block was touched. */
void torc_resident_return(void *block);

/* Called when the session ends: losses are forgotten with it. */
void torc_residents_forget_loss(void);

#endif
