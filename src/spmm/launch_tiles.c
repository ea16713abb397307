/* launch_tiles.c: a product with tiles. Tiles store their sums in whole lines of C. The entries of A that
 * tiles leave out are added to these. The columns beyond whole lines are a product of their own. Before C is
 * touched, all that may be lacking is made sure of. */
#include "multiply.h"
#include "selected.h"
#include "tile_family.h"

static const torc_update overwrite;

/* For each monoid that tiles support, the accumulator that adds as it does. */
static const torc_multiply add_of[] = {[TORC_PLUS_MONOID] = TORC_PLUS,
    [TORC_TIMES_MONOID] = TORC_TIMES,
    [TORC_MIN_MONOID] = TORC_MIN,
    [TORC_MAX_MONOID] = TORC_MAX,
    [TORC_BOR_MONOID] = TORC_BOR,
    [TORC_BAND_MONOID] = TORC_BAND,
    [TORC_BXOR_MONOID] = TORC_BXOR,
    [TORC_BXNOR_MONOID] = TORC_BXNOR};

/* A launch: its kernel, on some columns of C. */
typedef struct launch {
    torc_spmm_kernel kernel;
    torc_sparse *A;
    torc_dense C, B;
    torc_update update;
    int64_t first_column;
    torc_spmm_args args;
} launch;

/* Columns first .. end-1 of X, row-major. */
static torc_dense columns_of(const torc_dense *X, int64_t first, int64_t end)
{
    torc_dense view = *X;
    view.ncols = end - first;
    view.data = (char *)X->data + (size_t)first * torc_type_size(X->type);
    return view;
}

/* The kernel for what C and B are columns of. Nothing more is planned. */
static torc_spmm_kernel select_for(
    const launch *l, torc_semiring semiring, const torc_dense *C, const torc_dense *B)
{
    torc_problem problem = torc_problem_of(C, semiring, l->A, B, &l->update, false);
    torc_rule_out_whole(&problem);
    return torc_selected(l->A, &problem, "").kernel;
}

static int64_t within(int64_t x, int64_t most)
{
    return x < 0 ? 0 : x < most ? x : most;
}

torc_status torc_launch_tiles(const torc_spmm_kernel *kernel, const torc_dense *C, torc_sparse *A,
    const torc_dense *B, const torc_part *part)
{
    const torc_executor *executor = A->context->executor;
    torc_device *device = A->context->device;
    torc_dense all_c = torc_as_whole(C, part), all_b = torc_as_whole(B, part);
    int64_t all = all_c.ncols, all_tiled = torc_tiled_columns(kernel, all), first = part->first_column;
    int64_t tiled = within(all_tiled - first, C->ncols);
    torc_dense lines_c = columns_of(C, 0, tiled), lines_b = columns_of(B, 0, tiled);
    launch launches[3];
    int count = 0;
    if (tiled > 0) {
        launches[count++] = (launch){*kernel, A, lines_c, lines_b, overwrite, first, {0}};
    }
    if (tiled > 0 && A->rest) {
        torc_update adds = {.has_accum = true, .accum = add_of[kernel->semiring.add]};
        torc_dense all_lines_c = columns_of(&all_c, 0, all_tiled);
        torc_dense all_lines_b = columns_of(&all_b, 0, all_tiled);
        launch *rest = &launches[count++];
        *rest = (launch){*kernel, A->rest, lines_c, lines_b, adds, first, {0}};
        rest->kernel = select_for(rest, kernel->semiring, &all_lines_c, &all_lines_b);
    }
    if (tiled < C->ncols) {
        torc_dense left_c = columns_of(C, tiled, C->ncols), left_b = columns_of(B, tiled, C->ncols);
        torc_dense all_left_c = columns_of(&all_c, all_tiled, all);
        torc_dense all_left_b = columns_of(&all_b, all_tiled, all);
        launch *left = &launches[count++];
        *left = (launch){*kernel, A, left_c, left_b, overwrite, first + tiled, {0}};
        left->kernel = select_for(left, kernel->semiring, &all_left_c, &all_left_b);
    }
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < 2 * count && status == TORC_SUCCESS; i++) { /* again: workspace that grew has moved */
        launch *l = &launches[i % count];
        status = torc_launch_prepare(&l->args, &l->kernel, &l->C, l->A, &l->B, &l->update, l->first_column);
    }
    for (int i = 1; i < count && status == TORC_SUCCESS; i++) {
        status = executor->load(device, &launches[i].kernel);
    }
    for (int i = 0; i < count && status == TORC_SUCCESS; i++) {
        status = executor->spmm(device, &launches[i].kernel, &launches[i].args);
    }
    return status;
}
