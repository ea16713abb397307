/* sparse_parts.h: building a sparse operand from its parts: what the files of sparse operands share. */
#ifndef TORC_SPARSE_PARTS_H
#define TORC_SPARSE_PARTS_H

#include "sparse.h"

size_t torc_offset_bytes(const torc_device_csr *csr);

/* Of its three arrays. */
size_t torc_csr_bytes(const torc_device_csr *csr);

/* Does not release workspace for it, since a multiplication that is under way may need that. */
torc_status torc_sparse_allocate_array(void **array, torc_context *context, int64_t count, size_t size);

/* A new operand of that shape, without arrays. NULL: no memory. */
torc_sparse *torc_sparse_new(
    torc_context *context, const torc_device_csr *shape, torc_type type, torc_access access);

/* The same of a checked matrix's shape, with offsets as wide as its entries need or wider. */
torc_sparse *torc_sparse_like(torc_context *context, const torc_csr *csr, bool wide_offsets);

/* Allocate its arrays, without content. */
torc_status torc_sparse_allocate(torc_sparse *A);

/* A checked matrix on the device, with such offsets. */
torc_status torc_sparse_put(torc_sparse **A, torc_context *context, const torc_csr *csr, bool wide_offsets);

/* The same, of offsets as wide as needed; where memory is short, after room was made. */
torc_status torc_sparse_put_whole(torc_sparse **A, torc_context *context, const torc_csr *csr);

/* The same, of which each device of the context has some rows. TORC_OUT_OF_MEMORY where there is but one. */
torc_status torc_sparse_divide(torc_sparse **A, torc_context *context, const torc_csr *csr);

/* Measure rows and columns, and cut long rows into segments. */
torc_status torc_sparse_partition(torc_sparse *A);

torc_status torc_sparse_copy_iso(torc_sparse *to, const torc_sparse *from);

void torc_csr_release(torc_context *context, const torc_device_csr *csr);
void torc_slices_release(torc_partition *rows, torc_context *context);
void torc_sparse_release_lists(torc_sparse *A);

#endif
