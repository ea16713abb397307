/* hold.h: matrices whose content the caller promised not to change, and their device copies.
 * Everything here is called by the thread that has acquired the session's device. */
#ifndef TORC_HOLD_H
#define TORC_HOLD_H

#include "product.h"

/* The device copy of a product's sparse operand: the one that is held, made now if it was not yet; or a new
 * one for this call. *is_held tells whose it is: the caller destroys what is not held. */
torc_status torc_hold_sparse(
    torc_sparse **S, bool *is_held, const torc_product *product, torc_context *context);

/* Would torc_hold_sparse find a copy? Any thread. */
bool torc_hold_has_copy(const torc_product *product);

/* Free the device copies; the promises stay. */
void torc_hold_forget_copies(void);

#endif
