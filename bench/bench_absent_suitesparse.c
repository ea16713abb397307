/* bench_absent_suitesparse.c: the answer of a build without GraphBLAS. */
#include "bench_contender.h"

int bench_list_suitesparse(bench_contender *list, const bench_problem *problem)
{
    (void)list;
    (void)problem;
    return 0;
}
