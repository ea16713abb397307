/* no_memory_program CALL: an allocation of CALL fails, whose operand has entries that are pending, the first,
 * the second and so on until none does. Prints what CALL returns but GrB_OUT_OF_MEMORY. */
#include "require.h"
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 600, COLS = 40, ENTRIES = 50 };

static GrB_Matrix C, D, P;
static long blocks_until_failure = -1;

static void *malloc_until(size_t size)
{
    return blocks_until_failure >= 0 && blocks_until_failure-- == 0 ? NULL : malloc(size);
}

static GrB_Info wait_for(void)
{
    return GrB_Matrix_wait(P, GrB_MATERIALIZE);
}

static GrB_Info add(void)
{
    return GrB_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GrB_PLUS_FP64, D, P, NULL);
}

static GrB_Info reduce(void)
{
    double sum;
    return GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, P, NULL);
}

static GrB_Info multiply(void)
{
    return GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, P, D, GrB_DESC_T1);
}

static void make_operands(bool is_product)
{
    TORC_REQUIRE(GrB_Matrix_new(&P, GrB_FP64, ROWS, COLS) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_Matrix_new(&D, GrB_FP64, ROWS, COLS) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_Matrix_new(&C, GrB_FP64, ROWS, is_product ? ROWS : COLS) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_Matrix_assign_FP64(D, NULL, NULL, 2, GrB_ALL, ROWS, GrB_ALL, COLS, NULL) == GrB_SUCCESS);
    for (GrB_Index k = 0; k < ENTRIES; k++) {
        TORC_REQUIRE(GrB_Matrix_setElement_FP64(P, (double)k, k * 7 % ROWS, k * 3 % COLS) == GrB_SUCCESS);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        GrB_Info (*call)(void);
    } calls[] = {{"wait", wait_for}, {"add", add}, {"reduce", reduce}, {"multiply", multiply}};
    static const int64_t no_pool[64];
    TORC_REQUIRE(GxB_init(GrB_NONBLOCKING, malloc_until, NULL, NULL, free) == GrB_SUCCESS);
    TORC_REQUIRE(GxB_Global_Option_set(GxB_MEMORY_POOL, no_pool) == GrB_SUCCESS);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        bool is_asked = argc > 1 && strcmp(argv[1], calls[i].name) == 0, has_failed = is_asked;
        for (long failing = 0; has_failed; failing++) {
            make_operands(calls[i].call == multiply);
            blocks_until_failure = failing;
            GrB_Info info = calls[i].call();
            has_failed = blocks_until_failure < 0;
            blocks_until_failure = -1;
            if (info != GrB_SUCCESS && info != GrB_OUT_OF_MEMORY) {
                printf("%s returns %d\n", calls[i].name, (int)info);
            }
            GrB_Matrix_free(&P);
            GrB_Matrix_free(&D);
            GrB_Matrix_free(&C);
        }
    }
    TORC_REQUIRE(GrB_finalize() == GrB_SUCCESS);
    return 0;
}
