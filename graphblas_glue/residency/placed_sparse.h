/* placed_sparse.h: S, the sparse operand of one product, as it lies on the device for a call: lent by the
 * residency, or sent. */
#ifndef TORC_PLACED_SPARSE_H
#define TORC_PLACED_SPARSE_H

#include "product.h"
#include "residency.h"

/* Is S on the device, so that it need not travel? Would it stay there once it is sent? Any thread. */
typedef struct torc_sparse_present {
    bool is_there, would_stay;
} torc_sparse_present;
torc_sparse_present torc_placed_sparse_look(const torc_product *product);

/* S, to be given back (torc_residency_give_back). On error NULL. */
torc_status torc_place_sparse(torc_copy **S, torc_context *context, const torc_product *product);

/* S in host memory as the engine takes it: what this product reads of it, or, if it is to be complete, what
 * any product could. It borrows from the view and from *owned, NULL or the caller's to free, also on error.
 */
torc_status torc_product_read_sparse(
    torc_csr *csr, int64_t **owned, const torc_product *product, bool is_complete);

#endif
