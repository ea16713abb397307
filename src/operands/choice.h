/* choice.h: the kernel that a sparse operand remembers for a product. Selection is a pure function, but it
 * takes longer than a small product; select/choice.c asks it once and looks here from then on. */
#ifndef TORC_CHOICE_H
#define TORC_CHOICE_H

#include "context.h"

/* All that selection looks at, beside the operand and its device. */
typedef struct torc_product_key {
    torc_spmm_kernel question; /* as in torc_problem */
    int64_t ncols;
    size_t b_size, c_size;
    unsigned b_alignment, c_alignment; /* modulo a cache line */
    bool is_everywhere, may_tile;
    char rule[TORC_KERNEL_NAME];
} torc_product_key;

typedef struct torc_choice {
    torc_product_key key;
    torc_spmm_kernel kernel;
    double seconds; /* predicted */
} torc_choice;

enum { TORC_CHOICES = 8 }; /* kept at once: programs that use more ask selection again */

typedef struct torc_choices {
    int count, next; /* next: the one that gives way to a new one */
    torc_choice list[TORC_CHOICES];
} torc_choices;

#endif
