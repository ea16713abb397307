/* selection.c: the first candidate by prediction and ranking, of all or of those that a rule allows.
 *
 * The papers' rules say how to balance and how to reduce. Their tile sizes were for other GPUs, so within the
 * class the prediction chooses. Yang, Buluç and Owens, Design Principles for Sparse Matrix Multiplication on
 * the GPU (Euro-Par 2018), section 5: merge-based below 9.35 entries a row, row split otherwise. Huang et
 * al., Efficient Sparse Matrix Kernels based on Adaptive Workload-Balancing and Parallel-Reduction: parallel
 * reduction up to 4 columns, sequential beyond; nonzeros are balanced where rows differ much under sequential
 * reduction, and where they are short under parallel reduction. They do not print how much and how short. */
#include "selection.h"
#include "ranking.h"
#include "tile_choice.h"
#include <string.h>

static const double YANG_SHORT = 9.35;
enum { HUANG_NARROW = 4 };
static const double HUANG_SHORT = 32, HUANG_UNEVEN = 1; /* ours: a warp's worth; as much as the mean */

/* Ours. CLOSE: a kernel that is predicted to take more than so many times the least is the fastest only by
 * chance. FIRST: more than any score has. */
static const double CLOSE = 2, FIRST = 1. + INT32_MAX;

typedef bool torc_rule(const torc_spmm_kernel *kernel, const torc_problem *problem, const char *name);

static bool all_allows(const torc_spmm_kernel *kernel, const torc_problem *problem, const char *name)
{
    (void)kernel;
    (void)problem;
    (void)name;
    return true;
}

static bool name_allows(const torc_spmm_kernel *kernel, const torc_problem *problem, const char *name)
{
    char own[TORC_KERNEL_NAME];
    (void)problem;
    torc_kernel_name(own, kernel);
    return strcmp(own, name) == 0;
}

static bool is_of_papers(const torc_spmm_kernel *kernel)
{
    return torc_families[kernel->family].is_of_papers;
}

static bool yang_allows(const torc_spmm_kernel *kernel, const torc_problem *problem, const char *name)
{
    (void)name;
    bool is_short = problem->rows->mean_row < YANG_SHORT;
    return is_of_papers(kernel) && torc_is_by_slices(kernel) == is_short;
}

static bool huang_allows(const torc_spmm_kernel *kernel, const torc_problem *problem, const char *name)
{
    (void)name;
    const torc_statistics *rows = problem->rows;
    bool is_narrow = problem->ncols <= HUANG_NARROW;
    bool balances =
        is_narrow ? rows->mean_row < HUANG_SHORT : rows->deviation_row > HUANG_UNEVEN * rows->mean_row;
    return is_of_papers(kernel) && (torc_ways(kernel) > 1) == is_narrow &&
           torc_is_by_slices(kernel) == balances;
}

/* The candidates that the rule allows, in `list`, and how many seconds each is predicted to take. Returns how
 * many there are. */
static int list_allowed(torc_spmm_kernel *list, double seconds[TORC_MAX_CANDIDATES],
    const torc_problem *problem, torc_rule *allows, const char *name)
{
    int listed = torc_list_candidates(list, problem), count = 0;
    for (int i = 0; i < listed; i++) {
        if (allows(&list[i], problem, name)) {
            list[count] = list[i];
            seconds[count++] = torc_predict(&list[i], problem, &torc_measured_rates).seconds;
        }
    }
    return count;
}

/* The kernel with the least predicted seconds of those without tiles; -1 if there is none. */
static int find_least(const double keys[], const torc_spmm_kernel *list, int count)
{
    int least = -1;
    for (int i = 0; i < count; i++) {
        if (list[i].family != TORC_TILES && (least < 0 || keys[i] < keys[least])) {
            least = i;
        }
    }
    return least;
}

/* Those that are predicted close to `least` get keys below 0 instead of their seconds, as the ranking says;
 * of more than TORC_RANK_MOST the last keep their seconds. Returns the first. Predictions are made again
 * instead of kept: a caller's stack may be small. */
