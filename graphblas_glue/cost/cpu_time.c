/* cpu_time.c: the model of SuiteSparse. It has three ways (7.4.0; the figures are of one thread of an AMD
 * EPYC, R-MAT of 2^16 rows of 16, N = 64: bench/results/2026-11-22-epyc-suitesparse-forms.csv):
 *
 *     gather     D by row: each entry adds a row of D to one of C
 *     dot        D by column, S by its rows: each element of C is a sum over a row of S
 *     scatter    D by column, S by its columns: each element of D adds a column of S to one of C
 *
 * Time is the sum of
 *
 *     terms       at the rate of the semiring: nvals(S) * N. Absent elements of a bitmap D count too, except
 *                 by scatter
 *     doubt       mispredicted branches: p (1 - p) of them, where a bitmap has a random share p
 *     lines       cache lines: by gather those of a row of D, otherwise one per term
 *     pages       made for C and its bitmap
 *     visits      to elements of C: 1 by scatter, 2 if it has a mask, 1/2 to begin a dot product, and 3/2 to
 *                 accumulate into a full C by another operator than plus; 3/2 in all to elements of a
 *                 vector, which share nothing with others of their row (16 threads beside an H200)
 *
 * Where D is sparse too there is a fourth way, which counts the terms of D's entries alone.
 *
 * A mask spares gather and dot some of their terms, most of all where a bitmap makes them dear. It spares
 * scatter none. Shares in the code are fitted to those figures. All threads are taken to be busy, but where
 * two sparse operands have few terms. */
#include "cpu_time.h"
#include "listed_terms.h"
#include <math.h>

enum { LINE = 64 };
static const double UNFORESEEN = 3; /* times a line that is not fetched ahead, since a branch decides */

typedef enum method { GATHER, DOT, SCATTER } method;

static method method_of(const torc_product *product)
{
    return product->dense_view.order == TORC_ROW_MAJOR || product->dense_view.ncols == 1 ? GATHER
           : product->transpose_sparse                                                   ? SCATTER
                                                                                         : DOT;
}

static bool is_cast(bool is_read, torc_type to, torc_type from)
{
    return is_read && to != from;
}

/* The share of D's elements that are there. */
static double presence(const torc_product *product)
{
    const torc_view *D = product->dense;
    double cells = (double)D->nrows * (double)D->ncols;
    return product->dense_view.bitmap && cells > 0 ? (double)D->nvals / cells : 1;
}

/* How SuiteSparse computes the product, and how much of it. */
typedef struct call_form {
    method way;
    bool has_bitmap, is_masked;
    double present, allowed; /* shares of D's elements, and of C's */
    double results, terms;
} call_form;

/* One term is enough for a result, unless terms are scattered. */
static bool takes_one(const torc_product *product, const call_form *form)
{
    torc_semiring semiring = product->semiring;
    bool is_logical = semiring.add == TORC_LOR_MONOID || semiring.add == TORC_LAND_MONOID;
    bool is_one_value = product->dense_view.iso || !torc_semiring_traits(semiring).reads_b;
    return form->way != SCATTER && (semiring.add == TORC_ANY_MONOID || (is_logical && is_one_value));
}

/* With a bitmap or a mask, the first term that is there has to be looked for. */
static void count_first_terms(torc_cpu_work *work, const call_form *form)
{
    double a = form->allowed;
    work->rate = TORC_RATE_CPU_ANY;
    if (form->has_bitmap) {
        double share = form->is_masked ? .4 + .6 * a : 1;
        work->work = share * form->terms;
        work->doubtful = share * form->results / 4;
    } else {
        work->work = form->results + (form->way == GATHER ? (1 - a) * form->terms : 0);
        work->doubtful = form->results * a * (1 - a) / 2;
    }
}

/* SuiteSparse has code of its own for built-in semirings on their own types, has a faster way into a full C,
 * and finds the minimum by comparing and exchanging. */
static torc_rate rate_of(const torc_product *product, bool is_accumulated, const call_form *form)
{
    torc_semiring semiring = product->semiring;
    torc_traits traits = torc_semiring_traits(semiring);
    bool is_plain = !form->is_masked && !form->has_bitmap && form->way != SCATTER;
    bool is_logical = semiring.add == TORC_LOR_MONOID || semiring.add == TORC_LAND_MONOID;
    bool is_min_max = semiring.add == TORC_MIN_MONOID || semiring.add == TORC_MAX_MONOID;
    bool is_generic = semiring.definition || is_cast(traits.reads_a, traits.x_type, product->sparse_type) ||
                      is_cast(traits.reads_b, traits.y_type, product->dense_type);
    bool is_quick = semiring.add == TORC_PLUS_MONOID && is_plain && (is_accumulated || !traits.reads_b);
    return is_generic   ? TORC_RATE_CPU_GENERIC
           : is_logical ? TORC_RATE_CPU_LOGICAL
           : is_min_max ? TORC_RATE_CPU_MIN_MAX
           : is_quick   ? TORC_RATE_CPU_ACCUMULATED
                        : TORC_RATE_CPU_PLUS;
}

