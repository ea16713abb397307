/* ranks_products.c: random products and reductions over the ranks of MPI_COMM_WORLD, each rank with blocks of
 * its own sizes, beside one device that has it all. The values of products are the same bits, on GPUs of
 * integers; what differs is printed with its seed, and the exit status is 1. Ranks take GPUs in turn, or all
 * have the first; where there is none, the status is 77. Some products are wide: by mpi_exchange.c their halo
 * comes in panels.
 *
 *     ranks_products [WAY]   at first content moves that way, as torc_ranks_way says */
#include "ranks_checks.h"
#include "splitmix.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 120, CASES_ON_GPUS = 16, MOST_RANKS = 64 };

static double divisor = 7; /* of values: sums are rounded */

/* Where each rank's block begins: some have nothing. */
static void deal(int64_t begins[MOST_RANKS + 1], uint64_t *state, int64_t rows)
{
    for (int r = 0; r < nranks; r++) {
        int64_t left = rows - (r > 0 ? begins[r] : 0);
        begins[0] = 0;
        begins[r + 1] = r + 1 == nranks ? rows : begins[r] + random_below(state, left + 1);
    }
}

typedef struct whole {
    int64_t m, k, n;
    int64_t row_ptr[400], col_idx[4000];
    double a[4000], b[8000], c[8000], expected[8000];
    uint8_t b_bitmap[8000], c_bitmap[8000], mask[8000], expected_bitmap[8000];
} whole;

static const torc_semiring semirings[] = {
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64},
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP64},
    {TORC_PLUS_MONOID, TORC_FIRST, TORC_FP64},
    {TORC_MAX_MONOID, TORC_SECOND, TORC_FP64},
    {TORC_PLUS_MONOID, TORC_FIRSTI, TORC_INT64},
    {TORC_PLUS_MONOID, TORC_SECONDJ, TORC_INT64},
};
enum { SEMIRINGS = sizeof semirings / sizeof semirings[0] };

static void fill(whole *w, uint64_t *state, bool is_wide)
{
    w->m = random_below(state, 60);
    w->k = 1 + random_below(state, 60);
    w->n = is_wide ? 64 + random_below(state, 64) : random_below(state, 12);
    w->row_ptr[0] = 0;
    for (int64_t i = 0; i < w->m; i++) {
        int64_t count = random_below(state, w->k < 12 ? w->k + 1 : 12), first = random_below(state, w->k);
        for (int64_t e = 0; e < count; e++) {
            w->col_idx[w->row_ptr[i] + e] = (first + e * (w->k / count)) % w->k;
        }
        w->row_ptr[i + 1] = w->row_ptr[i] + count;
    }
    for (int p = 0; p < 4000; p++) {
        w->a[p] = (double)random_below(state, 1000) / divisor;
    }
    for (int p = 0; p < 8000; p++) {
        w->b[p] = (double)random_below(state, 1000) / divisor;
        w->c[p] = (double)random_below(state, 1000) / divisor;
        w->b_bitmap[p] = random_below(state, 3) > 0;
        w->c_bitmap[p] = random_below(state, 3) > 0;
        w->mask[p] = random_below(state, 3) > 0;
    }
}

/* The same, and room behind them. ranks: others may write there. */
static void add_room(torc_context *context, torc_ranks *ranks, torc_dense *X, int64_t rows, bool has_bitmap)
{
    torc_dense with_room = *X;
    size_t all = (size_t)((X->nrows + rows) * X->ncols);
    void *bitmap = NULL;
    with_room.nrows += rows;
    if (ranks) {
        require(torc_ranks_allocate(&with_room.data, ranks, all * sizeof(double)), 0, "memory");
        require(has_bitmap ? torc_ranks_allocate(&bitmap, ranks, all) : TORC_SUCCESS, 0, "memory");
    } else {
        require(torc_memory_allocate(&with_room.data, context, all * sizeof(double)), 0, "memory");
        require(torc_memory_allocate(&bitmap, context, has_bitmap ? all : 0), 0, "memory");
    }
    with_room.bitmap = bitmap;
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = TORC_FP64};
    torc_operand from = {.dense = X};
    torc_dense to = with_room;
    to.nrows = X->nrows;
    to.bitmap = X->nrows > 0 ? to.bitmap : NULL;
    require(torc_elementwise(&to, &identity, context, &from, NULL, NULL), 0, "copy");
    torc_memory_release(context, X->data);
    torc_memory_release(context, X->bitmap);
    *X = with_room;
}

