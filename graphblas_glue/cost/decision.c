/* decision.c: the cost model.
 *
 * The CPU's side is what SuiteSparse is likely to take (cpu_time.c). The GPU's side is a sum, as if nothing
 * overlapped but half of what goes both ways over the bus in pinned panels.
 *
 * Times of calls correct the prediction of calls of the same kind alone (experience.h), although a factor for
 * all of them would be at hand. Where calls stay on the CPU, it would send other matrices, on which
 * SuiteSparse is faster, to the device, and then nothing would tell. Where they run on the device, the first
 * ones carry what is paid once, compiled kernels, pinned memory and kept copies, and would look like a slow
 * device. torc_mxm_statistics tells predicted and measured times; where they are apart, torc calibrate
 * measures the machine. */
#include "decision.h"

static double bytes(int64_t nrows, int64_t ncols, size_t size)
{
    return (double)nrows * (double)ncols * (double)size;
}

static void move_in(torc_workload *work, torc_place place, double size)
{
    *(place.is_on_device ? &work->spared : place.is_pinned ? &work->in_pinned : &work->in_staged) += size;
    if (place.would_stay && !place.is_on_device) {
        *(place.is_pinned ? &work->kept_pinned : &work->kept_staged) += size;
    }
}

static double least(double x, double y)
{
    return x < y ? x : y;
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
    work->made = !circumstances->sparse.is_on_device;
    work->kept_made = work->made && circumstances->sparse.would_stay;
    if (product->transpose_sparse && !circumstances->sparse.is_on_device) {
        work->copied += 10 * size; /* a sort of a few passes; a copy keeps the transpose */
        work->kept_copied += circumstances->sparse.would_stay ? 10 * size : 0;
    }
}

static const torc_place on_device = {.is_on_device = true};

static void count_dense(
    torc_workload *work, const torc_product *product, const torc_circumstances *circumstances)
{
    const torc_dense *D = &product->dense_view;
    double entries = (double)product->sparse->nvals;
    bool reads_values = torc_semiring_traits(product->semiring).reads_b && !D->iso;
    if (product->dense_is_listed) { /* an array of each is cleared; entries are few among what travels */
        work->in_staged += reads_values ? bytes(product->dense->nvals, 1, torc_type_size(D->type)) : 0;
        work->copied += bytes(D->nrows, D->ncols, 1);
    }
    if (reads_values) {
        double size = bytes(D->nrows, D->ncols, torc_type_size(D->type));
        move_in(work, product->dense_is_listed ? on_device : circumstances->dense, size);
        work->copied += D->order == TORC_COL_MAJOR ? 2 * size : 0;
        work->gathered += entries * bytes(1, D->ncols, torc_type_size(D->type));
    }
    work->gathered += torc_product_has_bitmap(product) ? entries * (double)D->ncols : 0;
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
    work->fresh += circumstances->cpu.result_is_recycled ? 0 : size;
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
    torc_workload work = {.cpu = torc_cpu_work_of(product, &circumstances->cpu), .away = circumstances->away};
    count_sparse(&work, product, circumstances);
    count_dense(&work, product, circumstances);
    count_result(&work, product, circumstances);
    work.overlapped = overlapped(product, circumstances);
    return work;
}

torc_cost torc_decision_cost(const torc_workload *work, const torc_machine_rates *rates)
{
    const double *of = rates->of;
    const double making = 5 * of[TORC_RATE_CALL]; /* .4 to 1.7 ms: 2026-11-23-h200-opening.txt, part 6 */
    const double staged = torc_rates_staged_in(rates, work->in_staged);
    return (torc_cost){
        .cpu = torc_cpu_seconds(&work->cpu, rates) + work->away / of[TORC_RATE_OUT_PINNED],
        .gpu = of[TORC_RATE_CALL] + (work->made ? making : 0) + work->in_pinned / of[TORC_RATE_IN_PINNED] +
               staged + work->out_pinned / of[TORC_RATE_OUT_PINNED] +
               torc_rates_staged_out(rates, work->out_staged) - work->overlapped / of[TORC_RATE_OUT_PINNED] +
               work->fresh / of[TORC_RATE_FRESH] + work->copied / of[TORC_RATE_DEVICE_COPY] +
               work->gathered / of[TORC_RATE_GATHER],
        .upfront = work->kept_pinned / of[TORC_RATE_IN_PINNED] + staged -
                   torc_rates_staged_in(rates, work->in_staged - work->kept_staged) +
                   work->kept_copied / of[TORC_RATE_DEVICE_COPY] + (work->kept_made ? making : 0),
    };
}

bool torc_decision_is_too_small(double terms, const torc_machine_rates *rates)
{
    double slowest = rates->of[TORC_RATE_CPU_GENERIC];
    for (int i = TORC_RATE_CPU_ACCUMULATED; i <= TORC_RATE_CPU_GENERIC; i++) {
        slowest = rates->of[i] < slowest ? rates->of[i] : slowest;
    }
    enum { LINE = 64 };
    static const double MOST_DOUBT = .25; /* p (1 - p) */
    double dearest =
        1 / slowest + MOST_DOUBT / rates->of[TORC_RATE_CPU_DOUBT] + LINE / rates->of[TORC_RATE_RANDOM];
    return TORC_CPU_CALL + terms * dearest < rates->of[TORC_RATE_CALL];
}

double torc_decision_gain(torc_cost cost, bool is_being_opened)
{
    return (is_being_opened ? 2 : 1) * cost.cpu - cost.gpu;
}

bool torc_decision_is_worth_opening(torc_cost cost, const torc_prospect *prospect)
{
    enum { LOOP = 2, QUARTERS = 4 };
    double gain = cost.cpu - cost.gpu, start = prospect->start;
    bool is_loop = prospect->like_calls >= LOOP;
    bool is_large = QUARTERS * gain > start && prospect->age > QUARTERS * start;
    return gain > 0 && (prospect->lost + gain > start || is_large ||
                           (is_loop && prospect->like_calls * gain > start / prospect->processors));
}

/* By now it is known what the call took. */
double torc_decision_loss(torc_cost cost, double seconds)
{
    return cost.cpu > cost.gpu && seconds > cost.gpu ? seconds - cost.gpu : 0;
}
