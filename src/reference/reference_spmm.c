/* reference_spmm.c: products, element by element, term by term. */
#include "offsets.h"
#include "reference.h"
#include <stdlib.h>
#include <string.h>

/* The operators and types of a product, chosen once. */
typedef struct algebra {
    torc_traits traits;
    torc_function add, multiply; /* multiply is NULL where it is positional */
    bool is_flipped;             /* multiply (y, x) */
    void *x, *y, *z, *t, *sum;   /* room for a value each */
} algebra;

/* False where a user-defined operator has no function on the host. */
static bool choose_algebra(algebra *chosen, torc_semiring semiring)
{
    *chosen = (algebra){.traits = torc_semiring_traits(semiring)};
    bool is_user = semiring.multiply == TORC_USER;
    if (!chosen->traits.is_positional) {
        chosen->multiply = is_user ? semiring.definition->multiply_on_host
                                   : torc_reference_multiply(semiring.multiply, semiring.type);
    }
    chosen->is_flipped = is_user && semiring.is_flipped;
    chosen->add = semiring.add == TORC_USER_MONOID ? semiring.definition->add_on_host
                                                   : torc_reference_add(semiring.add, chosen->traits.z_type);
    return chosen->add && (chosen->multiply || chosen->traits.is_positional);
}

/* False for want of memory. */
static bool allocate_values(algebra *chosen)
{
    chosen->x = malloc(torc_type_size(chosen->traits.x_type));
    chosen->y = malloc(torc_type_size(chosen->traits.y_type));
    chosen->z = malloc(torc_type_size(chosen->traits.z_type));
    chosen->t = malloc(torc_type_size(chosen->traits.z_type));
    chosen->sum = malloc(torc_type_size(chosen->traits.z_type));
    return chosen->x && chosen->y && chosen->z && chosen->t && chosen->sum;
}

static void free_values(algebra *chosen)
{
    free(chosen->x);
    free(chosen->y);
    free(chosen->z);
    free(chosen->t);
    free(chosen->sum);
}

/* Value number p of an operand, cast to multiply's type; zero where it is not read. */
static void load(void *x, torc_type type, torc_access access, const void *values, torc_type stored, int64_t p)
{
    if (access == TORC_ACCESS_NONE) {
        memset(x, 0, torc_type_size(type));
        return;
    }
    int64_t at = access == TORC_ACCESS_ISO ? 0 : p;
    const char *value = (const char *)values + (size_t)at * torc_type_size(stored);
    if (type > TORC_OPAQUE) {
        memcpy(x, value, torc_type_size(type));
    } else {
        torc_cast(x, type, value, stored);
    }
}

/* z = A(i,k) times B(k,j) for entry p of A. */
static void multiply_entry(const algebra *with, const torc_spmm_kernel *kernel, const torc_spmm_args *args,
    int64_t i, int64_t p, int64_t j)
{
    int64_t k = args->col_idx[p];
    if (with->traits.is_positional) {
        int64_t to = torc_reference_row_of_c(args, i), row = args->row_names ? args->row_names[to] : to;
        int64_t position = torc_reference_position(kernel->semiring.multiply, row, k, args->first_column + j);
        torc_cast(with->z, with->traits.z_type, &position, TORC_INT64);
        return;
    }
    int64_t at_b = kernel->b_access == TORC_ACCESS_ARRAY ? k * args->ldb + j : 0;
    load(with->x, with->traits.x_type, kernel->a_access, args->a, kernel->a_type, p);
    load(with->y, with->traits.y_type, kernel->b_access, args->b, kernel->b_type, at_b);
    with->multiply(with->z, with->is_flipped ? with->y : with->x, with->is_flipped ? with->x : with->y);
}

/* t = T(i,j), the identity where it has no terms; false then. */
static bool reduce_element(
    const algebra *with, const torc_spmm_kernel *kernel, const torc_spmm_args *args, int64_t i, int64_t j)
{
    size_t size = torc_type_size(with->traits.z_type);
    int bits = kernel->wide_offsets ? 64 : 32;
    int64_t end = torc_offset(args->row_ptr, bits, i + 1);
    bool is_present = false;
    torc_reference_identity(
        with->t, (torc_reduction){kernel->semiring.add, with->traits.z_type, kernel->semiring.definition});
    for (int64_t p = torc_offset(args->row_ptr, bits, i); p < end; p++) {
        if (kernel->b_is_bitmap && !args->b_bitmap[args->col_idx[p] * args->ldb + j]) {
            continue;
        }
        multiply_entry(with, kernel, args, i, p, j);
        if (is_present) {
            with->add(with->sum, with->t, with->z);
            memcpy(with->t, with->sum, size);
        } else {
            memcpy(with->t, with->z, size);
        }
        is_present = true;
    }
    return is_present;
}

/* Element by element, term by term, as the formulas stand; it knows of no segments. */
static void multiply_rows(const algebra *with, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    torc_reference_store store = {
        .type = with->traits.z_type,
        .c = args->c,
        .c_bitmap = kernel->c_is_bitmap ? args->c_bitmap : NULL,
        .mask = kernel->has_mask ? args->mask : NULL,
        .old_c = args->old_c,
        .old_access = kernel->old_access,
        .has_accum = kernel->has_accum,
        .mask_complement = args->mask_complement,
        .mask_replace = args->mask_replace,
        .accum = kernel->accum,
    };
    for (int64_t i = 0; i < args->nrows; i++) {
        for (int64_t j = 0; j < args->ncols; j++) {
            bool is_present = reduce_element(with, kernel, args, i, j);
            torc_reference_update(
                &store, torc_reference_row_of_c(args, i) * args->ldc + j, with->t, is_present);
        }
    }
}

torc_status torc_reference_spmm(const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    algebra with;
    if (!choose_algebra(&with, kernel->semiring)) {
        return TORC_UNSUPPORTED;
    }
    bool has_memory = allocate_values(&with);
    if (has_memory) {
        multiply_rows(&with, kernel, args);
    }
    free_values(&with);
    return has_memory ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}
