/* pack.c: see pack.h. Packing resets all settings of C: they are read before and written back after. */
#include "pack.h"
#include "arena.h"
#include "matrix_settings.h"

#include <stdlib.h>

bool torc_pack_is_possible(GrB_Matrix C, const torc_binding *graphblas)
{
    int32_t is_readonly = 0;
    int option = graphblas->numbers->is_readonly;
    return !option || (graphblas->get_int32(C, &is_readonly, option) == GrB_SUCCESS && !is_readonly);
}

/* Bytes of an array from torc_host_allocate, as GraphBLAS is told them, and tells them who unpacks it. 7.4
 * keeps blocks of some sizes, all small: one of the arena, which may be away, is large. */
static GrB_Index bytes_of(const torc_binding *graphblas, const void *memory, size_t size)
{
    bool is_large = graphblas->numbers->keeps_small_blocks && torc_arena_owns(memory);
    size_t least = is_large ? TORC_ARENA_SMALLEST : TORC_HOST_MINIMUM;
    return !memory ? 0 : size < least ? least : size;
}

static GrB_Info move_arrays(GrB_Matrix C, const torc_binding *graphblas, torc_arrays *arrays)
{
    GrB_Index value_bytes =
        bytes_of(graphblas, arrays->values, (arrays->iso ? 1 : arrays->nvalues) * arrays->type_size);
    switch (arrays->format) {
    case TORC_FULL:
        return (arrays->by_col ? graphblas->pack_full_c : graphblas->pack_full_r)(
            C, &arrays->values, value_bytes, arrays->iso, NULL);
    case TORC_BITMAP:
        return (arrays->by_col ? graphblas->pack_bitmap_c : graphblas->pack_bitmap_r)(C, &arrays->bitmap,
            &arrays->values, bytes_of(graphblas, arrays->bitmap, arrays->nvalues), value_bytes, arrays->iso,
            (GrB_Index)arrays->nvals, NULL);
    case TORC_HYPERSPARSE:
        return (arrays->by_col ? graphblas->pack_hyper_csc : graphblas->pack_hyper_csr)(C, &arrays->ptr,
            &arrays->hyper, &arrays->idx, &arrays->values,
            bytes_of(graphblas, arrays->ptr, ((size_t)arrays->nvec + 1) * sizeof(uint64_t)),
            bytes_of(graphblas, arrays->hyper, (size_t)arrays->nvec * sizeof(uint64_t)),
            bytes_of(graphblas, arrays->idx, (size_t)arrays->nvals * sizeof(uint64_t)), value_bytes,
            arrays->iso, (GrB_Index)arrays->nvec, false, NULL);
    default:
        return GrB_INVALID_VALUE;
    }
}

typedef void settings_writer(GrB_Matrix, const torc_binding *, const torc_matrix_settings *);

/* control: 0: C's own. */
static GrB_Info pack(GrB_Matrix C, const torc_binding *graphblas, torc_arrays *arrays, int32_t control,
    settings_writer *write_settings)
{
    char no_name[] = "", *name;
    torc_matrix_settings settings;
    GrB_Info status = torc_matrix_name_read(&name, graphblas, C);
    if (status == GrB_SUCCESS) {
        status = torc_matrix_settings_read(&settings, graphblas, C);
        settings.sparsity_control = control ? control : settings.sparsity_control;
    }
    if (status == GrB_SUCCESS) {
        if (name) {
            graphblas->set_string(C, no_name, graphblas->numbers->name); /* packing would leak it */
        }
        status = move_arrays(C, graphblas, arrays);
        if (name) {
            graphblas->set_string(C, name, graphblas->numbers->name);
        }
    }
    if (status == GrB_SUCCESS) {
        torc_matrix_drop_value_of_none(C, graphblas);
        write_settings(C, graphblas, &settings);
    }
    free(name);
    return status;
}

GrB_Info torc_pack(GrB_Matrix C, const torc_binding *graphblas, torc_arrays *arrays)
{
    return pack(C, graphblas, arrays, 0, torc_matrix_settings_write);
}

GrB_Info torc_pack_away(GrB_Matrix C, const torc_binding *graphblas, torc_arrays *arrays, int32_t control)
{
    return pack(C, graphblas, arrays, control, torc_matrix_settings_restore);
}

GrB_Info torc_pack_new(GrB_Matrix *T, const torc_binding *graphblas, GrB_Type type, GrB_Index nrows,
    GrB_Index ncols, torc_arrays *arrays)
{
    *T = NULL;
    GrB_Info status = graphblas->matrix_new(T, type, nrows, ncols);
    if (status == GrB_SUCCESS) {
        status = move_arrays(*T, graphblas, arrays);
    }
    if (status != GrB_SUCCESS) {
        graphblas->matrix_free(T);
    }
    return status;
}

void torc_arrays_release(const torc_binding *graphblas, torc_arrays *arrays)
{
    torc_host_release(graphblas, arrays->ptr);
    torc_host_release(graphblas, arrays->hyper);
    torc_host_release(graphblas, arrays->idx);
    torc_host_release(graphblas, arrays->bitmap);
    torc_host_release(graphblas, arrays->values);
    *arrays = (torc_arrays){0};
}
