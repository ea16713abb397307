/* contents.c: see contents.h. The model is always read as tuples; so any way out of the subject is compared
 * with the same one. */
#include "contents.h"
#include "iterate.h"
#include "require.h"
#include <stdlib.h>
#include <string.h>

static _Thread_local char difference[256];

static void require(GrB_Info info)
{
    TORC_REQUIRE(info == GrB_SUCCESS);
}

contents torc_contents_new(value_type type, GrB_Index nvals)
{
    contents c = {.type = type, .nvals = nvals};
    c.rows = calloc(c.nvals + 1, sizeof *c.rows);
    c.cols = calloc(c.nvals + 1, sizeof *c.cols);
    c.values = calloc(c.nvals + 1, torc_value_size(c.type));
    TORC_REQUIRE(c.rows && c.cols && c.values);
    return c;
}

static void read_tuples(contents *c, const side *g, const program_object *object)
{
    GrB_Index count = c->nvals;
    GrB_Info info = GrB_PANIC;
    switch (object->type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        info = object->is_vector                                                                             \
                   ? g->GrB_Vector_extractTuples_##name(                                                     \
                         c->rows, (ctype *)(void *)c->values, &count, object->handles[g->index].vector)      \
                   : g->GrB_Matrix_extractTuples_##name(c->rows, c->cols, (ctype *)(void *)c->values,        \
                         &count, object->handles[g->index].matrix);                                          \
        break;
        ANY_TYPE_MAP(X)
#undef X
    default:
        break;
    }
    require(info);
    TORC_REQUIRE(count == c->nvals);
}

static void read_export(contents *c, const side *g, GrB_Matrix A)
{
    GrB_Index nrows = c->nvals, ncols = c->nvals, nvalues = c->nvals;
    GrB_Info info = GrB_PANIC;
    switch (c->type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        info = g->GrB_Matrix_export_##name(                                                                  \
            c->rows, c->cols, (ctype *)(void *)c->values, &nrows, &ncols, &nvalues, GrB_COO_FORMAT, A);      \
        break;
        ANY_TYPE_MAP(X)
#undef X
    default:
        break;
    }
    require(info);
    TORC_REQUIRE(nvalues == c->nvals);
}

/* Entries of arrays by row, or of a vector's only column. */
static void take_arrays(contents *c, const GrB_Index *ptr, const GrB_Index *idx, const void *values)
{
    if (ptr) {
        for (GrB_Index i = 0; i < c->nrows; i++) {
            for (GrB_Index p = ptr[i]; p < ptr[i + 1]; p++) {
                c->rows[p] = i;
            }
        }
    }
    memcpy(ptr ? c->cols : c->rows, idx, c->nvals * sizeof *idx);
    memcpy(c->values, values, c->nvals * torc_value_size(c->type));
}

static void read_copy(contents *c, const side *g, const program_object *object)
{
    GrB_Index *ptr = NULL, *idx, ptr_size, idx_size, value_size, nvals;
    void *values;
    object_handle copy;
    if (object->is_vector) {
        require(g->GrB_Vector_dup(&copy.vector, object->handles[g->index].vector));
        require(g->GxB_Vector_unpack_CSC(
            copy.vector, &idx, &values, &idx_size, &value_size, NULL, &nvals, NULL, NULL));
        require(g->GrB_Vector_free(&copy.vector));
    } else {
        require(g->GrB_Matrix_dup(&copy.matrix, object->handles[g->index].matrix));
        require(g->GxB_Matrix_unpack_CSR(
            copy.matrix, &ptr, &idx, &values, &ptr_size, &idx_size, &value_size, NULL, NULL, NULL));
        require(g->GrB_Matrix_free(&copy.matrix));
    }
    take_arrays(c, ptr, idx, values);
    free(ptr);
    free(idx);
    free(values);
}

