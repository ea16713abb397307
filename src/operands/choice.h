/* choice.h: kernels that a sparse operand remembers for products. Selection takes longer than a small
 * product, so its choices are kept; so are kernels that tuning found to be the fastest (select/selected.c).
 */
#ifndef TORC_CHOICE_H
#define TORC_CHOICE_H

#include "context.h"

enum { TORC_PRODUCT_FACTS = 22 };

/* All that selection looks at, except the operand and its device. It has no padding: it is compared by its
 * bytes. For what tuning found `lacks` is 0: A may come to have plans, and give them up. */
typedef struct torc_product_key {
    int64_t ncols;
    uint64_t lacks; /* bit c: torc_cut c */
    int32_t facts[TORC_PRODUCT_FACTS];
    char rule[TORC_KERNEL_NAME];
} torc_product_key;

typedef struct torc_choice {
    torc_product_key key;
    torc_spmm_kernel kernel;
    double seconds;                 /* predicted, or measured */
    torc_constant_program *program; /* the product with the operand compiled in, which is faster; else NULL */
} torc_choice;

/* Kept at once; for further products selection is asked again. Of those that were tuned eight stay while one
 * more is timed. */
enum { TORC_CHOICES = 9 };

typedef struct torc_choices {
    int count;
    torc_choice list[TORC_CHOICES]; /* the oldest first */
} torc_choices;

#endif
