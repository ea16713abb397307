/* make_object.c: see make_object.h. Dense objects are packed, sparse ones built. */
#include "make_object.h"
#include "operators.h"
#include "require.h"
#include <stdlib.h>

static void require(GrB_Info info)
{
    TORC_REQUIRE(info == GrB_SUCCESS);
}

static void set_option(const side *g, bool is_vector, object_handle handle, GxB_Option_Field field, int value)
{
    require(is_vector ? g->GxB_Vector_Option_set(handle.vector, field, value)
                      : g->GxB_Matrix_Option_set(handle.matrix, field, value));
}

/* 0, 1, 2 or 4 over 1, 2 or 4: divided by one another they stay powers of two. */
static double draw_grain(uint64_t *stream)
{
    static const double values[] = {0, 1, 1, 2, 2, 4, 0.5, 0.25};
    return values[random_below(stream, sizeof values / sizeof *values)];
}

static void draw_grained(void *value, value_type type, uint64_t *stream)
{
    double parts[2] = {draw_grain(stream)};
    if (torc_value_is_complex(type)) {
        parts[1] = draw_grain(stream);
    }
    torc_value_set(value, type, parts);
}

static void draw_value(void *value, const object_recipe *recipe, uint64_t *stream)
{
    if (recipe->is_grained && (torc_value_is_real(recipe->type) || torc_value_is_complex(recipe->type))) {
        draw_grained(value, recipe->type, stream);
    } else {
        torc_value_draw(value, recipe->type, recipe->style, stream);
    }
}

static char *draw_values(const object_recipe *recipe, GrB_Index count, uint64_t *stream)
{
    size_t size = torc_value_size(recipe->type);
    char *values = malloc((count + 1) * size);
    TORC_REQUIRE(values);
    for (GrB_Index p = 0; p < count; p++) {
        draw_value(values + p * size, recipe, stream);
    }
    return values;
}

static void pack_full(
    const side *g, bool is_vector, object_handle handle, const object_recipe *recipe, uint64_t *stream)
{
    GrB_Index count = recipe->iso ? 1 : recipe->nrows * recipe->ncols;
    void *values = draw_values(recipe, count, stream);
    GrB_Index size = count * torc_value_size(recipe->type);
    require(is_vector ? g->GxB_Vector_pack_Full(handle.vector, &values, size, recipe->iso, NULL)
                      : (recipe->by_col ? g->GxB_Matrix_pack_FullC : g->GxB_Matrix_pack_FullR)(
                            handle.matrix, &values, size, recipe->iso, NULL));
}

static void pack_bitmap(
    const side *g, bool is_vector, object_handle handle, const object_recipe *recipe, uint64_t *stream)
{
    GrB_Index cells = recipe->nrows * recipe->ncols, count = recipe->iso ? 1 : cells, nvals = 0;
    void *values = draw_values(recipe, count, stream);
    int8_t *present = malloc(cells + 1);
    TORC_REQUIRE(present);
    for (GrB_Index p = 0; p < cells; p++) {
        present[p] = random_below(stream, 8) < (int64_t)recipe->degree;
        nvals += (GrB_Index)present[p];
    }
    GrB_Index size = count * torc_value_size(recipe->type);
    require(is_vector ? g->GxB_Vector_pack_Bitmap(
                            handle.vector, &present, &values, cells, size, recipe->iso, nvals, NULL)
                      : (recipe->by_col ? g->GxB_Matrix_pack_BitmapC : g->GxB_Matrix_pack_BitmapR)(
                            handle.matrix, &present, &values, cells, size, recipe->iso, nvals, NULL));
}

typedef struct tuples {
    GrB_Index count, *rows, *cols;
    char *values;
} tuples;

