/* plain_problem.h: products for candidates, prediction and selection: an aligned one of int32 or of another
 * type, of which a test changes what it is about. */
#ifndef TORC_PLAIN_PROBLEM_H
#define TORC_PLAIN_PROBLEM_H

#include "brick_height.h"
#include "problem.h"

enum { MAX_ALIGNMENT = 256 };

/* On the usual GPU of a compute capability; 0: on an H200. */
static inline torc_problem on(int capability, torc_problem problem)
{
    problem.device = torc_device_complete((torc_device_facts){.compute_capability = capability});
    return problem;
}

/* 3 million rows, a third of them empty. */
static inline torc_statistics rows_of(int64_t mean_row, double deviation)
{
    return (torc_statistics){.nrows = 3000000,
        .ncols = 3000000,
        .empty_rows = 1000000,
        .nnz = 2000000 * mean_row,
        .max_row = mean_row + (int64_t)deviation,
        .mean_row = (double)mean_row,
        .deviation_row = deviation};
}

static inline torc_problem problem_of(
    torc_monoid add, torc_multiply multiply, int64_t ncols, const torc_statistics *rows)
{
    bool reads_b = multiply == TORC_TIMES;
    torc_problem problem = {
        .kernel = {.semiring = {add, multiply, TORC_INT32},
            .a_type = TORC_INT32,
            .b_type = TORC_INT32,
            .a_access = TORC_ACCESS_ARRAY,
            .b_access = reads_b ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE},
        .ncols = ncols,
        .b_size = reads_b ? 4 : 0,
        .c_size = 4,
        .b_alignment = MAX_ALIGNMENT,
        .c_alignment = MAX_ALIGNMENT,
        .is_everywhere = true,
        .rows = rows,
    };
    return on(0, problem);
}

static inline torc_problem plus_times(int64_t ncols, const torc_statistics *rows)
{
    return problem_of(TORC_PLUS_MONOID, TORC_TIMES, ncols, rows);
}

static inline torc_problem plus_of(
    torc_multiply multiply, torc_type type, int64_t ncols, const torc_statistics *rows)
{
    torc_problem problem = plus_times(ncols, rows);
    problem.kernel.semiring = (torc_semiring){TORC_PLUS_MONOID, multiply, type};
    problem.kernel.a_type = problem.kernel.b_type = type;
    problem.kernel.a_access = multiply == TORC_SECOND ? TORC_ACCESS_NONE : TORC_ACCESS_ARRAY;
    problem.b_size = problem.c_size = torc_type_size(type);
    problem.brick_height = torc_brick_height(rows, type);
    return problem;
}

/* Rows of some 500 entries in few columns. */
static const torc_statistics few_columns = {.nrows = 200000,
    .ncols = 50000,
    .nnz = 99500000,
    .max_row = 600,
    .mean_row = 497.5,
    .deviation_row = 22,
    .near_footprint = .96,
    .far_footprint = .56,
    .sector_footprint = 1};

/* Rows of two or three entries, none of them long. */
static const torc_statistics road = {.nrows = 1960000,
    .ncols = 1960000,
    .nnz = 5484248,
    .empty_rows = 15876,
    .max_row = 4,
    .mean_row = 2.8,
    .deviation_row = .92,
    .near_footprint = .8,
    .far_footprint = .38,
    .sector_footprint = .21};

#endif
