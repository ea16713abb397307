/* products.c: a product on all members: each computes its columns of C, by the kernel that the whole has, so
 * that no bit depends on their number. A product that has few columns, or a kernel that computes all or none,
 * every member computes whole. */
#include "joined.h"
#include "part_kernel.h"

/* What a launch is made of. */
typedef struct product {
    const torc_spmm_kernel *kernel;
    const torc_spmm_args *args;
    bool is_cut;
    torc_joined_cut cut;
    size_t b_size, c_size;
} product;

/* Dense arrays of a product. */
enum { B, B_BITMAP, C, C_BITMAP, MASK, ARRAYS };

static torc_joined_lines lines_of(const product *p, int array)
{
    const torc_spmm_args *args = p->args;
    torc_joined_lines b = {NULL, args->b_rows, args->ncols, args->ldb, 1};
    torc_joined_lines c = {NULL, args->nrows, args->ncols, args->ldc, 1};
    switch (array) {
    case B:
        b.first = p->kernel->b_access == TORC_ACCESS_ARRAY ? args->b : NULL;
        b.size = p->b_size;
        return b;
    case B_BITMAP:
        b.first = p->kernel->b_is_bitmap ? args->b_bitmap : NULL;
        return b;
    case C:
        c.first = args->c;
        c.size = p->c_size;
        return c;
    case C_BITMAP:
        c.first = p->kernel->c_is_bitmap ? args->c_bitmap : NULL;
        return c;
    default:
        c.first = p->kernel->has_mask ? args->mask : NULL;
        return c;
    }
}

static bool is_read(const product *p, int array)
{
    torc_access old = p->kernel->old_access;
    return array == C ? old == TORC_ACCESS_ARRAY : array == C_BITMAP ? old != TORC_ACCESS_NONE : true;
}

/* ---- Where C is cut ----------------------------------------------------------------------------------- */

/* Columns that a cut leaves together: vectors stay whole, and so do lines of tiles. */
static int64_t unit_of(const product *p)
{
    const torc_family_facts *family = &torc_families[p->kernel->family];
    return family->is_uniform              ? 1
           : family->cut == TORC_CUT_TILES ? TORC_TILE_LINE / (int64_t)p->c_size
                                           : p->kernel->shape.vector;
}

static bool suits(const product *p, const torc_joined *joined, const torc_joined_cut *cut)
{
    bool suits = !torc_families[p->kernel->family].is_of_all_columns;
    for (int m = 0; m < joined->count && suits; m++) {
        suits = cut->at[m] % unit_of(p) == 0;
    }
    return suits;
}

/* As an operand is, or evenly. */
static void choose_cut(product *p, torc_joined *joined)
{
    for (int array = 0; array < ARRAYS && !p->is_cut; array++) {
        torc_joined_lines lines = lines_of(p, array);
        p->is_cut =
            is_read(p, array) && torc_joined_cut_of(&p->cut, joined, &lines) && suits(p, joined, &p->cut);
    }
    if (!p->is_cut && torc_joined_is_wide(joined, p->args->ncols)) {
        int64_t unit = unit_of(p) > TORC_JOINED_VECTOR ? unit_of(p) : TORC_JOINED_VECTOR;
        p->cut = torc_joined_even_cut(joined, p->args->ncols, unit);
        p->is_cut = suits(p, joined, &p->cut);
    }
}

/* Each member has what it reads, and then C is spread as it will be written: the mask may be its bitmap. */
static torc_status place(product *p, torc_joined *joined)
{
    torc_status status = TORC_SUCCESS;
    for (int array = 0; array < ARRAYS && status == TORC_SUCCESS; array++) {
        torc_joined_lines lines = lines_of(p, array);
        status = !is_read(p, array) ? torc_joined_begin_write(joined, &lines)
                 : p->is_cut        ? torc_joined_align(joined, &lines, &p->cut)
                                    : torc_joined_unite(joined, &lines);
    }
    for (int array = C; array <= C_BITMAP && status == TORC_SUCCESS; array++) {
        torc_joined_lines lines = lines_of(p, array);
        if (p->is_cut) {
            status = torc_joined_spread_out(joined, &lines, &p->cut);
        } else if (lines.ld == lines.length) {
            torc_joined_overwrite(joined, lines.first, (size_t)(lines.count * lines.length) * lines.size);
        }
    }
    return status;
}

