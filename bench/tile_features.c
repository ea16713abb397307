/* tile_features.c: torc-tile-features CSV... > features.csv: what the model of src/select/tile_choice.h is
 * trained on, a line for each product on which tiles were measured: how long they took, and the first of the
 * others in the order of selection. Measurements are of torc-bench's sweep and of torc-bench-corpus. */
#include "bench_require.h"
#include "measured_cases.h"
#include "selection.h"
#include "tile_choice.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static int find_tiles(const bench_measured_case *measured)
{
    for (int i = 0; i < measured->count; i++) {
        if (measured->kernels[i].family == TORC_TILES) {
            return i;
        }
    }
    return -1;
}

static int find_named(const bench_measured_case *measured, const char *name)
{
    char own[TORC_KERNEL_NAME];
    for (int i = 0; i < measured->count; i++) {
        torc_kernel_name(own, &measured->kernels[i]);
        if (strcmp(own, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Of those without a plan, in the order of selection, the first that was measured. */
static int find_first(const bench_measured_case *measured, const torc_problem *problem)
{
    torc_spmm_kernel order[TORC_MAX_CANDIDATES];
    char name[TORC_KERNEL_NAME];
    int count = torc_rank_kernels(order, problem), first = -1;
    for (int k = 0; k < count && first < 0; k++) {
        torc_kernel_name(name, &order[k]);
        first = torc_rank_has_plan(&order[k]) ? -1 : find_named(measured, name);
    }
    return first;
}

static double least_predicted(const torc_problem *problem)
{
    torc_spmm_kernel list[TORC_MAX_CANDIDATES];
    double least = INFINITY;
    int count = torc_list_candidates(list, problem);
    for (int i = 0; i < count; i++) {
        double seconds = torc_predict(&list[i], problem, &torc_measured_rates).seconds;
        least = torc_rank_has_plan(&list[i]) ? least : fmin(least, seconds);
    }
    return least;
}

static void print_case(int file, const bench_measured_case *measured)
{
    torc_problem problem = bench_case_problem(measured);
    int16_t features[TORC_TILE_FEATURES];
    int tiles = find_tiles(measured), first = find_first(measured, &problem);
    if (tiles < 0 || first < 0 || !torc_rank_applies(&problem)) {
        return;
    }
    torc_tile_features(
        features, &measured->kernels[tiles], &measured->kernels[first], &problem, least_predicted(&problem));
    double best = INFINITY;
    for (int i = 0; i < measured->count; i++) {
        best = fmin(best, measured->seconds[i]);
    }
    printf("%d,%s,%.*s,%.6g,%.6g,%.6g", file, measured->name, bench_case_family_length(measured),
        measured->name, best, measured->seconds[tiles], measured->seconds[first]);
    for (int f = 0; f < TORC_TILE_FEATURES; f++) {
        printf(",%d", features[f]);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    bench_require(argc > 1, "usage", "torc-tile-features CSV... > features.csv");
    printf("file,product,matrices,best,of_tiles,of_first");
#define X(feature, text) printf("," #feature);
    TORC_TILE_FEATURE_MAP(X)
#undef X
    printf("\n");
    bench_measurements_visit(argc - 1, argv + 1, print_case);
    return 0;
}
