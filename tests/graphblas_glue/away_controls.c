/* away_controls.c: content that is away is told to be sparse, which may wait until somebody asks for its
 * format; then it is as without torc, whoever asks. */
#include "away_program.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

static GrB_Matrix sparse_matrix(void)
{
    GrB_Matrix C = away_matrix(false);
    TRY(GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    require(away_is_any(), "it need not come home for that");
    return C;
}

static GrB_Vector sparse_vector(void)
{
    GrB_Vector v = away_vector(false);
    TRY(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    require(away_is_any(), "it need not come home for that");
    return v;
}

static void show_format(GrB_Matrix C)
{
    int control, status;
    TRY(GxB_Matrix_Option_get(C, GxB_SPARSITY_CONTROL, &control));
    TRY(GxB_Matrix_Option_get(C, GxB_SPARSITY_STATUS, &status));
    show_bytes(&control, sizeof control);
    show_bytes(&status, sizeof status);
}

static void ask_by_its_old_name(void)
{
    GrB_Matrix C = away_matrix(false);
    bool is_hyper;
    TRY(GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_HYPERSPARSE));
    TRY(GxB_Matrix_Option_get(C, GxB_IS_HYPER, &is_hyper));
    require(is_hyper, "it is hypersparse");
    TRY(GrB_Matrix_free(&C));
}

static void show_and_free(GrB_Matrix *C, const char *name)
{
    show_format(*C);
    TRY(GrB_Matrix_free(C));
    show(name);
}

/* One question alone: the first one settles it. */
static void ask(GxB_Option_Field field, bool by_int32)
{
    int of_matrix, of_vector;
    GrB_Matrix C = sparse_matrix();
    GrB_Vector v = sparse_vector();
    if (by_int32) {
        TRY(GxB_Matrix_Option_get_INT32(C, field, &of_matrix));
        TRY(GxB_Vector_Option_get_INT32(v, field, &of_vector));
    } else {
        TRY(GxB_Matrix_Option_get(C, field, &of_matrix));
        TRY(GxB_Vector_Option_get(v, field, &of_vector));
    }
    show_bytes(&of_matrix, sizeof of_matrix);
    show_bytes(&of_vector, sizeof of_vector);
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Vector_free(&v));
    show("format asked for");
}

static void print(void)
{
    GrB_Matrix C = sparse_matrix();
    GrB_Vector v = sparse_vector();
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    TRY(GxB_Matrix_fprint(C, "C", GxB_SUMMARY, memory));
    fputs("; ", memory);
    TRY(GxB_Vector_fprint(v, "v", GxB_SUMMARY, memory));
    fclose(memory);
    int nsparse = 0;
    for (const char *found = text; (found = strstr(found, "sparse by")); found++) {
        nsparse++;
    }
    show_bytes(&nsparse, sizeof nsparse);
    free(text);
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Vector_free(&v));
    show("format printed");
}

static void serialize(void)
{
    GrB_Matrix C = sparse_matrix(), copy;
    GrB_Vector v = sparse_vector(), vector_copy;
    void *blob = NULL;
    GrB_Index size;
    TRY(GxB_Matrix_serialize(&blob, &size, C, NULL));
    TRY(GxB_Matrix_deserialize(&copy, NULL, blob, size, NULL));
    free(blob);
    TRY(GrB_Matrix_free(&C));
    show_and_free(&copy, "format serialized");
    TRY(GxB_Vector_serialize(&blob, &size, v, NULL));
    TRY(GxB_Vector_deserialize(&vector_copy, NULL, blob, size, NULL));
    free(blob);
    TRY(GrB_Vector_free(&v));
    copy = (GrB_Matrix)vector_copy;
    show_and_free(&copy, "format of a vector");
    C = sparse_matrix();
    TRY(GrB_Matrix_serializeSize(&size, C));
    show_bytes(&size, sizeof size);
    TRY(GrB_Matrix_free(&C));
    C = sparse_matrix();
    size *= 8; /* whatever its format */
    blob = malloc(size);
    TRY(GrB_Matrix_serialize(blob, &size, C));
    TRY(GrB_Matrix_deserialize(&copy, NULL, blob, size));
    free(blob);
    TRY(GrB_Matrix_free(&C));
    show_and_free(&copy, "format in own memory");
}

