/* ranks_refusals.c: what one rank gives is wrong: all are told, with the same text, and go on. */
#include "ranks_checks.h"
#include <stdio.h>
#include <string.h>

/* By that rank, and so by all, with its text. */
static void expect_refusal(torc_context *context, torc_status status, torc_status wanted, const char *text)
{
    const char *found = torc_context_error(context);
    expect(status == wanted, 0, text);
    if (strcmp(found, text) != 0) {
        fprintf(stderr, "'%s', not '%s'\n", found, text);
        failures++;
    }
    torc_memory_allocate(NULL, context, 1); /* leaves another text */
}

static void check_refused_rows(torc_ranks *ranks, torc_context *context, const torc_csr *csr)
{
    torc_csr wrong = *csr;
    torc_rank_sparse *A;
    int64_t beyond = rank == nranks - 1 ? nranks : 0;
    wrong.col_idx = &beyond;
    expect_refusal(context, torc_rank_sparse_create(&A, ranks, &wrong, 1), TORC_INVALID_VALUE,
        "A names a row that B does not have");
    expect(!A, 0, "rows of A with a column beyond B");
    wrong = *csr;
    wrong.col_idx_bits = rank == 0 ? 16 : 64;
    expect_refusal(context, torc_rank_sparse_create(&A, ranks, &wrong, 1), TORC_INVALID_VALUE,
        "indices have neither 32 bits nor 64");
    expect_refusal(context, torc_rank_sparse_create(&A, ranks, csr, rank == 0 ? -1 : 1), TORC_INVALID_VALUE,
        "a number of rows is negative");
    expect_refusal(context, torc_rank_sparse_create(&A, ranks, csr, rank == 0 ? INT64_MAX : 1),
        TORC_UNSUPPORTED, "2^32 rows of B or more for one rank");
    int64_t negative[] = {0, rank == 0 ? -4 : 1};
    wrong = *csr;
    wrong.row_ptr = negative;
    wrong.row_ptr_bits = 64;
    expect_refusal(context, torc_rank_sparse_create(&A, ranks, &wrong, 1), TORC_INVALID_VALUE,
        "rows.row_ptr ends with a negative number");
    expect_refusal(context, torc_rank_sparse_create(&A, ranks, NULL, 1), TORC_NULL_POINTER,
        "A, rows or rows.row_ptr is NULL");
}

static void check_refused_products(torc_rank_sparse *A, torc_context *context, const torc_dense *X)
{
    torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
    torc_semiring parents = {TORC_MIN_MONOID, TORC_SECONDI, TORC_INT64};
    torc_dense wrong = *X, wide = *X;
    wrong.nrows = rank == 0 ? 2 : 1;
    expect_refusal(context, torc_ranks_spmm(X, plus_times, A, &wrong, NULL), TORC_DIMENSION_MISMATCH,
        "B has other rows than this rank's, with or without a halo");
    expect_refusal(context, torc_ranks_exchange(&wrong, A), TORC_DIMENSION_MISMATCH,
        "B has other rows than this rank's and the halo's");
    wide.ncols = wide.ld = 2;
    expect_refusal(context, torc_ranks_spmm(X, plus_times, A, &wide, NULL), TORC_DIMENSION_MISMATCH,
        "B and C have different numbers of columns");
    expect_refusal(context, torc_ranks_spmm(X, parents, A, X, NULL), TORC_UNSUPPORTED,
        "multiply gives the number of a row of B");
    expect_refusal(context, torc_ranks_spmm(X, plus_times, A, NULL, NULL), TORC_NULL_POINTER, "B is NULL");
    expect_refusal(context, torc_ranks_exchange(NULL, A), TORC_NULL_POINTER, "B is NULL");
    wrong = *X;
    wrong.type = rank == 0 ? (torc_type)99 : TORC_FP64;
    expect_refusal(context, torc_ranks_spmm(X, plus_times, A, &wrong, NULL), TORC_INVALID_VALUE,
        "B has no type that torc knows");
    expect_refusal(
        context, torc_ranks_exchange(&wrong, A), TORC_INVALID_VALUE, "B has no type that torc knows");
    wrong = *X;
    wrong.ncols = -1;
    expect_refusal(
        context, torc_ranks_exchange(&wrong, A), TORC_INVALID_VALUE, "B has a negative number of columns");
    torc_definition definition = {.multiply = "f", .x = {TORC_FP64}, .y = {TORC_FP64}, .z = {TORC_FP64}};
    torc_semiring users = {TORC_PLUS_MONOID, TORC_USER, TORC_FP64, rank == 0 ? NULL : &definition, false};
    expect_refusal(
        context, torc_ranks_spmm(X, users, A, X, NULL), TORC_UNSUPPORTED, "torc lacks this semiring");
    wrong = *X;
    wrong.ld = rank == 0 ? 2 : 1;
    expect_refusal(context, torc_ranks_spmm(X, plus_times, A, &wrong, NULL), TORC_UNSUPPORTED,
        "B is by column, has gaps, or has rows of 2 GiB or more");
    wrong.order = rank == 0 ? TORC_COL_MAJOR : TORC_ROW_MAJOR;
    expect_refusal(
        context, torc_ranks_spmm(&wrong, plus_times, A, X, NULL), TORC_UNSUPPORTED, "C is by column");
    wrong = *X;
    wrong.data = rank == 0 ? NULL : wrong.data;
    expect_refusal(
        context, torc_ranks_spmm(X, plus_times, A, &wrong, NULL), TORC_NULL_POINTER, "B.data is NULL");
}

