/* run_transfer.c: whole objects through arrays of the program: exported and imported again, serialized, and
 * read as tuples of another type. */
#include "contents.h"
#include "objects.h"
#include "require.h"
#include "run.h"
#include <stdlib.h>

static void require(GrB_Info info)
{
    TORC_REQUIRE(info == GrB_SUCCESS);
}

/* Copies of arrays, as GraphBLAS hands them out for a format. */
static GrB_Info import_copies(
    const side *g, GrB_Matrix *made, value_type type, GrB_Matrix A, GrB_Format format)
{
    GrB_Index nptr, nidx, nvalues, nrows, ncols;
    require(g->GrB_Matrix_nrows(&nrows, A));
    require(g->GrB_Matrix_ncols(&ncols, A));
    require(g->GrB_Matrix_exportSize(&nptr, &nidx, &nvalues, format, A));
    GrB_Index *ptr = calloc(nptr + 1, sizeof *ptr), *idx = calloc(nidx + 1, sizeof *idx);
    char *values = calloc(nvalues + 1, torc_value_size(type));
    TORC_REQUIRE(ptr && idx && values);
    GrB_Info info = GrB_PANIC;
    switch (type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        require(g->GrB_Matrix_export_##name(                                                                 \
            ptr, idx, (ctype *)(void *)values, &nptr, &nidx, &nvalues, format, A));                          \
        info = g->GrB_Matrix_import_##name(                                                                  \
            made, handle, nrows, ncols, ptr, idx, (ctype *)(void *)values, nptr, nidx, nvalues, format);     \
        break;
        ANY_TYPE_MAP(X)
#undef X
    default:
        break;
    }
    free(ptr);
    free(idx);
    free(values);
    return info;
}

/* The arrays themselves, which make another matrix: A is gone. */
static void import_arrays(const side *g, GrB_Matrix *made, GrB_Matrix *A)
{
    GrB_Type type;
    GrB_Index nrows, ncols, *ptr, *hyper, *idx, ptr_size, hyper_size, idx_size, value_size, nvec;
    void *values;
    bool iso, jumbled;
    require(g->GxB_Matrix_export_HyperCSR(A, &type, &nrows, &ncols, &ptr, &hyper, &idx, &values, &ptr_size,
        &hyper_size, &idx_size, &value_size, &iso, &nvec, &jumbled, NULL));
    require(g->GxB_Matrix_import_HyperCSR(made, type, nrows, ncols, &ptr, &hyper, &idx, &values, ptr_size,
        hyper_size, idx_size, value_size, iso, nvec, jumbled, NULL));
}

static void import_vector_arrays(const side *g, GrB_Vector *made, GrB_Vector *v)
{
    GrB_Type type;
    GrB_Index length, *idx, idx_size, value_size, nvals;
    void *values;
    bool iso, jumbled;
    require(g->GxB_Vector_export_CSC(
        v, &type, &length, &idx, &values, &idx_size, &value_size, &iso, &nvals, &jumbled, NULL));
    require(g->GxB_Vector_import_CSC(
        made, type, length, &idx, &values, idx_size, value_size, iso, nvals, jumbled, NULL));
}

static GrB_Info import_blob(const side *g, GrB_Matrix *made, value_type type, GrB_Matrix A)
{
    GrB_Index size;
    require(g->GrB_Matrix_serializeSize(&size, A));
    void *blob = malloc(size + 1);
    TORC_REQUIRE(blob);
    require(g->GrB_Matrix_serialize(blob, &size, A));
    GrB_Info info = g->GrB_Matrix_deserialize(made, torc_value_handle(type), blob, size);
    free(blob);
    return info;
}

/* Variants of a matrix: copies of its arrays by row, by column, or as tuples, and a blob, which make C of A;
 * else A's own arrays make C in its place. */
GrB_Info torc_run_import(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    static const GrB_Format formats[] = {GrB_CSR_FORMAT, GrB_CSC_FORMAT, GrB_COO_FORMAT};
    value_type type = state->objects[s->a].type;
    object_handle made = {NULL}, *a = &state->objects[s->a].handles[g->index];
    GrB_Info info = GrB_SUCCESS;
    if (is_vector_slot(s->a)) {
        import_vector_arrays(g, &made.vector, &a->vector);
    } else if (s->variant < 3) {
        info = import_copies(g, &made.matrix, type, a->matrix, formats[s->variant]);
    } else if (s->variant == 3) {
        info = import_blob(g, &made.matrix, type, a->matrix);
    } else {
        import_arrays(g, &made.matrix, &a->matrix);
    }
    if (info == GrB_SUCCESS) {
        torc_object_put(g, state, s->c, made, type);
    }
    return info;
}

static GrB_Info extract(const side *g, const program_object *object, contents *c)
{
    object_handle handle = object->handles[g->index];
    switch (c->type) {
#define X(name, h, ctype)                                                                                    \
    case VALUE_##name:                                                                                       \
        return object->is_vector ? g->GrB_Vector_extractTuples_##name(                                       \
                                       c->rows, (ctype *)(void *)c->values, &c->nvals, handle.vector)        \
                                 : g->GrB_Matrix_extractTuples_##name(c->rows, c->cols,                      \
                                       (ctype *)(void *)c->values, &c->nvals, handle.matrix);
        ANY_TYPE_MAP(X)
#undef X
    default:
        return GrB_PANIC;
    }
}

/* Tuples of the scalar's type; in variant 1 there is room for one too few. */
GrB_Info torc_run_tuples(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    static contents expected;
    const program_object *object = &state->objects[s->a];
    GrB_Index nvals = torc_object_nvals(object, g->index);
    contents all = torc_contents_new(s->scalar_type, nvals);
    all.nvals = s->variant == 1 && nvals > 0 ? nvals - 1 : nvals;
    GrB_Info info = extract(g, object, &all);
    if (g->index == MODEL) {
        torc_contents_free(&expected);
        expected = all;
    } else {
        answer->difference =
            info == GrB_SUCCESS ? torc_contents_compare(&expected, &all, object->has_unsure_values) : NULL;
        torc_contents_free(&all);
    }
    return info;
}
