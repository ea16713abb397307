/* torc_fit.c: torc-fit CSV... > src/select/measured_rates.c: what selection gives away on measured products,
 * and rates that would give away less.
 *
 * A case's regret is the time of the kernel that is predicted fastest over that of the fastest one. The rates
 * minimise its mean logarithm, smoothed, for a choice changes in steps: each kernel counts by how nearly it
 * is chosen. Large regrets count for more than their share. Regret alone would drive rates anywhere, so the
 * errors of the predicted times count too: how they scatter among the kernels of a case, the slow ones for
 * less, and how far they are off altogether, for kernels with plans are compared with the others by predicted
 * time alone. Those are not fitted here: their predictions count a share of the plan, which the measurements
 * have not. The method is that of Broyden, Fletcher, Goldfarb and Shanno (Nocedal, Wright, Numerical
 * Optimization, 2006, chapter 6) on the logarithms of the rates, first where scatter, which is smooth, counts
 * most.
 *
 * What the rates are worth on matrices that they were not fitted to is told by leaving a fifth of the
 * matrices out in turn, starting from rates that are rounded to powers of two. */
#include "bench_require.h"
#include "measured_cases.h"
#include "ranking.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATES = sizeof(torc_rates) / sizeof(double), WORST = 10, STEPS = 60, CUTS = 12, FOLDS = 5 };

static const double SHARPNESS = 50, DIFFERENCE = 1e-3, LONGEST_STEP = .7, LEAST_GAIN = 1e-6;
static const double WEIGHT_OF_WORST = 8, WEIGHT_OF_OFFSET = 1, WEIGHT_OF_CHANGE = 3e-4;
static const double WEIGHTS_OF_SCATTER[] = {1, .05};

typedef struct choice {
    int chosen, best;       /* among the case's kernels */
    double regret;          /* 1: none */
    double smooth;          /* its smoothed logarithm */
    double offset, scatter; /* mean and variance of the logarithm of predicted over measured */
} choice;

static choice choose(const bench_measured_case *measured, const torc_rates *rates)
{
    torc_problem problem = bench_case_problem(measured);
    double predicted[TORC_MAX_CANDIDATES];
    choice made = {0};
    for (int i = 0; i < measured->count; i++) {
        predicted[i] = torc_predict(&measured->kernels[i], &problem, rates).seconds;
        made.chosen = predicted[i] < predicted[made.chosen] ? i : made.chosen;
        made.best = measured->seconds[i] < measured->seconds[made.best] ? i : made.best;
    }
    double chances = 0, regrets = 0, weights = 0, errors = 0, squares = 0;
    for (int i = 0; i < measured->count; i++) {
        double regret = measured->seconds[i] / measured->seconds[made.best];
        double chance = pow(predicted[made.chosen] / predicted[i], SHARPNESS);
        double error = log(predicted[i] / measured->seconds[i]), weight = 1 / (regret * regret);
        chances += chance;
        regrets += chance * regret;
        weights += weight;
        errors += weight * error;
        squares += weight * error * error;
    }
    made.regret = measured->seconds[made.chosen] / measured->seconds[made.best];
    made.smooth = log(regrets / chances);
    made.offset = errors / weights;
    made.scatter = squares / weights - made.offset * made.offset;
    return made;
}

/* The rates one by one. */
typedef union rate_array {
    torc_rates rates;
    double array[RATES];
} rate_array;

/* What is fitted to: the cases but those of each fifth matrix, if a fold is left out. */
typedef struct sample {
    const bench_measurements *all;
    const int *folds; /* a case */
    int left_out;     /* -1: none */
    rate_array start;
    double weight_of_scatter;
} sample;

static bool is_of_one_matrix(const char *name, const char *other)
{
    size_t length = strcspn(name, " ");
    return length == strcspn(other, " ") && memcmp(name, other, length) == 0;
}

static double objective(const sample *s, const double logarithms[RATES])
{
    double sum = 0, change = 0;
    size_t count = 0;
    rate_array now;
    for (int r = 0; r < RATES; r++) {
        now.array[r] = exp(logarithms[r]);
        change += pow(logarithms[r] - log(s->start.array[r]), 2);
    }
    for (size_t i = 0; i < s->all->ncases; i++) {
        if (s->folds[i] != s->left_out) {
            choice made = choose(&s->all->cases[i], &now.rates);
            sum += made.smooth * (1 + WEIGHT_OF_WORST * made.smooth) + s->weight_of_scatter * made.scatter +
                   WEIGHT_OF_OFFSET * fabs(made.offset);
            count++;
        }
    }
    return sum / (double)count + WEIGHT_OF_CHANGE * change;
}

