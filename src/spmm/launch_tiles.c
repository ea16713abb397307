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

/* Nothing more is planned, and no family computes all columns or none. */
static torc_spmm_kernel select_for(const launch *l, torc_semiring semiring)
{
    torc_problem problem = torc_problem_of(&l->C, semiring, l->A, &l->B, &l->update, false);
    for (int f = 0; f < TORC_FAMILIES; f++) {
        if (torc_families[f].is_of_all_columns) {
            problem.lacks[torc_families[f].cut] = true;
        }
    }
    return torc_selected(l->A, &problem, "").kernel;
}

torc_status torc_launch_tiles(
    const torc_spmm_kernel *kernel, const torc_dense *C, torc_sparse *A, const torc_dense *B)
{
    const torc_executor *executor = A->context->executor;
    torc_device *device = A->context->device;
    int64_t tiled = torc_tiled_columns(kernel, C->ncols);
    torc_dense lines_c = columns_of(C, 0, tiled), lines_b = columns_of(B, 0, tiled);
    launch launches[3];
    int count = 0;
    launches[count++] = (launch){*kernel, A, lines_c, lines_b, overwrite, 0, {0}};
    if (A->rest) {
        torc_update adds = {.has_accum = true, .accum = add_of[kernel->semiring.add]};
        launch *rest = &launches[count++];
        *rest = (launch){*kernel, A->rest, lines_c, lines_b, adds, 0, {0}};
        rest->kernel = select_for(rest, kernel->semiring);
    }
    if (tiled < C->ncols) {
        torc_dense left_c = columns_of(C, tiled, C->ncols), left_b = columns_of(B, tiled, C->ncols);
        launch *left = &launches[count++];
        *left = (launch){*kernel, A, left_c, left_b, overwrite, tiled, {0}};
        left->kernel = select_for(left, kernel->semiring);
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
