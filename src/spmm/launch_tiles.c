/* launch_tiles.c: a product with tiles. Tiles store their sums in whole lines of C. The entries of A that
 * tiles leave out are added to these. The columns beyond whole lines are a product of their own. Rows of B
 * are read many times, so first they are copied to where each takes as few cache lines as it can. Before C is
 * touched, all that may be lacking is made sure of. */
#include "elementwise_once.h"
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

/* Ours: an A of no more blocks than these reads a row of B too few times to copy it. */
static const int64_t BLOCKS_WITHOUT_COPY = 8;

/* Some columns of the product. */
typedef struct columns {
    int64_t first;
    torc_dense C, B;
    int64_t copied_ld; /* B's, once it is copied; 0: it stays where it is */
    torc_workspace workspace;
} columns;

/* A launch: its kernel, on some columns. */
typedef struct launch {
    torc_spmm_kernel kernel;
    torc_sparse *A;
    columns *columns;
    torc_update update;
    torc_spmm_args args;
} launch;

/* ---- Columns ------------------------------------------------------------------------------------------ */

/* Columns first .. end-1 of X, row-major. */
static torc_dense view_of(const torc_dense *X, int64_t first, int64_t end)
{
    torc_dense view = *X;
    view.ncols = end - first;
    view.data = (char *)X->data + (size_t)first * torc_type_size(X->type);
    return view;
}

static columns columns_of(
    const torc_dense *C, const torc_dense *B, int64_t first, int64_t end, torc_workspace workspace)
{
    return (columns){first, view_of(C, first, end), view_of(B, first, end), 0, workspace};
}

/* The leading dimension that lets rows begin with cache lines; 0 if they do. */
static int64_t ld_of_lines(const torc_dense *B)
{
    size_t size = torc_type_size(B->type), pitch = (size_t)B->ld * size;
    int64_t line = TORC_TILE_LINE / (int64_t)size;
    bool is_aligned = (pitch | (size_t)(uintptr_t)B->data) % TORC_TILE_LINE == 0;
    return is_aligned ? 0 : (B->ncols + line - 1) / line * line;
}

/* B as it will be. */
static torc_dense copied_b(const columns *some)
{
    torc_dense copy = some->B;
    if (some->copied_ld > 0) {
        copy.ld = some->copied_ld;
        copy.data = NULL;
    }
    return copy;
}

/* Without memory for it, or the kernel that copies, B stays where it is. */
static void copy_b(columns *some, torc_context *context)
{
    torc_dense copy = copied_b(some), from = some->B;
    size_t size = torc_type_size(from.type);
    if (some->copied_ld == 0 || torc_context_workspace(&copy.data, context, some->workspace,
                                    (size_t)copy.nrows * (size_t)copy.ld * size) != TORC_SUCCESS) {
        return;
    }
    torc_type word = size == sizeof(uint32_t) ? TORC_UINT32 : TORC_UINT64; /* of whatever type */
    from.type = word;
    copy.type = word;
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = word};
    torc_operand operand = {.dense = &from};
    if (torc_elementwise_once(&copy, &identity, context, &operand, NULL, &overwrite) == TORC_SUCCESS) {
        copy.type = some->B.type;
        some->B = copy;
    }
}

/* ---- Launches ----------------------------------------------------------------------------------------- */

/* Nothing more is planned, and no family computes all columns or none. */
static torc_spmm_kernel select_for(const launch *l, torc_semiring semiring)
{
    torc_dense B = copied_b(l->columns);
    torc_problem problem = torc_problem_of(&l->columns->C, semiring, l->A, &B, &l->update, false);
    problem.is_part = true;
    for (int f = 0; f < TORC_FAMILIES; f++) {
        if (torc_families[f].is_of_all_columns) {
            problem.lacks[torc_families[f].cut] = true;
        }
    }
    return torc_selected(l->A, &problem, "").kernel;
}

static torc_status prepare(launch launches[], int count)
{
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < count && status == TORC_SUCCESS; i++) {
        launch *l = &launches[i];
        const columns *some = l->columns;
        const torc_operands operands = {&some->C, l->A, &some->B, &l->update, some->first};
        status = torc_launch_prepare(&l->args, &l->kernel, &operands);
    }
    return status;
}

torc_status torc_launch_tiles(
    const torc_spmm_kernel *kernel, const torc_dense *C, torc_sparse *A, const torc_dense *B)
{
    const torc_executor *executor = A->context->executor;
    torc_device *device = A->context->device;
    int64_t tiled = torc_tiled_columns(kernel, C->ncols);
    columns lines = columns_of(C, B, 0, tiled, TORC_WORKSPACE_LINES_OF_B);
    columns left = columns_of(C, B, tiled, C->ncols, TORC_WORKSPACE_LEFT_OF_B);
    if (C->nrows > BLOCKS_WITHOUT_COPY * TORC_TILE_ROWS) {
        lines.copied_ld = ld_of_lines(&lines.B);
        left.copied_ld = left.B.ncols;
    }
    launch launches[3];
    int count = 0;
    launches[count++] = (launch){*kernel, A, &lines, overwrite, {0}};
    bool has_parts = torc_sparse_cut_of(A, kernel, tiled) == TORC_CUT_PART_TILES;
    torc_sparse *left_out = has_parts ? A->part_tiles.rest : A->row_tiles.rest;
    if (left_out) {
        torc_update adds = {.has_accum = true, .accum = add_of[kernel->semiring.add]};
        launch *rest = &launches[count++];
        *rest = (launch){*kernel, left_out, &lines, adds, {0}};
        rest->kernel = select_for(rest, kernel->semiring);
    }
    if (left.C.ncols > 0) {
        launch *last = &launches[count++];
        *last = (launch){*kernel, A, &left, overwrite, {0}};
        last->kernel = select_for(last, kernel->semiring);
    }
    torc_status status = prepare(launches, count); /* what must be there, before what may be */
    for (int i = 1; i < count && status == TORC_SUCCESS; i++) {
        status = executor->load(device, &launches[i].kernel);
    }
    if (status == TORC_SUCCESS) {
        copy_b(&lines, A->context);
        copy_b(&left, A->context);
        status = prepare(launches, count); /* again: workspace that grew has moved */
    }
    for (int i = 0; i < count && status == TORC_SUCCESS; i++) {
        status = executor->spmm(device, &launches[i].kernel, &launches[i].args);
    }
    return status;
}
