/* group_product.h: what products of groups have in common. */
#ifndef TORC_GROUP_PRODUCT_H
#define TORC_GROUP_PRODUCT_H

#include "group_operands.h"

/* Do the terms depend on the numbers of rows? Then rows do not know themselves what they are. */
bool torc_names_rows(torc_semiring semiring);

/* What one device could not do another one may. */
static inline bool torc_is_fault(torc_status status)
{
    return status == TORC_DEVICE_ERROR || status == TORC_OUT_OF_MEMORY;
}

#endif
