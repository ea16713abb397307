/* user_semiring.c: a user-defined type and operators, with their source, so that torc can compile them for
 * the GPU. GraphBLAS alone: `torc run` does the rest. A path is (cost, hops); of two paths the cheaper one is
 * better, then the one with fewer hops.
 *
 *     cc user_semiring.c -I/usr/include/suitesparse -lgraphblas -lm -o user_semiring
 */
#include <GraphBLAS.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        GrB_Info info = (call);                                                                              \
        if (info != GrB_SUCCESS) {                                                                           \
            fprintf(stderr, "%s:%d: GraphBLAS returned %d\n", __FILE__, __LINE__, (int)info);                \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* The code, once for this program's compiler and once as text for torc's */
#define CODE(name, ...)                                                                                      \
    __VA_ARGS__                                                                                              \
    static const char name[] = #__VA_ARGS__;

CODE(
    path_text, typedef struct {
        double cost;
        int64_t hops;
    } path;)

CODE(
    better_text, void better(path *z, const path *x, const path *y) {
        *z = x->cost < y->cost || (x->cost == y->cost && x->hops <= y->hops) ? *x : *y;
    })

CODE(
    extend_text, void extend(path *z, const path *x, const path *y) {
        z->cost = x->cost + y->cost;
        z->hops = x->hops + y->hops;
    })

/* v → v+1 costs 1, v → v+7 costs 7: all paths cost the same, and the best take the long steps. */
enum { N = 100, K = 2, STEP = 7, MOST_HOPS = 20 };

int main(void)
{
    const path nothing = {INFINITY, 0}, start = {0, 0};
    GrB_Type path_type;
    GrB_BinaryOp better_op, extend_op;
    GrB_Monoid monoid;
    GrB_Semiring semiring;
    GrB_Matrix A, X;
    CHECK(GrB_init(GrB_NONBLOCKING));
    CHECK(GxB_Type_new(&path_type, sizeof(path), "path", path_text));
    CHECK(GxB_BinaryOp_new(
        &better_op, (GxB_binary_function)better, path_type, path_type, path_type, "better", better_text));
    CHECK(GxB_BinaryOp_new(
        &extend_op, (GxB_binary_function)extend, path_type, path_type, path_type, "extend", extend_text));
    CHECK(GrB_Monoid_new_UDT(&monoid, better_op, (void *)&nothing));
    CHECK(GrB_Semiring_new(&semiring, monoid, extend_op));

    CHECK(GrB_Matrix_new(&A, path_type, N, N));
    CHECK(GrB_Matrix_new(&X, path_type, N, K));
    for (GrB_Index v = 0; v + 1 < N; v++) {
        path near = {1, 1}, far = {STEP, 1};
        CHECK(GrB_Matrix_setElement_UDT(A, &near, v + 1, v)); /* (to, from), so that A times X goes forward */
        if (v + STEP < N) {
            CHECK(GrB_Matrix_setElement_UDT(A, &far, v + STEP, v));
        }
    }
    CHECK(GrB_Matrix_assign_UDT(X, NULL, NULL, (void *)&nothing, GrB_ALL, N, GrB_ALL, K, NULL));
    for (GrB_Index j = 0; j < K; j++) {
        CHECK(GrB_Matrix_setElement_UDT(X, (void *)&start, j, j));
    }
    for (int round = 0; round < MOST_HOPS; round++) {
        CHECK(GrB_mxm(X, NULL, better_op, semiring, A, X, NULL));
    }
    for (GrB_Index v = STEP - 1; v < N; v += 31) {
        path best;
        CHECK(GrB_Matrix_extractElement_UDT(&best, X, v, 0));
        printf("0 to %d: %g in %d\n", (int)v, best.cost, (int)best.hops);
    }

    GrB_Matrix_free(&A);
    GrB_Matrix_free(&X);
    GrB_Semiring_free(&semiring);
    GrB_Monoid_free(&monoid);
    GrB_BinaryOp_free(&better_op);
    GrB_BinaryOp_free(&extend_op);
    GrB_Type_free(&path_type);
    GrB_finalize();
    return 0;
}
