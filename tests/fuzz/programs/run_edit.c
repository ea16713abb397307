/* run_edit.c: arrays taken out of an object, written in place by the program, and put back. */
#include "contents.h"
#include "operators.h"
#include "require.h"
#include "run.h"
#include <stdlib.h>

typedef struct arrays {
    GrB_Index *ptr, *idx;
    int8_t *present;
    void *values;
    GrB_Index ptr_size, idx_size, present_size, value_size, nvals;
} arrays;

static void require(GrB_Info info)
{
    TORC_REQUIRE(info == GrB_SUCCESS);
}

static void write_value(value_type type, void *value, uint64_t word)
{
    switch (type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        *(ctype *)value = (ctype)GxB_CMPLX((double)(word % 4), (double)(word / 4 % 4));                      \
        break;
        VALUE_TYPE_MAP(X)
#undef X
    default:
        *(value_path *)value = (value_path){(double)(word % 4), (int64_t)(word / 4 % 4)};
        break;
    }
}

/* About every fifth place has a new value, where there is an entry. */
static void edit_place(
    const program_object *object, void *values, GrB_Index p, GrB_Index i, GrB_Index j, uint64_t seed)
{
    uint64_t stream = seed + i * 1000003 + j;
    uint64_t word = random_word(&stream);
    if (word % 5 == 0) {
        write_value(object->type, (char *)values + p * torc_value_size(object->type), word >> 8);
    }
}

static void edit_dense(const program_object *object, const arrays *a, bool by_col, uint64_t seed)
{
    GrB_Index nrows = torc_object_nrows(object), ncols = torc_object_ncols(object);
    GrB_Index inner = by_col ? nrows : ncols;
    for (GrB_Index p = 0; p < nrows * ncols; p++) {
        if (!a->present || a->present[p]) {
            GrB_Index outer = p / inner, within = p % inner;
            edit_place(object, a->values, p, by_col ? within : outer, by_col ? outer : within, seed);
        }
    }
}

static void edit_sparse(const program_object *object, const arrays *a, bool by_col, uint64_t seed)
{
    GrB_Index nvectors = by_col ? torc_object_ncols(object) : torc_object_nrows(object);
    for (GrB_Index v = 0; v < nvectors; v++) {
        GrB_Index begin = a->ptr ? a->ptr[v] : 0, end = a->ptr ? a->ptr[v + 1] : a->nvals;
        for (GrB_Index p = begin; p < end; p++) {
            edit_place(object, a->values, p, by_col ? a->idx[p] : v, by_col ? v : a->idx[p], seed);
        }
    }
}

static void edit_vector(const side *g, const program_object *object, int status, uint64_t seed)
{
    arrays a = {0};
    GrB_Vector v = object->handles[g->index].vector;
    if (status == GxB_FULL) {
        require(g->GxB_Vector_unpack_Full(v, &a.values, &a.value_size, NULL, NULL));
        edit_dense(object, &a, true, seed);
        require(g->GxB_Vector_pack_Full(v, &a.values, a.value_size, false, NULL));
    } else if (status == GxB_BITMAP) {
        require(g->GxB_Vector_unpack_Bitmap(
            v, &a.present, &a.values, &a.present_size, &a.value_size, NULL, &a.nvals, NULL));
        edit_dense(object, &a, true, seed);
        require(g->GxB_Vector_pack_Bitmap(
            v, &a.present, &a.values, a.present_size, a.value_size, false, a.nvals, NULL));
    } else {
        require(g->GxB_Vector_unpack_CSC(
            v, &a.idx, &a.values, &a.idx_size, &a.value_size, NULL, &a.nvals, NULL, NULL));
        edit_sparse(object, &a, true, seed);
        require(g->GxB_Vector_pack_CSC(
            v, &a.idx, &a.values, a.idx_size, a.value_size, false, a.nvals, false, NULL));
    }
}