/* What is read comes home. */
static void copy_from_home(void)
{
    GrB_Matrix C = sparse_matrix(), copy;
    GrB_Vector v = sparse_vector(), vector_copy;
    show_matrix(C);
    TRY(GrB_Matrix_dup(&copy, C));
    show_and_free(&copy, "format of a copy of what is home");
    show_vector(v);
    TRY(GrB_Vector_dup(&vector_copy, v));
    copy = (GrB_Matrix)vector_copy;
    show_and_free(&copy, "format of a copy of a vector");
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Vector_free(&v));
}

static void change(void)
{
    GrB_Matrix C = sparse_matrix(), copy;
    TRY(GrB_Matrix_dup(&copy, C));
    show_and_free(&copy, "format of a copy");
    show_and_free(&C, "format of what it copied");
    copy_from_home();
    C = away_matrix(false);
    TRY(GxB_Matrix_Option_set(C, GxB_FORMAT, GxB_BY_COL));
    int by_col;
    TRY(GxB_Matrix_Option_get(C, GxB_FORMAT, &by_col));
    show_bytes(&by_col, sizeof by_col);
    show_and_free(&C, "format by column");
    C = sparse_matrix();
    TRY(GxB_Matrix_reshape(C, false, ROWS / 2, COLS * 2, NULL));
    show_and_free(&C, "format reshaped");
    C = sparse_matrix();
    TRY(GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_BITMAP));
    show_and_free(&C, "format told anew");
    C = sparse_matrix();
    away_multiply(C);
    show_and_free(&C, "format of the next result");
}

/* The next handles may be those that were freed. */
static void free_and_reuse(void)
{
    GrB_Matrix C = sparse_matrix();
    GrB_Vector v = sparse_vector();
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Matrix_new(&C, GrB_FP64, ROWS, COLS));
    show_and_free(&C, "format of a new matrix");
    TRY(GrB_Vector_free(&v));
    TRY(GrB_Vector_new(&v, GrB_FP64, ROWS));
    C = (GrB_Matrix)v;
    show_and_free(&C, "format of a new vector");
}

/* So may those of what was exported. */
static void export_and_reuse(void)
{
    GrB_Matrix C = sparse_matrix();
    GrB_Index nrows, ncols, sizes[3], *pointers, *indices;
    GrB_Type type;
    void *values;
    bool is_iso;
    TRY(GxB_Matrix_export_CSR(&C, &type, &nrows, &ncols, &pointers, &indices, &values, &sizes[0], &sizes[1],
        &sizes[2], &is_iso, NULL, NULL));
    free(pointers);
    free(indices);
    free(values);
    TRY(GrB_Matrix_new(&C, GrB_FP64, ROWS, COLS));
    show_and_free(&C, "format of the matrix after");
}

/* What an iterator is attached to stays where it is while it is read, whatever else the program asks. */
static void iterate(void)
{
    GrB_Matrix C = sparse_matrix(), others;
    GxB_Iterator iterator;
    int control;
    double sum = 0;
    TRY(GxB_Iterator_new(&iterator));
    TRY(GxB_rowIterator_attach(iterator, C, NULL));
    GrB_Info info = GxB_rowIterator_seekRow(iterator, 0);
    TRY(GxB_Matrix_Option_get(C, GxB_SPARSITY_CONTROL, &control));
    others = away_matrix(false); /* where C's arrays were, if they are gone */
    for (; info != GxB_EXHAUSTED; info = GxB_rowIterator_nextRow(iterator)) {
        for (; info == GrB_SUCCESS; info = GxB_rowIterator_nextCol(iterator)) {
            sum += GxB_Iterator_get_FP64(iterator) * (double)(1 + GxB_rowIterator_getColIndex(iterator));
        }
    }
    show_bytes(&sum, sizeof sum);
    TRY(GxB_Iterator_free(&iterator));
    TRY(GrB_Matrix_free(&others));
    show_and_free(&C, "iterator of what was told to be sparse");
}

