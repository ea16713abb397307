/* Operands stay on the device while nobody has changed them, and no longer: each test changes something
 * behind torc's back, in every way that a program has, and expects what SuiteSparse computes. Matrices have
 * more than 1 MiB an array, in torc's arena, so that the kernel's write tracking decides. */
#include "glue_fixture.h"
#include "require.h"
#include "residency.h"
#include "session.h"
#include "splitmix.h"
#include "traced_mxm.h"
#include "write_tracking.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 9000, WIDTH = 16, ENTRIES = 150000 };

static void start(void)
{
    if (!torc_tracking_is_available()) {
        cr_skip_test("this kernel tracks no writes");
    }
    torc_trace_begin();
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
}

TestSuite(residency, .init = start, .fini = torc_glue_finish);

#define OK(call) cr_assert_eq((call), GrB_SUCCESS)

static uint64_t seed = 20261121;

static int64_t any_value(void)
{
    return random_below(&seed, 1000) + 1;
}

static GrB_Matrix new_sparse(GrB_Index nentries, GrB_Index nrows_used)
{
    GrB_Index *rows = malloc(nentries * sizeof *rows), *cols = malloc(nentries * sizeof *cols);
    int64_t *values = malloc(nentries * sizeof *values);
    GrB_Matrix S;
    for (GrB_Index i = 0; i < nentries; i++) {
        rows[i] = random_word(&seed) % nrows_used;
        cols[i] = random_word(&seed) % SIZE;
        values[i] = any_value();
    }
    OK(GrB_Matrix_new(&S, GrB_INT64, SIZE, SIZE));
    OK(GxB_Matrix_Option_set(S, GxB_SPARSITY_CONTROL, GxB_SPARSE + GxB_HYPERSPARSE));
    OK(GrB_Matrix_build_INT64(S, rows, cols, values, nentries, GrB_PLUS_INT64));
    OK(GrB_Matrix_wait(S, GrB_MATERIALIZE));
    free(rows);
    free(cols);
    free(values);
    return S;
}

static int64_t *new_values(void)
{
    int64_t *values = torc_malloc(SIZE * WIDTH * sizeof *values);
    for (int i = 0; i < SIZE * WIDTH; i++) {
        values[i] = any_value();
    }
    return values;
}

static GrB_Matrix new_empty(void)
{
    GrB_Matrix D;
    OK(GrB_Matrix_new(&D, GrB_INT64, SIZE, WIDTH));
    return D;
}

static void pack(GrB_Matrix D, int64_t *values)
{
    void *array = values;
    OK(GxB_Matrix_pack_FullR(D, &array, SIZE * WIDTH * sizeof *values, false, NULL));
}

static int64_t *unpack(GrB_Matrix D)
{
    void *values = NULL;
    GrB_Index size;
    bool iso = false;
    OK(GxB_Matrix_unpack_FullR(D, &values, &size, &iso, NULL));
    cr_assert_not(iso);
    return values;
}

static GrB_Matrix new_dense(void)
{
    GrB_Matrix D = new_empty();
    pack(D, new_values());
    return D;
}

static void expect_equal(GrB_Matrix actual, GrB_Matrix expected, const char *what)
{
    GrB_Index n, m;
    OK(GrB_Matrix_nvals(&n, expected));
    OK(GrB_Matrix_nvals(&m, actual));
    cr_assert_eq(
        m, n, "%s: %llu entries instead of %llu", what, (unsigned long long)m, (unsigned long long)n);
    GrB_Index *rows[2], *cols[2];
    int64_t *values[2];
    GrB_Matrix both[] = {actual, expected};
    for (int i = 0; i < 2; i++) {
        rows[i] = malloc((n + 1) * sizeof *rows[i]);
        cols[i] = malloc((n + 1) * sizeof *cols[i]);
        values[i] = malloc((n + 1) * sizeof *values[i]);
        OK(GrB_Matrix_extractTuples_INT64(rows[i], cols[i], values[i], &m, both[i]));
    }
    for (GrB_Index p = 0; p < n; p++) {
        cr_assert(rows[0][p] == rows[1][p] && cols[0][p] == cols[1][p] && values[0][p] == values[1][p],
            "%s: (%llu,%llu) is %lld instead of %lld", what, (unsigned long long)rows[0][p],
            (unsigned long long)cols[0][p], (long long)values[0][p], (long long)values[1][p]);
    }
    for (int i = 0; i < 2; i++) {
        free(rows[i]);
        free(cols[i]);
        free(values[i]);
    }
}