static void check_refused_reductions(torc_ranks *ranks, torc_context *context, const torc_dense *X)
{
    torc_reduction no_sum = {TORC_PLUS_MONOID, (torc_type)99, NULL};
    torc_reduction sum = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    double result;
    expect_refusal(context, torc_ranks_reduce_columns(&result, NULL, no_sum, ranks, X), TORC_UNSUPPORTED,
        torc_status_text(TORC_UNSUPPORTED));
    expect_refusal(context, torc_ranks_reduce_columns(rank == 0 ? NULL : &result, NULL, sum, ranks, X),
        TORC_NULL_POINTER, "where the result goes is NULL");
    expect_refusal(context, torc_ranks_reduce_to_scalar(&result, NULL, sum, ranks, rank == 0 ? NULL : X),
        TORC_NULL_POINTER, "A is NULL");
    torc_dense wrong = *X;
    wrong.ncols = -1;
    expect_refusal(context, torc_ranks_reduce_columns(&result, NULL, sum, ranks, &wrong), TORC_INVALID_VALUE,
        "A has a negative number of columns");
    if (nranks > 1) {
        sum.type = rank == 0 ? TORC_FP64 : TORC_FP32;
        expect_refusal(context, torc_ranks_reduce_columns(&result, NULL, sum, ranks, X), TORC_INVALID_VALUE,
            "ranks disagree on the number of columns, the monoid or its type");
        expect_refusal(context, torc_ranks_reduce_to_scalar(&result, NULL, sum, ranks, X), TORC_INVALID_VALUE,
            "ranks disagree on the number of columns, the monoid or its type");
    }
}

void check_refusals(torc_ranks *ranks, torc_context *context)
{
    int64_t row_ptr[] = {0, 1}, col_idx[] = {0};
    double one = 1;
    torc_csr csr = {1, nranks, row_ptr, col_idx, &one, 64, 64, TORC_FP64, false, NULL};
    torc_rank_sparse *A;
    check_refused_rows(ranks, context, &csr);
    require(torc_rank_sparse_create(&A, ranks, &csr, 1), 0, "A");
    torc_dense X = put_rows(context, 0, 1, 1, TORC_FP64, &one, NULL);
    check_refused_products(A, context, &X);
    check_refused_reductions(ranks, context, &X);
    torc_rank_sparse_destroy(A);
    release(context, &X);
}

/* Rank 0 has no rows of B, and says that B is iso; the last one has two. */
void check_iso_on_some(torc_ranks *ranks, torc_context *context)
{
    int64_t row_ptr[] = {0, 1}, col_idx[] = {0}, own = rank == 0 ? 0 : rank == nranks - 1 ? 2 : 1;
    double two[] = {1, 1};
    torc_csr csr = {1, nranks, row_ptr, col_idx, two, 64, 64, TORC_FP64, false, NULL};
    torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
    torc_rank_sparse *A;
    require(torc_rank_sparse_create(&A, ranks, &csr, own), 0, "A");
    torc_dense C = put_rows(context, 0, 1, 1, TORC_FP64, two, NULL);
    torc_dense B = put_rows(context, 0, own, 1, TORC_FP64, two, NULL);
    B.iso = rank == 0;
    expect_refusal(context, torc_ranks_spmm(&C, plus_times, A, &B, NULL), TORC_INVALID_VALUE,
        "ranks disagree on B's columns, its type, multiply, or whether B is iso");
    torc_rank_sparse_destroy(A);
    release(context, &B);
    release(context, &C);
}