/* Hypersparse: most rows are empty. */
static tuples draw_tuples(const object_recipe *recipe, uint64_t *stream)
{
    tuples t = {0};
    GrB_Index room = recipe->nrows * (recipe->degree + 1) + 1;
    t.rows = malloc(room * sizeof *t.rows);
    t.cols = malloc(room * sizeof *t.cols);
    TORC_REQUIRE(t.rows && t.cols);
    for (GrB_Index i = 0; i < recipe->nrows; i++) {
        bool is_empty = recipe->format == GxB_HYPERSPARSE && random_below(stream, 32) > 0;
        int64_t count = is_empty ? 0 : random_below(stream, (int64_t)recipe->degree + 1);
        for (int64_t p = 0; p < count; p++) {
            t.rows[t.count] = i;
            t.cols[t.count++] = (GrB_Index)random_below(stream, (int64_t)recipe->ncols);
        }
    }
    t.values = draw_values(recipe, t.count, stream);
    return t;
}

static void build(
    const side *g, bool is_vector, object_handle handle, const object_recipe *recipe, uint64_t *stream)
{
    tuples t = draw_tuples(recipe, stream);
    GrB_BinaryOp second = torc_binary_handle((program_operator){"SECOND", recipe->type});
    GrB_Info info = GrB_PANIC;
    size_t size = torc_value_size(recipe->type);
    for (GrB_Index p = size; p < t.count * size && recipe->iso; p++) {
        t.values[p] = t.values[p % size];
    }
    switch (recipe->type) {
#define X(name, h, ctype)                                                                                    \
    case VALUE_##name:                                                                                       \
        info = is_vector ? g->GrB_Vector_build_##name(                                                       \
                               handle.vector, t.rows, (ctype *)(void *)t.values, t.count, second)            \
                         : g->GrB_Matrix_build_##name(                                                       \
                               handle.matrix, t.rows, t.cols, (ctype *)(void *)t.values, t.count, second);   \
        break;
        ANY_TYPE_MAP(X)
#undef X
    default:
        break;
    }
    require(info);
    free(t.rows);
    free(t.cols);
    free(t.values);
}

static void set_elements(
    const side *g, bool is_vector, object_handle handle, const object_recipe *recipe, uint64_t *stream)
{
    for (int p = 0; p < recipe->npending; p++) {
        GrB_Index i = (GrB_Index)random_below(stream, (int64_t)recipe->nrows);
        GrB_Index j = (GrB_Index)random_below(stream, (int64_t)recipe->ncols);
        int8_t value = (int8_t)random_below(stream, 4);
        require(is_vector ? g->GrB_Vector_setElement_INT8(handle.vector, value, i)
                          : g->GrB_Matrix_setElement_INT8(handle.matrix, value, i, j));
    }
}

/* Of arrays that GraphBLAS's allocator gave. */
static object_handle copy(const side *g, bool is_vector, object_handle handle)
{
    object_handle made;
    require(is_vector ? g->GrB_Vector_dup(&made.vector, handle.vector)
                      : g->GrB_Matrix_dup(&made.matrix, handle.matrix));
    require(is_vector ? g->GrB_Vector_free(&handle.vector) : g->GrB_Matrix_free(&handle.matrix));
    return made;
}

object_handle torc_object_make(const side *g, bool is_vector, const object_recipe *recipe)
{
    object_handle made;
    uint64_t stream = recipe->seed;
    GrB_Type type = torc_value_handle(recipe->type);
    require(is_vector ? g->GrB_Vector_new(&made.vector, type, recipe->nrows)
                      : g->GrB_Matrix_new(&made.matrix, type, recipe->nrows, recipe->ncols));
    if (!is_vector) {
        set_option(g, false, made, GxB_FORMAT, recipe->by_col ? GxB_BY_COL : GxB_BY_ROW);
    }
    if (recipe->format == GxB_FULL) {
        pack_full(g, is_vector, made, recipe, &stream);
    } else if (recipe->format == GxB_BITMAP) {
        pack_bitmap(g, is_vector, made, recipe, &stream);
    } else {
        build(g, is_vector, made, recipe, &stream);
    }
    if (recipe->is_copied && recipe->format >= GxB_BITMAP) {
        made = copy(g, is_vector, made);
    }
    if (recipe->control) {
        set_option(g, is_vector, made, GxB_SPARSITY_CONTROL, recipe->control);
    }
    set_elements(g, is_vector, made, recipe, &stream);
    return made;
}