typedef struct product {
    GrB_Matrix C, mask;
    GrB_BinaryOp accum;
    GrB_Semiring semiring;
    GrB_Matrix A, B;
    GrB_Descriptor desc;
} product;

static GrB_Matrix expected_of(const product *p)
{
    GrB_Matrix C;
    OK(GrB_Matrix_dup(&C, p->C));
    OK(GrB_mxm(C, p->mask, p->accum, p->semiring, p->A == p->C ? C : p->A, p->B == p->C ? C : p->B, p->desc));
    OK(GrB_Matrix_wait(C, GrB_MATERIALIZE));
    return C;
}

/* By torc, on the device, what it is by SuiteSparse. */
static void check(const product *p, const char *what)
{
    mxm_trace trace;
    GrB_Matrix expected = expected_of(p);
    OK(torc_traced_mxm(&trace, p->C, p->mask, p->accum, p->semiring, p->A, p->B, p->desc));
    cr_assert_str_eq(trace.where, getenv("TORC_BACKEND"), "%s: %s", what, trace.text);
    expect_equal(p->C, expected, what);
    OK(GrB_Matrix_free(&expected));
}

/* C = S D anew, of which `hits` operands are found on the device. */
static void multiply(GrB_Matrix S, GrB_Matrix D, uint64_t hits, const char *what)
{
    uint64_t before = torc_residency_count().hits;
    product p = {.C = new_empty(), .semiring = GrB_PLUS_TIMES_SEMIRING_INT64, .A = S, .B = D};
    check(&p, what);
    uint64_t found = torc_residency_count().hits - before;
    cr_assert_eq(found, hits, "%s: %d hits instead of %d", what, (int)found, (int)hits);
    OK(GrB_Matrix_free(&p.C));
}

static GrB_Matrix S, D;

static void start_with_operands(void)
{
    start();
    S = new_sparse(ENTRIES, SIZE);
    D = new_dense();
    multiply(S, D, 0, "first");
    multiply(S, D, 2, "second");
}

static void free_operands(void)
{
    OK(GrB_Matrix_free(&S));
    OK(GrB_Matrix_free(&D));
    torc_glue_finish();
}

TestSuite(resident, .init = start_with_operands, .fini = free_operands);

Test(resident, operands_are_not_sent_again)
{
    size_t sent = ENTRIES * 16;
    torc_residency_counts before = torc_residency_count();
    multiply(S, D, 2, "third");
    torc_residency_counts after = torc_residency_count();
    cr_assert_gt(after.bytes_saved - before.bytes_saved, sent);
    cr_assert_geq(after.bytes_held, sent);
    cr_assert_eq(after.misses, before.misses);
    cr_assert_eq(after.evictions, 0);
}

Test(resident, sparse_operand_with_one_value_changed_in_place)
{
    GrB_Index rows[ENTRIES], cols[ENTRIES], n = ENTRIES;
    static int64_t values[ENTRIES];
    OK(GrB_Matrix_extractTuples_INT64(rows, cols, values, &n, S));
    OK(GrB_Matrix_setElement_INT64(S, values[n / 2] + 1, rows[n / 2], cols[n / 2]));
    multiply(S, D, 1, "after setElement");
    multiply(S, D, 2, "again");
}

Test(resident, dense_operand_with_one_value_changed_in_place)
{
    OK(GrB_Matrix_setElement_INT64(D, -1, SIZE / 2, WIDTH / 2));
    multiply(S, D, 1, "after setElement");
    multiply(S, D, 2, "again");
}

