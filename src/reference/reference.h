/* reference.h: the reference executor's operators and its switches for fault tests.
 *
 * The executor is plain C, obviously right, behind the entry points of src/executor/backend.h, with a device
 * memory of its own: host blocks, filled with a pattern, counted and limited. It exists so that everything
 * above the kernels is tested where there is no GPU. */
#ifndef TORC_REFERENCE_H
#define TORC_REFERENCE_H

#include "backend.h"

/* Room for a value of any built-in type. */
typedef union torc_value {
    int64_t integer;
    torc_fc64 fc64;
} torc_value;

/* z = op (x, y), x and y of one type; z may be x or y where it is of that type too. */
typedef void (*torc_reference_operator)(void *z, const void *x, const void *y);

/* NULL where the operator does not exist on the type. type of a multiply: of x and y. */
torc_reference_operator torc_reference_add(torc_monoid add, torc_type type);
torc_reference_operator torc_reference_multiply(torc_multiply multiply, torc_type type);

/* z = op (x). */
typedef void (*torc_reference_unary)(void *z, const void *x);

/* NULL where the operator does not exist on the type, which is x's. */
torc_reference_unary torc_reference_apply(torc_unary unary, torc_type type);

/* What a positional index-unary operator gives for element (i,j), before it is cut to its type. */
int64_t torc_reference_index(torc_index_unary index, int64_t i, int64_t j, int64_t thunk);

/* The comparison with the thunk that any other is. */
torc_reference_operator torc_reference_compare(torc_index_unary index, torc_type type);

/* What a positional multiply makes of A(i,k) and B(k,j), before it is cut to its type. */
int64_t torc_reference_position(torc_multiply multiply, int64_t i, int64_t k, int64_t j);

/* What a sum of nothing is. */
void torc_reference_identity(void *z, torc_reduction reduction);

/* C⟨mask⟩ = accum (C, T), as torc_update has it: where things lie. */
typedef struct torc_reference_store {
    torc_type type;
    void *c;
    uint8_t *c_bitmap;   /* NULL: all are present */
    const uint8_t *mask; /* NULL: everywhere */
    const void *old_c;
    torc_access old_access;
    bool has_accum, mask_complement, mask_replace;
    torc_multiply accum;
} torc_reference_store;

/* Element number `at` of C; t is T's there, the value that C without bitmap takes where T is absent. */
void torc_reference_update(const torc_reference_store *store, int64_t at, const void *t, bool is_present);

/* The row of C that row i of A gives. */
static inline int64_t torc_reference_row_of_c(const torc_spmm_args *args, int64_t i)
{
    return args->c_rows ? args->c_rows[i] : i;
}

/* TORC_UNSUPPORTED: a user-defined operator without a function of the host. */
torc_status torc_reference_spmm(const torc_spmm_kernel *kernel, const torc_spmm_args *args);
torc_status torc_reference_elementwise(
    const torc_elementwise_kernel *kernel, const torc_elementwise_args *args);
torc_status torc_reference_reduce(const torc_reduce_kernel *kernel, const torc_reduce_args *args);

/* Packed booleans: pack_bits, unpack_bits, mask_bits and spmm of a packed kernel. */
void torc_reference_pack(uint64_t *words, const torc_dense *X);
void torc_reference_unpack(const torc_dense *X, const uint64_t *words);
void torc_reference_mask(uint64_t *words, const uint64_t *mask, int64_t count, bool complement);
void torc_reference_spmm_bits(const torc_spmm_kernel *kernel, const torc_spmm_args *args);

/* Let the call-th fallible entry point (0 is the next) fail, in every reference device of the process;
 * negative: none. */
void torc_reference_fail_at(int64_t call);

/* The same, and every one after it, until torc_reference_fail_at: a device that is lost. */
void torc_reference_fail_from(int64_t call);

/* Let multiplications that defer their kernels lack one, until it is compiled. */
void torc_reference_lack_kernel(void);

/* Entry points to go before the first that fails; negative: it has failed, or none was asked to. */
int64_t torc_reference_calls_left(void);

/* Bytes held on reference devices now. */
size_t torc_reference_bytes_held(void);

/* Bytes that have travelled between host memory and reference devices, either way, since the process began.
 */
size_t torc_reference_bytes_moved(void);

/* Bytes of host memory that reference devices have pinned now. */
size_t torc_reference_bytes_pinned(void);

#endif
