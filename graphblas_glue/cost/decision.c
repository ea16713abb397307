/* decision.c: the cost model.
 *
 * The CPU's side is a lower bound: nnz(S)·N multiplications at the best rate that SuiteSparse was seen to
 * reach with that kind of semiring, less what the mask excludes. The GPU's side is a sum, as if nothing
 * overlapped but half of what goes both ways over the bus in pinned panels. So a call goes to the device only
 * where it gains.
 *
 * Times of calls correct the prediction of calls of the same kind alone (experience.h), although a factor for
 * all of them would be at hand. Where calls stay on the CPU, it would send other matrices, on which
 * SuiteSparse is faster, to the device, and then nothing would tell. Where they run on the device, the first
 * ones carry what is paid once, compiled kernels, pinned memory and kept copies, and would look like a slow
 * device. torc_mxm_statistics tells predicted and measured times; where they are apart, torc calibrate
 * measures the machine. */
#include "decision.h"

#define CPU_CALL 5e-6 /* of the bare call, by the smallest products */

static double bytes(int64_t nrows, int64_t ncols, size_t size)
{
    return (double)nrows * (double)ncols * (double)size;
}

static void move_in(torc_workload *work, torc_place place, double size)
{
    *(place.is_on_device ? &work->spared : place.is_pinned ? &work->in_pinned : &work->in_staged) += size;
}

static bool is_cast(bool is_read, torc_type to, torc_type from)
{
    return is_read && to != from;
}

static double least(double x, double y)
{
    return x < y ? x : y;
}

/* SuiteSparse has code of its own for built-in semirings on their own types, has a faster way into a full C,
 * takes one term a result where that settles it, and finds the minimum by comparing and exchanging. */
static void choose_cpu_rate(
    torc_workload *work, const torc_product *product, const torc_circumstances *circumstances)
{
    torc_semiring semiring = product->semiring;
    torc_traits traits = torc_semiring_traits(semiring);
    const torc_dense *D = &product->dense_view, *R = &product->result_view;
    double entries = (double)product->sparse->nvals;
    double results = bytes(R->nrows, R->ncols, 1), terms = entries * (double)R->ncols;
    bool is_pattern = !traits.reads_a && !traits.reads_b && !traits.is_positional;
    bool is_logical = semiring.add == TORC_LOR_MONOID || semiring.add == TORC_LAND_MONOID;
    bool takes_one = semiring.add == TORC_ANY_MONOID || (is_logical && (D->iso || !traits.reads_b));
    bool is_generic = semiring.definition || is_cast(traits.reads_a, traits.x_type, product->sparse_type) ||
                      is_cast(traits.reads_b, traits.y_type, product->dense_type);
    bool is_min_max = semiring.add == TORC_MIN_MONOID || semiring.add == TORC_MAX_MONOID;
    bool is_quick = semiring.add == TORC_PLUS_MONOID && (circumstances->is_accumulated || !traits.reads_b);
    work->cpu_rate = takes_one || is_pattern ? TORC_RATE_CPU_ANY
                     : is_generic            ? TORC_RATE_CPU_GENERIC
                     : is_logical            ? TORC_RATE_CPU_LOGICAL
                     : is_min_max            ? TORC_RATE_CPU_MIN_MAX
                     : is_quick              ? TORC_RATE_CPU_ACCUMULATED
                                             : TORC_RATE_CPU_PLUS;
    work->cpu_work = takes_one && is_pattern   ? least(entries, results) /* all results are one value */
                     : takes_one || is_pattern ? least(results, terms)
                                               : terms;
    work->cpu_work *= circumstances->allowed;
}

static void count_sparse(
    torc_workload *work, const torc_product *product, const torc_circumstances *circumstances)
{
    const torc_view *S = product->sparse;
    bool reads_values = torc_semiring_traits(product->semiring).reads_a && !S->iso;
    int64_t rows = product->is_compact || S->format == TORC_SPARSE ? S->nvec : product->dense_view.nrows;
    double size = bytes(rows, 1, sizeof(uint64_t)) + bytes(S->nvals, 1, sizeof(uint32_t));
    size += reads_values ? bytes(S->nvals, 1, torc_type_size(product->sparse_type)) : 0;
    move_in(work, circumstances->sparse, size);
    if (product->transpose_sparse && !circumstances->sparse.is_on_device) {
        work->copied += 10 * size; /* a sort of a few passes; a copy keeps the transpose */
    }
}

static void count_dense(
    torc_workload *work, const torc_product *product, const torc_circumstances *circumstances)
{
    const torc_dense *D = &product->dense_view;
    double entries = (double)product->sparse->nvals;
    if (torc_semiring_traits(product->semiring).reads_b && !D->iso) {
        double size = bytes(D->nrows, D->ncols, torc_type_size(D->type));
        move_in(work, circumstances->dense, size);
        work->copied += D->order == TORC_COL_MAJOR ? 2 * size : 0;
        work->gathered += entries * bytes(1, D->ncols, torc_type_size(D->type));
    }
    work->gathered += D->bitmap ? entries * (double)D->ncols : 0;
    move_in(work, circumstances->side, product->side_bytes);
}

