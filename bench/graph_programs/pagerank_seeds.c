/* pagerank_seeds.c: personalised PageRank of `batch` seeds at once: the demo's algorithm, 20 steps of it. */
#include "bench_graphblas.h"
#include "graph_program.h"
#include "pagerank_algorithm.h"

enum { STEPS = 20 };

void bench_pagerank_seeds(bench_answer *answer, const bench_input *input, GrB_Index batch)
{
    const torc_pagerank_options options = {.damping = 0.85, .tolerance = 0, .max_steps = STEPS};
    torc_pagerank_report report;
    GrB_Matrix ranks;
    TRY(torc_pagerank(&ranks, &report, input->AT, input->sources, batch, &options));
    answer->steps = report.steps;
    /* a step sums a row of Aᵀ, and then a column of T for what restarts at the seed */
    double terms = (double)input->longest_column + (double)input->n;
    bench_answer_matrix(answer, &ranks, BENCH_ROUNDED)->bound = bench_sum_bound(0x1p-53, 2 * STEPS, terms);
}
