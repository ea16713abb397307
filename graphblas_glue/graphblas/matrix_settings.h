/* matrix_settings.h: what a program has set on a matrix, and operations of GraphBLAS may lose. */
#ifndef TORC_MATRIX_SETTINGS_H
#define TORC_MATRIX_SETTINGS_H

#include "binding.h"

typedef struct torc_matrix_settings {
    int32_t sparsity_control;
    double hyper_switch, bitmap_switch;
    int32_t integer_hints[TORC_HINT_COUNT];
} torc_matrix_settings;

GrB_Info torc_matrix_settings_read(
    torc_matrix_settings *settings, const torc_binding *graphblas, GrB_Matrix C);

/* C conforms to them afterwards. Its content is in place and right; a setting that fails for lack of memory
 * leaves it so. */
void torc_matrix_settings_write(
    GrB_Matrix C, const torc_binding *graphblas, const torc_matrix_settings *settings);

/* The same where packing has reset them: what is as it should be is not set, and so C is not looked at. */
void torc_matrix_settings_restore(
    GrB_Matrix C, const torc_binding *graphblas, const torc_matrix_settings *settings);

#endif
