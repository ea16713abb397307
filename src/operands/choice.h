/* choice.h: kernels that a sparse operand remembers for products: those that selection named, which takes
 * longer than a small product, and those that tuning found to be the fastest (select/selected.c). */
#ifndef TORC_CHOICE_H
#define TORC_CHOICE_H

#include "context.h"

enum { TORC_PRODUCT_FACTS = 22 };

/* All that selection looks at, beside the operand and its device. Without padding: compared by its bytes. */
typedef struct torc_product_key {
    int64_t ncols;  /* 0: no product */
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

enum { TORC_CHOICES = 8 }; /* kept at once: programs that use more ask selection again */

typedef struct torc_choices {
    int count, next; /* next: the one that gives way to a new one */
    torc_choice list[TORC_CHOICES];
} torc_choices;

#endif