static void count_result(
    torc_workload *work, const torc_product *product, const torc_circumstances *circumstances)
{
    const torc_dense *R = &product->result_view;
    double size = bytes(R->nrows, R->ncols, torc_type_size(R->type));
    work->copied += (R->order == TORC_COL_MAJOR ? 3 : 1) * size;
    if (circumstances->result_stays) {
        return;
    }
    *(circumstances->result_is_pinned ? &work->out_pinned : &work->out_staged) += size;
    work->fresh += circumstances->result_is_recycled ? 0 : size;
}

/* D and R travel in panels where a row of both has SHORTEST_PANELS bytes, or, by column, SHORTEST_BY_COLUMN
 * (src/host/stream.c); staged, they take the processors' time one after the other. */
static double overlapped(const torc_product *product, const torc_circumstances *circumstances)
{
    enum { SHORTEST_PANELS = 256, SHORTEST_BY_COLUMN = 128 };
    const torc_dense *D = &product->dense_view, *R = &product->result_view;
    double d_row = bytes(1, D->ncols, torc_type_size(D->type)),
           r_row = bytes(1, R->ncols, torc_type_size(R->type));
    bool travels = !circumstances->result_stays && torc_semiring_traits(product->semiring).reads_b &&
                   !D->iso && !circumstances->dense.is_on_device && circumstances->dense.is_pinned &&
                   circumstances->result_is_pinned;
    bool is_by_column = D->order == TORC_COL_MAJOR && R->order == TORC_COL_MAJOR;
    double shortest = is_by_column ? SHORTEST_BY_COLUMN : SHORTEST_PANELS;
    bool has_panels = d_row >= shortest && r_row >= shortest;
    return travels && has_panels ? least((double)D->nrows * d_row, (double)R->nrows * r_row) / 2 : 0;
}

torc_workload torc_decision_workload(const torc_product *product, const torc_circumstances *circumstances)
{
    torc_workload work = {.cpu_rate = TORC_RATE_CPU_MIN_MAX, .away = circumstances->away};
    count_sparse(&work, product, circumstances);
    count_dense(&work, product, circumstances);
    count_result(&work, product, circumstances);
    work.overlapped = overlapped(product, circumstances);
    choose_cpu_rate(&work, product, circumstances);
    return work;
}

torc_cost torc_decision_cost(const torc_workload *work, const torc_machine_rates *rates)
{
    const double *of = rates->of;
    return (torc_cost){
        .cpu = CPU_CALL + work->cpu_work / of[work->cpu_rate] + work->away / of[TORC_RATE_OUT_PINNED],
        .gpu = of[TORC_RATE_CALL] + work->in_pinned / of[TORC_RATE_IN_PINNED] +
               work->in_staged / of[TORC_RATE_IN_STAGED] + work->out_pinned / of[TORC_RATE_OUT_PINNED] +
               work->out_staged / of[TORC_RATE_OUT_STAGED] - work->overlapped / of[TORC_RATE_OUT_PINNED] +
               work->fresh / of[TORC_RATE_FRESH] + work->copied / of[TORC_RATE_DEVICE_COPY] +
               work->gathered / of[TORC_RATE_GATHER],
    };
}

bool torc_decision_is_too_small(double terms, const torc_machine_rates *rates)
{
    double slowest = rates->of[TORC_RATE_CPU_GENERIC];
    for (int i = TORC_RATE_CPU_ACCUMULATED; i <= TORC_RATE_CPU_GENERIC; i++) {
        slowest = rates->of[i] < slowest ? rates->of[i] : slowest;
    }
    return CPU_CALL + terms / slowest < rates->of[TORC_RATE_CALL];
}

bool torc_decision_is_worth_it(torc_cost cost, double delay)
{
    return cost.cpu - cost.gpu > delay;
}

bool torc_decision_is_worth_opening(torc_cost cost, const torc_prospect *prospect)
{
    enum { LOOP = 2 };
    double gain = cost.cpu - cost.gpu;
    bool is_loop = prospect->like_calls >= LOOP;
    return gain > 0 && (prospect->lost + gain > prospect->start ||
                           (is_loop && prospect->like_calls * gain > prospect->start / prospect->processors));
}

/* cost.cpu is a lower bound; by now it is known what the call took. */
double torc_decision_loss(torc_cost cost, double seconds)
{
    return cost.cpu > cost.gpu && seconds > cost.gpu ? seconds - cost.gpu : 0;
}
