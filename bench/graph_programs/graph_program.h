/* graph_program.h: what a program of the bench is: a graph algorithm on the public GraphBLAS API, call by
 * call as the libraries and tutorials write it. It gets inputs that are ready, and leaves an answer. It knows
 * nothing of torc. A call that GraphBLAS refuses ends the bench (bench_graphblas.h).
 */
#ifndef BENCH_GRAPH_PROGRAM_H
#define BENCH_GRAPH_PROGRAM_H

#include "program_answer.h"
#include "program_input.h"

typedef struct bench_program {
    const char *name;
    void (*run)(bench_answer *answer, const bench_input *input, GrB_Index batch);
    GrB_Index batch; /* sources, columns or calls: as the program says */
    unsigned needs;  /* of its input: BENCH_NEEDS_... */
} bench_program;

/* All of them, one without a name last. */
extern const bench_program bench_programs[];

/* NULL where there is none. */
const bench_program *bench_program_find(const char *name);

void bench_pagerank_vector(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_pagerank_seeds(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_search(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_search_levels(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_search_parents(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_shortest_paths(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_betweenness(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_components(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_label_propagation(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_graph_network(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_centre_distances(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_chained_products(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_mxv_plus_second(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_mxv_min_second(bench_answer *answer, const bench_input *input, GrB_Index batch);
void bench_mxv_any_secondi(bench_answer *answer, const bench_input *input, GrB_Index batch);

#endif