static void iterate_entries(void)
{
    GrB_Vector v = sparse_vector(), others;
    GxB_Iterator iterator;
    int control;
    double sum = 0;
    TRY(GxB_Iterator_new(&iterator));
    TRY(GxB_Vector_Iterator_attach(iterator, v, NULL));
    GrB_Info info = GxB_Vector_Iterator_seek(iterator, 0);
    TRY(GxB_Vector_Option_get(v, GxB_SPARSITY_CONTROL, &control));
    others = away_vector(false);
    for (; info == GrB_SUCCESS; info = GxB_Vector_Iterator_next(iterator)) {
        sum += GxB_Iterator_get_FP64(iterator) * (double)(1 + GxB_Vector_Iterator_getIndex(iterator));
    }
    show_bytes(&sum, sizeof sum);
    TRY(GxB_Iterator_free(&iterator));
    TRY(GrB_Vector_free(&others));
    TRY(GrB_Vector_free(&v));
    show("iterator of a vector");
}

/* After a wait several threads may read it at once: torc computes what one asks for, SuiteSparse the other.
 */
static void *apply_often(void *C)
{
    GrB_Matrix result;
    for (int i = 0; i < 20; i++) {
        TRY(GrB_Matrix_new(&result, GrB_FP64, ROWS, COLS));
        TRY(GrB_Matrix_apply(result, NULL, NULL, GrB_ABS_FP64, C, NULL));
        TRY(GrB_Matrix_free(&result));
    }
    return NULL;
}

static void *multiply_often(void *C)
{
    GrB_Matrix one, result;
    TRY(GrB_Matrix_new(&one, GrB_FP64, 1, 1));
    TRY(GrB_Matrix_setElement_FP64(one, 1, 0, 0));
    for (int i = 0; i < 5; i++) {
        TRY(GrB_Matrix_new(&result, GrB_FP64, ROWS, COLS));
        TRY(GrB_Matrix_kronecker_BinaryOp(result, NULL, NULL, GrB_TIMES_FP64, one, C, NULL));
        TRY(GrB_Matrix_free(&result));
    }
    TRY(GrB_Matrix_free(&one));
    return NULL;
}

/* Once in a process: from then on nothing is put off. */
void away_shared(void)
{
    pthread_t threads[3];
    GrB_Matrix C = sparse_matrix();
    TRY(GrB_Matrix_wait(C, GrB_MATERIALIZE));
    for (int t = 0; t < 3; t++) {
        pthread_create(&threads[t], NULL, t == 1 ? apply_often : multiply_often, C);
    }
    for (int t = 0; t < 3; t++) {
        pthread_join(threads[t], NULL);
    }
    show_and_free(&C, "format shared");
}

/* What a second thread looks at is converted first, whatever it asks. */
enum { LOOKS = 4 };

static void *look_at_each(void *objects)
{
    GrB_Matrix *C = objects;
    GrB_Vector v[LOOKS];
    memcpy(v, C + LOOKS, sizeof v);
    GrB_Index nvals, of_v, sizes[3];
    bool is_iso;
    TRY(GrB_Matrix_nvals(&nvals, C[0]));
    TRY(GrB_Vector_nvals(&of_v, v[0]));
    TRY(GxB_Matrix_iso(&is_iso, C[1]));
    TRY(GxB_Vector_iso(&is_iso, v[1]));
    int there = GxB_Matrix_isStoredElement(C[2], 7, 1), there_in_v = GxB_Vector_isStoredElement(v[2], 7);
    TRY(GrB_Matrix_exportSize(&sizes[0], &sizes[1], &sizes[2], GrB_CSR_FORMAT, C[3]));
    TRY(GrB_Matrix_exportSize(&sizes[0], &sizes[1], &sizes[2], GrB_CSC_FORMAT, (GrB_Matrix)v[3]));
    show_bytes(&nvals, sizeof nvals);
    show_bytes(&of_v, sizeof of_v);
    show_bytes(&there, sizeof there);
    show_bytes(&there_in_v, sizeof there_in_v);
    return NULL;
}

