/* random_matrix.c: see random_matrix.h. Arrays are filled here and packed, which sets the state exactly;
 * settings follow. GrB_Matrix_removeElement is not used: that of 7.4.0 aborts at times. */
#include "random_matrix.h"
#include "require.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arrays {
    GrB_Index nvec, veclen, nvals, nlisted;
    GrB_Index nblocks; /* vectors that ptr and hyper have room for */
    int8_t *present;   /* vector by vector */
    GrB_Index *ptr, *hyper, *idx;
    void *values;
    GrB_Index nvalues; /* in values: 1 if iso */
} arrays;

enum { MAX_DIMENSION = 1000000, SCATTERED = 6 };

bool torc_random_matrix_is_huge(const matrix_recipe *recipe)
{
    return recipe->nrows > MAX_DIMENSION || recipe->ncols > MAX_DIMENSION;
}

static bool is_sparse(const matrix_recipe *recipe)
{
    return recipe->format == GxB_SPARSE || recipe->format == GxB_HYPERSPARSE;
}

/* Packing wants to be told the size of a block, and no block is of size 0. */
static GrB_Index block_size(GrB_Index count, size_t size)
{
    return count > 0 ? count * size : sizeof(uint64_t);
}

static void *new_block(GrB_Index count, size_t size)
{
    void *block = calloc(1, block_size(count, size));
    TORC_REQUIRE(block);
    return block;
}

static void choose_entries(arrays *a, const matrix_recipe *recipe, uint64_t *stream)
{
    a->present = new_block(a->nvec * a->veclen, 1);
    GrB_Index complete = recipe->has_complete_vector && a->nvec > 0
                             ? (GrB_Index)random_below(stream, (int64_t)a->nvec)
                             : GrB_INDEX_MAX;
    for (GrB_Index v = 0; v < a->nvec; v++) {
        bool is_complete = recipe->format == GxB_FULL || v == complete;
        bool is_empty = !is_complete && random_chance(stream, recipe->empty_vectors);
        for (GrB_Index i = 0; i < a->veclen && !is_empty; i++) {
            bool is_present = is_complete || random_chance(stream, recipe->density);
            a->present[v * a->veclen + i] = is_present;
            a->nvals += is_present;
        }
    }
}

/* Positions of vector v in idx, ascending or descending. Hypersparse: list the vector unless it is empty:
 * where an empty one is listed, 7.4.0 computes products with it. */
static void list_vector(arrays *a, const matrix_recipe *recipe, GrB_Index v, GrB_Index *nvals)
{
    GrB_Index begin = *nvals;
    for (GrB_Index at = 0; at < a->veclen; at++) {
        GrB_Index i = recipe->is_jumbled ? a->veclen - 1 - at : at;
        if (a->present[v * a->veclen + i]) {
            a->idx[(*nvals)++] = i;
        }
    }
    if (recipe->format == GxB_SPARSE || *nvals > begin) {
        a->hyper[a->nlisted++] = v;
        a->ptr[a->nlisted] = *nvals;
    }
}

static void list_vectors(arrays *a, const matrix_recipe *recipe, uint64_t *stream)
{
    choose_entries(a, recipe, stream);
    GrB_Index nvals = 0;
    a->nblocks = a->nvec;
    a->ptr = new_block(a->nvec + 1, sizeof *a->ptr);
    a->hyper = new_block(a->nvec, sizeof *a->hyper);
    a->idx = new_block(a->nvals, sizeof *a->idx);
    for (GrB_Index v = 0; v < a->nvec && is_sparse(recipe); v++) {
        list_vector(a, recipe, v, &nvals);
    }
}

/* Up to SCATTERED ascending numbers below the bound, many of them near either end. */
static GrB_Index scatter(GrB_Index numbers[SCATTERED], GrB_Index bound, uint64_t *stream)
{
    GrB_Index count = 0, low = 0;
    for (int left = SCATTERED; left > 0 && low < bound; left--) {
        GrB_Index room = bound - low, near = room < 4 ? room : 4;
        double kind = random_unit(stream);
        GrB_Index step = kind < 0.5   ? (GrB_Index)random_below(stream, (int64_t)near)
                         : kind < 0.7 ? room - 1 - (GrB_Index)random_below(stream, (int64_t)near)
                                      : (GrB_Index)random_below(stream, (int64_t)room);
        numbers[count++] = low + step;
        low += step + 1;
    }
    return count;
}

static void scatter_entries(arrays *a, const matrix_recipe *recipe, uint64_t *stream)
{
    a->nblocks = SCATTERED;
    a->ptr = new_block(SCATTERED + 1, sizeof *a->ptr);
    a->hyper = new_block(SCATTERED, sizeof *a->hyper);
    a->nlisted = recipe->density > 0 ? scatter(a->hyper, a->nvec, stream) : 0;
    a->idx = new_block(SCATTERED * SCATTERED, sizeof *a->idx);
    for (GrB_Index v = 0; v < a->nlisted; v++) {
        a->nvals += scatter(&a->idx[a->nvals], a->veclen, stream);
        a->ptr[v + 1] = a->nvals;
    }
}