typedef struct csr_arrays {
    GrB_Index *ptr, *idx, ptr_size, idx_size, values_size;
    int64_t *values;
    bool is_jumbled;
} csr_arrays;

static csr_arrays unpack_csr(GrB_Matrix A)
{
    csr_arrays a;
    void *values;
    bool iso;
    OK(GxB_Matrix_unpack_CSR(
        A, &a.ptr, &a.idx, &values, &a.ptr_size, &a.idx_size, &a.values_size, &iso, &a.is_jumbled, NULL));
    a.values = values;
    return a;
}

static void pack_csr(GrB_Matrix A, csr_arrays *a)
{
    void *values = a->values;
    OK(GxB_Matrix_pack_CSR(
        A, &a->ptr, &a->idx, &values, a->ptr_size, a->idx_size, a->values_size, false, a->is_jumbled, NULL));
}

/* The last entry of a row that has room behind it moves one column on. */
Test(resident, sparse_operand_with_an_entry_moved)
{
    csr_arrays a = unpack_csr(S);
    GrB_Index row = SIZE / 2, last = a.ptr[row + 1] - 1;
    while (a.idx[last] == SIZE - 1) {
        last = a.ptr[++row + 1] - 1;
    }
    a.idx[last]++;
    pack_csr(S, &a);
    multiply(S, D, 1, "after an entry moved");
    multiply(S, D, 2, "again");
}

/* The first entry of a row becomes the last of the row before: the indices stay sorted, and nothing but an
 * offset is written to. */
Test(resident, sparse_operand_with_an_offset_changed)
{
    GrB_Matrix few = new_sparse(SIZE, SIZE);
    multiply(few, D, 1, "few entries");
    multiply(few, D, 2, "again");
    csr_arrays a = unpack_csr(few);
    GrB_Index row = 1;
    while (a.ptr[row + 1] - a.ptr[row] < 2 || a.ptr[row] == a.ptr[row - 1] ||
           a.idx[a.ptr[row]] <= a.idx[a.ptr[row] - 1]) {
        row++;
    }
    a.ptr[row]++;
    pack_csr(few, &a);
    multiply(few, D, 1, "after an offset changed");
    OK(GrB_Matrix_free(&few));
}

Test(resident, matrices_unpacked_and_packed_untouched_are_the_same)
{
    csr_arrays a = unpack_csr(S);
    pack_csr(S, &a);
    pack(D, unpack(D));
    multiply(S, D, 2, "after unpack and pack");
}

Test(resident, arrays_serve_whichever_matrix_has_them)
{
    GrB_Matrix other = new_dense();
    multiply(S, other, 1, "another operand");
    int64_t *mine = unpack(D), *its = unpack(other);
    pack(D, its);
    pack(other, mine);
    multiply(S, D, 2, "swapped");
    multiply(S, other, 2, "swapped");
    mine = unpack(other);
    mine[7] = 0;
    pack(other, mine);
    multiply(S, D, 2, "of the two, unchanged");
    multiply(S, other, 1, "of the two, changed");
    OK(GrB_Matrix_free(&other));
}

Test(resident, dense_operand_freed_and_allocated_anew)
{
    int64_t *values = unpack(D);
    pack(D, values);
    OK(GrB_Matrix_free(&D));
    int64_t *next = new_values();
    cr_assert_eq(next, values, "the arena recycles");
    D = new_empty();
    pack(D, next);
    multiply(S, D, 1, "at the same address");
}

Test(resident, dense_operand_that_the_program_wrote_to)
{
    int64_t *values = unpack(D);
    memset(values + 100 * WIDTH, 0, WIDTH * sizeof *values);
    pack(D, values);
    multiply(S, D, 1, "a row cleared");
    values[SIZE * WIDTH - 1]++; /* in D: the program kept the pointer */
    multiply(S, D, 1, "written under GraphBLAS");
    multiply(S, D, 2, "again");
}