/* ---- A's arrays --------------------------------------------------------------------------------------- */

/* Every array of a launch but the dense ones: a member's address takes the place of the joined device's. */
#define SPARSE_ARRAYS(X)                                                                                     \
    X(row_ptr)                                                                                               \
    X(col_idx)                                                                                               \
    X(c_rows)                                                                                                \
    X(row_names)                                                                                             \
    X(a)                                                                                                     \
    X(segments)                                                                                              \
    X(split_rows)                                                                                            \
    X(row_ends)                                                                                              \
    X(rows)                                                                                                  \
    X(slice_rows)                                                                                            \
    X(tiles.tile_begin)                                                                                      \
    X(tiles.columns)                                                                                         \
    X(tiles.ncolumns)                                                                                        \
    X(tiles.owners)                                                                                          \
    X(tiles.steps)                                                                                           \
    X(tiles.batch_begin)                                                                                     \
    X(tiles.batches)                                                                                         \
    X(tiles.split_rows)                                                                                      \
    X(bricks.pairs)                                                                                          \
    X(bricks.values)                                                                                         \
    X(bricks.pieces)                                                                                         \
    X(bricks.split_rows)

static torc_status unite_sparse(torc_joined *joined, const torc_spmm_args *args)
{
    torc_status status = TORC_SUCCESS;
#define X(array) status = status == TORC_SUCCESS ? torc_joined_unite_block(joined, args->array) : status;
    SPARSE_ARRAYS(X)
#undef X
    return status;
}

static void place_sparse(torc_spmm_args *own, torc_joined *joined, int member)
{
#define X(array) own->array = torc_joined_at(joined, member, own->array);
    SPARSE_ARRAYS(X)
#undef X
}

/* ---- Launch ------------------------------------------------------------------------------------------- */

/* A member's arguments, of what begins `columns` columns behind. */
static torc_spmm_args args_of(const product *p, torc_joined *joined, int member, int64_t columns)
{
    torc_spmm_args own = *p->args;
    size_t b_step = p->kernel->b_access == TORC_ACCESS_ARRAY ? p->b_size : 0;
    size_t old_step = p->kernel->old_access == TORC_ACCESS_ARRAY ? p->c_size : 0;
    own.first_column += columns;
    own.b = torc_joined_behind(joined, member, own.b, columns, b_step);
    own.b_bitmap = torc_joined_behind(joined, member, own.b_bitmap, columns, 1);
    own.c = torc_joined_behind(joined, member, own.c, columns, p->c_size);
    own.c_bitmap = torc_joined_behind(joined, member, own.c_bitmap, columns, 1);
    own.mask = torc_joined_behind(joined, member, own.mask, columns, 1);
    own.old_c = torc_joined_behind(joined, member, own.old_c, columns, old_step);
    own.partials = torc_joined_at(joined, member, own.partials);
    own.partial_bitmap = torc_joined_at(joined, member, own.partial_bitmap);
    place_sparse(&own, joined, member);
    return own;
}

/* All of C by each member, or some columns. */
static torc_status launch(torc_joined *joined, int member, const void *argument)
{
    const product *p = argument;
    int64_t first = p->is_cut ? p->cut.at[member] : 0;
    int64_t count = p->is_cut ? p->cut.at[member + 1] - first : p->args->ncols;
    torc_spmm_args own = args_of(p, joined, member, first);
    own.ncols = count;
    torc_spmm_kernel kernel = p->is_cut ? torc_kernel_of_columns(p->kernel, count) : *p->kernel;
    return joined->each->spmm(joined->members[member], &kernel, &own);
}

/* What is not spread by this product: A, and operands of one value. */
static torc_status unite_others(const product *p, torc_joined *joined)
{
    torc_status status = unite_sparse(joined, p->args);
    if (status == TORC_SUCCESS && p->kernel->old_access == TORC_ACCESS_ISO) {
        status = torc_joined_unite_bytes(joined, p->args->old_c, p->c_size);
    }
    return status == TORC_SUCCESS && p->kernel->b_access == TORC_ACCESS_ISO
               ? torc_joined_unite_bytes(joined, p->args->b, p->b_size)
               : status;
}

static product product_of(const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    torc_type c_type = torc_semiring_traits(kernel->semiring).z_type;
    return (product){.kernel = kernel,
        .args = args,
        .b_size = torc_type_size(kernel->b_type),
        .c_size = kernel->is_packed ? sizeof(uint64_t) : torc_type_size(c_type)};
}