static void count_terms(
    torc_cpu_work *work, const torc_product *product, bool is_accumulated, const call_form *form)
{
    double p = form->present, a = form->allowed, share = 1;
    if (form->way == SCATTER) {
        share = fmin(1, 2 * p); /* the fewer are there, the dearer each */
    } else if (form->is_masked) {
        share = form->has_bitmap ? .1 + .9 * a : .6 + .4 * a;
    }
    work->rate = rate_of(product, is_accumulated, form);
    bool scans = form->has_bitmap && form->way != SCATTER;
    work->work = share * (scans ? p : 1) * form->terms;
    work->scanned = scans ? share * (1 - p) * form->terms : 0;
    work->doubtful = scans ? share * p * (1 - p) * form->terms : 0;
    work->lines *= share * (scans ? UNFORESEEN : 1);
}

/* Where no value is read, the lengths of rows are all that matters; for any_pair not even they do. */
static bool count_pattern(torc_cpu_work *work, const torc_product *product, const call_form *form)
{
    torc_traits traits = torc_semiring_traits(product->semiring);
    bool is_pattern = !traits.reads_a && !traits.reads_b && !traits.is_positional;
    if (!is_pattern || form->is_masked || form->has_bitmap || form->way == SCATTER) {
        return false;
    }
    double entries = (double)product->sparse->nvals;
    work->rate = TORC_RATE_CPU_ANY;
    work->work = fmin(form->results, takes_one(product, form) ? entries : form->terms);
    return true;
}

/* Bytes of lines that the entries name, of D or, by scatter, of C. Narrow rows, and elements of a column,
 * share lines in a cache, though each may fetch one. */
static void count_lines(torc_cpu_work *work, const torc_product *product, method way)
{
    const torc_dense *D = &product->dense_view;
    bool reads_d = torc_semiring_traits(product->semiring).reads_b && !D->iso;
    double size = (double)torc_type_size(way == SCATTER ? product->result_view.type : D->type);
    double width = way == GATHER ? (double)D->ncols : 1;
    double bytes = width * ((reads_d || way == SCATTER ? size : 0) + (D->bitmap ? 1 : 0));
    double times = (double)product->sparse->nvals * (way == GATHER ? 1 : (double)D->ncols);
    work->row = bytes;
    work->lines = bytes > 0 ? times * LINE * ceil(bytes / LINE) : 0;
}

/* Looking takes .2 ms. */
static torc_locality look(const torc_view *S, double lines)
{
    static const double MANY = 1 << 28; /* bytes: some milliseconds */
    torc_locality found = {.all = 0};
    if (S->idx && lines > MANY) {
        found = torc_locality_sample(S);
    }
    return found.all > 0 ? found : torc_locality_of_chance((double)S->nvals, (double)S->veclen);
}

/* What Gustavson's method clears before it begins: in each task a value and a mark for each row of C. There
 * are up to 4 tasks per thread, and one of a single thread. Vectors of few terms have small hash tables
 * instead: the share that has not is fitted to the second step of searches from 64 sources
 * (bench/results/2026-11-23-searches.txt). */
static double bytes_of_workspace(const torc_product *product, double terms, int threads)
{
    static const double TASKS_PER_THREAD = 4, FILLED = 24;
    const torc_dense *R = &product->result_view;
    double rows = (double)R->nrows, vectors = (double)R->ncols;
    double share = fmin(1, FILLED * terms / (vectors * rows));
    double tasks = fmin(vectors, threads > 1 ? TASKS_PER_THREAD * threads : 1);
    return tasks * share * rows * (double)(torc_type_size(R->type) + sizeof(int64_t));
}

/* Two sparse operands: Gustavson's method, or a hash table for each vector of C. Either visits one place per
 * term (1.2 to 1.4e9 terms a second by 16 threads of an H200's host, searches of 64 sources on R-MAT
 * 20). A thread is not begun for less than GxB_CHUNK terms, 65536 unless it was set, as SuiteSparse's sources
 * have it; what programs gain by knowing that is in bench/results/2026-11-24-h200-frontiers.txt. */
