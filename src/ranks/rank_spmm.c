/* rank_spmm.c: a product: the halo of B travels, and each rank multiplies its rows. Where the halo travels in
 * panels, each is multiplied while the next ones are on their way. */
#include "rank_travel.h"
#include <limits.h>

/* Does a term depend on the number of its row of B? Ranks have numbers of their own for these. */
static bool names_rows_of_b(torc_multiply multiply)
{
    return multiply == TORC_FIRSTJ || multiply == TORC_FIRSTJ1 || multiply == TORC_SECONDI ||
           multiply == TORC_SECONDI1;
}

/* In one piece, of rows whose bytes an int counts, as MPI does. */
static bool is_plain(const torc_dense *B)
{
    return B->order == TORC_ROW_MAJOR && B->ld == B->ncols &&
           B->ncols <= INT_MAX / (int64_t)torc_type_size(B->type);
}

static torc_status refuse(const torc_rank_sparse *A, torc_status status, const char *why)
{
    return torc_context_explain(A->ranks->context, status, why);
}

static torc_status check_b(const torc_rank_sparse *A, const torc_dense *B, bool has_values, bool travels)
{
    if (has_values && B->nrows > 0 && B->ncols > 0 && !B->data) {
        return refuse(A, TORC_NULL_POINTER, "B.data is NULL");
    }
    return travels && !is_plain(B)
               ? refuse(A, TORC_UNSUPPORTED, "B is by column, has gaps, or has rows of 2 GiB or more")
               : TORC_SUCCESS;
}

static torc_status check(
    const torc_rank_sparse *A, const torc_dense *C, torc_semiring semiring, const torc_dense *B)
{
    if (!C || !B) {
        return refuse(A, TORC_NULL_POINTER, C ? "B is NULL" : "C is NULL");
    }
    if (torc_type_size(B->type) == 0 || B->ncols < 0) {
        return refuse(A, TORC_INVALID_VALUE,
            B->ncols < 0 ? "B has a negative number of columns" : "B has no type that torc knows");
    }
    if (!torc_semiring_traits(semiring).is_supported) { /* so all ranks know what it reads */
        return refuse(A, TORC_UNSUPPORTED, "torc lacks this semiring");
    }
    if (B->nrows != A->b_rows && !torc_rank_has_room(A, B)) {
        return refuse(
            A, TORC_DIMENSION_MISMATCH, "B has other rows than this rank's, with or without a halo");
    }
    if (C->ncols != B->ncols) {
        return refuse(A, TORC_DIMENSION_MISMATCH, "B and C have different numbers of columns");
    }
    if (C->order != TORC_ROW_MAJOR) {
        return refuse(A, TORC_UNSUPPORTED, "C is by column");
    }
    if (names_rows_of_b(semiring.multiply)) {
        return refuse(A, TORC_UNSUPPORTED, "multiply gives the number of a row of B");
    }
    bool has_values = torc_semiring_traits(semiring).reads_b && !B->iso;
    return check_b(A, B, has_values, has_values || B->bitmap);
}

static torc_status check_exchange(const torc_rank_sparse *A, const torc_dense *B)
{
    if (!B) {
        return refuse(A, TORC_NULL_POINTER, "B is NULL");
    }
    if (torc_type_size(B->type) == 0 || B->ncols < 0) {
        return refuse(A, TORC_INVALID_VALUE,
            B->ncols < 0 ? "B has a negative number of columns" : "B has no type that torc knows");
    }
    if (!torc_rank_has_room(A, B)) {
        return refuse(A, TORC_DIMENSION_MISMATCH, "B has other rows than this rank's and the halo's");
    }
    return B->iso ? refuse(A, TORC_UNSUPPORTED, "B is iso") : check_b(A, B, true, true);
}