Test(resident, dense_operand_that_was_read_from_a_file)
{
    int pipes[2];
    int64_t number = 4711, *values = unpack(D);
    cr_assert_eq(pipe(pipes), 0);
    cr_assert_eq(write(pipes[1], &number, sizeof number), sizeof number);
    cr_assert_eq(read(pipes[0], values + 12345, sizeof number), sizeof number);
    cr_assert_eq(values[12345], number);
    pack(D, values);
    multiply(S, D, 1, "after read(2)");
}

static atomic_bool is_over;

static void *keep_writing(void *array)
{
    volatile int64_t *values = array;
    for (uint64_t i = 0; !atomic_load(&is_over); i += 7919) {
        values[i % (SIZE * WIDTH)]++;
    }
    return NULL;
}

/* What a call computes meanwhile is nobody's business; the next one knows. */
Test(resident, dense_operand_written_to_during_calls)
{
    for (int round = 0; round < 3; round++) {
        pthread_t writer;
        mxm_trace trace;
        GrB_Matrix C = new_empty();
        int64_t *values = unpack(D);
        pack(D, values);
        atomic_store(&is_over, false);
        cr_assert_eq(pthread_create(&writer, NULL, keep_writing, values), 0);
        for (int i = 0; i < 2; i++) {
            OK(torc_traced_mxm(&trace, C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, S, D, NULL));
        }
        atomic_store(&is_over, true);
        pthread_join(writer, NULL);
        product p = {.C = C, .semiring = GrB_PLUS_TIMES_SEMIRING_INT64, .A = S, .B = D};
        check(&p, "after the writer ended");
        OK(GrB_Matrix_free(&C));
    }
}

/* Each side changes its own memory. OpenMP has no threads in a child, and a GPU is the parent's. A failed
 * assertion leaves the child without an end. */
Test(resident, operands_of_parent_and_child_are_apart)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(TORC_HANGING);
        if (torc_trace_is_reference()) {
            OK(GxB_Global_Option_set(GxB_NTHREADS, 1));
            multiply(S, D, 0, "in the child: nothing is trusted");
            OK(GrB_Matrix_setElement_INT64(D, -2, 3, 3));
            multiply(S, D, 1, "in the child, changed");
        }
        _exit(0);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    multiply(S, D, 2, "in the parent");
    OK(GrB_Matrix_setElement_INT64(D, -3, 3, 3));
    multiply(S, D, 1, "in the parent, changed");
}

Test(residency, of_an_iso_operand_knows_its_value)
{
    GrB_Matrix A = new_sparse(ENTRIES, SIZE), B = new_dense();
    for (int64_t value = 2; value < 5; value++) {
        OK(GrB_Matrix_assign_INT64(A, A, NULL, value, GrB_ALL, SIZE, GrB_ALL, SIZE, GrB_DESC_S));
        bool iso;
        OK(GxB_Matrix_iso(&iso, A));
        cr_assert(iso);
        multiply(A, B, value == 2 ? 0 : 1, "iso");
    }
    multiply(A, B, 2, "unchanged");
    OK(GrB_Matrix_free(&A));
    OK(GrB_Matrix_free(&B));
}

Test(residency, of_a_hypersparse_operand_outlives_no_change_of_format)
{
    GrB_Matrix A = new_sparse(ENTRIES, 110), B = new_dense();
    OK(GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, GxB_HYPERSPARSE));
    multiply(A, B, 0, "hypersparse");
    multiply(A, B, 2, "hypersparse again");
    OK(GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    multiply(A, B, 1, "sparse");
    multiply(A, B, 2, "sparse again");
    OK(GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, GxB_HYPERSPARSE));
    multiply(A, B, 1, "hypersparse once more");
    OK(GrB_Matrix_setElement_INT64(A, 5, 100, 100));
    multiply(A, B, 1, "changed");
    OK(GrB_Matrix_free(&A));
    OK(GrB_Matrix_free(&B));
}