contents torc_contents_read(const program_object *object, int s, read_way way)
{
    const side *g = &torc_sides()[s];
    contents c = torc_contents_new(object->type, torc_object_nvals(object, s));
    c.nrows = torc_object_nrows(object);
    c.ncols = torc_object_ncols(object);
    if (way == READ_ITERATOR && s == SUBJECT) {
        torc_iterate(&c, object, NULL);
    } else if (way == READ_COPY_UNPACKED && c.nvals > 0) { /* 7.4.0 reads a value of an empty matrix */
        read_copy(&c, g, object);
    } else if (way == READ_EXPORT && !object->is_vector) {
        read_export(&c, g, object->handles[s].matrix);
    } else {
        read_tuples(&c, g, object);
    }
    return c;
}

void torc_contents_free(contents *c)
{
    free(c->rows);
    free(c->cols);
    free(c->values);
}

static int compare_places(const void *x, const void *y, void *data)
{
    const GrB_Index *p = x, *q = y;
    const contents *c = data;
    int rows = (c->rows[*p] > c->rows[*q]) - (c->rows[*p] < c->rows[*q]);
    return rows ? rows : (c->cols[*p] > c->cols[*q]) - (c->cols[*p] < c->cols[*q]);
}

/* By row, then by column. */
static GrB_Index *sorted(const contents *c)
{
    GrB_Index *order = calloc(c->nvals + 1, sizeof *order);
    TORC_REQUIRE(order);
    for (GrB_Index p = 0; p < c->nvals; p++) {
        order[p] = p;
    }
    qsort_r(order, c->nvals, sizeof *order, compare_places, (void *)c);
    return order;
}

static bool has_same_order(const contents *x, const contents *y)
{
    size_t size = x->nvals * sizeof *x->rows;
    return memcmp(x->rows, y->rows, size) == 0 && memcmp(x->cols, y->cols, size) == 0;
}

static const char *compare_entry(
    const contents *expected, GrB_Index p, const contents *actual, GrB_Index q, bool has_unsure_values)
{
    if (expected->rows[p] != actual->rows[q] || expected->cols[p] != actual->cols[q]) {
        snprintf(difference, sizeof difference, "an entry at (%llu,%llu) instead of (%llu,%llu)",
            (unsigned long long)actual->rows[q], (unsigned long long)actual->cols[q],
            (unsigned long long)expected->rows[p], (unsigned long long)expected->cols[p]);
        return difference;
    }
    const void *x = torc_contents_value(expected, p), *y = torc_contents_value(actual, q);
    if (!has_unsure_values && !torc_value_equal(expected->type, x, y)) {
        snprintf(difference, sizeof difference, "(%llu,%llu) is %.17g instead of %.17g",
            (unsigned long long)expected->rows[p], (unsigned long long)expected->cols[p],
            torc_value_as_double(expected->type, y), torc_value_as_double(expected->type, x));
        return difference;
    }
    return NULL;
}

const char *torc_contents_compare(const contents *expected, contents *actual, bool has_unsure_values)
{
    if (expected->nvals != actual->nvals) {
        snprintf(difference, sizeof difference, "%llu entries instead of %llu",
            (unsigned long long)actual->nvals, (unsigned long long)expected->nvals);
        return difference;
    }
    bool is_sorted = has_same_order(expected, actual);
    GrB_Index *p = is_sorted ? NULL : sorted(expected), *q = is_sorted ? NULL : sorted(actual);
    const char *found = NULL;
    for (GrB_Index e = 0; e < expected->nvals && !found; e++) {
        found = compare_entry(expected, p ? p[e] : e, actual, q ? q[e] : e, has_unsure_values);
    }
    free(p);
    free(q);
    return found;
}