typedef struct form {
    torc_semiring semiring;
    bool b_is_bitmap, c_is_bitmap, has_mask;
    torc_update update;
} form;

static torc_csr rows_of(const whole *w, int64_t begin, int64_t end, int64_t *row_ptr)
{
    int64_t first = w->row_ptr[begin];
    for (int64_t i = begin; i <= end; i++) {
        row_ptr[i - begin] = w->row_ptr[i] - first;
    }
    return (torc_csr){
        end - begin, w->k, row_ptr, w->col_idx + first, w->a + first, 64, 64, TORC_FP64, false, NULL};
}

static torc_update update_of(const form *f, const void *mask)
{
    torc_update update = f->update;
    update.mask = f->has_mask ? mask : NULL;
    return update;
}

/* All of it on this rank's device. */
static torc_status multiply_alone(whole *w, const form *f, torc_context *context)
{
    torc_csr csr = rows_of(w, 0, w->m, (int64_t[400]){0});
    torc_type type = torc_semiring_traits(f->semiring).z_type;
    torc_dense B = put_rows(context, 0, w->k, w->n, TORC_FP64, w->b, f->b_is_bitmap ? w->b_bitmap : NULL);
    torc_dense C = put_rows(context, 0, w->m, w->n, type, w->c, f->c_is_bitmap ? w->c_bitmap : NULL);
    size_t cells = (size_t)(w->m * w->n);
    void *mask = put(context, w->mask, cells);
    torc_update update = update_of(f, mask);
    torc_sparse *A;
    require(torc_sparse_create(&A, context, &csr), 0, "A");
    torc_status status = torc_spmm(&C, f->semiring, A, false, &B, &update);
    require(torc_memory_download(context, w->expected, C.data, cells * sizeof *w->expected), 0, "C");
    if (C.bitmap) {
        require(torc_memory_download(context, w->expected_bitmap, C.bitmap, cells), 0, "C");
    }
    torc_sparse_destroy(A);
    torc_memory_release(context, mask);
    release(context, &B);
    release(context, &C);
    return status;
}

static bool is_expected(
    const whole *w, const form *f, const double *c, const uint8_t *bitmap, int64_t begin, int64_t end)
{
    bool is_same = true;
    for (int64_t p = begin * w->n; p < end * w->n; p++) {
        int64_t own = p - begin * w->n;
        bool is_present = !f->c_is_bitmap || w->expected_bitmap[p];
        is_same = is_same && (!f->c_is_bitmap || bitmap[own] == w->expected_bitmap[p]);
        is_same = is_same && (!is_present || memcmp(&c[own], &w->expected[p], sizeof *c) == 0);
    }
    return is_same;
}

static void check_halo(
    const whole *w, const torc_rank_sparse *A, const int64_t *rows, const int64_t *of_b, uint64_t seed)
{
    torc_halo halo;
    bool is_needed[64] = {false};
    int64_t needed = 0;
    require(torc_rank_sparse_halo(&halo, A), seed, "halo");
    for (int64_t p = w->row_ptr[rows[rank]]; p < w->row_ptr[rows[rank + 1]]; p++) {
        int64_t k = w->col_idx[p];
        bool is_own = k >= of_b[rank] && k < of_b[rank + 1];
        needed += !is_own && !is_needed[k];
        is_needed[k] = true;
    }
    expect(halo.needed == needed, seed, "another halo than A's columns name");
    expect(halo.first_row == rows[rank] && halo.first_of_b == of_b[rank], seed, "another place");
}