static void fill_arrays(arrays *a, const matrix_recipe *recipe, uint64_t *stream)
{
    if (!torc_random_matrix_is_huge(recipe)) {
        list_vectors(a, recipe, stream);
    } else {
        scatter_entries(a, recipe, stream);
    }
    size_t size = torc_value_size(recipe->type);
    a->nvalues = recipe->iso ? 1 : is_sparse(recipe) ? a->nvals : a->nvec * a->veclen;
    a->values = new_block(a->nvalues, size);
    for (GrB_Index p = 0; p < a->nvalues; p++) { /* absent entries of a bitmap hold values too */
        torc_value_draw((char *)a->values + p * size, recipe->type, recipe->style, stream);
    }
}

static GrB_Info pack(GrB_Matrix A, arrays *a, const matrix_recipe *recipe)
{
    size_t word = sizeof(GrB_Index);
    GrB_Index value_bytes = block_size(a->nvalues, torc_value_size(recipe->type));
    GrB_Index ptr_bytes = block_size(a->nblocks + 1, word), hyper_bytes = block_size(a->nblocks, word);
    GrB_Index nindices = torc_random_matrix_is_huge(recipe) ? SCATTERED * SCATTERED : a->nvals;
    GrB_Index idx_bytes = block_size(nindices, word), bitmap_bytes = block_size(a->nvec * a->veclen, 1);
    switch (recipe->format) {
    case GxB_FULL:
        return (recipe->by_col ? GxB_Matrix_pack_FullC : GxB_Matrix_pack_FullR)(
            A, &a->values, value_bytes, recipe->iso, NULL);
    case GxB_BITMAP:
        return (recipe->by_col ? GxB_Matrix_pack_BitmapC : GxB_Matrix_pack_BitmapR)(
            A, &a->present, &a->values, bitmap_bytes, value_bytes, recipe->iso, a->nvals, NULL);
    case GxB_SPARSE:
        return (recipe->by_col ? GxB_Matrix_pack_CSC : GxB_Matrix_pack_CSR)(A, &a->ptr, &a->idx, &a->values,
            ptr_bytes, idx_bytes, value_bytes, recipe->iso, recipe->is_jumbled, NULL);
    default:
        return (recipe->by_col ? GxB_Matrix_pack_HyperCSC : GxB_Matrix_pack_HyperCSR)(A, &a->ptr, &a->hyper,
            &a->idx, &a->values, ptr_bytes, hyper_bytes, idx_bytes, value_bytes, recipe->iso, a->nlisted,
            recipe->is_jumbled, NULL);
    }
}

static void free_arrays(arrays *a)
{
    free(a->present);
    free(a->ptr);
    free(a->hyper);
    free(a->idx);
    free(a->values);
}

static void set_elements(GrB_Matrix A, const matrix_recipe *recipe, uint64_t *stream)
{
    for (int p = 0; p < recipe->npending && recipe->nrows > 0 && recipe->ncols > 0; p++) {
        GrB_Index i = (GrB_Index)random_below(stream, (int64_t)recipe->nrows);
        GrB_Index j = (GrB_Index)random_below(stream, (int64_t)recipe->ncols);
        TORC_REQUIRE(GrB_Matrix_setElement_INT64(A, random_below(stream, 4), i, j) == GrB_SUCCESS);
    }
}

GrB_Matrix torc_random_matrix(const matrix_recipe *recipe)
{
    uint64_t stream = recipe->seed;
    arrays a = {
        .nvec = recipe->by_col ? recipe->ncols : recipe->nrows,
        .veclen = recipe->by_col ? recipe->nrows : recipe->ncols,
    };
    GrB_Matrix A;
    TORC_REQUIRE(
        GrB_Matrix_new(&A, torc_value_handle(recipe->type), recipe->nrows, recipe->ncols) == GrB_SUCCESS);
    fill_arrays(&a, recipe, &stream);
    TORC_REQUIRE(pack(A, &a, recipe) == GrB_SUCCESS);
    free_arrays(&a); /* what was packed is NULL now */
    if (recipe->has_switches) {
        TORC_REQUIRE(GxB_Matrix_Option_set(A, GxB_HYPER_SWITCH, random_unit(&stream)) == GrB_SUCCESS);
        TORC_REQUIRE(GxB_Matrix_Option_set(A, GxB_BITMAP_SWITCH, random_unit(&stream)) == GrB_SUCCESS);
    }
    if (recipe->control) {
        TORC_REQUIRE(GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, recipe->control) == GrB_SUCCESS);
    }
    set_elements(A, recipe, &stream);
    return A;
}

static const char *format_name(int format)
{
    return format == GxB_FULL     ? "full"
           : format == GxB_BITMAP ? "bitmap"
           : format == GxB_SPARSE ? "sparse"
                                  : "hypersparse";
}

void torc_random_matrix_describe(char *text, size_t size, const char *name, const matrix_recipe *recipe)
{
    static const char *const styles[] = {"exact", "wide", "special"};
    size_t used = strlen(text);
    snprintf(text + used, size - used,
        "  %s %llux%llu %s %s by %s%s%s, density %.3g, empty vectors %.3g%s, %s values, %d set later, "
        "control %d%s\n",
        name, (unsigned long long)recipe->nrows, (unsigned long long)recipe->ncols,
        torc_value_type_name(recipe->type), format_name(recipe->format), recipe->by_col ? "column" : "row",
        recipe->iso ? " iso" : "", recipe->is_jumbled ? " jumbled" : "",
        recipe->format == GxB_FULL ? 1.0 : recipe->density, recipe->empty_vectors,
        recipe->has_complete_vector ? ", one complete" : "", styles[recipe->style], recipe->npending,
        recipe->control, recipe->has_switches ? ", switches" : "");
}
