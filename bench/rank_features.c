/* rank_features.c: torc-rank-features CSV... > features.csv: what the ranking model is trained on, a line for
 * each kernel that was measured on a product: of torc-bench's sweep and of torc-bench-corpus. */
#include "bench_require.h"
#include "measured_cases.h"
#include "ranking.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_case(int file, const bench_measured_case *measured)
{
    torc_problem problem = bench_case_problem(measured);
    torc_prediction predictions[TORC_MAX_CANDIDATES];
    double least = INFINITY;
    int16_t features[TORC_RANK_FEATURES];
    torc_rank_product_features(features, &problem);
    for (int i = 0; i < measured->count; i++) {
        predictions[i] = torc_predict(&measured->kernels[i], &problem, &torc_measured_rates);
        least = torc_rank_has_plan(&measured->kernels[i]) ? least : fmin(least, predictions[i].seconds);
    }
    for (int i = 0; i < measured->count; i++) {
        if (torc_rank_has_plan(&measured->kernels[i])) {
            continue;
        }
        char kernel[TORC_KERNEL_NAME];
        torc_kernel_name(kernel, &measured->kernels[i]);
        torc_rank_kernel_features(features, &measured->kernels[i], &problem, &predictions[i], least);
        printf("%d %s,%.*s,%s,%.6g,%.6g", file, measured->name, bench_case_family_length(measured),
            measured->name, kernel, measured->seconds[i], predictions[i].seconds);
        for (int f = 0; f < TORC_RANK_FEATURES; f++) {
            printf(",%d", features[f]);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    bench_require(argc > 1, "usage", "torc-rank-features CSV... > features.csv");
    printf("product,matrices,kernel,measured,predicted");
#define X(feature, text) printf("," #feature);
    TORC_RANK_FEATURE_MAP(X)
#undef X
    printf("\n");
    bench_measurements_visit(argc - 1, argv + 1, print_case);
    return 0;
}