/* Once in a process, too. */
void away_asked(void)
{
    GrB_Matrix C[2 * LOOKS];
    GrB_Index nvals;
    pthread_t thread;
    for (int i = 0; i < LOOKS; i++) {
        C[i] = sparse_matrix();
        C[LOOKS + i] = (GrB_Matrix)sparse_vector();
    }
    int before = away_count();
    TRY(GrB_Matrix_nvals(&nvals, C[0]));
    require(away_count() == before, "nothing comes home for a question of the first thread");
    pthread_create(&thread, NULL, look_at_each, C);
    pthread_join(thread, NULL);
    require(away_count() == 0, "all are converted");
    for (int i = 0; i < 2 * LOOKS; i++) {
        show_and_free(&C[i], "format of what was asked");
    }
}

/* Before a program enters a sandbox; no function of torc's is there to convert anything afterwards. */
void away_shut_in(void)
{
    GrB_Matrix C = sparse_matrix();
    require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
    show_and_free(&C, "format in a sandbox");
}

/* Of a user-defined type; SuiteSparse has the result in the format of C. */
typedef struct factor {
    double value;
} factor;

static void times_factor(void *z, const void *x, const void *y)
{
    *(double *)z = ((const factor *)x)->value * *(const double *)y;
}

static void factor_times(void *z, const void *x, const void *y)
{
    *(double *)z = *(const double *)x * ((const factor *)y)->value;
}

static void apply_user_values(void)
{
    const factor three = {3};
    GrB_Type type;
    GrB_BinaryOp first, second;
    TRY(GrB_Type_new(&type, sizeof three));
    TRY(GrB_BinaryOp_new(&first, times_factor, GrB_FP64, type, GrB_FP64));
    TRY(GrB_BinaryOp_new(&second, factor_times, GrB_FP64, GrB_FP64, type));
    for (int is_second = 0; is_second < 2; is_second++) {
        GrB_Matrix C = sparse_matrix(), result;
        TRY(GrB_Matrix_new(&result, GrB_FP64, ROWS, COLS));
        TRY(GxB_Matrix_Option_set(
            result, GxB_BITMAP_SWITCH, 0.25)); /* C has fewer entries, and not by half */
        if (is_second) {
            TRY(GrB_Matrix_apply_BinaryOp2nd_UDT(result, NULL, NULL, second, C, &three, NULL));
        } else {
            TRY(GrB_Matrix_apply_BinaryOp1st_UDT(result, NULL, NULL, first, &three, C, NULL));
        }
        show_matrix(result);
        show_and_free(&result, "format of what was applied to");
        TRY(GrB_Matrix_free(&C));
    }
    TRY(GrB_BinaryOp_free(&first));
    TRY(GrB_BinaryOp_free(&second));
    TRY(GrB_Type_free(&type));
}

/* By an old name: torc computes it. */
static void apply_by_its_old_name(void)
{
    GrB_Matrix C = away_matrix(true), result;
    GrB_Scalar three;
    TRY(GrB_Scalar_new(&three, GrB_FP64));
    TRY(GrB_Scalar_setElement_FP64(three, 3));
    TRY(GrB_Matrix_new(&result, GrB_FP64, ROWS, COLS));
    int before = away_count();
    TRY(GxB_Matrix_apply_BinaryOp1st(result, NULL, NULL, GrB_MINUS_FP64, three, C, NULL));
    require(before == 0 || away_count() > before, "the result is away too");
    show_matrix(result);
    TRY(GxB_Matrix_apply_BinaryOp2nd(result, NULL, NULL, GrB_MINUS_FP64, C, three, NULL));
    show_matrix(result);
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Matrix_free(&result));
    TRY(GrB_Scalar_free(&three));
    show("applied by an old name");
}

