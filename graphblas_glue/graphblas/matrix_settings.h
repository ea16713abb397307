/* matrix_settings.h: settings of a matrix that operations of GraphBLAS may reset. */
#ifndef TORC_MATRIX_SETTINGS_H
#define TORC_MATRIX_SETTINGS_H

#include "binding.h"

typedef struct torc_matrix_settings {
    int32_t sparsity_control;
    double hyper_switch, bitmap_switch;
    int32_t hyper_hash; /* as all integers here 0 where the version lacks it */
    int32_t integer_hints[TORC_HINT_COUNT];
} torc_matrix_settings;

GrB_Info torc_matrix_settings_read(
    torc_matrix_settings *settings, const torc_binding *graphblas, GrB_Matrix C);

/* C, whose content is in place, conforms to the settings afterwards. A setting that fails for lack of memory
 * leaves the content as it is. */
void torc_matrix_settings_write(
    GrB_Matrix C, const torc_binding *graphblas, const torc_matrix_settings *settings);

/* The same after packing, which resets the settings. Those that are right already are not set, so that
 * GraphBLAS does not look at C. */
void torc_matrix_settings_restore(
    GrB_Matrix C, const torc_binding *graphblas, const torc_matrix_settings *settings);

/* The matrix's name, to be freed; NULL where it has none, or GraphBLAS knows no names. */
GrB_Info torc_matrix_name_read(char **name, const torc_binding *graphblas, GrB_Matrix A);

/* Entries that are none have no one value: SuiteSparse would reduce C to it. May change C's control. */
void torc_matrix_drop_value_of_none(GrB_Matrix C, const torc_binding *graphblas);

#endif