/* Columns first .. first+n-1 of X, row-major; or all. */
static torc_dense columns_of(const torc_dense *X, int64_t first, int64_t n)
{
    torc_dense part = *X;
    part.ncols = n;
    if (first > 0 && !X->iso && X->data) {
        part.data = (char *)X->data + (size_t)first * torc_type_size(X->type);
    }
    part.bitmap = X->bitmap ? X->bitmap + first : NULL;
    return part;
}

static torc_status multiply_columns(const torc_dense *C, torc_semiring semiring, const torc_rank_sparse *A,
    const torc_dense *B, const torc_update *update, int64_t first, int64_t n)
{
    torc_dense part_of_c = columns_of(C, first, n), part_of_b = columns_of(B, first, n);
    torc_update part = update ? *update : (torc_update){.mask = NULL};
    part.mask = part.mask ? part.mask + first : NULL;
    return torc_spmm(&part_of_c, semiring, A->A, false, &part_of_b, &part);
}

static torc_status multiply(const torc_dense *C, torc_semiring semiring, const torc_dense *B,
    const torc_update *update, const torc_travel *travel)
{
    torc_status status = TORC_SUCCESS;
    for (int p = 0; p < travel->panels; p++) {
        int64_t first = torc_travel_column(travel, p), n = torc_travel_column(travel, p + 1) - first;
        torc_status arrival = torc_travel_arrive(travel, p);
        status = status == TORC_SUCCESS ? arrival : status;
        if (status == TORC_SUCCESS) {
            status = multiply_columns(C, semiring, travel->A, B, update, first, n);
        }
    }
    return status;
}

torc_status torc_ranks_spmm(const torc_dense *C, torc_semiring semiring, torc_rank_sparse *A,
    const torc_dense *B, const torc_update *update)
{
    if (!A) {
        return TORC_NULL_POINTER;
    }
    torc_ranks_begin(A->ranks);
    torc_status status = torc_ranks_agree(A->ranks, check(A, C, semiring, B));
    if (status != TORC_SUCCESS) {
        return status;
    }
    int64_t form[] = {B->ncols, B->type, semiring.multiply, B->iso}, has_bitmap = B->bitmap != NULL;
    status = torc_ranks_compare(
        A->ranks, form, 4, true, "ranks disagree on B's columns, its type, multiply, or whether B is iso");
    if (status == TORC_SUCCESS) { /* who has no rows of B need not know */
        status =
            torc_ranks_compare(A->ranks, &has_bitmap, 1, A->b_rows > 0, "B has a bitmap on some ranks only");
    }
    if (status != TORC_SUCCESS) {
        return status;
    }
    torc_travel travel;
    torc_dense extended = *B;
    bool has_values = torc_semiring_traits(semiring).reads_b && !B->iso;
    int most_panels = has_values ? TORC_EXCHANGE_TURNS : 1; /* a multiply that reads none may name columns */
    status = torc_travel_begin(&travel, &extended, A, has_values, has_bitmap, most_panels);
    if (status == TORC_SUCCESS) {
        status = multiply(C, semiring, &extended, update, &travel);
    }
    return torc_ranks_agree(A->ranks, status);
}

torc_status torc_ranks_exchange(const torc_dense *B, torc_rank_sparse *A)
{
    if (!A) {
        return TORC_NULL_POINTER;
    }
    torc_ranks_begin(A->ranks);
    torc_status status = torc_ranks_agree(A->ranks, check_exchange(A, B));
    if (status != TORC_SUCCESS) {
        return status;
    }
    int64_t form[] = {B->ncols, B->type, B->bitmap != NULL};
    status = torc_ranks_compare(A->ranks, form, 3, B->nrows > 0,
        "ranks disagree on B's columns, its type, or whether it has a bitmap");
    if (status != TORC_SUCCESS) {
        return status;
    }
    torc_dense extended = *B;
    extended.ncols = form[0];
    extended.type = (torc_type)form[1];
    torc_travel travel;
    status = torc_travel_begin(&travel, &extended, A, true, form[2], 1);
    return torc_ranks_agree(A->ranks, status == TORC_SUCCESS ? torc_travel_arrive(&travel, 0) : status);
}
