/* spmm.c: one multiplication: bring B, and of C what is read, into row-major order, or pack the
 * booleans, multiply, bring C into the form asked for. */
#include "spmm.h"
#include "bit_packing.h"
#include "dense.h"
#include "selected.h"
#include "tile_family.h"
#include <stdlib.h>

static const torc_update overwrite;
static const torc_part whole = {.may_plan = true};

/* An array laid out as the column-major X, in workspace and row-major; without content if from is NULL. */
static torc_status bring(void **to, torc_context *context, torc_workspace workspace, const torc_dense *X,
    const void *from, size_t size)
{
    torc_status status =
        torc_context_workspace(to, context, workspace, (size_t)X->nrows * (size_t)X->ncols * size);
    if (status != TORC_SUCCESS || !from) {
        return status;
    }
    /* A column-major matrix is the row-major storage of its transpose. */
    return context->executor->transpose_dense(
        context->device, *to, X->ncols, from, X->ld, X->ncols, X->nrows, size);
}

/* X as if it were row-major, which it is if true; otherwise its arrays are still to be brought. */
static bool view_by_row(torc_dense *view, const torc_dense *X)
{
    *view = *X;
    view->order = TORC_ROW_MAJOR;
    view->ld = X->order == TORC_ROW_MAJOR ? X->ld : X->ncols;
    return X->order == TORC_ROW_MAJOR || X->ncols == 1;
}

static torc_status bring_b(torc_dense *view, torc_context *context, const torc_dense *B, bool reads_b)
{
    torc_status status = TORC_SUCCESS;
    if (view_by_row(view, B)) {
        return status;
    }
    if (reads_b && !B->iso) {
        status = bring(&view->data, context, TORC_WORKSPACE_B, B, B->data, torc_type_size(B->type));
    }
    if (status == TORC_SUCCESS && B->bitmap) {
        void *bitmap;
        status = bring(&bitmap, context, TORC_WORKSPACE_B_BITMAP, B, B->bitmap, 1);
        view->bitmap = bitmap;
    }
    return status;
}

/* The update's mask comes along. */
static torc_status bring_c(torc_dense *view, torc_update *update, torc_context *context, const torc_dense *C)
{
    if (view_by_row(view, C)) {
        return TORC_SUCCESS;
    }
    bool is_read = torc_reads_old(update);
    torc_status status = bring(&view->data, context, TORC_WORKSPACE_C, C,
        is_read && !update->iso ? C->data : NULL, torc_type_size(C->type));
    void *bytes = NULL;
    if (status == TORC_SUCCESS && C->bitmap) {
        status = bring(&bytes, context, TORC_WORKSPACE_C_BITMAP, C, is_read ? C->bitmap : NULL, 1);
        view->bitmap = bytes;
    }
    if (status == TORC_SUCCESS && update->mask) {
        status = bring(&bytes, context, TORC_WORKSPACE_MASK, C, update->mask, 1);
        update->mask = bytes;
    }
    return status;
}

/* C from where it was computed. */
static torc_status take_back(torc_context *context, const torc_dense *C, const torc_dense *view)
{
    const torc_executor *executor = context->executor;
    torc_status status = TORC_SUCCESS;
    if (view->data != C->data) {
        status = executor->transpose_dense(context->device, C->data, C->ld, view->data, view->ld, C->nrows,
            C->ncols, torc_type_size(C->type));
    }
    if (status == TORC_SUCCESS && view->bitmap != C->bitmap) {
        status = executor->transpose_dense(
            context->device, C->bitmap, C->ld, view->bitmap, view->ld, C->nrows, C->ncols, 1);
    }
    return status;
}

/* What one launch is given, workspace included. */
static torc_status prepare(torc_spmm_args *args, const torc_spmm_kernel *kernel, const torc_dense *C,
    torc_sparse *A, const torc_dense *B, const torc_update *update, int64_t first_column)
{
    torc_context *context = A->context;
    *args = (torc_spmm_args){
        .nrows = C->nrows,
        .ncols = C->ncols,
        .ldb = B->ld,
        .ldc = C->ld,
        .first_column = first_column,
        .row_ptr = A->csr.row_ptr,
        .col_idx = A->csr.col_idx,
        .a = A->csr.values,
        .row_names = A->row_names,
        .b_rows = A->csr.ncols,
        .b = B->data,
        .c = C->data,
        .b_bitmap = B->bitmap,
        .c_bitmap = C->bitmap,
        .mask = update->mask,
        .old_c = update->iso ? update->iso : C->data,
        .mask_complement = update->complement,
        .mask_replace = update->replace,
    };
    int64_t npartials;
    torc_status status = torc_sparse_take_cut(args, &npartials, A, kernel);
    if (status == TORC_SUCCESS && args->nlong_rows > 0) {
        size_t count = (size_t)npartials * (size_t)C->ncols;
        status = torc_context_workspace(
            &args->partials, context, TORC_WORKSPACE_PARTIALS, count * torc_type_size(C->type));
        if (status == TORC_SUCCESS && B->bitmap) {
            void *bitmap;
            status = torc_context_workspace(&bitmap, context, TORC_WORKSPACE_PARTIAL_BITMAP, count);
            args->partial_bitmap = bitmap;
        }
    }
    return status;
}

