/* constant_cases.h: products with their sparse matrix compiled in: semirings, types, schedules and ragged
 * widths on a matrix with empty rows, rows whose columns are in no order, and values of every kind that is
 * finite. The last ones are the schedules that the search ranks first for torc_constant_matrix at
 * TORC_TUNED_COLUMNS, on the usual GPU of compute capability 9.0. */
#ifndef TORC_CONSTANT_CASES_H
#define TORC_CONSTANT_CASES_H

#include "constant_kernel.h"

enum { TORC_CONSTANT_CASES = 11, TORC_TUNED_CASES = 3, TORC_TUNED_COLUMNS = 64 };

/* Its arrays are static: the next call may write them again, the same. */
torc_constant_kernel torc_constant_case(int which);

/* The matrix of all of them, square, of TORC_FP32 or TORC_FP64. */
torc_csr torc_constant_matrix(torc_type type);

#endif
