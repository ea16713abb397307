/* host_product.h: random products whose operands lie in host memory, with what torc_spmm makes of them on a
 * reference context without limit. Values are small integers, so that no order of summation shows. */
#ifndef TORC_HOST_PRODUCT_H
#define TORC_HOST_PRODUCT_H

#include <torc/torc.h>

/* Where the dense arrays lie. */
typedef struct host_memory_kind {
    void *(*allocate)(size_t size);
    void (*release)(void *memory);
} host_memory_kind;

typedef struct host_product {
    uint64_t seed;
    host_memory_kind memory;
    torc_semiring semiring;
    torc_csr A;
    bool transpose;
    torc_dense B, C, old; /* host memory; old.data is C.data where C is updated in place */
    torc_update update;   /* mask and iso in host memory */
    size_t c_cells;       /* with padding */
    unsigned char *before, *bitmap_before;
    unsigned char *expected, *expected_bitmap;
} host_product;

/* C m×n, op(A) m×k. Everything else follows from the seed. */
host_product *host_product_new(
    uint64_t seed, int64_t m, int64_t k, int64_t n, const host_memory_kind *memory);
void host_product_free(host_product *p);

/* Bytes of X's array with padding, 0 where it has none: of values, or of the bitmap. */
size_t host_value_bytes(const torc_dense *X);
size_t host_bitmap_bytes(const torc_dense *X);

/* What single columns of B and C need on a device at most: one of each array, and the partial results of long
 * rows. */
size_t host_product_column_bytes(const host_product *p);

/* C as it was before. */
void host_product_reset(host_product *p);

/* NULL, or how C differs from what is expected, or from what it was: a static string. */
const char *host_product_difference(const host_product *p);
const char *host_product_change(const host_product *p);

const char *host_product_describe(const host_product *p);

#endif