/* A control that waited is not that of what is packed then. */
static void pack(void)
{
    GrB_Matrix C = sparse_matrix();
    GrB_Vector v = sparse_vector();
    size_t size = (size_t)ROWS * COLS * sizeof(double), size_of_v = ROWS * sizeof(double);
    void *values = calloc(1, size), *values_of_v = calloc(1, size_of_v);
    TRY(GxB_Matrix_pack_FullR(C, &values, size, false, NULL));
    show_and_free(&C, "format packed");
    TRY(GxB_Vector_pack_Full(v, &values_of_v, size_of_v, false, NULL));
    C = (GrB_Matrix)v;
    show_and_free(&C, "format of a packed vector");
}

/* Arrays that are too small change nothing. */
static void pack_in_vain(void)
{
    enum { FEW = 100 };
    GrB_Matrix C = sparse_matrix();
    GrB_Vector v = sparse_vector();
    void *values = calloc(1, FEW);
    require(GxB_Matrix_pack_FullR(C, &values, FEW, false, NULL) == GrB_INVALID_VALUE, "a pack");
    show_and_free(&C, "format after a pack that was refused");
    require(GxB_Vector_pack_Full(v, &values, FEW, false, NULL) == GrB_INVALID_VALUE, "a pack of a vector");
    free(values);
    C = (GrB_Matrix)v;
    show_and_free(&C, "format of a vector after one");
}

/* Each question is the first one. */
static void ask_what_it_is_like(void)
{
    GrB_Matrix C = sparse_matrix();
    GrB_Format format;
    size_t size;
    TRY(GrB_Matrix_exportHint(&format, C));
    show_bytes(&format, sizeof format);
    TRY(GrB_Matrix_free(&C));
    show("format to export");
    C = sparse_matrix();
    GrB_Vector v = sparse_vector();
    TRY(GxB_Matrix_memoryUsage(&size, C));
    show_bytes(&size, sizeof size);
    TRY(GxB_Vector_memoryUsage(&size, v));
    show_bytes(&size, sizeof size);
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Vector_free(&v));
    show("memory");
}

static void pass_on(void)
{
    GrB_Matrix C = sparse_matrix(), other, tiles[2];
    TRY(GxB_Matrix_reshapeDup(&other, C, false, ROWS / 2, COLS * 2, NULL));
    show_and_free(&other, "format of a reshaped copy");
    TRY(GrB_Matrix_free(&C));
    const GrB_Index rows[] = {ROWS / 2, ROWS / 2}, columns[] = {COLS};
    C = sparse_matrix();
    TRY(GxB_Matrix_split(tiles, 2, 1, rows, columns, C, NULL));
    show_and_free(&tiles[0], "format of a tile");
    show_and_free(&tiles[1], "format of another");
    TRY(GrB_Matrix_free(&C));
    C = sparse_matrix();
    TRY(GxB_Matrix_sort(C, NULL, GrB_LT_FP64, C, NULL));
    show_and_free(&C, "format sorted");
}

