/* What is packed is what the matrix then holds, and its settings are those it had. */
#include "pack.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const torc_binding *graphblas;

static void start(void)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    graphblas = torc_binding_get();
    cr_assert_not_null(graphblas);
}

static void finish(void)
{
    GrB_finalize();
}

TestSuite(pack, .init = start, .fini = finish);

typedef struct expected {
    int64_t nvec, veclen, nvals; /* of the whole matrix, not of the nonempty vectors */
    bool *present;               /* nvec·veclen; the value at position p is p + 1 */
} expected;

static expected draw(int64_t nvec, int64_t veclen, int percent)
{
    expected entries = {nvec, veclen, 0, calloc((size_t)(nvec * veclen) + 1, 1)};
    for (int64_t p = 0; p < nvec * veclen; p++) {
        entries.present[p] = rand() % 100 < percent;
        entries.nvals += entries.present[p];
    }
    return entries;
}

static torc_arrays dense_arrays(const expected *entries, torc_format format, bool by_col)
{
    size_t size = (size_t)(entries->nvec * entries->veclen);
    torc_arrays arrays = {.format = format, .by_col = by_col, .nvals = entries->nvals};
    arrays.nvalues = size;
    arrays.type_size = sizeof(int64_t);
    arrays.values = torc_host_allocate(graphblas, size * sizeof(int64_t));
    for (size_t p = 0; p < size; p++) {
        ((int64_t *)arrays.values)[p] = (int64_t)p + 1;
    }
    if (format == TORC_BITMAP) {
        arrays.bitmap = torc_host_allocate(graphblas, size);
        for (size_t p = 0; p < size; p++) {
            arrays.bitmap[p] = entries->present[p];
        }
    }
    return arrays;
}

static torc_arrays hyper_arrays(const expected *entries, bool by_col)
{
    size_t nvals = (size_t)entries->nvals;
    torc_arrays arrays = {.format = TORC_HYPERSPARSE, .by_col = by_col, .nvals = entries->nvals};
    arrays.nvalues = nvals;
    arrays.type_size = sizeof(int64_t);
    arrays.ptr = torc_host_allocate(graphblas, ((size_t)entries->nvec + 1) * sizeof(uint64_t));
    memset(arrays.ptr, 0xff, ((size_t)entries->nvec + 1) * sizeof(uint64_t));
    arrays.hyper = torc_host_allocate(graphblas, (size_t)entries->nvec * sizeof(uint64_t));
    arrays.idx = torc_host_allocate(graphblas, nvals * sizeof(uint64_t));
    arrays.values = torc_host_allocate(graphblas, nvals * sizeof(int64_t));
    uint64_t count = 0;
    arrays.ptr[0] = 0;
    for (int64_t p = 0; p < entries->nvec * entries->veclen; p++) {
        if (entries->present[p]) {
            arrays.idx[count] = (uint64_t)(p % entries->veclen);
            ((int64_t *)arrays.values)[count++] = p + 1;
        }
        if ((p + 1) % entries->veclen == 0 && count > arrays.ptr[arrays.nvec]) {
            arrays.hyper[arrays.nvec++] = (uint64_t)(p / entries->veclen);
            arrays.ptr[arrays.nvec] = count;
        }
    }
    return arrays;
}

static torc_arrays make_arrays(const expected *entries, torc_format format, bool by_col)
{
    return format == TORC_HYPERSPARSE ? hyper_arrays(entries, by_col) : dense_arrays(entries, format, by_col);
}