static const char *compare_types(const program_object *object)
{
    const side *g = &torc_sides()[SUBJECT];
    GrB_Type type;
    GrB_Index nrows, ncols = 1;
    if (object->is_vector) {
        require(g->GxB_Vector_type(&type, object->handles[SUBJECT].vector));
        require(g->GrB_Vector_size(&nrows, object->handles[SUBJECT].vector));
    } else {
        require(g->GxB_Matrix_type(&type, object->handles[SUBJECT].matrix));
        require(g->GrB_Matrix_nrows(&nrows, object->handles[SUBJECT].matrix));
        require(g->GrB_Matrix_ncols(&ncols, object->handles[SUBJECT].matrix));
    }
    return type != torc_value_handle(object->type)                                    ? "another type"
           : nrows != torc_object_nrows(object) || ncols != torc_object_ncols(object) ? "another shape"
                                                                                      : NULL;
}

static double get_switch(const program_object *object, int s, GxB_Option_Field field)
{
    const side *g = &torc_sides()[s];
    double value = 0;
    require(object->is_vector ? g->GxB_Vector_Option_get(object->handles[s].vector, field, &value)
                              : g->GxB_Matrix_Option_get(object->handles[s].matrix, field, &value));
    return value;
}

static bool differs(const program_object *object, GxB_Option_Field field)
{
    return torc_object_option(object, MODEL, field) != torc_object_option(object, SUBJECT, field);
}

/* -1: this GraphBLAS, or this kind of object, has no such option. The hash is left out: assign of 9.4.5 may
 * take over that of A. */
static int later_option(const program_object *object, int s, int field)
{
    const side *g = &torc_sides()[s];
    int32_t value = -1;
    GrB_Info info = !torc_sides()[MODEL].GrB_Matrix_get_INT32 ? GrB_NO_VALUE
                    : object->is_vector ? g->GrB_Vector_get_INT32(object->handles[s].vector, &value, field)
                                        : g->GrB_Matrix_get_INT32(object->handles[s].matrix, &value, field);
    return info == GrB_SUCCESS ? value : -1;
}

static bool differs_in_hints(const program_object *object)
{
    static const int fields[] = {LATER_ROWINDEX_HINT, LATER_COLINDEX_HINT, LATER_OFFSET_HINT};
    bool differs = false;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        differs |= later_option(object, MODEL, fields[i]) != later_option(object, SUBJECT, fields[i]);
    }
    return differs;
}

/* 7.4.0 forgets a control that forbids the format in which it has just made a sum or product of dense
 * objects, or one in which it replaces what a mask excludes. Either side may: where the other one's operands
 * have one value only, the format is another. */
static bool may_be_forgotten(const program_object *object)
{
    int dense = GxB_BITMAP + GxB_FULL, both = torc_object_option(object, MODEL, GxB_SPARSITY_CONTROL) &
                                              torc_object_option(object, SUBJECT, GxB_SPARSITY_CONTROL);
    return object->has_forgetful_control && (both & dense) != dense;
}

const char *torc_settings_compare(const program_object *object, int *formats)
{
    const char *found = compare_types(object);
    torc_object_wait(object, MODEL);
    torc_object_wait(object, SUBJECT);
    if (!found && differs(object, GxB_FORMAT)) {
        found = "another orientation";
    }
    if (!found && !object->has_unsure_control && differs(object, GxB_SPARSITY_CONTROL) &&
        !may_be_forgotten(object)) {
        found = "another sparsity control";
    }
    if (!found && !object->has_unsure_switches &&
        get_switch(object, MODEL, GxB_BITMAP_SWITCH) != get_switch(object, SUBJECT, GxB_BITMAP_SWITCH)) {
        found = "another bitmap switch";
    }
    if (!found && !object->is_vector && !object->has_unsure_switches &&
        get_switch(object, MODEL, GxB_HYPER_SWITCH) != get_switch(object, SUBJECT, GxB_HYPER_SWITCH)) {
        found = "another hyper switch";
    }
    if (!found && !object->has_unsure_switches && differs_in_hints(object)) {
        found = "another integer hint";
    }
    *formats += differs(object, GxB_SPARSITY_STATUS) ||
                torc_object_is_iso(object, MODEL) != torc_object_is_iso(object, SUBJECT);
    return found;
}