static torc_cpu_work work_of_listed(const torc_product *product, int threads)
{
    enum { CHUNK = 65536 };
    double terms = torc_listed_terms(product);
    int busy = (int)fmin(threads, fmax(1, floor(terms / CHUNK)));
    return (torc_cpu_work){
        .rate = TORC_RATE_CPU_GENERIC,
        .work = terms,
        .lines = LINE * terms,
        .row = LINE,
        .locality = torc_locality_of_chance(terms, (double)product->result_view.nrows),
        .fresh = bytes_of_workspace(product, terms, busy),
        .threads = threads,
        .busy = busy,
    };
}

torc_cpu_work torc_cpu_work_of(const torc_product *product, const torc_cpu_circumstances *circumstances)
{
    if (product->dense_is_listed) {
        return work_of_listed(product, circumstances->threads);
    }
    const torc_dense *R = &product->result_view;
    double results = (double)R->nrows * (double)R->ncols;
    bool is_accumulated = circumstances->is_accumulated;
    call_form form = {
        .way = method_of(product),
        .has_bitmap = product->dense_view.bitmap,
        .is_masked = circumstances->is_masked,
        .present = presence(product),
        .allowed = circumstances->is_masked ? circumstances->allowed : 1,
        .results = results,
        .terms = (double)product->sparse->nvals * (double)R->ncols,
    };
    bool is_vector = R->ncols == 1;
    torc_cpu_work work = {
        .visited = is_vector             ? 1.5 * results
                   : form.way == SCATTER ? (form.is_masked ? 2 : 1) * results
                   : form.way == DOT     ? results / 2
                                         : 0,
        .fresh = is_accumulated || circumstances->result_is_recycled
                     ? 0
                     : results * (1 + (double)torc_type_size(R->type)),
    };
    if (circumstances->has_accum && !is_accumulated && !is_vector) {
        work.visited += 1.5 * results;
    }
    count_lines(&work, product, form.way);
    work.locality = look(product->sparse, work.lines);
    if (!count_pattern(&work, product, &form)) {
        if (takes_one(product, &form)) {
            count_first_terms(&work, &form);
            work.lines = fmin(work.lines, LINE * work.work);
        } else {
            count_terms(&work, product, is_accumulated, &form);
        }
    }
    return work;
}

double torc_cpu_seconds(const torc_cpu_work *work, const torc_machine_rates *rates)
{
    const torc_machine_rates of_busy = torc_rates_of_threads(rates, work->busy, work->threads);
    const double *of = of_busy.of;
    double lines = 0;
    if (work->lines > 0) {
        double near = torc_locality_misses(&work->locality, of[TORC_RATE_CACHE_OF_ONE] / work->row);
        double far =
            fmin(near, torc_locality_misses(&work->locality, of[TORC_RATE_CACHE_OF_ALL] / work->row));
        lines = work->lines * ((near - far) / of[TORC_RATE_CACHED] + far / of[TORC_RATE_RANDOM]);
    }
    double scan = fmax(of[work->rate], of[TORC_RATE_CPU_PLUS]); /* no slower than to add */
    return TORC_CPU_CALL + work->work / of[work->rate] + work->scanned / scan +
           work->doubtful / of[TORC_RATE_CPU_DOUBT] + work->visited / of[TORC_RATE_CPU_VISIT] + lines +
           work->fresh / of[TORC_RATE_FRESH];
}

/* What the caches hold is there from the operation before; one and a half times as much passes as fast as
 * memory is copied. Lines in order come four times as fast as at random places. An element that is decided on
 * takes as long as one and a half terms, one that is compared as long as two. */
double torc_cpu_pass_seconds(const torc_cpu_pass *pass, const torc_machine_rates *rates)
{
    const double *of = rates->of;
    double near = fmax(0, fmin(1, 3 - 2 * pass->bytes / of[TORC_RATE_CACHE_OF_ALL]));
    double in_caches =
        pass->bytes / (2 * of[TORC_RATE_CACHED]) + 2 * LINE * pass->gathered / of[TORC_RATE_CACHED] +
        1.5 * pass->decided / of[TORC_RATE_CPU_PLUS] + pass->doubtful / of[TORC_RATE_CPU_DOUBT] +
        2 * pass->compared / of[TORC_RATE_CPU_MIN_MAX];
    double in_memory = fmax(in_caches, pass->bytes / of[TORC_RATE_OUT_STAGED]);
    return TORC_CPU_CALL + near * in_caches + (1 - near) * in_memory;
}