static double product(const double x[RATES], const double y[RATES])
{
    double sum = 0;
    for (int r = 0; r < RATES; r++) {
        sum += x[r] * y[r];
    }
    return sum;
}

static void add(double to[RATES], double factor, const double x[RATES])
{
    for (int r = 0; r < RATES; r++) {
        to[r] += factor * x[r];
    }
}

typedef struct slope_search {
    double *slope;
    const sample *s;
    const double *x;
    double value;
} slope_search;

static void find_slopes(void *argument, int64_t begin, int64_t end)
{
    const slope_search *search = argument;
    for (int64_t r = begin; r < end; r++) {
        double near[RATES];
        memcpy(near, search->x, sizeof near);
        near[r] += DIFFERENCE;
        search->slope[r] = (objective(search->s, near) - search->value) / DIFFERENCE;
    }
}

/* One at a time each: all samples. */
static void find_slope(double slope[RATES], const sample *s, const double x[RATES], double value)
{
    slope_search search = {slope, s, x, value};
    torc_threads_loop(RATES, 1 << 20, find_slopes, &search);
}

/* What a step, and the change of the slope along it, tell of the inverse of the curvature. */
static void learn(double inverse[RATES][RATES], const double step[RATES], const double change[RATES])
{
    double along = product(step, change), image[RATES];
    if (along <= 0) {
        return;
    }
    for (int r = 0; r < RATES; r++) {
        image[r] = product(inverse[r], change);
    }
    double factor = (1 + product(change, image) / along) / along;
    for (int r = 0; r < RATES; r++) {
        add(inverse[r], factor * step[r] - image[r] / along, step);
        add(inverse[r], -step[r] / along, image);
    }
}

/* From x downhill. */
static void descend(double x[RATES], const sample *s)
{
    double inverse[RATES][RATES] = {{0}}, slope[RATES], value = objective(s, x);
    for (int r = 0; r < RATES; r++) {
        inverse[r][r] = 1;
    }
    find_slope(slope, s, x, value);
    for (int steps = 0; steps < STEPS; steps++) {
        double step[RATES], next[RATES], change[RATES], longest = 0, gain = 0;
        for (int r = 0; r < RATES; r++) {
            step[r] = -product(inverse[r], slope);
            longest = fmax(longest, fabs(step[r]));
        }
        double length = fmin(1, LONGEST_STEP / longest);
        for (int cuts = 0; cuts < CUTS && !(gain > 0); cuts++, length /= 2) {
            memcpy(next, x, sizeof next);
            add(next, length, step);
            gain = value - objective(s, next);
        }
        if (!(gain > LEAST_GAIN)) {
            break;
        }
        memcpy(change, slope, sizeof change);
        memcpy(step, next, sizeof step);
        add(step, -1, x);
        memcpy(x, next, sizeof next);
        value -= gain;
        find_slope(slope, s, x, value);
        for (int r = 0; r < RATES; r++) {
            change[r] = slope[r] - change[r];
        }
        learn(inverse, step, change);
    }
}

/* From the start. */
static torc_rates fit(sample s)
{
    enum { PASSES = sizeof WEIGHTS_OF_SCATTER / sizeof *WEIGHTS_OF_SCATTER };
    rate_array fitted;
    double logarithms[RATES];
    for (int r = 0; r < RATES; r++) {
        logarithms[r] = log(s.start.array[r]);
    }
    for (int pass = 0; pass < PASSES; pass++) {
        s.weight_of_scatter = WEIGHTS_OF_SCATTER[pass];
        descend(logarithms, &s);
    }
    for (int r = 0; r < RATES; r++) {
        fitted.array[r] = exp(logarithms[r]);
    }
    return fitted.rates;
}

static const bench_measurements *sorted;
static const torc_rates *sorted_by;

static int compare_regrets(const void *x, const void *y)
{
    double a = choose(&sorted->cases[*(const size_t *)x], sorted_by).regret;
    double b = choose(&sorted->cases[*(const size_t *)y], sorted_by).regret;
    return (a < b) - (a > b);
}

