/* put_off.h: sparsity controls that wait until a matrix comes home.
 *
 * SuiteSparse converts a matrix as soon as its control forbids the format that it has, and so touches its
 * content. A frontier that is away, told to be sparse for a push and bitmap for a pull as programs do, would
 * come home each time. So such a control is noted, and the matrix keeps its format. Whoever asks for the
 * control or the format, and whatever SuiteSparse is to compute with the matrix, has the note settled first:
 * the control is set then, and SuiteSparse converts. No value that a program reads depends on a format.
 *
 * Notes belong to handles; any thread. */
#ifndef TORC_PUT_OFF_H
#define TORC_PUT_OFF_H

#include "pack.h"

/* As GxB_Matrix_Option_set: noted where A's content is away, and true. false: to be set as usual, and nothing
 * is noted of A any more. Vectors are matrices of one column. */
bool torc_put_off_control(GrB_Matrix A, int32_t control);

/* Have A as the program asked for it. The caller must not have the device. */
void torc_put_off_settle(GrB_Matrix A);

/* C, a copy of A, is away as well: what is put off of A is put off of C. */
void torc_put_off_like(GrB_Matrix C, GrB_Matrix A);

/* Nothing is known of a matrix that is to be freed. */
void torc_put_off_forget(GrB_Matrix A);

/* A result that is away goes into C: as torc_pack_away, with a control that forbids its format put off.
 * Without arrays C has it already. */
GrB_Info torc_put_off_pack(GrB_Matrix C, const torc_binding *graphblas, torc_arrays *T);

#endif