/* What adds to C in the way of a monoid of which tiles are made. */
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

/* X as selection is to see it: with the columns of the whole, at an address that any vector may have. */
static torc_dense as_whole(const torc_dense *X, const torc_part *part)
{
    enum { ALIGNED = 256 };
    torc_dense view = *X;
    if (part->whole_columns > 0) {
        view.ncols = view.ld = part->whole_columns;
    }
    if (part->whole_columns > 0 || part->all_rows) {
        view.data = X->data ? (void *)(uintptr_t)ALIGNED : NULL;
        view.bitmap = X->bitmap ? (uint8_t *)(uintptr_t)ALIGNED : NULL;
    }
    return view;
}

/* Nor what computes all columns of C or none. */
static void rule_out_whole(torc_problem *problem)
{
    for (int f = 0; f < TORC_FAMILIES; f++) {
        if (torc_families[f].is_of_all_columns) {
            problem->lacks[torc_families[f].cut] = true;
        }
    }
}

/* The kernel for what C and B are columns of. Nothing more is planned. */
static torc_spmm_kernel select_for(
    const launch *l, torc_semiring semiring, const torc_dense *C, const torc_dense *B)
{
    torc_problem problem = torc_problem_of(C, semiring, l->A, B, &l->update, false);
    rule_out_whole(&problem);
    return torc_selected(l->A, &problem, "").kernel;
}

static int64_t within(int64_t x, int64_t most)
{
    return x < 0 ? 0 : x < most ? x : most;
}

/* The sums of tiles go to whole lines of C; the rest of A is added to them, and what is left of the columns
 * is a product of its own. All that may be lacking is seen to before C is touched. */
static torc_status run_tiles(const torc_spmm_kernel *kernel, const torc_dense *C, torc_sparse *A,
    const torc_dense *B, const torc_part *part)
{
    const torc_executor *executor = A->context->executor;
    torc_device *device = A->context->device;
    torc_dense all_c = as_whole(C, part), all_b = as_whole(B, part);
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
        status = prepare(&l->args, &l->kernel, &l->C, l->A, &l->B, &l->update, l->first_column);
    }
    for (int i = 1; i < count && status == TORC_SUCCESS; i++) {
        status = executor->load(device, &launches[i].kernel);
    }
    for (int i = 0; i < count && status == TORC_SUCCESS; i++) {
        status = executor->spmm(device, &launches[i].kernel, &launches[i].args);
    }
    return status;
}

/* A uniform kernel's vectors only spread what is computed once: shorter ones give the same bits. */
static torc_spmm_kernel fitted(const torc_spmm_kernel *kernel, int64_t ncols)
{
    torc_spmm_kernel fit = *kernel;
    while (torc_families[fit.family].is_uniform && ncols % fit.shape.vector != 0) {
        fit.shape.vector /= 2;
    }
    return fit;
}

static torc_status run_kernel(const torc_spmm_kernel *kernel, const torc_dense *C, torc_sparse *A,
    const torc_dense *B, const torc_update *update, const torc_part *part)
{
    torc_spmm_args args;
    const torc_family_facts *family = &torc_families[kernel->family];
    if (part->all_rows && family->is_of_all_rows) {
        return TORC_UNSUPPORTED;
    }
    if (family->cut == TORC_CUT_TILES) {
        return run_tiles(kernel, C, A, B, part);
    }
    torc_spmm_kernel fit = fitted(kernel, C->ncols);
    torc_status status = prepare(&args, &fit, C, A, B, update, part->first_column);
    return status == TORC_SUCCESS ? A->context->executor->spmm(A->context->device, &fit, &args) : status;
}

