/* dropin_program.c: an ordinary GraphBLAS program. It multiplies sparse and dense matrices in several ways
 * and prints every entry of every result, and what GraphBLAS says to a wrong call; all values are small
 * integers, so that sums are exact. With an argument it starts GraphBLAS by GxB_init and its own allocator.
 * Among torc's lines on standard error it says where GraphBLAS has ended.
 */
#include <GraphBLAS.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        GrB_Info status_ = (call);                                                                           \
        if (status_ != GrB_SUCCESS) {                                                                        \
            printf("%s: %d\n", #call, (int)status_);                                                         \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

enum { SHORT = 5, LONG = 40 };

static unsigned next(void)
{
    static unsigned state = 1;
    return (state = state * 1664525 + 1013904223) >> 16;
}

/* Every percent-th entry; each fifth row stays empty unless the matrix is dense. */
static GrB_Matrix make(GrB_Type type, GrB_Index nrows, GrB_Index ncols, unsigned percent)
{
    GrB_Matrix A;
    TRY(GrB_Matrix_new(&A, type, nrows, ncols));
    for (GrB_Index i = 0; i < nrows; i++) {
        for (GrB_Index j = 0; j < ncols; j++) {
            if (percent == 100 || (i % 5 != 3 && next() % 100 < percent)) {
                TRY(GrB_Matrix_setElement_INT64(A, next() % 9, i, j));
            }
        }
    }
    return A;
}

static void print(const char *title, GrB_Matrix C)
{
    GrB_Index rows[LONG * LONG], cols[LONG * LONG], count = LONG * LONG;
    double values[LONG * LONG];
    int status;
    TRY(GrB_Matrix_extractTuples_FP64(rows, cols, values, &count, C));
    TRY(GxB_Matrix_Option_get(C, GxB_SPARSITY_STATUS, &status));
    printf("%s: format %d, %lu entries\n", title, status, count);
    for (GrB_Index k = 0; k < count; k++) {
        printf(" (%lu,%lu) %g", rows[k], cols[k], values[k]);
    }
    printf("\n");
}

static void multiply_all(
    GrB_Type type, GrB_Semiring plus_times, GrB_Semiring min_plus, GrB_Semiring plus_first, GrB_BinaryOp plus)
{
    GrB_Matrix S = make(type, LONG, LONG, 12), tall = make(type, LONG, SHORT, 100),
               wide = make(type, SHORT, LONG, 100), mask = make(GrB_BOOL, LONG, SHORT, 50), C, D;
    TRY(GrB_Matrix_new(&C, type, LONG, SHORT));
    TRY(GrB_Matrix_new(&D, type, SHORT, LONG));

    TRY(GrB_mxm(C, NULL, NULL, plus_times, S, tall, NULL));
    print("sparse x dense, plus_times", C);
    TRY(GrB_mxm(C, NULL, plus, plus_times, S, tall, NULL));
    print("accumulated", C);
    TRY(GrB_mxm(C, mask, NULL, min_plus, S, tall, GrB_DESC_RS));
    print("min_plus, structural mask, replace", C);
    TRY(GrB_mxm(C, mask, plus, min_plus, S, tall, GrB_DESC_C));
    print("min_plus, complemented mask, accumulated", C);
    TRY(GrB_mxm(C, NULL, NULL, plus_times, S, tall, GrB_DESC_T0));
    print("transposed sparse x dense", C);
    TRY(GrB_mxm(C, NULL, NULL, plus_times, S, wide, GrB_DESC_T1));
    print("sparse x transposed dense", C);
    TRY(GrB_mxm(D, NULL, NULL, plus_first, wide, S, NULL));
    print("dense x sparse, plus_first", D);
    TRY(GrB_mxm(wide, NULL, NULL, plus_times, wide, S, GrB_DESC_T1));
    print("aliased dense x transposed sparse", wide);
    TRY(GrB_mxm(C, NULL, NULL, plus_times, S, C, NULL));
    print("aliased sparse x dense", C);

    const char *text;
    GrB_Info status = GrB_mxm(C, NULL, NULL, plus_times, tall, S, NULL);
    TRY(GrB_Matrix_error(&text, C));
    printf("wrong dimensions: %d %s\n", (int)status, text);
    printf("no semiring: %d\n", (int)GrB_mxm(C, NULL, NULL, NULL, S, tall, NULL));
    print("after the errors", C);
    GrB_Matrix_free(&S);
    GrB_Matrix_free(&tall);
    GrB_Matrix_free(&wide);
    GrB_Matrix_free(&mask);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&D);
}

/* Blocks that are not from malloc: freeing them with another function than own_free would abort. */
static void *own_malloc(size_t size)
{
    size_t *block = malloc(size + 2 * sizeof(size_t));
    return block ? block + 2 : NULL;
}

static void own_free(void *memory)
{
    if (memory) {
        free((size_t *)memory - 2);
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    setlocale(LC_ALL, "");
    if (argc > 1) {
        TRY(GxB_init(GrB_NONBLOCKING, own_malloc, NULL, NULL, own_free));
    } else {
        TRY(GrB_init(GrB_NONBLOCKING));
    }
    multiply_all(GrB_INT32, GrB_PLUS_TIMES_SEMIRING_INT32, GrB_MIN_PLUS_SEMIRING_INT32, GxB_PLUS_FIRST_INT32,
        GrB_PLUS_INT32);
    multiply_all(GrB_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_FP64, GxB_PLUS_FIRST_FP64,
        GrB_PLUS_FP64);
    TRY(GrB_finalize());
    if (getenv("TORC_BURBLE")) {
        fprintf(stderr, "after the end\n");
    }
    return 0;
}