static int rank_close(
    double keys[], const torc_spmm_kernel *list, int count, const torc_problem *problem, int least)
{
    double fastest = keys[least];
    int16_t of_product[TORC_RANK_FEATURES], features[TORC_RANK_MOST][TORC_RANK_FEATURES];
    int32_t scores[TORC_RANK_MOST];
    int which[TORC_RANK_MOST], ranked = 0, first = least;
    torc_rank_product_features(of_product, problem);
    for (int i = 0; i < count && ranked < TORC_RANK_MOST; i++) {
        if (keys[i] <= CLOSE * fastest && !torc_rank_has_plan(&list[i])) {
            torc_prediction prediction = torc_predict(&list[i], problem, &torc_measured_rates);
            memcpy(features[ranked], of_product, sizeof of_product);
            torc_rank_kernel_features(features[ranked], &list[i], problem, &prediction, fastest);
            which[ranked++] = i;
        }
    }
    torc_rank_scores(scores, features, ranked);
    for (int i = 0; i < ranked; i++) {
        keys[which[i]] = -FIRST - (double)scores[i];
        first = keys[which[i]] < keys[first] ? which[i] : first;
    }
    return first;
}

/* Where the models know the product, they say what comes first: of the kernels without a plan that are
 * predicted close to the least, and of these and tiles. Not if bricks are predicted to take the least. */
static void rank(double keys[], const torc_spmm_kernel *list, int count, const torc_problem *problem)
{
    int least = find_least(keys, list, count);
    if (count < 2 || least < 0 || !torc_rank_applies(problem) || torc_rank_has_plan(&list[least])) {
        return;
    }
    double seconds = keys[least];
    int first = rank_close(keys, list, count, problem, least);
    for (int i = 0; i < count; i++) {
        if (list[i].family == TORC_TILES && torc_tiles_come_first(&list[i], &list[first], problem, seconds)) {
            keys[i] = keys[first] - 1;
        }
    }
}

/* false if the rule allows none. Its list is gone from the stack before a kernel is run. */
static __attribute__((noinline)) bool select_by(
    torc_spmm_kernel *best, const torc_problem *problem, torc_rule *allows, const char *name)
{
    torc_spmm_kernel list[TORC_MAX_CANDIDATES];
    double keys[TORC_MAX_CANDIDATES];
    int count = list_allowed(list, keys, problem, allows, name), first = 0;
    rank(keys, list, count, problem);
    for (int i = 1; i < count; i++) {
        first = keys[i] < keys[first] ? i : first;
    }
    if (count > 0) {
        *best = list[first];
    }
    return count > 0;
}

torc_spmm_kernel torc_select_kernel(const torc_problem *problem, const char *rule)
{
    torc_rule *allows = rule[0] == '\0'              ? all_allows
                        : strcmp(rule, "yang") == 0  ? yang_allows
                        : strcmp(rule, "huang") == 0 ? huang_allows
                                                     : name_allows;
    torc_spmm_kernel best;
    if (!select_by(&best, problem, allows, rule)) {
        select_by(&best, problem, all_allows, rule);
    }
    return best;
}

int torc_rank_kernels(torc_spmm_kernel *list, const torc_problem *problem)
{
    double keys[TORC_MAX_CANDIDATES];
    int count = list_allowed(list, keys, problem, all_allows, "");
    rank(keys, list, count, problem);
    for (int i = 0; i < count; i++) { /* by insertion: equals stay as they are listed */
        torc_spmm_kernel kernel = list[i];
        double own = keys[i];
        int at = i;
        for (; at > 0 && keys[at - 1] > own; at--) {
            list[at] = list[at - 1];
            keys[at] = keys[at - 1];
        }
        list[at] = kernel;
        keys[at] = own;
    }
    return count;
}

bool torc_rule_exists(const char *rule)
{
    return strcmp(rule, "yang") == 0 || strcmp(rule, "huang") == 0 || torc_kernel_is_named(rule);
}