static void edit_matrix(const side *g, const program_object *object, int status, uint64_t seed)
{
    arrays a = {0};
    GrB_Matrix A = object->handles[g->index].matrix;
    bool by_col = torc_object_option(object, g->index, GxB_FORMAT) == GxB_BY_COL;
    if (status == GxB_FULL) {
        require((by_col ? g->GxB_Matrix_unpack_FullC : g->GxB_Matrix_unpack_FullR)(
            A, &a.values, &a.value_size, NULL, NULL));
        edit_dense(object, &a, by_col, seed);
        require((by_col ? g->GxB_Matrix_pack_FullC : g->GxB_Matrix_pack_FullR)(
            A, &a.values, a.value_size, false, NULL));
    } else if (status == GxB_BITMAP) {
        require((by_col ? g->GxB_Matrix_unpack_BitmapC : g->GxB_Matrix_unpack_BitmapR)(
            A, &a.present, &a.values, &a.present_size, &a.value_size, NULL, &a.nvals, NULL));
        edit_dense(object, &a, by_col, seed);
        require((by_col ? g->GxB_Matrix_pack_BitmapC : g->GxB_Matrix_pack_BitmapR)(
            A, &a.present, &a.values, a.present_size, a.value_size, false, a.nvals, NULL));
    } else {
        require((by_col ? g->GxB_Matrix_unpack_CSC : g->GxB_Matrix_unpack_CSR)(
            A, &a.ptr, &a.idx, &a.values, &a.ptr_size, &a.idx_size, &a.value_size, NULL, NULL, NULL));
        edit_sparse(object, &a, by_col, seed);
        require((by_col ? g->GxB_Matrix_pack_CSC : g->GxB_Matrix_pack_CSR)(
            A, &a.ptr, &a.idx, &a.values, a.ptr_size, a.idx_size, a.value_size, false, false, NULL));
    }
}

GrB_Info torc_run_edit(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    const program_object *object = &state->objects[s->c];
    torc_object_wait(object, g->index);
    int status = torc_object_option(object, g->index, GxB_SPARSITY_STATUS);
    if (torc_object_nvals(object, g->index) > 0) {
        (object->is_vector ? edit_vector : edit_matrix)(g, object, status, s->seed);
    }
    return GrB_SUCCESS;
}

/* Room for twice as many, and in it what is there again, if there are duplicates. */
static void *doubled(void *array, size_t size, bool has_duplicates)
{
    array = realloc(array, has_duplicates && size > 0 ? 2 * size : size + 1);
    TORC_REQUIRE(array);
    if (has_duplicates) {
        memcpy((char *)array + size, array, size);
    }
    return array;
}

/* Tuples out, the object cleared, and the same tuples in again, in variant 1 twice. */
GrB_Info torc_run_rebuild(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    const program_object *object = &state->objects[s->c];
    object_handle handle = object->handles[g->index];
    contents all = torc_contents_read(object, g->index, READ_TUPLES);
    bool is_twice = s->variant == 1;
    size_t count = all.nvals;
    all.rows = doubled(all.rows, count * sizeof *all.rows, is_twice);
    all.cols = doubled(all.cols, count * sizeof *all.cols, is_twice);
    all.values = doubled(all.values, count * torc_value_size(all.type), is_twice);
    all.nvals = is_twice ? 2 * count : count;
    program_operator second = {"SECOND", object->type};
    GrB_BinaryOp dup = torc_binary_handle(is_twice ? s->op : second);
    GrB_Info info = GrB_PANIC;
    require(object->is_vector ? g->GrB_Vector_clear(handle.vector) : g->GrB_Matrix_clear(handle.matrix));
    switch (object->type) {
#define X(name, h, ctype)                                                                                    \
    case VALUE_##name:                                                                                       \
        info = object->is_vector ? g->GrB_Vector_build_##name(                                               \
                                       handle.vector, all.rows, (ctype *)(void *)all.values, all.nvals, dup) \
                                 : g->GrB_Matrix_build_##name(handle.matrix, all.rows, all.cols,             \
                                       (ctype *)(void *)all.values, all.nvals, dup);                         \
        break;
        ANY_TYPE_MAP(X)
#undef X
    default:
        break;
    }
    torc_contents_free(&all);
    return info;
}
