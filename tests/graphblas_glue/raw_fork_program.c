/* raw_fork_program: multiplies, and has a child of _Fork sum the result that no one has looked at, multiply
 * it on, and sum that. Prints the sums. */
#include "require.h"
#include <GraphBLAS.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define OK(call) TORC_REQUIRE((call) == GrB_SUCCESS)

enum { SIZE = 3000, WIDTH = 64, PATIENCE = 30 /* seconds after which a child that hangs is ended */ };

static GrB_Matrix A, B, C, D;

static void multiply(GrB_Matrix to, GrB_Matrix from)
{
    OK(GrB_mxm(to, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, from, NULL));
}

static void print_sum(const char *whose, GrB_Matrix of)
{
    double sum = 0;
    OK(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, of, NULL));
    printf("%s: %.0f\n", whose, sum);
    fflush(stdout);
}

int main(void)
{
    OK(GrB_init(GrB_NONBLOCKING));
    OK(GxB_Global_Option_set(GxB_NTHREADS, 1)); /* OpenMP has no others in a child */
    OK(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE));
    OK(GrB_Matrix_new(&B, GrB_FP64, SIZE, WIDTH));
    OK(GrB_Matrix_new(&C, GrB_FP64, SIZE, WIDTH));
    OK(GrB_Matrix_new(&D, GrB_FP64, SIZE, WIDTH));
    for (GrB_Index i = 0; i < SIZE; i++) {
        OK(GrB_Matrix_setElement_FP64(A, 2, i, (i * 7 + 3) % SIZE));
    }
    for (GrB_Index i = 0; i < SIZE * WIDTH; i++) {
        OK(GrB_Matrix_setElement_FP64(B, (double)(i % 5), i / WIDTH, i % WIDTH));
    }
    OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
    OK(GrB_Matrix_wait(B, GrB_MATERIALIZE));
    multiply(D, B);
    multiply(C, D);
    pid_t child = _Fork();
    TORC_REQUIRE(child >= 0);
    if (child == 0) {
        alarm(PATIENCE);
        print_sum("child", C);
        multiply(D, C);
        print_sum("child", D);
        _exit(0);
    }
    int status;
    TORC_REQUIRE(waitpid(child, &status, 0) == child);
    printf("the child ends with %x\n", (unsigned)status);
    print_sum("parent", C);
    multiply(D, C);
    print_sum("parent", D);
    OK(GrB_finalize());
    return status != 0;
}
