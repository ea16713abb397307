/* dense_model.h: matrices of elements that may be absent, each on its own, as GraphBLAS's mathematics has
 * them; and the dense operands that hold them. A model computes whole matrices, one step after another, where
 * executors go from element to element. */
#ifndef TORC_DENSE_MODEL_H
#define TORC_DENSE_MODEL_H

#include <torc/elementwise.h>

typedef struct cell {
    bool is_present;
    torc_scalar x;
} cell;

typedef struct grid {
    int64_t m, n;
    cell *cells; /* row by row */
} grid;

grid grid_new(int64_t m, int64_t n);
void grid_free(grid *g);
cell *grid_at(const grid *g, int64_t i, int64_t j);

/* A dense operand with its arrays in host memory, and copies of them on a device: dense is of the copies. */
typedef struct placed {
    torc_dense dense;
    size_t count; /* elements of data, padding included */
    unsigned char *data;
    uint8_t *bitmap;
} placed;

/* A random value: small integers, now and then an extreme one. */
torc_scalar random_value(uint64_t *seed, torc_type type);

/* Random content, a gap between lines sometimes. may_be_iso: sometimes is. */
placed placed_random(
    torc_context *context, uint64_t *seed, int64_t m, int64_t n, torc_type type, bool may_be_iso);
void placed_free(torc_context *context, placed *p);

/* Bytes of random mask, laid out as an operand. */
uint8_t *random_mask(uint64_t *seed, const placed *like);

/* Where element (i,j) lies. */
int64_t placed_at(const torc_dense *dense, int64_t i, int64_t j);

/* What an operand holds: as it was made, or after a download. */
grid grid_of(const placed *p);

/* Fetch the arrays of the device; false if padding has changed. */
bool placed_download(torc_context *context, placed *p);

/* T = operation (A, B). */
grid model_operation(const torc_operation *operation, const grid *A, const grid *B);

/* C = T, or C⟨mask⟩ = accum (C, T); mask: of the elements, NULL: everywhere. C has no gaps: has_bitmap is
 * false; absent is what it takes then. */
void model_update(grid *C, torc_type type, const grid *T, const uint8_t *mask, const torc_update *update,
    bool has_bitmap, const torc_scalar *absent);

/* The text of the first difference; NULL: none. */
const char *grid_difference(const grid *expected, const grid *found);

#endif