torc_status torc_joined_spmm(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    torc_joined *joined = torc_joined_of(device);
    product p = product_of(kernel, args);
    choose_cut(&p, joined);
    torc_status status = unite_others(&p, joined);
    if (status == TORC_SUCCESS) {
        torc_joined_lines c = lines_of(&p, C), c_bitmap = lines_of(&p, C_BITMAP);
        torc_joined_snapshot(joined, &c, &c_bitmap);
        status = torc_joined_restore_on_error(joined, place(&p, joined));
    }
    return status == TORC_SUCCESS ? torc_joined_launch_all(joined, p.is_cut ? &p.cut : NULL, launch, &p)
                                  : status;
}

/* ---- Rows --------------------------------------------------------------------------------------------- */

int torc_joined_devices(torc_device *device)
{
    return torc_joined_of(device)->count;
}

int torc_joined_shares(torc_device *device, int64_t nnz, int64_t ncols)
{
    const torc_joined *joined = torc_joined_of(device);
    bool is_worth_it = nnz >= joined->least_work / ncols;
    return is_worth_it && !torc_joined_is_wide(joined, ncols) ? joined->count : 1;
}

static torc_status launch_share(torc_joined *joined, int member, const void *argument)
{
    const product *p = argument;
    torc_spmm_args own = args_of(p, joined, member, 0);
    return joined->each->spmm(joined->members[member], p->kernel, &own);
}

/* All rows of an array that a share has some of, as one line, and its cut between rows. */
static torc_joined_lines rows_of(
    torc_joined_cut *cut, const product *p, const torc_joined *joined, int array, const torc_share *share)
{
    torc_joined_lines lines = lines_of(p, array);
    size_t skipped = (size_t)(share->cuts[share->number] * lines.ld) * lines.size;
    lines.first = lines.first ? (const char *)lines.first - skipped : NULL;
    int64_t ld = lines.ld;
    lines.count = share->cuts[joined->count];
    lines = torc_joined_as_one(&lines);
    for (int m = 0; m <= joined->count; m++) {
        cut->at[m] = share->cuts[m];
    }
    *cut = torc_joined_cut_between(joined, cut, ld, lines.length);
    return lines;
}

static torc_status place_rows(const product *p, torc_joined *joined, const torc_share *share)
{
    torc_joined_cut cut = {{0}};
    torc_status status = TORC_SUCCESS;
    for (int array = 0; array < ARRAYS && status == TORC_SUCCESS; array++) {
        bool is_of_b = array == B || array == B_BITMAP;
        torc_joined_lines lines = is_of_b ? lines_of(p, array) : rows_of(&cut, p, joined, array, share);
        status = !is_read(p, array) ? torc_joined_begin_write(joined, &lines)
                 : is_of_b          ? torc_joined_unite(joined, &lines)
                                    : torc_joined_align(joined, &lines, &cut);
    }
    for (int array = C; array <= C_BITMAP && status == TORC_SUCCESS; array++) {
        torc_joined_lines lines = rows_of(&cut, p, joined, array, share);
        status = torc_joined_spread_out(joined, &lines, &cut);
    }
    return status;
}

torc_status torc_joined_spmm_share(
    torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args, const torc_share *share)
{
    torc_joined *joined = torc_joined_of(device);
    product p = product_of(kernel, args);
    bool is_first = share->cuts[share->number] == 0;
    torc_status status = unite_others(&p, joined);
    if (status == TORC_SUCCESS && is_first) { /* the rows of all shares */
        torc_joined_cut cut;
        torc_joined_lines c = rows_of(&cut, &p, joined, C, share),
                          c_bitmap = rows_of(&cut, &p, joined, C_BITMAP, share);
        torc_joined_snapshot(joined, &c, &c_bitmap);
        status = torc_joined_restore_on_error(joined, place_rows(&p, joined, share));
    }
    if (status != TORC_SUCCESS || args->nrows == 0) {
        return status;
    }
    return is_first ? torc_joined_launch_first(joined, share->number, launch_share, &p)
                    : torc_joined_launch_late(joined, share->number, launch_share, &p);
}

torc_status torc_joined_load(torc_device *device, const torc_spmm_kernel *kernel)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = TORC_SUCCESS;
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = torc_joined_note(joined, m, joined->each->load(joined->members[m], kernel));
    }
    return status;
}
