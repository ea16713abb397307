/* dropin_concat.c: GxB_Matrix_concat. In SuiteSparse 7.4 entries that C had before stay in the result where C
 * was a bitmap, and the result is invalid. torc leaves C a bitmap where SuiteSparse has it sparse; so a
 * bitmap is cleared before. Where SuiteSparse refuses it leaves C as it is, and so does this. */
#include "descriptor.h"
#include "dropin_real.h"
#include "match.h"
#include "put_off.h"

/* An array of m * n tiles, by rows. */
typedef struct tiling {
    const GrB_Matrix *tiles;
    GrB_Index n, count;
} tiling;

/* With no tiles where there are so many that no array has them. */
static tiling tiling_of(const GrB_Matrix *tiles, GrB_Index m, GrB_Index n)
{
    const GrB_Index most = (GrB_Index)1 << 32;
    return (tiling){tiles, n, tiles && n > 0 && m <= most / n ? m * n : 0};
}

/* No other objects: another thread may be using those. */
static void settle(GrB_Matrix C, const tiling *joined)
{
    torc_put_off_settle(C);
    for (GrB_Index i = 0; i < joined->count; i++) {
        torc_put_off_settle(joined->tiles[i]);
    }
}

typedef struct shape {
    GrB_Index nrows, ncols;
    GrB_Type type;
} shape;

/* false: A is no matrix. */
static bool read_shape(shape *read, const torc_binding *graphblas, GrB_Matrix A)
{
    return graphblas->matrix_nrows(&read->nrows, A) == GrB_SUCCESS &&
           graphblas->matrix_ncols(&read->ncols, A) == GrB_SUCCESS &&
           graphblas->matrix_type(&read->type, A) == GrB_SUCCESS;
}

static bool is_castable(GrB_Type to, GrB_Type from)
{
    torc_type type;
    return to == from || (torc_match_type(&type, to) && torc_match_type(&type, from));
}

/* Is tile i as high as the first of its row, and as wide as the first of its column? */
static bool read_tile(shape *tile, const torc_binding *graphblas, const tiling *joined, GrB_Index i)
{
    shape left, top;
    return read_shape(tile, graphblas, joined->tiles[i]) &&
           read_shape(&left, graphblas, joined->tiles[i - i % joined->n]) &&
           read_shape(&top, graphblas, joined->tiles[i % joined->n]) && tile->nrows == left.nrows &&
           tile->ncols == top.ncols;
}

/* Is C what they are joined to, and none of them? */
static bool is_whole(GrB_Matrix C, const torc_binding *graphblas, const tiling *joined)
{
    shape whole, tile;
    GrB_Index nrows = 0, ncols = 0;
    if (!read_shape(&whole, graphblas, C)) {
        return false;
    }
    for (GrB_Index i = 0; i < joined->count; i++) {
        if (joined->tiles[i] == C || !read_tile(&tile, graphblas, joined, i) ||
            !is_castable(whole.type, tile.type)) {
            return false;
        }
        nrows += i % joined->n == 0 ? tile.nrows : 0;
        ncols += i < joined->n ? tile.ncols : 0;
    }
    return joined->count > 0 && nrows == whole.nrows && ncols == whole.ncols;
}

static void clear_bitmap(GrB_Matrix C, const tiling *joined, GrB_Descriptor desc)
{
    const torc_binding *graphblas = torc_binding_get();
    torc_format format;
    torc_descriptor read;
    if (torc_view_format(&format, graphblas, C) == GrB_SUCCESS && format == TORC_BITMAP &&
        is_whole(C, graphblas, joined) && torc_descriptor_read(&read, graphblas, desc)) {
        graphblas->matrix_clear(C);
    }
}

TORC_API GrB_Info GxB_Matrix_concat(
    GrB_Matrix C, const GrB_Matrix *tiles, const GrB_Index m, const GrB_Index n, const GrB_Descriptor desc)
{
    const torc_binding *graphblas = torc_binding_get();
    if (graphblas && graphblas->is_known && torc_binding_is_for(TORC_CALLER)) {
        tiling joined = tiling_of(tiles, m, n);
        settle(C, &joined);
        clear_bitmap(C, &joined, desc);
    }
    TORC_RETURN_REAL(GxB_Matrix_concat, C, tiles, m, n, desc);
}