/* Transposed, it lies on the device with all its rows. */
Test(residency, of_a_hypersparse_operand_knows_its_rows)
{
    GrB_Matrix A = new_sparse(ENTRIES, 110);
    product p = {.C = new_empty(),
        .semiring = GrB_PLUS_TIMES_SEMIRING_INT64,
        .A = A,
        .B = new_dense(),
        .desc = GrB_DESC_T0};
    GrB_Index *ptr = NULL, *names = NULL, *idx = NULL, sizes[4], nvec;
    void *values = NULL;
    bool iso, is_jumbled;
    OK(GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, GxB_HYPERSPARSE));
    check(&p, "hypersparse");
    OK(GxB_Matrix_unpack_HyperCSR(A, &ptr, &names, &idx, &values, &sizes[0], &sizes[1], &sizes[2], &sizes[3],
        &iso, &nvec, &is_jumbled, NULL));
    names[nvec - 1]++;
    OK(GxB_Matrix_pack_HyperCSR(
        A, &ptr, &names, &idx, &values, sizes[0], sizes[1], sizes[2], sizes[3], iso, nvec, is_jumbled, NULL));
    check(&p, "with another row");
    OK(GrB_Matrix_free(&p.A));
    OK(GrB_Matrix_free(&p.B));
    OK(GrB_Matrix_free(&p.C));
}

/* A copy without values serves whom needs none, and is not taken for one that has them. */
Test(resident, pattern_serves_where_values_are_not_read)
{
    product p = {.C = new_empty(), .semiring = GxB_PLUS_SECOND_INT64, .A = S, .B = D};
    csr_arrays a = unpack_csr(S);
    a.values[0]++;
    pack_csr(S, &a);
    uint64_t before = torc_residency_count().hits;
    check(&p, "values that are not read");
    cr_assert_eq(torc_residency_count().hits, before + 2);
    multiply(S, D, 1, "values that are");
    multiply(S, D, 2, "again");
    OK(GrB_Matrix_free(&p.C));
}

Test(resident, result_is_an_operand_of_the_next_call)
{
    product p = {.C = new_empty(), .semiring = GrB_PLUS_TIMES_SEMIRING_INT64, .A = S, .B = D};
    check(&p, "result");
    multiply(S, p.C, 2, "of the result");
    GrB_Index rows[] = {3, 1000}, cols[] = {0, WIDTH - 1};
    OK(GrB_Matrix_assign_INT64(p.C, NULL, NULL, 17, rows, 2, cols, 2, NULL));
    multiply(S, p.C, 1, "of the result, changed");
    OK(GrB_Matrix_apply(p.C, NULL, NULL, GrB_AINV_INT64, p.C, NULL));
    multiply(S, p.C, 1, "of the result, negated");
    multiply(S, p.C, 2, "again");
    OK(GrB_Matrix_free(&p.C));
}

/* A is multiplied from both sides, C is stored both ways. */
Test(resident, copies_serve_transposed_and_from_the_left)
{
    GrB_Matrix wide, result;
    OK(GrB_Matrix_new(&wide, GrB_INT64, WIDTH, SIZE));
    OK(GrB_Matrix_new(&result, GrB_INT64, WIDTH, SIZE));
    product p = {.C = new_empty(), .semiring = GrB_PLUS_TIMES_SEMIRING_INT64, .A = S, .B = D};
    p.desc = GrB_DESC_T0;
    uint64_t before = torc_residency_count().hits;
    check(&p, "S transposed");
    cr_assert_eq(torc_residency_count().hits, before + 2);
    OK(GrB_Matrix_free(&p.C));
    p.C = wide;
    p.A = D;
    p.B = S;
    check(&p, "D transposed from the left");
    cr_assert_eq(torc_residency_count().hits, before + 4);
    for (int by_col = 0; by_col < 2; by_col++) {
        OK(GxB_Matrix_Option_set(result, GxB_FORMAT, by_col ? GxB_BY_COL : GxB_BY_ROW));
        before = torc_residency_count().hits;
        check(&(product){.C = result, .semiring = p.semiring, .A = wide, .B = S}, "of its result");
        check(&(product){.C = wide, .semiring = p.semiring, .A = result, .B = S}, "and back");
        cr_assert_eq(torc_residency_count().hits, before + 4);
    }
    OK(GrB_Matrix_free(&wide));
    OK(GrB_Matrix_free(&result));
}

