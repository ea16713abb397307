/* group_product.h: what products on the devices and products in host memory have in common. */
#ifndef TORC_GROUP_PRODUCT_H
#define TORC_GROUP_PRODUCT_H

#include "group_operands.h"

/* Do the terms depend on the numbers of rows? Then rows do not know themselves what they are. */
bool torc_names_rows(torc_semiring semiring);

#endif
