/* early_program.c [store FOLDER]: one product, none if IDLE is set, and before it a vector of 128 MiB if
 * LARGE is. Or store rates, by which the product gains hours on a device that opens at once. */
#include "rates.h"
#include "require.h"
#include <string.h>

static void store_rates(const char *folder)
{
    torc_machine_rates rates;
    char key[TORC_RATES_KEY];
    torc_rates_default(&rates, 1);
    rates.of[TORC_RATE_START] = 1e-9;
    for (int i = TORC_RATE_CPU_ACCUMULATED; i < TORC_RATE_COUNT; i++) {
        rates.of[i] = 1;
    }
    torc_rates_key(key, torc_binding_get());
    TORC_REQUIRE(torc_rates_store(&rates, folder, key));
}

static void multiply(void)
{
    enum { N = 1000 };
    GrB_Matrix A, B, C;
    TORC_REQUIRE(GrB_Matrix_new(&A, GrB_FP64, N, N) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_Matrix_new(&B, GrB_FP64, N, 8) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_Matrix_new(&C, GrB_FP64, N, 8) == GrB_SUCCESS);
    for (GrB_Index i = 0; i < N; i++) {
        TORC_REQUIRE(GrB_Matrix_setElement_FP64(A, 1, i, 7 * i % N) == GrB_SUCCESS);
    }
    TORC_REQUIRE(GrB_Matrix_assign_FP64(B, NULL, NULL, 2, GrB_ALL, N, GrB_ALL, 8, NULL) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL) == GrB_SUCCESS);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
}

static void hold_much(GrB_Vector *v)
{
    enum { SIZE = 1 << 24 };
    TORC_REQUIRE(GrB_Vector_new(v, GrB_FP64, SIZE) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_Vector_assign_FP64(*v, NULL, NULL, 1, GrB_ALL, SIZE, NULL) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_Vector_setElement_FP64(*v, 2, 0) == GrB_SUCCESS);
}

int main(int argc, char **argv)
{
    GrB_Vector large = NULL;
    TORC_REQUIRE(GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS);
    if (getenv("LARGE")) {
        hold_much(&large);
    }
    if (argc == 3 && strcmp(argv[1], "store") == 0) {
        store_rates(argv[2]);
    } else if (!getenv("IDLE")) {
        multiply();
    }
    GrB_Vector_free(&large);
    return GrB_finalize();
}