/* C's old content is on the device since the call before; whatever changes it in between is seen. */
Test(resident, result_is_added_to_in_place)
{
    product p = {.C = new_dense(), .accum = GrB_PLUS_INT64, .A = S, .B = D};
    p.semiring = GrB_PLUS_TIMES_SEMIRING_INT64;
    uint64_t before = torc_residency_count().hits;
    check(&p, "C += S D");
    cr_assert_eq(torc_residency_count().hits, before + 2);
    check(&p, "C += S D again");
    cr_assert_eq(torc_residency_count().hits, before + 5);
    OK(GrB_Matrix_setElement_INT64(p.C, 1, 1, 1));
    check(&p, "C += S D, C changed");
    cr_assert_eq(torc_residency_count().hits, before + 7);
    p.B = p.C;
    check(&p, "C += S C");
    check(&p, "C += S C again");
    OK(GrB_Matrix_free(&p.C));
}

/* With a mask C is a bitmap, of which the positions count as the values do. */
Test(resident, result_under_a_mask)
{
    product p = {.C = new_empty(), .mask = new_empty(), .accum = GrB_PLUS_INT64, .A = S, .B = D};
    p.semiring = GrB_PLUS_TIMES_SEMIRING_INT64;
    GrB_Index rows[3];
    rows[GxB_BEGIN] = 0;
    rows[GxB_END] = SIZE - 1;
    rows[GxB_INC] = 2;
    OK(GrB_Matrix_assign_INT64(p.mask, NULL, NULL, 1, rows, GxB_STRIDE, GrB_ALL, WIDTH, NULL));
    for (int i = 0; i < 3; i++) {
        check(&p, "under a mask");
        multiply(S, p.C, 3, "of a bitmap");
    }
    OK(GrB_Matrix_assign_INT64(p.C, p.C, NULL, 1, GrB_ALL, SIZE, GrB_ALL, WIDTH, GrB_DESC_RSC));
    check(&p, "C cleared");
    OK(GrB_Matrix_free(&p.C));
    OK(GrB_Matrix_free(&p.mask));
}

Test(resident, copies_end_with_the_device)
{
    torc_session_close();
    cr_assert_eq(torc_residency_count().bytes_held, 0);
    multiply(S, D, 0, "on the device opened anew");
}

/* ---- At random ---------------------------------------------------------------------------------------- */

enum { NSPARSE = 2, NDENSE = 3, STEPS = 80 };

static GrB_Matrix sparse[NSPARSE], dense[NDENSE];

static int below(int n)
{
    return (int)random_below(&seed, n);
}

static void swap(GrB_Matrix *X, GrB_Matrix *Y)
{
    GrB_Matrix Z = *X;
    *X = *Y;
    *Y = Z;
}

static void change_sparse(GrB_Matrix *X, GrB_Matrix *Y)
{
    csr_arrays a;
    switch (below(6)) {
    case 0:
        OK(GrB_Matrix_setElement_INT64(*X, any_value(), (GrB_Index)below(SIZE), (GrB_Index)below(SIZE)));
        break;
    case 1:
        OK(GxB_Matrix_Option_set(*X, GxB_SPARSITY_CONTROL, below(2) ? GxB_SPARSE : GxB_HYPERSPARSE));
        break;
    case 2:
        OK(GxB_Matrix_Option_set(*X, GxB_SPARSITY_CONTROL, GxB_SPARSE));
        a = unpack_csr(*X);
        a.values[below((int)a.ptr[SIZE])]++;
        pack_csr(*X, &a);
        break;
    case 3:
        OK(GrB_Matrix_free(X));
        *X = new_sparse(below(2) ? ENTRIES : ENTRIES / 10, below(2) ? SIZE : 200);
        break;
    case 4:
        OK(GrB_Matrix_apply(*X, NULL, NULL, GrB_AINV_INT64, *X, NULL));
        break;
    default:
        swap(X, Y);
    }
}