/* Behind this rank's rows of B are those of others that its rows of A name, in their order. */
static void check_exchange(const whole *w, torc_rank_sparse *A, torc_context *context, const torc_dense *B,
    const int64_t *rows, const int64_t *of_b, uint64_t seed)
{
    bool is_needed[64] = {false}, is_same = true;
    double *b = malloc((size_t)(B->nrows * B->ncols) * sizeof *b + 1);
    uint8_t *bitmap = malloc((size_t)(B->nrows * B->ncols) + 1);
    require(torc_ranks_exchange(B, A), seed, "exchange");
    require(torc_memory_download(context, b, B->data, (size_t)(B->nrows * B->ncols) * sizeof *b), seed, "B");
    if (B->bitmap) {
        require(torc_memory_download(context, bitmap, B->bitmap, (size_t)(B->nrows * B->ncols)), seed, "B");
    }
    for (int64_t p = w->row_ptr[rows[rank]]; p < w->row_ptr[rows[rank + 1]]; p++) {
        int64_t k = w->col_idx[p];
        is_needed[k] = k < of_b[rank] || k >= of_b[rank + 1];
    }
    int64_t at = (of_b[rank + 1] - of_b[rank]) * w->n;
    for (int64_t k = 0; k < w->k; k++) {
        for (int64_t j = 0; j < w->n && is_needed[k]; j++, at++) {
            bool is_present = !B->bitmap || w->b_bitmap[k * w->n + j];
            is_same = is_same && (!is_present || b[at] == w->b[k * w->n + j]);
            is_same = is_same && (!B->bitmap || bitmap[at] == w->b_bitmap[k * w->n + j]);
        }
    }
    expect(is_same, seed, "another halo of B");
    free(b);
    free(bitmap);
}

static void check_product(uint64_t seed, whole *w, torc_ranks *ranks, torc_context *context)
{
    uint64_t state = seed;
    int64_t rows[MOST_RANKS + 1], of_b[MOST_RANKS + 1], row_ptr[400];
    fill(w, &state, seed % 3 == 0);
    deal(rows, &state, w->m);
    deal(of_b, &state, w->k);
    form f = {.semiring = semirings[random_below(&state, SEMIRINGS)],
        .b_is_bitmap = random_below(&state, 2),
        .c_is_bitmap = random_below(&state, 2),
        .has_mask = random_below(&state, 2)};
    f.update.has_accum = random_below(&state, 2);
    f.update.accum = TORC_MINUS;
    f.update.complement = f.has_mask && random_below(&state, 2);
    f.update.replace = f.has_mask && f.c_is_bitmap && random_below(&state, 2);
    require(multiply_alone(w, &f, context), seed, "alone");
    int64_t begin = rows[rank], end = rows[rank + 1];
    torc_csr csr = rows_of(w, begin, end, row_ptr);
    torc_type type = torc_semiring_traits(f.semiring).z_type;
    torc_dense B = put_rows(
        context, of_b[rank], of_b[rank + 1], w->n, TORC_FP64, w->b, f.b_is_bitmap ? w->b_bitmap : NULL);
    torc_dense C = put_rows(context, begin, end, w->n, type, w->c, f.c_is_bitmap ? w->c_bitmap : NULL);
    size_t cells = (size_t)((end - begin) * w->n);
    void *mask = put(context, w->mask + begin * w->n, cells);
    torc_rank_sparse *A;
    torc_update update = update_of(&f, mask);
    require(torc_rank_sparse_create(&A, ranks, &csr, of_b[rank + 1] - of_b[rank]), seed, "rows of A");
    check_halo(w, A, rows, of_b, seed);
    torc_halo halo;
    bool all_have_room = seed % 4 < 2, is_shared = seed % 4 == 1;
    require(torc_rank_sparse_halo(&halo, A), seed, "halo");
    if (all_have_room || (seed + (uint64_t)rank) % 2 == 0) {
        add_room(context, is_shared ? ranks : NULL, &B, halo.needed, f.b_is_bitmap);
    }
    require(torc_ranks_spmm(&C, f.semiring, A, &B, &update), seed, "product");
    double *c = malloc(cells * sizeof *c + 1);
    uint8_t *bitmap = malloc(cells + 1);
    require(torc_memory_download(context, c, C.data, cells * sizeof *c), seed, "C");
    if (C.bitmap) {
        require(torc_memory_download(context, bitmap, C.bitmap, cells), seed, "C");
    }
    expect(is_expected(w, &f, c, bitmap, begin, end), seed, "another product");
    free(c);
    free(bitmap);
    if (all_have_room) {
        check_exchange(w, A, context, &B, rows, of_b, seed);
    }
    torc_rank_sparse_destroy(A);
    torc_memory_release(context, mask);
    if (is_shared) {
        torc_ranks_release(ranks, B.data);
        torc_ranks_release(ranks, B.bitmap);
    } else {
        release(context, &B);
    }
    release(context, &C);
}

