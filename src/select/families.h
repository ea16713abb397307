/* families.h: what selection knows of each family of kernels, in one table: which products it can compute,
 * which of its kernels are worth a thought, and how long these take. A family is a row here, one in
 * executor/family.c, and its own file. */
#ifndef TORC_SELECT_FAMILIES_H
#define TORC_SELECT_FAMILIES_H

#include "listing.h"
#include "work.h"

/* What a product must be, or A must have. */
enum {
    TORC_NEEDS_EVERYWHERE = 1 << 0,  /* neither a mask nor a bitmap */
    TORC_NEEDS_ALL_ENTRIES = 1 << 1, /* the first one of a row is not enough */
    TORC_NEEDS_BUILT_IN = 1 << 2,    /* nothing user-defined */
    TORC_NEEDS_ARRAY_OF_B = 1 << 3,
    TORC_NEEDS_NARROW_OFFSETS = 1 << 4,
    TORC_NEEDS_NO_ACCUMULATOR = 1 << 5
};

/* Registers of a thread: so many, and so many for each word of its piece of C, and of a value of A. */
typedef struct torc_registers {
    double always, piece, value;
} torc_registers;

typedef struct torc_family_model {
    unsigned needs;
    int least_lanes, most_lanes, most_vector; /* of its kernels */
    uint64_t numbers;                         /* bit n: their number may be n */

    /* Add those that are worth a thought to the list: called for a legal kernel of each shape, or once where
     * the family has shapes of its own, 0 x 0 then. */
    bool has_own_shapes;
    void (*list)(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);

    /* All terms, but not their norm. */
    torc_prediction (*predict)(const torc_work *work, const torc_spmm_kernel *kernel,
        const torc_problem *problem, const torc_rates *rates);

    /* For torc_predict_gathers: seconds of its threads for a span, were they one after another, and of the
     * one that is waited for; rows that a group has; from how many lanes on entries of A go through shared
     * memory, 0: never; registers, unless they do. */
    double (*seconds)(
        double *longest, const torc_work *work, const torc_spmm_kernel *kernel, const torc_rates *rates);
    int group_rows, sharing_lanes;
    torc_registers registers;
} torc_family_model;

extern const torc_family_model torc_family_models[TORC_FAMILIES];

#endif