static void change_dense(GrB_Matrix *X, GrB_Matrix *Y)
{
    GrB_Index row = (GrB_Index)below(SIZE);
    int format;
    OK(GxB_Matrix_Option_get(*X, GxB_SPARSITY_STATUS, &format));
    switch (below(7)) {
    case 0:
        OK(GrB_Matrix_setElement_INT64(*X, any_value(), row, (GrB_Index)below(WIDTH)));
        break;
    case 1:
        OK(GrB_Matrix_assign_INT64(*X, NULL, NULL, any_value(), &row, 1, GrB_ALL, WIDTH, NULL));
        break;
    case 2:
        OK(GrB_Matrix_free(X));
        *X = new_dense();
        break;
    case 3:
        OK(GrB_Matrix_apply(*X, NULL, NULL, GrB_AINV_INT64, *X, NULL));
        break;
    case 4:
        if (format == GxB_FULL) {
            int64_t *values = unpack(*X);
            values[below(SIZE * WIDTH)] = any_value();
            pack(*X, values);
        }
        break;
    case 5:
        if (X != Y) {
            OK(GrB_Matrix_free(Y));
            OK(GrB_Matrix_dup(Y, *X));
        }
        break;
    default:
        swap(X, Y);
    }
}

static void multiply_at_random(int step)
{
    char what[64];
    snprintf(what, sizeof what, "step %d, seed %llu", step, (unsigned long long)seed);
    product p = {
        .C = dense[below(NDENSE)],
        .mask = below(4) == 0 ? dense[below(NDENSE)] : NULL,
        .accum = below(3) == 0 ? GrB_PLUS_INT64 : NULL,
        .semiring = below(4) == 0 ? GxB_PLUS_SECOND_INT64 : GrB_PLUS_TIMES_SEMIRING_INT64,
        .A = sparse[below(NSPARSE)],
        .B = dense[below(NDENSE)],
        .desc = below(4) == 0 ? GrB_DESC_T0 : NULL,
    };
    mxm_trace trace;
    GrB_Matrix expected = expected_of(&p);
    OK(torc_traced_mxm(&trace, p.C, p.mask, p.accum, p.semiring, p.A, p.B, p.desc));
    expect_equal(p.C, expected, what);
    OK(GrB_Matrix_free(&expected));
}

Test(residency, of_matrices_changed_at_random_is_never_stale)
{
    for (int i = 0; i < NSPARSE; i++) {
        sparse[i] = new_sparse(ENTRIES, SIZE);
    }
    for (int i = 0; i < NDENSE; i++) {
        dense[i] = new_dense();
    }
    for (int step = 0; step < STEPS; step++) {
        int choice = below(8);
        if (choice == 0) {
            change_sparse(&sparse[below(NSPARSE)], &sparse[below(NSPARSE)]);
        } else if (choice <= 2) {
            change_dense(&dense[below(NDENSE)], &dense[below(NDENSE)]);
        } else {
            multiply_at_random(step);
        }
    }
    torc_residency_counts counts = torc_residency_count();
    cr_assert_gt(counts.hits, STEPS / 4, "%d hits, %d misses", (int)counts.hits, (int)counts.misses);
    cr_assert_gt(counts.misses, STEPS / 4, "%d hits, %d misses", (int)counts.hits, (int)counts.misses);
    for (int i = 0; i < NSPARSE; i++) {
        OK(GrB_Matrix_free(&sparse[i]));
    }
    for (int i = 0; i < NDENSE; i++) {
        OK(GrB_Matrix_free(&dense[i]));
    }
}
