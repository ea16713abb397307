/* selection_report.c: torc-selection-report CSV...: how near the kernel that is selected comes to the best
 * one that was measured, file by file. No GPU takes part: selection is asked anew, with the facts of the
 * device that the file names. */
#include "bench_require.h"
#include "measured_cases.h"
#include "ranking.h"
#include "selection.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORST = 10 }; /* products named */

typedef struct judged {
    const bench_measured_case *product;
    int chosen, best;  /* among its kernels */
    double efficiency; /* the best kernel's time over the chosen one's */
    bool may_share;    /* tiles were measured, too */
} judged;

/* Of the kernels in the order of selection the first that was measured. */
static int first_measured(const bench_measured_case *product)
{
    torc_problem problem = bench_case_problem(product);
    torc_spmm_kernel order[TORC_MAX_CANDIDATES];
    char wanted[TORC_KERNEL_NAME], name[TORC_KERNEL_NAME];
    int count = torc_rank_kernels(order, &problem);
    for (int k = 0; k < count; k++) {
        torc_kernel_name(wanted, &order[k]);
        for (int i = 0; i < product->count; i++) {
            torc_kernel_name(name, &product->kernels[i]);
            if (strcmp(name, wanted) == 0) {
                return i;
            }
        }
    }
    bench_require(false, product->name, "none of its kernels is a candidate");
    return 0;
}

static judged judge(const bench_measured_case *product)
{
    judged j = {.product = product, .chosen = first_measured(product)};
    for (int i = 0; i < product->count; i++) {
        j.best = product->seconds[i] < product->seconds[j.best] ? i : j.best;
        j.may_share = j.may_share || product->kernels[i].family == TORC_TILES;
    }
    j.efficiency = product->seconds[j.best] / product->seconds[j.chosen];
    return j;
}

static int by_efficiency(const void *left, const void *right)
{
    double a = ((const judged *)left)->efficiency, b = ((const judged *)right)->efficiency;
    return (a > b) - (a < b);
}

/* `all` is in order of efficiency. */
static void say(const char *what, const judged *all, size_t count)
{
    double logs = 0;
    size_t low = 0;
    for (size_t i = 0; i < count; i++) {
        logs += log(all[i].efficiency);
        low += all[i].efficiency < .9;
    }
    if (count > 0) {
        printf("  %-22s %6zu products  geomean %.4f  hundredth %.3f  least %.3f  below .90 %.1f %%\n", what,
            count, exp(logs / (double)count), all[count / 100].efficiency, all[0].efficiency,
            100. * (double)low / (double)count);
    }
}

static void name_product(const judged *j)
{
    char chosen[TORC_KERNEL_NAME], best[TORC_KERNEL_NAME];
    torc_kernel_name(chosen, &j->product->kernels[j->chosen]);
    torc_kernel_name(best, &j->product->kernels[j->best]);
    printf("    %.3f  %s: %s %.4f ms, %s %.4f ms\n", j->efficiency, j->product->name, chosen,
        1e3 * j->product->seconds[j->chosen], best, 1e3 * j->product->seconds[j->best]);
}

static void report(const char *path)
{
    bench_measurements measured = {0};
    bench_measurements_read(&measured, path);
    judged *all = malloc((measured.ncases + 1) * sizeof *all);
    bench_require(all != NULL, path, "not enough memory");
    size_t count = 0, sharing = 0;
    for (size_t i = 0; i < measured.ncases; i++) {
        if (measured.cases[i].count > 0) {
            all[count++] = judge(&measured.cases[i]);
        }
    }
    qsort(all, count, sizeof *all, by_efficiency);
    printf("%s\n", path);
    say("all", all, count);
    for (size_t i = 0; i < count && i < WORST; i++) {
        name_product(&all[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (all[i].may_share) {
            all[sharing++] = all[i];
        }
    }
    say("tiles among them", all, sharing);
    free(all);
    bench_measurements_free(&measured);
}

int main(int argc, char **argv)
{
    bench_require(argc > 1, "usage", "torc-selection-report CSV...");
    for (int file = 1; file < argc; file++) {
        report(argv[file]);
    }
    return 0;
}
