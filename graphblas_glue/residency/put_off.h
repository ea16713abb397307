/* put_off.h: sparsity controls that wait until a matrix comes home.
 *
 * SuiteSparse converts a matrix as soon as its control forbids the format that it has, and so touches its
 * content. Programs tell a frontier to be sparse for a push and bitmap for a pull: one that is away would
 * come home each time. So such a control is only noted, and the matrix keeps its format. The note is settled
 * before anybody asks for the control or the format, and before SuiteSparse computes any operation with the
 * matrix, and before an iterator is attached: then the control is set, and SuiteSparse converts. No value
 * that a program reads depends on a format, but SuiteSparse 7.4 fails in some that the program did not allow.
 *
 * Threads may read a matrix at once, once one of them has waited for it, and none may find it being
 * converted. So as soon as a second thread is seen nothing is put off any longer, and what is noted is
 * settled before anybody looks at the matrix, torc too. The first thread may have looked at it before, and be
 * about to send its arrays to the device: what a conversion frees then is kept until GrB_finalize.
 *
 * Notes belong to handles; any thread. */
#ifndef TORC_PUT_OFF_H
#define TORC_PUT_OFF_H

#include "pack.h"

/* GraphBLAS is initialised, by this thread. */
void torc_put_off_begin(void);

/* In place of GxB_Matrix_Option_set. true: A's content is away, and the control is noted. false: it is to be
 * set as usual, and an older note of A is forgotten. Vectors are matrices of one column. */
bool torc_put_off_control(GrB_Matrix A, int32_t control);

/* Set the control that is noted of A, or wait for the thread that does. The caller must not have the device.
 */
void torc_put_off_settle(GrB_Matrix A);

/* The same of every matrix of which a control is noted, if this thread alone has used GraphBLAS. Where there
 * are several they go on waiting. fork calls it: a child has none of the threads that converting takes. Notes
 * that are left when the device is closed are forgotten. */
void torc_put_off_settle_every(void);

/* The same of all objects of an operation that SuiteSparse is to compute; those that it lacks are NULL. */
void torc_put_off_settle_all(GrB_Matrix C, GrB_Matrix mask, GrB_Matrix A, GrB_Matrix B);

/* Before a function of GraphBLAS that looks at A in any format: nobody converts A until torc_put_off_let_go,
 * which is to be called where this is true. One thread alone need not have A converted for it; where there
 * are several it settles. */
bool torc_put_off_hold(GrB_Matrix A);
void torc_put_off_let_go(void);

/* C is a copy of A and away too: note of C what is noted of A. */
void torc_put_off_like(GrB_Matrix C, GrB_Matrix A);

/* Forget the note of a matrix that is about to be freed. */
void torc_put_off_forget(GrB_Matrix A);

/* Pack a result that is away into C, as torc_pack_away does; a control that forbids its format is put off. T
 * without arrays: C has the result already. */
GrB_Info torc_put_off_pack(GrB_Matrix C, const torc_binding *graphblas, torc_arrays *T);

#endif