static void expect_entries(GrB_Matrix C, const expected *entries, bool by_col, const char *what)
{
    size_t size = (size_t)(entries->nvec * entries->veclen) + 1;
    GrB_Index *rows = malloc(size * sizeof *rows), *cols = malloc(size * sizeof *cols), count = size;
    int64_t *values = malloc(size * sizeof *values);
    cr_assert_eq(GrB_Matrix_extractTuples_INT64(rows, cols, values, &count, C), GrB_SUCCESS, "%s", what);
    cr_expect_eq(count, (GrB_Index)entries->nvals, "%s: nvals", what);
    for (GrB_Index k = 0; k < count; k++) {
        int64_t vector = (int64_t)(by_col ? cols[k] : rows[k]), i = (int64_t)(by_col ? rows[k] : cols[k]);
        int64_t p = vector * entries->veclen + i;
        cr_expect(entries->present[p] && values[k] == p + 1, "%s: entry (%lu, %lu)", what, rows[k], cols[k]);
    }
    cr_expect_eq(GxB_Matrix_fprint(C, "C", GxB_SILENT, NULL), GrB_SUCCESS, "%s: C is invalid", what);
    free(rows);
    free(cols);
    free(values);
}

typedef struct options {
    int control;
    GxB_Format_Value format;
    double hyper_switch, bitmap_switch;
} options;

static void set_options(GrB_Matrix C, const options *wanted)
{
    GxB_Matrix_Option_set(C, GxB_FORMAT, wanted->format);
    GxB_Matrix_Option_set(C, GxB_HYPER_SWITCH, wanted->hyper_switch);
    GxB_Matrix_Option_set(C, GxB_BITMAP_SWITCH, wanted->bitmap_switch);
    GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, wanted->control);
}

static options get_options(GrB_Matrix C)
{
    options now;
    GxB_Matrix_Option_get(C, GxB_FORMAT, &now.format);
    GxB_Matrix_Option_get(C, GxB_HYPER_SWITCH, &now.hyper_switch);
    GxB_Matrix_Option_get(C, GxB_BITMAP_SWITCH, &now.bitmap_switch);
    GxB_Matrix_Option_get(C, GxB_SPARSITY_CONTROL, &now.control);
    return now;
}

static void round_trip(
    GrB_Index nrows, GrB_Index ncols, const options *wanted, torc_format format, int percent)
{
    char what[160];
    snprintf(what, sizeof what, "seed 12, %lu x %lu, control %d, format %d, by %s, switches %g %g, %d %%",
        nrows, ncols, wanted->control, (int)format, wanted->format == GxB_BY_COL ? "column" : "row",
        wanted->hyper_switch, wanted->bitmap_switch, percent);
    GrB_Matrix C;
    cr_assert_eq(GrB_Matrix_new(&C, GrB_INT64, nrows, ncols), GrB_SUCCESS);
    set_options(C, wanted);
    options before = get_options(C);
    if (nrows > 3 && ncols > 3) { /* old content, some of it pending, is replaced */
        GrB_Matrix_setElement_INT64(C, -1, 3, 2);
        GrB_Matrix_setElement_INT64(C, -1, 1, 3);
    }
    bool by_col = wanted->format == GxB_BY_COL;
    expected entries = draw((int64_t)(by_col ? ncols : nrows), (int64_t)(by_col ? nrows : ncols), percent);
    torc_arrays arrays = make_arrays(&entries, format, by_col);
    const void *values = arrays.values;
    GrB_Info info = torc_pack(C, graphblas, &arrays);
    cr_assert_eq(info, GrB_SUCCESS, "%s: %d", what, (int)info);
    cr_expect(!arrays.ptr && !arrays.hyper && !arrays.idx && !arrays.bitmap && !arrays.values, "%s", what);

    options after = get_options(C);
    cr_expect_eq(after.control, before.control, "%s", what);
    cr_expect_eq(after.format, before.format, "%s", what);
    cr_expect_eq(after.hyper_switch, before.hyper_switch, "%s", what);
    cr_expect_eq(after.bitmap_switch, before.bitmap_switch, "%s", what);
    int status, conforming;
    GxB_Matrix_Option_get(C, GxB_SPARSITY_STATUS, &status);
    torc_view view;
    cr_assert_eq(torc_view_open(&view, graphblas, C), GrB_SUCCESS, "%s", what);
    cr_expect(status != (int)format || entries.nvals == 0 || view.values == values,
        "%s: arrays in the right format were converted", what);
    GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, wanted->control);
    GxB_Matrix_Option_get(C, GxB_SPARSITY_STATUS, &conforming);
    /* a matrix without places is bitmap and sparse by turns */
    cr_expect(
        nrows * ncols == 0 || status == conforming, "%s: status %d and not %d", what, status, conforming);
    expect_entries(C, &entries, by_col, what);
    free(entries.present);
    GrB_Matrix_free(&C);
}

