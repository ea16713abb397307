/* families.h: what selection knows of each family of kernels, in one table: the products that it can compute,
 * its kernels that are worth considering, and how long these take. A family is a row here, a row in
 * executor/family.c, and a file of its own. */
#ifndef TORC_SELECT_FAMILIES_H
#define TORC_SELECT_FAMILIES_H

#include "listing.h"
#include "work.h"

/* Conditions on a product, or on A. */
enum {
    TORC_NEEDS_EVERYWHERE = 1 << 0,  /* neither a mask nor a bitmap */
    TORC_NEEDS_ALL_ENTRIES = 1 << 1, /* a result takes all entries of a row, not any one */
    TORC_NEEDS_BUILT_IN = 1 << 2,    /* nothing user-defined */
    TORC_NEEDS_ARRAY_OF_B = 1 << 3,
    TORC_NEEDS_NARROW_OFFSETS = 1 << 4,
    TORC_NEEDS_NO_ACCUMULATOR = 1 << 5
};

/* Registers of a thread: `always`, and so many for each word of its piece of C and of a value of A. */
typedef struct torc_registers {
    double always, piece, value;
} torc_registers;

typedef struct torc_family_model {
    unsigned needs;
    int least_lanes, most_lanes, most_vector; /* of its kernels */
    uint64_t numbers;                         /* bit n: their number may be n */

    /* Add the kernels that are worth considering to the list. Called with a legal kernel of each shape; if
     * the family has shapes of its own, called once, with a shape of 0 x 0. */
    bool has_own_shapes;
    void (*list)(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);

    /* All terms, but not their norm. */
    torc_prediction (*predict)(const torc_work *work, const torc_spmm_kernel *kernel,
        const torc_problem *problem, const torc_rates *rates);

    /* For torc_predict_gathers. seconds: of all threads for a span, if they ran one after another; *longest:
     * of the thread that is waited for. group_rows: rows of a group. sharing_lanes: from so many lanes on,
     * entries of A go through shared memory; 0: never. registers: where they do not. */
    double (*seconds)(
        double *longest, const torc_work *work, const torc_spmm_kernel *kernel, const torc_rates *rates);
    int group_rows, sharing_lanes;
    torc_registers registers;
} torc_family_model;

extern const torc_family_model torc_family_models[TORC_FAMILIES];

#endif
