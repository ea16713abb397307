/* test_measured_cases.c: torc-bench's CSV read back: what is a case, a kernel, a time; what is passed over.
 */
#include "measured_cases.h"
#include <criterion/criterion.h>
#include <stdio.h>

#define HEADER                                                                                               \
    "matrix,rows,cols,nnz,mean,deviation,empty_rows,max_row,near,far,sectors,N,type,semiring,contender,"     \
    "cache,ms,"                                                                                              \
    "predicted_"                                                                                             \
    "ms,"                                                                                                    \
    "compulsory_ms,gather_ms,over_floor,error,bits,prepare_ms\n"
#define REST ",0.1,0.2,0.3,2.0,1e-7,same,0.01\n"

static bench_measurements read_text(const char *text)
{
    char path[32];
    bench_measurements read = {0};
    FILE *file = tmpfile(); /* goes with the process, which may end where the text is read */
    cr_assert(file);
    fputs(text, file);
    fflush(file);
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    bench_measurements_read(&read, path);
    fclose(file);
    return read;
}

Test(measured_cases, are_kernels_by_product)
{
    bench_measurements read = read_text(
        "# device: NVIDIA H200, 132 multiprocessors, 60 MB of L2\n" HEADER
        "web,10,20,30,3.00,1.50,2,9,0.75,0.50,0.25,4,fp32,plus_times,torc selected,warm,0.5" REST
        "web,10,20,30,3.00,1.50,2,9,0.75,0.50,0.25,4,fp32,plus_times,torc rows/sequential/v4x1,warm,0.5" REST
        "# web N=4: cusparse SpMV_ALG1 declines\n"
        "web,10,20,30,3.00,1.50,2,9,0.75,0.50,0.25,4,fp32,plus_times,torc rows/sequential/v4x1,cold,0.7" REST
        "web,10,20,30,3.00,1.50,2,9,0.75,0.50,0.25,4,fp32,plus_times,torc rows/parallel4/v4x1,warm,0.25" REST
        "web,10,20,30,3.00,1.50,2,9,0.75,0.50,0.25,4,fp32,plus_times,torc rows/of/another/age,warm,0.1" REST
        "web,10,20,30,3.00,1.50,2,9,0.75,0.50,0.25,4,fp32,plus_times,cusparse CSR_ALG2,warm,2.0" REST
        "web,10,20,30,3.00,1.50,2,9,0.75,0.50,0.25,4,fp64,plus_times,torc rows/sequential/v2x2,warm,1.0" REST
        "web,10,20,30,3.00,1.50,2,9,0.75,0.50,0.25,4,fp32,min_plus,torc rows/sequential/v4x1,warm,1.5" REST);
    cr_assert_eq(read.ncases, 3);
    cr_expect_eq(read.facts.multiprocessors, 132);
    const bench_measured_case *first = &read.cases[0];
    cr_expect_str_eq(first->name, "web N=4 fp32 plus_times");
    cr_assert_eq(first->count, 2);
    cr_expect_float_eq(first->seconds[0], 0.5e-3, 1e-15);
    cr_expect_float_eq(first->seconds[1], 0.25e-3, 1e-15);
    cr_expect_eq(first->kernels[0].ways, 0);
    cr_expect_eq(first->kernels[1].ways, 4);
    torc_problem problem = bench_case_problem(first);
    cr_expect(problem.rows->nrows == 10 && problem.rows->ncols == 20 && problem.rows->nnz == 30 &&
              problem.rows->empty_rows == 2 && problem.rows->max_row == 9);
    cr_expect(problem.rows->mean_row == 3 && problem.rows->deviation_row == 1.5);
    cr_expect(problem.rows->near_footprint == .75 && problem.rows->far_footprint == .5 &&
              problem.rows->sector_footprint == .25);
    cr_expect(problem.ncols == 4 && problem.b_size == 4 && problem.c_size == 4 && problem.is_everywhere);
    cr_expect_eq(problem.device.multiprocessors, 132);
    cr_expect_eq(bench_case_problem(&read.cases[1]).b_size, 8);
    cr_expect_eq(bench_case_problem(&read.cases[2]).kernel.semiring.add, TORC_MIN_MONOID);
    bench_measurements_free(&read);
}

Test(measured_cases, are_of_the_device_that_the_file_describes)
{
    bench_measurements read =
        read_text("# device: NVIDIA H100 80GB HBM3, 132 multiprocessors; commit: x\n"
                  "# facts: 90 131 2048 232448 233472 52428800 1.98e+09 3.352e+12\n" HEADER
                  "web-3,10,20,30,3.00,1.50,2,9,0.75,0.50,0.25,4,fp32,plus_times,torc "
                  "rows/sequential/v4x1,warm,0.5" REST);
    cr_assert_eq(read.ncases, 1);
    torc_device_facts device = bench_case_problem(&read.cases[0]).device;
    cr_expect(device.compute_capability == 90 && device.multiprocessors == 131 && device.threads == 2048);
    cr_expect(device.block_shared == 232448 && device.multiprocessor_shared == 233472);
    cr_expect(device.l2_bytes == 52428800 && device.clock == 1.98e9 && device.bandwidth == 3.352e12);
    bench_measurements_free(&read);
}

Test(measured_cases, of_a_file_without_the_columns_end_the_program, .exit_code = 1)
{
    read_text("matrix,rows,cols\nweb,10,20\n");
}
