#include "product.h"
#include "match.h"

/* A product of two sizes, or -1 where it does not fit. */
static int64_t times(int64_t x, int64_t y)
{
    int64_t xy;
    return __builtin_mul_overflow(x, y, &xy) ? -1 : xy;
}

static torc_type type_of(const torc_view *view)
{
    torc_type type;
    return torc_match_type(&type, view->type) ? type : torc_opaque_type(view->type_size);
}

static void orient(torc_product *product, bool transpose_a, bool transpose_b, bool result_by_col)
{
    bool by_col = product->sparse->by_col, dense_by_col = product->dense->by_col;
    bool row_major;
    if (product->is_flipped) { /* S is B, D = op(A)ᵀ */
        product->transpose_sparse = by_col == transpose_b;
        row_major = dense_by_col != transpose_a;
    } else {
        product->transpose_sparse = by_col != transpose_a;
        row_major = dense_by_col == transpose_b;
    }
    product->is_compact = product->sparse->format == TORC_HYPERSPARSE && !product->transpose_sparse;
    product->dense_view.order = row_major ? TORC_ROW_MAJOR : TORC_COL_MAJOR;
    /* A compact R goes into a hypersparse T, whose vectors are its rows. */
    bool result_row_major = product->is_compact || result_by_col == product->is_flipped;
    product->result_view.order = result_row_major ? TORC_ROW_MAJOR : TORC_COL_MAJOR;
}

static void measure(torc_product *product)
{
    const torc_view *S = product->sparse, *D = product->dense;
    bool row_major = product->dense_view.order == TORC_ROW_MAJOR;
    int64_t ndense = D->by_col ? D->ncols : D->nrows;
    int64_t inner = row_major ? ndense : D->veclen, width = row_major ? D->veclen : ndense;
    int64_t height = product->transpose_sparse ? S->veclen : S->nvec;
    bool result_row_major = product->result_view.order == TORC_ROW_MAJOR;

    product->dense_view.nrows = inner;
    product->dense_view.ncols = width;
    product->dense_view.ld = D->veclen;
    product->dense_view.type = product->dense_type;
    product->dense_view.iso = D->iso;
    product->dense_view.data = (void *)D->values;
    product->dense_view.bitmap = torc_view_has_all_elements(D) ? NULL : (uint8_t *)D->bitmap;
    product->dense_is_listed = torc_view_is_listed(D);
    product->result_view.nrows = height;
    product->result_view.ncols = width;
    product->result_view.ld = result_row_major ? width : height;
    product->result_view.type = torc_semiring_traits(product->semiring).z_type;
}

static bool has_shape_for_engine(const torc_product *product)
{
    const torc_view *S = product->sparse;
    int64_t cells = times(product->result_view.nrows, product->result_view.ncols);
    size_t size = torc_type_size(product->result_view.type), word = sizeof(uint64_t); /* an index is a word */
    bool is_narrow = S->veclen <= UINT32_MAX && product->dense_view.nrows <= UINT32_MAX &&
                     product->result_view.nrows <= UINT32_MAX;
    bool can_be_turned = !product->transpose_sparse || S->nvals <= UINT32_MAX; /* positions of entries */
    return is_narrow && can_be_turned && cells > 0 &&
           times(cells, (int64_t)(size > word ? size : word)) > 0 && product->dense_view.nrows > 0 &&
           S->nvals > 0 && product->dense->nvals > 0;
}

static double cells_of(const torc_view *view)
{
    return (double)view->nrows * (double)view->ncols;
}

/* As a bitmap it takes at most a few hundred times the memory of the other operand. */
static bool could_be_dense(const torc_view *view, const torc_view *other)
{
    static const double MOST = 256;
    return torc_product_may_be_frontier(view->nrows, view->ncols) &&
           cells_of(view) <= MOST * ((double)other->nvals + (double)other->nvec);
}

/* Which operand is S? The other one is dense, or a frontier. */
static bool choose_sparse(bool *a_is_sparse, const torc_view *view_a, const torc_view *view_b)
{
    if (torc_view_is_listed(view_a) != torc_view_is_listed(view_b)) {
        *a_is_sparse = torc_view_is_listed(view_a);
        return true;
    }
    if (!torc_view_is_listed(view_a)) {
        return false;
    }
    bool could_a = could_be_dense(view_a, view_b), could_b = could_be_dense(view_b, view_a);
    *a_is_sparse = could_b && (!could_a || cells_of(view_b) < cells_of(view_a));
    return could_a || could_b;
}

bool torc_product_may_be_frontier(int64_t nrows, int64_t ncols)
{
    enum { WIDEST = 1024 };
    return nrows <= WIDEST || ncols <= WIDEST;
}

bool torc_product_has_bitmap(const torc_product *product)
{
    return product->dense_view.bitmap || product->dense_is_listed;
}

bool torc_product_plan(torc_product *product, const char **reason, torc_semiring semiring,
    const torc_factor *a, const torc_factor *b, bool result_by_col)
{
    bool a_is_sparse;
    if (!choose_sparse(&a_is_sparse, a->view, b->view)) {
        *reason = "not sparse times dense";
        return false;
    }
    *product = (torc_product){
        .semiring = a_is_sparse ? semiring : torc_semiring_transpose(semiring),
        .sparse = a_is_sparse ? a->view : b->view,
        .dense = a_is_sparse ? b->view : a->view,
        .sparse_matrix = a_is_sparse ? a->matrix : b->matrix,
        .dense_matrix = a_is_sparse ? b->matrix : a->matrix,
        .is_flipped = !a_is_sparse,
    };
    torc_traits traits = torc_semiring_traits(product->semiring);
    product->sparse_type = type_of(product->sparse);
    product->dense_type = type_of(product->dense);
    if ((traits.reads_a && !torc_can_cast(traits.x_type, product->sparse_type)) ||
        (traits.reads_b && !torc_can_cast(traits.y_type, product->dense_type))) {
        *reason = "an operand of a type that the semiring does not take";
        return false;
    }
    orient(product, a->transpose, b->transpose, result_by_col);
    measure(product);
    if (!has_shape_for_engine(product)) {
        *reason = "no entries, or a dimension, or entries to transpose, beyond 32 bits";
        return false;
    }
    return true;
}
