/* raw_fork_program: multiplies, and has a child of _Fork sum the result that no one has looked at, multiply
 * it on, and sum that. Prints the sums. */
#include "program_product.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 30 /* seconds after which a child that hangs is ended */ };

static GrB_Matrix D;

static void multiply(GrB_Matrix to, GrB_Matrix from)
{
    OK(program_product_multiply(to, from));
}

static void print_sum(const char *whose, GrB_Matrix of)
{
    printf("%s: %.0f\n", whose, program_product_sum(of));
    fflush(stdout);
}

int main(void)
{
    program_product_make();
    OK(GrB_Matrix_new(&D, GrB_FP64, SIZE, WIDTH));
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