/* Of integers, so that no order shows. */
static void check_reductions(uint64_t seed, whole *w, torc_ranks *ranks, torc_context *context)
{
    uint64_t state = seed;
    int64_t rows[MOST_RANKS + 1], expected = 0, expected_sums[12] = {0}, total, sums[12];
    uint8_t expected_present[12] = {0}, present[12];
    bool is_empty, expected_empty = true;
    fill(w, &state, false);
    deal(rows, &state, w->m);
    for (int64_t p = 0; p < w->m * w->n; p++) {
        w->b[p] = (double)random_below(&state, 1000);
        if (w->b_bitmap[p]) {
            expected += (int64_t)w->b[p];
            expected_sums[p % w->n] += (int64_t)w->b[p];
            expected_present[p % w->n] = 1;
            expected_empty = false;
        }
    }
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_INT64, NULL};
    torc_dense X = put_rows(context, rows[rank], rows[rank + 1], w->n, TORC_FP64, w->b, w->b_bitmap);
    require(torc_ranks_reduce_to_scalar(&total, &is_empty, plus, ranks, &X), seed, "sum");
    require(torc_ranks_reduce_columns(sums, present, plus, ranks, &X), seed, "sums of columns");
    expect(total == expected && is_empty == expected_empty, seed, "another sum");
    for (int64_t j = 0; j < w->n; j++) {
        expect(sums[j] == expected_sums[j] && present[j] == expected_present[j], seed, "another column");
    }
    release(context, &X);
}

/* Each rank has a row of C, and one entry in it, of B's first row, or none. */
static void check_count(torc_ranks *ranks, torc_context *context, int64_t b_rows, const torc_dense *B,
    int64_t entries, double expected)
{
    int64_t row_ptr[] = {0, entries}, col_idx[] = {0};
    double one = 1, c = -1;
    torc_csr csr = {1, nranks, row_ptr, col_idx, &one, 64, 64, TORC_FP64, false, NULL};
    torc_semiring plus_pair = {TORC_PLUS_MONOID, TORC_PAIR, TORC_FP64};
    torc_rank_sparse *A;
    require(torc_rank_sparse_create(&A, ranks, &csr, b_rows), 0, "A");
    torc_dense C = put_rows(context, 0, 1, 1, TORC_FP64, &one, NULL);
    require(torc_ranks_spmm(&C, plus_pair, A, B, NULL), 0, torc_context_error(context));
    require(torc_memory_download(context, &c, C.data, sizeof c), 0, "C");
    expect(c == expected, (uint64_t)b_rows, "C of ranks without rows of B");
    torc_rank_sparse_destroy(A);
    release(context, &C);
}

/* What ranks without rows of B say of its bitmap and its order is nothing to the others. */
static void check_without_rows(torc_ranks *ranks, torc_context *context)
{
    double two[] = {1, 1};
    uint8_t present[] = {1, 1};
    torc_dense none = {0, 1, 1, TORC_ROW_MAJOR, TORC_FP64, false, NULL, rank == 0 ? present : NULL};
    check_count(ranks, context, 0, &none, 0, 0);
    torc_dense B = put_rows(context, 0, 1, 1, TORC_FP64, two, present);
    none = (torc_dense){0, 1, 0, TORC_COL_MAJOR, TORC_FP64, false, NULL, NULL};
    bool has_rows = rank == nranks - 1;
    check_count(ranks, context, has_rows, has_rows ? &B : &none, 1, 1);
    release(context, &B);
}

/* The last rank has too little memory: all are told, and nobody waits for it. Limits grow until there is
 * enough, at first for one panel only. */