/* A is in its text; all of C is overwritten. */
static torc_status run_program(
    const torc_constant_program *program, const torc_dense *C, const torc_sparse *A, const torc_dense *B)
{
    torc_constant_args args = {B->data, C->data};
    return A->context->executor->constant_multiply(A->context->device, program, &args);
}

/* There is no such kernel, and another one may do. */
static bool is_lacking(torc_status status)
{
    return status == TORC_NO_COMPILER || status == TORC_COMPILE_ERROR;
}

/* Which that is. A is planned for a kernel that is there, where that can be; else the kernel is chosen among
 * those that need no such plan. */
static torc_status choose(torc_choice *choice, torc_problem *problem, torc_sparse *A)
{
    const torc_context *context = A->context;
    for (;;) {
        *choice = torc_selected(A, problem, context->kernel);
        torc_cut cut = torc_families[choice->kernel.family].cut;
        if (!torc_cut_is_plan(cut)) {
            return TORC_SUCCESS;
        }
        torc_status status = context->executor->load(context->device, &choice->kernel);
        if (status == TORC_SUCCESS) {
            status = torc_sparse_cut(A, cut);
        }
        if (status == TORC_SUCCESS && torc_sparse_has_plan(A, cut)) {
            return status;
        }
        if (status != TORC_SUCCESS && !is_lacking(status)) {
            return status;
        }
        problem->lacks[cut] = true;
    }
}

/* The candidates but for the chosen one, the best first. They lie on the heap: there may be little stack, and
 * the driver needs some of it. */
static torc_status run_next_best(const torc_problem *problem, const torc_dense *C, torc_sparse *A,
    const torc_dense *B, const torc_update *update, const torc_part *part, torc_status status)
{
    torc_spmm_kernel *list = malloc(TORC_MAX_CANDIDATES * sizeof *list);
    int count = list ? torc_rank_kernels(list, problem) : 0;
    for (int i = 0; i < count && is_lacking(status); i++) {
        status = run_kernel(&list[i], C, A, B, update, part);
    }
    free(list);
    return status;
}

/* With the kernel of choice. Where that does not compile for this device, or there is no compiler for it,
 * with the next best that can be had: executors remember what does not compile. User-defined source is
 * compiled once: what is wrong with it is wrong in every kernel. */
static torc_status multiply(const torc_dense *C, torc_semiring semiring, torc_sparse *A, const torc_dense *B,
    const torc_update *update, const torc_part *part, bool is_packed)
{
    torc_dense all_c = as_whole(C, part), all_b = as_whole(B, part), mask = torc_presence_of(C, update->mask);
    torc_sparse *all_a = part->all_rows ? part->all_rows : A;
    torc_update all_update = *update;
    all_update.mask = as_whole(&mask, part).data;
    torc_problem problem = torc_problem_of(&all_c, semiring, all_a, &all_b, &all_update, is_packed);
    bool is_part = part->whole_columns > 0 || part->all_rows;
    for (int cut = 0; cut < TORC_CUTS && !part->may_plan; cut++) {
        problem.lacks[cut] = problem.lacks[cut] || torc_cut_is_plan((torc_cut)cut);
    }
    if (is_part) {
        rule_out_whole(&problem);
    }
    torc_choice choice;
    torc_status status = choose(&choice, &problem, all_a);
    if (status != TORC_SUCCESS) {
        return status;
    }
    status = choice.program && !is_part && C->ld == C->ncols && B->ld == B->ncols
                 ? run_program(choice.program, C, A, B)
                 : run_kernel(&choice.kernel, C, A, B, update, part);
    bool is_hopeless = status == TORC_COMPILE_ERROR && semiring.definition;
    if (is_lacking(status) && !is_hopeless) {
        for (int cut = 0; cut < TORC_CUTS; cut++) { /* nothing more is planned */
            problem.lacks[cut] = problem.lacks[cut] ||
                                 (torc_cut_is_plan((torc_cut)cut) && !torc_sparse_has_plan(A, (torc_cut)cut));
        }
        status = run_next_best(&problem, C, A, B, update, part, status);
    }
    return status;
}

/* Over words: pack B, multiply, unpack C. */
static torc_status multiply_packed(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    const torc_dense *B, const torc_update *update)
{
    torc_context *context = A->context;
    torc_dense words_b, words_c;
    torc_status status = torc_packed_view(&words_b, context, B, TORC_WORKSPACE_B);
    if (status == TORC_SUCCESS) {
        status = torc_packed_view(&words_c, context, C, TORC_WORKSPACE_C);
    }
    if (status == TORC_SUCCESS) {
        status = context->executor->pack_bits(context->device, words_b.data, B);
    }
    if (status == TORC_SUCCESS) {
        status = multiply(&words_c, semiring, A, &words_b, update, &whole, true);
    }
    if (status == TORC_SUCCESS) {
        status = context->executor->unpack_bits(context->device, C, words_c.data);
    }
    return status;
}

