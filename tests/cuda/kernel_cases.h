/* kernel_cases.h: the kernels that the tests walk. */
#ifndef TORC_KERNEL_CASES_H
#define TORC_KERNEL_CASES_H

#include "backend.h"

typedef struct torc_kernel_cases {
    torc_spmm_kernel *kernels;
    int count;
} torc_kernel_cases;

/* Every semiring there is, each at one shape and offset width, which go round; those of one multiply and type
 * follow each other. The caller frees kernels. */
torc_kernel_cases torc_kernel_cases_of_semirings(void);

/* Every multiply on every type with one monoid, every monoid on every type with one multiply; every shape and
 * offset width for some semirings; every way to reach A and B; every cast. */
torc_kernel_cases torc_kernel_cases_chosen(void);

/* "plus_times fp32, A fp64 iso, B bool array, wide, nonzeros/parallel4, 8x4" */
void torc_kernel_describe(char text[128], const torc_spmm_kernel *kernel);

#endif