static void check_shortage(whole *w)
{
    uint64_t state = 3;
    int64_t rows[MOST_RANKS + 1], of_b[MOST_RANKS + 1], row_ptr[400], refusals = 0;
    torc_status status = TORC_OUT_OF_MEMORY;
    fill(w, &state, true);
    deal(rows, &state, w->m);
    deal(of_b, &state, w->k);
    torc_csr csr = rows_of(w, rows[rank], rows[rank + 1], row_ptr);
    for (size_t limit = 1; status != TORC_SUCCESS; limit += limit / 8 + 1) {
        torc_options options;
        torc_context *context;
        torc_ranks *ranks;
        torc_rank_sparse *A = NULL;
        torc_dense B = {
            of_b[rank + 1] - of_b[rank], w->n, w->n, TORC_ROW_MAJOR, TORC_FP64, false, w->b, NULL};
        torc_dense C = {
            rows[rank + 1] - rows[rank], w->n, w->n, TORC_ROW_MAJOR, TORC_FP64, false, w->c, NULL};
        torc_options_from_environment(&options);
        options.memory_limit = rank == nranks - 1 ? limit : 0;
        require(torc_context_create(&context, &options), 0, "device");
        require(torc_ranks_create(&ranks, MPI_COMM_WORLD, context), 0, "ranks");
        status = torc_rank_sparse_create(&A, ranks, &csr, B.nrows);
        if (status == TORC_SUCCESS) { /* memory of the host is the reference device's too */
            status = torc_ranks_spmm(&C, semirings[0], A, &B, NULL);
        }
        int64_t same[2] = {status, -(int64_t)status};
        MPI_Allreduce(MPI_IN_PLACE, same, 2, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
        expect(same[0] == -same[1] && (status == TORC_SUCCESS || status == TORC_OUT_OF_MEMORY), limit,
            "ranks are told different things");
        refusals += status != TORC_SUCCESS;
        torc_rank_sparse_destroy(A);
        torc_ranks_destroy(ranks);
        torc_context_destroy(context);
    }
    expect(refusals > 0, 0, "no shortage");
}

/* The ranks release what they allocated: there is room for only one of that size. */
static void check_rest_is_released(void)
{
    enum { SIZE = 1 << 20 };
    torc_options options;
    torc_context *context;
    torc_ranks *ranks;
    void *memory;
    torc_options_from_environment(&options);
    options.memory_limit = SIZE + SIZE / 2;
    require(torc_context_create(&context, &options), 0, "device");
    require(torc_ranks_create(&ranks, MPI_COMM_WORLD, context), 0, "ranks");
    require(torc_ranks_allocate(&memory, ranks, SIZE), 0, "memory");
    torc_ranks_destroy(ranks);
    expect(torc_memory_allocate(&memory, context, SIZE) == TORC_SUCCESS, 0,
        "torc_ranks_destroy keeps memory of torc_ranks_allocate");
    torc_memory_release(context, memory);
    torc_context_destroy(context);
}

/* This rank's GPU, or else the first; or a reference device. NULL: there is none. */
static torc_context *open_device(void)
{
    torc_options options;
    torc_context *context;
    torc_options_from_environment(&options);
    options.device = rank;
    if (torc_context_create(&context, &options) == TORC_NO_DEVICE) {
        options.device = 0;
        torc_context_create(&context, &options);
    }
    return context;
}

int main(int argc, char **argv)
{
    static whole w;
    torc_context *context;
    torc_device_info info;
    torc_ranks *ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    context = open_device();
    if (!context) {
        printf("ranks_products: skipped: no device\n");
        MPI_Finalize();
        return 77;
    }
    require(torc_context_info(&info, context), 0, "device");
    bool is_reference = strcmp(info.backend, "reference") == 0;
    divisor = is_reference ? divisor : 1;
    require(torc_ranks_create(&ranks, MPI_COMM_WORLD, context), 0, "ranks");
    if (rank == 0) {
        printf("content moves %s %s\n", torc_ranks_way(ranks), torc_context_error(context));
    }
    expect(argc < 2 || strcmp(torc_ranks_way(ranks), argv[1]) == 0, 0, "another way");
    for (uint64_t seed = 1; seed <= (is_reference ? CASES : CASES_ON_GPUS); seed++) {
        check_product(seed, &w, ranks, context);
        check_reductions(seed, &w, ranks, context);
    }
    check_refusals(ranks, context);
    if (nranks > 1) {
        check_iso_on_some(ranks, context);
        check_written(ranks, context, is_reference ? 200 : 100000);
    }
    check_without_rows(ranks, context);
    require(torc_ranks_wait(ranks), 0, "wait");
    if (is_reference) { /* where memory of the host is the device's */
        check_shortage(&w);
        check_rest_is_released();
    }
    torc_ranks_destroy(ranks);
    torc_context_destroy(context);
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures > 0;
}
