/* no_multiply_program.c: a GraphBLAS program that never multiplies: it builds a matrix of random entries,
 * transposes, adds, assigns, selects and reduces, several times over, as programs do between their products.
 * What it costs under the drop-in is torc's overhead where torc has nothing to do: see bench/no_multiply.
 *
 *     no_multiply_program [ENTRIES [ROUNDS]]      10,000,000 and 3 unless told
 */
#include "bench_graphblas.h"
#include "bench_random.h"
#include <stdio.h>
#include <stdlib.h>

static const GrB_Index SIZE = 1 << 20;

static GrB_Matrix build(GrB_Index entries, uint64_t seed)
{
    GrB_Index *rows = bench_allocate(entries, sizeof *rows), *cols = bench_allocate(entries, sizeof *cols);
    double *values = bench_allocate(entries, sizeof *values);
    for (GrB_Index p = 0; p < entries; p++) {
        rows[p] = (GrB_Index)bench_random_below(&seed, (int64_t)SIZE);
        cols[p] = (GrB_Index)bench_random_below(&seed, (int64_t)SIZE);
        values[p] = (double)bench_random_below(&seed, 1000);
    }
    GrB_Matrix A;
    TRY(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE));
    TRY(GrB_Matrix_build_FP64(A, rows, cols, values, entries, GrB_PLUS_FP64));
    free(rows);
    free(cols);
    free(values);
    return A;
}

/* Sum over all entries of a round's matrices. */
static double work(GrB_Index entries, uint64_t seed)
{
    GrB_Matrix A = build(entries, seed), T, S, L;
    GrB_Vector degrees;
    double sum;
    TRY(GrB_Matrix_new(&T, GrB_FP64, SIZE, SIZE));
    TRY(GrB_Matrix_new(&S, GrB_FP64, SIZE, SIZE));
    TRY(GrB_Matrix_new(&L, GrB_FP64, SIZE, SIZE));
    TRY(GrB_Vector_new(&degrees, GrB_FP64, SIZE));
    TRY(GrB_transpose(T, NULL, NULL, A, NULL));
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(S, NULL, NULL, GrB_PLUS_FP64, A, T, NULL));
    TRY(GrB_Matrix_assign(S, A, GrB_PLUS_FP64, T, GrB_ALL, SIZE, GrB_ALL, SIZE, GrB_DESC_S));
    TRY(GrB_Matrix_select_INT64(L, NULL, NULL, GrB_TRIL, S, 0, NULL));
    TRY(GrB_Matrix_reduce_Monoid(degrees, NULL, NULL, GrB_PLUS_MONOID_FP64, L, NULL));
    TRY(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, degrees, NULL));
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&T);
    GrB_Matrix_free(&S);
    GrB_Matrix_free(&L);
    GrB_Vector_free(&degrees);
    return sum;
}

int main(int argc, char **argv)
{
    GrB_Index entries = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000000;
    uint64_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 3;
    TRY(GrB_init(GrB_NONBLOCKING));
    for (uint64_t round = 0; round < rounds; round++) {
        printf("%.17g\n", work(entries, round));
    }
    TRY(GrB_finalize());
    return 0;
}
