#include "corpus_case.h"
#include "bench_random.h"
#include "bench_require.h"
#include "bench_values.h"
#include "clock_now.h"
#include "corpus_executor.h"
#include "prediction.h"
#include "selection.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const int64_t corpus_widths[] = {1, 2, 3, 4, 5, 8, 12, 16, 20, 32, 48, 64, 100, 128, 256};
const int corpus_nwidths = sizeof corpus_widths / sizeof *corpus_widths;

static const torc_type types[CORPUS_TYPES] = {TORC_FP32, TORC_FP64};
static const torc_update overwrite;

/* What a product may have, and how many a matrix of few entries, or many, gets in each type. */
static const double MOST_PRODUCTS = 3e9;
enum { MOST_CELLS = 1 << 27, LARGE = 4000000, DRAWS = 3 };

/* A kernel that is predicted to take more than so many times the least is left out, but in one product of so
 * many, so that what the prediction misses is seen. */
static const double HOPELESS = 3;
enum { COMPLETE_ONE_OF = 8 };

const char corpus_csv_header[] =
    "matrix,rows,cols,nnz,mean,deviation,empty_rows,max_row,near,far,sectors,bricks,bricks16,N,type,"
    "semiring,contender,cache,ms,predicted_ms,selected\n";

static void require(torc_status status, const char *what)
{
    bench_require(status == TORC_SUCCESS, what, torc_status_text(status));
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

static void grow(torc_context *context, void **memory, int64_t *cells, int64_t needed, size_t size)
{
    if (needed > *cells) {
        torc_memory_release(context, *memory);
        require(torc_memory_allocate(memory, context, (size_t)needed * size), "torc_memory_allocate");
        *cells = needed;
    }
}

/* Half as much again as needed. */
static void make_room(corpus_operands *o, int t, const bench_matrix *A, int64_t ncols)
{
    size_t size = torc_type_size(types[t]);
    int64_t b_cells = A->ncols * ncols, c_cells = A->nrows * ncols;
    if (b_cells > o->of[t].b_cells) {
        grow(o->context, &o->of[t].b, &o->of[t].b_cells, b_cells + b_cells / 2, size);
        void *values = bench_values_make(types[t], o->of[t].b_cells);
        require(torc_memory_upload(o->context, o->of[t].b, values, (size_t)o->of[t].b_cells * size),
            "torc_memory_upload");
        free(values);
    }
    if (c_cells > o->of[t].c_cells) {
        grow(o->context, &o->of[t].c, &o->of[t].c_cells, c_cells + c_cells / 2, size);
    }
    if (A->nnz > o->of[t].a_count) {
        free(o->of[t].a_values);
        o->of[t].a_count = A->nnz + A->nnz / 2;
        o->of[t].a_values = bench_values_make(types[t], o->of[t].a_count);
    }
}

void corpus_operands_free(corpus_operands *operands)
{
    for (int t = 0; t < CORPUS_TYPES; t++) {
        torc_memory_release(operands->context, operands->of[t].b);
        torc_memory_release(operands->context, operands->of[t].c);
        free(operands->of[t].a_values);
    }
}

/* ---- One product -------------------------------------------------------------------------------------- */

typedef struct product {
    torc_semiring semiring;
    torc_sparse *A;
    torc_dense B, C;
    char rule[TORC_KERNEL_NAME]; /* the kernel's name */
} product;

static void queue(void *opaque)
{
    product *p = opaque;
    memcpy(p->A->context->kernel, p->rule, sizeof p->rule);
    require(torc_spmm(&p->C, p->semiring, p->A, false, &p->B, &overwrite), p->rule);
}

/* false: this A has none. */
static bool has_plan(torc_sparse *A, const torc_spmm_kernel *kernel, int64_t ncols)
{
    torc_cut cut = torc_sparse_cut_of(A, kernel, ncols);
    if (!torc_cut_is_plan(cut)) {
        return true;
    }
    require(torc_sparse_cut(A, cut), "torc_sparse_cut");
    return torc_sparse_has_plan(A, cut);
}

/* predicted: 0 of what nobody predicts. */
static void print_line(FILE *csv, const product *p, const char *name, const torc_problem *problem,
    const char *contender, double seconds, double predicted, bool is_selected)
{
    const torc_statistics *rows = problem->rows;
    fprintf(csv, "%s,%lld,%lld,%lld,%.6g,%.6g,%lld,%lld,%.5g,%.5g,%.5g,%.5g,%.5g,", name,
        (long long)rows->nrows, (long long)rows->ncols, (long long)rows->nnz, rows->mean_row,
        rows->deviation_row, (long long)rows->empty_rows, (long long)rows->max_row, rows->near_footprint,
        rows->far_footprint, rows->sector_footprint, rows->brick_footprint, rows->tall_brick_footprint);
    fprintf(csv, "%lld,%s,%s_%s,%s,warm,%.5g,%.5g,%d\n", (long long)problem->ncols,
        torc_type_name(p->semiring.type), torc_monoid_name(p->semiring.add),
        torc_multiply_name(p->semiring.multiply), contender, 1e3 * seconds, 1e3 * predicted, is_selected);
}

static void run_rivals(
    FILE *csv, const product *p, const bench_matrix *A, const torc_problem *problem, double enough)
{
    corpus_rival rivals[CORPUS_MOST_RIVALS];
    int count = corpus_time_rivals(rivals, &p->C, A, p->A, &p->B, enough);
    for (int i = 0; i < count; i++) {
        print_line(csv, p, A->name, problem, rivals[i].name, rivals[i].seconds, 0, false);
    }
}

static void run_product(FILE *csv, product *p, const bench_matrix *A, bool is_complete, bool has_rivals)
{
    torc_problem problem = torc_problem_of(&p->C, p->semiring, p->A, &p->B, &overwrite, false);
    torc_spmm_kernel list[TORC_MAX_CANDIDATES];
    int count = torc_rank_kernels(list, &problem);
    double least_predicted = torc_predict(&list[0], &problem, &torc_measured_rates).seconds, least = INFINITY;
    char selected[TORC_KERNEL_NAME];
    torc_spmm_kernel chosen = torc_select_kernel(&problem, "");
    torc_kernel_name(selected, &chosen);
    for (int i = 0; i < count; i++) {
        double predicted = torc_predict(&list[i], &problem, &torc_measured_rates).seconds;
        if ((is_complete || predicted <= HOPELESS * least_predicted) &&
            has_plan(p->A, &list[i], p->C.ncols)) {
            torc_kernel_name(p->rule, &list[i]);
            double seconds = corpus_time(p->A->context, queue, p, HOPELESS * least);
            least = fmin(least, seconds);
            char contender[sizeof "torc " + TORC_KERNEL_NAME];
            snprintf(contender, sizeof contender, "torc %s", p->rule);
            print_line(
                csv, p, A->name, &problem, contender, seconds, predicted, strcmp(p->rule, selected) == 0);
        }
    }
    if (has_rivals) {
        run_rivals(csv, p, A, &problem, HOPELESS * least);
    }
    fflush(csv);
}

/* ---- One matrix --------------------------------------------------------------------------------------- */

/* As many columns as drawn, or as fit. */
static int64_t draw_width(const bench_matrix *A, uint64_t *state)
{
    int64_t w = bench_random_below(state, corpus_nwidths);
    int64_t longest = A->nrows > A->ncols ? A->nrows : A->ncols;
    while (w > 0 && (corpus_widths[w] * longest > MOST_CELLS ||
                        (double)corpus_widths[w] * (double)A->nnz > MOST_PRODUCTS)) {
        w--;
    }
    return corpus_widths[w];
}

static void run_type(
    FILE *csv, corpus_operands *operands, const bench_matrix *A, int t, uint64_t *state, double end)
{
    int64_t drawn[DRAWS];
    torc_csr csr = {A->nrows, A->ncols, A->row_ptr, A->col_idx, NULL, 32, 32, types[t], false, NULL};
    product p = {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, types[t], NULL, false}};
    make_room(operands, t, A, 1);
    csr.values = operands->of[t].a_values;
    require(torc_sparse_create(&p.A, operands->context, &csr), "torc_sparse_create");
    for (int d = 0; d < DRAWS && torc_now() < end; d++) {
        int64_t n = drawn[d] = draw_width(A, state);
        bool is_complete = bench_random_below(state, COMPLETE_ONE_OF) == 0, is_new = true;
        for (int before = 0; before < d; before++) {
            is_new = is_new && drawn[before] != n;
        }
        if (is_new) {
            make_room(operands, t, A, n);
            p.B = (torc_dense){A->ncols, n, n, TORC_ROW_MAJOR, types[t], false, operands->of[t].b, NULL};
            p.C = (torc_dense){A->nrows, n, n, TORC_ROW_MAJOR, types[t], false, operands->of[t].c, NULL};
            run_product(csv, &p, A, is_complete, operands->has_rivals);
        }
    }
    torc_sparse_destroy(p.A);
}

void corpus_case_run(FILE *csv, corpus_operands *operands, const bench_matrix *A, uint64_t state, double end)
{
    int only = A->nnz > LARGE ? (int)bench_random_below(&state, CORPUS_TYPES) : -1;
    for (int t = 0; t < CORPUS_TYPES; t++) {
        if (only < 0 || t == only) {
            run_type(csv, operands, A, t, &state, end);
        }
    }
}