Test(pack, keeps_content_and_settings_under_every_control)
{
    static const torc_format formats[] = {TORC_HYPERSPARSE, TORC_BITMAP, TORC_FULL};
    static const int percents[] = {0, 1, 15, 60, 100};
    static const GrB_Index shapes[][2] = {{23, 17}, {1, 9}, {9, 1}, {0, 7}, {7, 0}, {0, 0}};
    srand(12);
    for (int control = 1; control <= 15; control++) {
        for (int choice = 0; choice < 3 * 5 * 6 * 2 * 2; choice++) {
            torc_format format = formats[choice % 3];
            int percent = percents[choice / 3 % 5];
            const GrB_Index *shape = shapes[choice / 15 % 6];
            bool by_col = choice / 90 % 2, own_switches = choice / 180;
            options wanted = {.control = control,
                .format = by_col ? GxB_BY_COL : GxB_BY_ROW,
                .hyper_switch = own_switches ? 0.5 : 0.0625,
                .bitmap_switch = own_switches ? 0.75 : 0.125};
            if (format != TORC_FULL || percent == 100) {
                round_trip(shape[0], shape[1], &wanted, format, percent);
            }
        }
    }
}

Test(pack, new_matrix_keeps_the_format_of_the_arrays)
{
    static const torc_format formats[] = {TORC_HYPERSPARSE, TORC_BITMAP, TORC_FULL};
    for (int choice = 0; choice < 6; choice++) {
        torc_format format = formats[choice % 3];
        bool by_col = choice / 3;
        expected entries = draw(6, 4, 100);
        torc_arrays arrays = make_arrays(&entries, format, by_col);
        GrB_Matrix T;
        cr_assert_eq(
            torc_pack_new(&T, graphblas, GrB_INT64, by_col ? 4 : 6, by_col ? 6 : 4, &arrays), GrB_SUCCESS);
        int status;
        GxB_Matrix_Option_get(T, GxB_SPARSITY_STATUS, &status);
        cr_expect_eq(status, (int)format);
        expect_entries(T, &entries, by_col, "new matrix");
        free(entries.present);
        GrB_Matrix_free(&T);
    }
    torc_arrays too_short = {.format = TORC_FULL, .nvalues = 8, .type_size = 1};
    too_short.values = torc_host_allocate(graphblas, 8);
    GrB_Matrix T;
    cr_expect_eq(torc_pack_new(&T, graphblas, GrB_INT8, 6, 4, &too_short), GrB_INVALID_VALUE);
    cr_expect_null(T);
    torc_arrays_release(graphblas, &too_short);
}

Test(pack, refused_leaves_matrix_and_arrays_alone)
{
    GrB_Matrix C;
    GrB_Matrix_new(&C, GrB_INT64, 10, 10);
    GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_SPARSE);
    GrB_Matrix_setElement_INT64(C, 5, 1, 2);
    torc_arrays arrays = {.format = TORC_FULL, .nvalues = 8, .type_size = sizeof(int64_t)};
    arrays.values = torc_host_allocate(graphblas, 8 * sizeof(int64_t));
    cr_expect_eq(torc_pack(C, graphblas, &arrays), GrB_INVALID_VALUE);
    cr_expect_not_null(arrays.values);
    int64_t value = 0;
    cr_expect_eq(GrB_Matrix_extractElement_INT64(&value, C, 1, 2), GrB_SUCCESS);
    cr_expect_eq(value, 5);
    cr_expect_eq(get_options(C).control, GxB_SPARSE);
    torc_arrays_release(graphblas, &arrays);
    cr_expect_null(arrays.values);
    GrB_Matrix_free(&C);
}