/* A step of a traversal over words: pack presence, and the mask; what is present is true. */
static torc_status multiply_presence(
    const torc_dense *C, torc_sparse *A, const torc_dense *B, const torc_update *update)
{
    torc_context *context = A->context;
    const torc_executor *executor = context->executor;
    torc_dense there_b = torc_presence_of(B, B->bitmap), there_c = torc_presence_of(C, C->bitmap);
    torc_dense mask = torc_presence_of(C, update->mask), words_b, words_c, words_m;
    torc_status status = torc_packed_view(&words_b, context, &there_b, TORC_WORKSPACE_B);
    if (status == TORC_SUCCESS) {
        status = torc_packed_view(&words_c, context, &there_c, TORC_WORKSPACE_C);
    }
    if (status == TORC_SUCCESS && update->mask) {
        status = torc_packed_view(&words_m, context, &mask, TORC_WORKSPACE_MASK);
    }
    if (status == TORC_SUCCESS) {
        status = executor->pack_bits(context->device, words_b.data, &there_b);
    }
    if (status == TORC_SUCCESS) {
        status = multiply(&words_c, torc_presence_semiring, A, &words_b, &overwrite, &whole, true);
    }
    if (status == TORC_SUCCESS && update->mask) {
        status = executor->pack_bits(context->device, words_m.data, &mask);
    }
    if (status == TORC_SUCCESS && update->mask) {
        status = executor->mask_bits(
            context->device, words_c.data, words_m.data, words_c.nrows * words_c.ncols, update->complement);
    }
    if (status == TORC_SUCCESS) {
        status = executor->unpack_bits(context->device, &there_c, words_c.data);
    }
    return status == TORC_SUCCESS ? executor->unpack_bits(context->device, C, words_c.data) : status;
}

/* May fail for want of memory before it writes to C, never after. What is computed over words is exact,
 * whatever the kernel: it is chosen for the part. */
static torc_status attempt(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_part *part)
{
    torc_context *context = A->context;
    torc_dense view_b, view_c;
    torc_update by_row = *update;
    torc_status status = torc_sparse_orient(&A, A, transpose);
    if (status != TORC_SUCCESS) {
        return status;
    }
    if (torc_is_everywhere(C, B, update) && !update->has_accum && torc_packing_pays(C, semiring, A, B)) {
        return multiply_packed(C, semiring, A, B, update);
    }
    if (torc_packing_presence_pays(C, semiring, A, B, update)) {
        status = multiply_presence(C, A, B, update);
        if (!is_lacking(status)) {
            return status;
        }
    }
    status = bring_b(&view_b, context, B, torc_semiring_traits(semiring).reads_b);
    if (status == TORC_SUCCESS) {
        status = bring_c(&view_c, &by_row, context, C);
    }
    if (status == TORC_SUCCESS) {
        status = multiply(&view_c, semiring, A, &view_b, &by_row, part, false);
    }
    return status == TORC_SUCCESS ? take_back(context, C, &view_c) : status;
}

/* Where memory is short, without workspace of earlier, larger multiplications, then without plans. */
static torc_status insist(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_part *part)
{
    torc_status status = attempt(C, semiring, A, transpose, B, update, part);
    if (status == TORC_OUT_OF_MEMORY && torc_context_trim(A->context)) {
        status = attempt(C, semiring, A, transpose, B, update, part);
    }
    torc_sparse *oriented = transpose ? A->transpose : A;
    if (status == TORC_OUT_OF_MEMORY && oriented && torc_sparse_give_up_plans(oriented)) {
        status = attempt(C, semiring, A, transpose, B, update, part);
    }
    return status;
}

torc_status torc_spmm_part(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_part *part)
{
    return insist(C, semiring, A, transpose, B, update, part);
}

torc_status torc_spmm(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update)
{
    update = update ? update : &overwrite;
    torc_status status = torc_spmm_check_arguments(C, semiring, A, transpose, B, update);
    return status == TORC_SUCCESS && C->nrows > 0 && C->ncols > 0
               ? insist(C, semiring, A, transpose, B, update, &whole)
               : status;
}
