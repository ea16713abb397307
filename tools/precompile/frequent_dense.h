/* frequent_dense.h: the element-wise operations and the reductions that programs use most: full arrays
 * without gaps, on fp32 and fp64; and connected components, on integers. */
#ifndef TORC_FREQUENT_DENSE_H
#define TORC_FREQUENT_DENSE_H

#include "kernel_source.h"

/* Call `add` with the text of each. */
typedef void torc_source_taker(void *taker, const char *source);
void torc_frequent_dense(torc_source_taker *add, void *taker);

#endif
