/* constants.c: products with the sparse matrix compiled in: every member computes all of a small one. */
#include "joined.h"
#include <stdlib.h>

typedef struct joined_program {
    torc_constant_program *member[TORC_JOINED_MEMBERS];
    size_t b_size, c_size; /* bytes */
} joined_program;

void torc_joined_constant_unload(torc_device *device, torc_constant_program *program)
{
    torc_joined *joined = torc_joined_of(device);
    joined_program *own = (joined_program *)(void *)program;
    for (int m = 0; own && m < joined->count; m++) {
        if (own->member[m]) {
            joined->each->constant_unload(joined->members[m], own->member[m]);
        }
    }
    free(own);
}

static size_t count_columns_of_a(const torc_constant_kernel *kernel)
{
    size_t most = 0;
    for (uint32_t p = 0; p < kernel->row_ptr[kernel->nrows]; p++) {
        most = kernel->col_idx[p] + (size_t)1 > most ? kernel->col_idx[p] + (size_t)1 : most;
    }
    return most;
}

torc_status torc_joined_constant_load(
    torc_constant_program **program, torc_device *device, const torc_constant_kernel *kernel)
{
    torc_joined *joined = torc_joined_of(device);
    *program = NULL;
    joined_program *made = calloc(1, sizeof *made);
    torc_status status = made ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    if (made) {
        size_t line = (size_t)kernel->ncols * torc_type_size(kernel->semiring.type);
        made->b_size = count_columns_of_a(kernel) * line;
        made->c_size = (size_t)kernel->nrows * line;
    }
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = torc_joined_note(
            joined, m, joined->each->constant_load(&made->member[m], joined->members[m], kernel));
    }
    if (status != TORC_SUCCESS) {
        torc_joined_constant_unload(device, (torc_constant_program *)(void *)made);
        return status;
    }
    *program = (torc_constant_program *)(void *)made;
    return TORC_SUCCESS;
}

torc_status torc_joined_constant_multiply(
    torc_device *device, const torc_constant_program *program, const torc_constant_args *args)
{
    torc_joined *joined = torc_joined_of(device);
    const joined_program *own = (const joined_program *)(const void *)program;
    torc_status status = torc_joined_unite_bytes(joined, args->b, own->b_size);
    if (status == TORC_SUCCESS) {
        status = torc_joined_begin_write_bytes(joined, args->c, own->c_size);
    }
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        torc_constant_args at = {torc_joined_at(joined, m, args->b), torc_joined_at(joined, m, args->c)};
        status = torc_joined_note(
            joined, m, joined->each->constant_multiply(joined->members[m], own->member[m], &at));
    }
    if (status == TORC_SUCCESS) {
        torc_joined_overwrite(joined, args->c, own->c_size);
    }
    return status;
}