/* What is not joined stays as it is: another thread may be using it. */
static void join(void)
{
    GrB_Matrix C = sparse_matrix(), small, joined, none = NULL;
    TRY(GrB_Matrix_new(&small, GrB_FP64, 1, COLS));
    TRY(GrB_Matrix_new(&joined, GrB_FP64, 2, COLS));
    const GrB_Matrix others[] = {small, small}, tiles[] = {C, C};
    TRY(GxB_Matrix_concat(joined, others, 2, 1, NULL));
    require(away_is_any(), "it need not come home for that");
    show_and_free(&joined, "format of others joined");
    TRY(GrB_Matrix_new(&joined, GrB_FP64, 2 * ROWS, COLS));
    TRY(GxB_Matrix_concat(joined, tiles, 2, 1, NULL));
    show_and_free(&joined, "format joined");
    show_and_free(&C, "format of what was joined");
    require(GxB_Matrix_concat(small, NULL, 1, 1, NULL) == GrB_NULL_POINTER, "tiles that are missing");
    require(GxB_Matrix_concat(small, &none, 1, 1, NULL) == GrB_NULL_POINTER, "a tile that is missing");
    require(GxB_Matrix_concat(small, &none, 0, 1, NULL) == GrB_INVALID_VALUE, "no tiles");
    require(GxB_Matrix_concat(small, &none, (GrB_Index)1 << 61, 8, NULL) != GrB_SUCCESS, "too many tiles");
    TRY(GrB_Matrix_free(&small));
}

static void fail(GrB_Matrix C)
{
    GrB_Matrix small;
    TRY(GrB_Matrix_new(&small, GrB_FP64, 1, 1));
    require(GrB_Matrix_apply(C, NULL, NULL, GrB_AINV_FP64, small, NULL) == GrB_DIMENSION_MISMATCH, "apply");
    TRY(GrB_Matrix_free(&small));
}

static void show_error(GrB_Matrix C)
{
    const char *text;
    TRY(GrB_Matrix_error(&text, C));
    show_bytes(text, strlen(text) + 1);
}

/* A call that succeeds leaves no text of one that failed before, also where its result is in place. */
static void explain(void)
{
    GrB_Matrix C = away_matrix(true);
    fail(C);
    TRY(GrB_Matrix_apply(C, NULL, NULL, GrB_AINV_FP64, C, NULL));
    show_error(C);
    fail(C);
    TRY(GrB_Matrix_setElement_FP64(C, 3, 1, 1));
    show_error(C);
    fail(C);
    TRY(GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    require(away_is_any(), "nothing has come home for that");
    show_error(C);
    TRY(GrB_Matrix_free(&C));
    show("text of no error");
}

static void set_beyond(GrB_Matrix C)
{
    require(GrB_Matrix_setElement_FP64(C, 3, ROWS, 0) == GrB_INVALID_INDEX, "no such row");
}

static void set_beyond_vector(GrB_Vector v)
{
    require(GrB_Vector_setElement_FP64(v, 3, ROWS) == GrB_INVALID_INDEX, "no such place");
}

/* What looks at the format afterwards leaves the text; also where there was such a place before the control.
 */
static void explain_place(void)
{
    GrB_Matrix A = sparse_matrix(), C = away_matrix(false);
    GrB_Vector u = sparse_vector(), v = away_vector(false);
    set_beyond(A);
    set_beyond_vector(u);
    set_beyond(C);
    TRY(GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    set_beyond(C);
    set_beyond_vector(v);
    TRY(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    set_beyond_vector(v);
    const GrB_Matrix all[] = {A, (GrB_Matrix)u, C, (GrB_Matrix)v};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        show_format(all[i]);
        show_error(all[i]);
    }
    TRY(GrB_Matrix_free(&A));
    TRY(GrB_Vector_free(&u));
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Vector_free(&v));
    show("text of a place that is not there");
}

void away_controls(void)
{
    for (int by_int32 = 0; by_int32 < 2; by_int32++) {
        ask(GxB_SPARSITY_CONTROL, by_int32);
        ask(GxB_SPARSITY_STATUS, by_int32);
    }
    ask_by_its_old_name();
    print();
    serialize();
    change();
    free_and_reuse();
    export_and_reuse();
    iterate();
    iterate_entries();
    pack();
    pack_in_vain();
    ask_what_it_is_like();
    pass_on();
    apply_user_values();
    apply_by_its_old_name();
    join();
    explain();
    explain_place();
}
