/* sandbox_program FIRST: multiplies FIRST times, shuts itself in a sandbox which allows what SuiteSparse
 * needs and kills at all else, multiplies on, and prints the sums. 77 where the kernel has no sandbox. */
#include "program_product.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static void multiply(void)
{
    OK(program_product_multiply(C, B));
    double sum = program_product_sum(C);
    printf("%.0f\n", sum);
    fflush(stdout);
    OK(GrB_Matrix_setElement_FP64(B, sum, 5, 5));
}

static const int allowed[] = {SYS_write, SYS_read, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect,
    SYS_madvise, SYS_brk, SYS_futex, SYS_exit, SYS_exit_group, SYS_rt_sigprocmask, SYS_clock_gettime,
    SYS_newfstatat};
enum { COUNT = sizeof allowed / sizeof *allowed };

static void enter_sandbox(void)
{
    struct sock_filter filter[2 * COUNT + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    struct sock_fprog program = {2 * COUNT + 2, filter};
    for (int i = 0; i < COUNT; i++) {
        filter[2 * i + 1] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i], 0, 1);
        filter[2 * i + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    filter[2 * COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        exit(77);
    }
}

int main(int argc, char **argv)
{
    program_product_make();
    for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--) {
        multiply();
    }
    enter_sandbox();
    for (int i = 0; i < 3; i++) {
        multiply();
    }
    OK(GrB_Matrix_free(&A));
    OK(GrB_Matrix_free(&B));
    OK(GrB_Matrix_free(&C));
    OK(GrB_finalize());
    return 0;
}