static void print_regret(const bench_measurements *all, const torc_rates *rates)
{
    size_t *order = bench_allocate(all->ncases, sizeof *order);
    double sum = 0;
    for (size_t i = 0; i < all->ncases; i++) {
        order[i] = i;
        sum += log(choose(&all->cases[i], rates).regret);
    }
    sorted = all;
    sorted_by = rates;
    qsort(order, all->ncases, sizeof *order, compare_regrets);
    fprintf(stderr, "  best kernel's time over the chosen one's: geometric mean %.4f, least:\n",
        exp(-sum / (double)all->ncases));
    for (size_t i = 0; i < all->ncases && i < WORST; i++) {
        const bench_measured_case *measured = &all->cases[order[i]];
        choice made = choose(measured, rates);
        char chosen[TORC_KERNEL_NAME], best[TORC_KERNEL_NAME];
        torc_kernel_name(chosen, &measured->kernels[made.chosen]);
        torc_kernel_name(best, &measured->kernels[made.best]);
        fprintf(stderr, "  %.3f  %-36s %-28s best %s\n", 1 / made.regret, measured->name, chosen, best);
    }
    free(order);
}

/* As src/select/measured_rates.c. */
static void print_rates(const torc_rates *rates, const bench_measurements *all, int count, char **paths)
{
    printf("/* measured_rates.c: the constants of prediction.h, fitted to every candidate without a plan of "
           "%zu products.\n"
           " * Written by\n *\n *     torc-fit",
        all->ncases);
    for (int i = 0; i < count; i++) {
        printf(" %s", paths[i]);
    }
    printf("\n */\n#include \"prediction.h\"\n\nconst torc_rates torc_measured_rates = {\n");
#define X(rate, unit) printf("    ." #rate " = %.3g,\n", rates->rate);
    TORC_RATE_MAP(X)
#undef X
    printf("};\n");
}

/* Each fold by rates that are fitted to the others. */
static void leave_out_in_turn(const bench_measurements *all, const int *folds)
{
    sample s = {.all = all, .folds = folds, .start = {torc_measured_rates}};
    double total = 0;
    for (int r = 0; r < RATES; r++) {
        s.start.array[r] = exp2(round(log2(s.start.array[r])));
    }
    for (s.left_out = 0; s.left_out < FOLDS; s.left_out++) {
        torc_rates rates = fit(s);
        double sum = 0, worst = 1;
        size_t count = 0;
        for (size_t i = 0; i < all->ncases; i++) {
            if (folds[i] == s.left_out) {
                double regret = choose(&all->cases[i], &rates).regret;
                sum += log(regret);
                worst = fmax(worst, regret);
                count++;
            }
        }
        fprintf(stderr, "  %.4f  least %.3f  of %zu products, by rates fitted to the others\n",
            exp(-sum / (double)count), 1 / worst, count);
        total += sum;
    }
    fprintf(stderr, "  %.4f  geometric mean of all\n", exp(-total / (double)all->ncases));
}

static void drop_kernels_with_plans(bench_measured_case *measured)
{
    int kept = 0;
    for (int i = 0; i < measured->count; i++) {
        if (!torc_rank_has_plan(&measured->kernels[i])) {
            measured->kernels[kept] = measured->kernels[i];
            measured->seconds[kept++] = measured->seconds[i];
        }
    }
    measured->count = kept;
}

/* Where only what was selected was measured, there is nothing to choose from. */
static void keep_choices(bench_measurements *all)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->ncases; i++) {
        drop_kernels_with_plans(&all->cases[i]);
        if (all->cases[i].count > 1) {
            all->cases[kept++] = all->cases[i];
        }
    }
    all->ncases = kept;
}

/* Matrices in turn, a case after the others of its matrix. */
static int *find_folds(const bench_measurements *all)
{
    int *folds = bench_allocate(all->ncases, sizeof *folds), matrices = 0;
    for (size_t i = 0; i < all->ncases; i++) {
        matrices += i > 0 && !is_of_one_matrix(all->cases[i].name, all->cases[i - 1].name);
        folds[i] = matrices % FOLDS;
    }
    return folds;
}

int main(int argc, char **argv)
{
    bench_measurements all = {0};
    for (int i = 1; i < argc; i++) {
        bench_measurements_read(&all, argv[i]);
    }
    keep_choices(&all);
    bench_require(
        all.ncases > 0, "usage: torc-fit CSV... > src/select/measured_rates.c", "nothing to fit to");
    fprintf(stderr, "%zu products; with the rates of src/select/measured_rates.c\n", all.ncases);
    print_regret(&all, &torc_measured_rates);
    int *folds = find_folds(&all);
    leave_out_in_turn(&all, folds);
    const sample s = {.all = &all, .folds = folds, .left_out = -1, .start = {torc_measured_rates}};
    torc_rates fitted = fit(s);
    fprintf(stderr, "with rates fitted to all\n");
    print_regret(&all, &fitted);
    print_rates(&fitted, &all, argc - 1, argv + 1);
    free(folds);
    bench_measurements_free(&all);
    return 0;
}
