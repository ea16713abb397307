#include "finish.h"
#include "mask_bytes.h"
#include "matrix_settings.h"
#include <string.h>

/* The descriptor that applies C's mask and replaces as asked and takes the transpose of its input. Built-in,
 * by name: there is one for every combination. */
static GrB_Descriptor transposing_descriptor(const torc_output *output, const torc_binding *graphblas)
{
    char name[32] = "GrB_DESC_";
    strcat(name, output->has_replace ? "R" : "");
    strcat(name, output->has_structure ? "S" : "");
    strcat(name, output->has_complement ? "C" : "");
    strcat(name, "T0");
    return torc_binding_handle(graphblas, name);
}

/* A mask that is true everywhere is none, as to SuiteSparse where it computes a product. Its transpose of 7.4
 * dies of a full mask with an accumulator and a T that is sparse. */
static GrB_Matrix mask_that_counts(const torc_output *output, const torc_binding *graphblas)
{
    torc_view mask;
    bool is_readable;
    bool is_no_mask = output->mask && !output->has_complement &&
                      torc_view_open(&mask, graphblas, output->mask) == GrB_SUCCESS &&
                      torc_view_has_all_elements(&mask) &&
                      torc_mask_is_pattern(&is_readable, &mask, output->has_structure);
    return is_no_mask ? NULL : output->mask;
}

/* C⟨M,r⟩ = accum (C, T): the transpose of a transposed input is the input itself, so that nothing moves but
 * by mask, accumulator and cast. SuiteSparse 7.4 at times loses C's settings on the way. */
GrB_Info torc_finish_matrix(const torc_output *output, const torc_binding *graphblas, GrB_Matrix T)
{
    torc_matrix_settings settings;
    GrB_Descriptor descriptor = transposing_descriptor(output, graphblas);
    if (!descriptor) {
        return GrB_INVALID_VALUE;
    }
    GrB_Info info = torc_matrix_settings_read(&settings, graphblas, output->C);
    if (info == GrB_SUCCESS) {
        GrB_Matrix mask = mask_that_counts(output, graphblas);
        info = graphblas->transpose(output->C, mask, output->accum, T, descriptor);
    }
    if (info == GrB_SUCCESS) {
        torc_matrix_drop_value_of_none(output->C, graphblas);
        torc_matrix_settings_write(output->C, graphblas, &settings);
    }
    return info;
}

GrB_Info torc_finish(const torc_output *output, const torc_binding *graphblas, const torc_view *C,
    GrB_Type type, bool is_content, torc_arrays *arrays)
{
    GrB_Info info;
    if (is_content && arrays->by_col == C->by_col) {
        info = torc_pack(output->C, graphblas, arrays);
        torc_arrays_release(graphblas, arrays);
        return info;
    }
    GrB_Matrix T = NULL;
    info = torc_pack_new(&T, graphblas, type, (GrB_Index)C->nrows, (GrB_Index)C->ncols, arrays);
    torc_arrays_release(graphblas, arrays);
    if (info == GrB_SUCCESS) {
        info = torc_finish_matrix(output, graphblas, T);
        graphblas->matrix_free(&T);
    }
    return info;
}
