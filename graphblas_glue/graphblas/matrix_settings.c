#include "matrix_settings.h"
#include "view.h"
#include <stdlib.h>

GrB_Info torc_matrix_settings_read(
    torc_matrix_settings *settings, const torc_binding *graphblas, GrB_Matrix C)
{
    const torc_numbers *numbers = graphblas->numbers;
    GrB_Info status =
        torc_binding_get_option(graphblas, C, numbers->sparsity_control, &settings->sparsity_control);
    if (status == GrB_SUCCESS) {
        status = torc_binding_get_switch(graphblas, C, numbers->hyper_switch, &settings->hyper_switch);
    }
    if (status == GrB_SUCCESS) {
        status = torc_binding_get_switch(graphblas, C, numbers->bitmap_switch, &settings->bitmap_switch);
    }
    settings->hyper_hash = 0;
    if (status == GrB_SUCCESS && numbers->hyper_hash) { /* the first 9 may lack it */
        graphblas->get_int32(C, &settings->hyper_hash, numbers->hyper_hash);
    }
    for (int i = 0; i < TORC_HINT_COUNT && numbers->integer_hints[i] && status == GrB_SUCCESS; i++) {
        status = graphblas->get_int32(C, &settings->integer_hints[i], numbers->integer_hints[i]);
    }
    return status;
}

/* Each option that is set conforms C to all of them: it stays in the format it has until they are the wanted
 * ones, or it would be converted there and back. */
void torc_matrix_settings_write(
    GrB_Matrix C, const torc_binding *graphblas, const torc_matrix_settings *settings)
{
    const torc_numbers *numbers = graphblas->numbers;
    int32_t format;
    if (torc_binding_get_option(graphblas, C, numbers->sparsity_status, &format) == GrB_SUCCESS) {
        torc_binding_set_option(graphblas, C, numbers->sparsity_control, format);
    }
    for (int i = 0; i < TORC_HINT_COUNT && numbers->integer_hints[i]; i++) {
        graphblas->set_int32(C, settings->integer_hints[i], numbers->integer_hints[i]);
    }
    if (numbers->hyper_hash) {
        graphblas->set_int32(C, settings->hyper_hash, numbers->hyper_hash);
    }
    graphblas->option_set_fp64(C, numbers->hyper_switch, settings->hyper_switch);
    graphblas->option_set_fp64(C, numbers->bitmap_switch, settings->bitmap_switch);
    torc_binding_set_option(graphblas, C, numbers->sparsity_control, settings->sparsity_control);
}

void torc_matrix_settings_restore(
    GrB_Matrix C, const torc_binding *graphblas, const torc_matrix_settings *settings)
{
    torc_matrix_settings now;
    bool is_same = torc_matrix_settings_read(&now, graphblas, C) == GrB_SUCCESS &&
                   now.sparsity_control == settings->sparsity_control &&
                   now.hyper_switch == settings->hyper_switch &&
                   now.bitmap_switch == settings->bitmap_switch && now.hyper_hash == settings->hyper_hash;
    for (int i = 0; i < TORC_HINT_COUNT && graphblas->numbers->integer_hints[i]; i++) {
        is_same = is_same && now.integer_hints[i] == settings->integer_hints[i];
    }
    if (!is_same) {
        torc_matrix_settings_write(C, graphblas, settings);
    }
}

GrB_Info torc_matrix_name_read(char **name, const torc_binding *graphblas, GrB_Matrix A)
{
    int field = graphblas->numbers->name;
    size_t size = 0;
    *name = NULL;
    if (!field) {
        return GrB_SUCCESS;
    }
    GrB_Info status = graphblas->get_size(A, &size, field);
    if (status != GrB_SUCCESS || size <= 1) {
        return status;
    }
    *name = malloc(size);
    if (!*name) {
        return GrB_OUT_OF_MEMORY;
    }
    return graphblas->get_string(A, *name, field);
}

/* A bitmap that has to stay one keeps its value when it is cleared. Other content is not looked at. */
void torc_matrix_drop_value_of_none(GrB_Matrix C, const torc_binding *graphblas)
{
    bool is_iso;
    GrB_Index nvals;
    int32_t control;
    if (graphblas->matrix_iso(&is_iso, C) == GrB_SUCCESS && is_iso &&
        graphblas->matrix_nvals(&nvals, C) == GrB_SUCCESS && nvals == 0 &&
        torc_binding_get_option(graphblas, C, graphblas->numbers->sparsity_control, &control) ==
            GrB_SUCCESS) {
        if (!(control & (TORC_SPARSE | TORC_HYPERSPARSE))) {
            torc_binding_set_option(graphblas, C, graphblas->numbers->sparsity_control, TORC_HYPERSPARSE);
        }
        graphblas->matrix_clear(C);
    }
}
