/* pruned_bench.c: torc-bench-pruned FILE.csv [--short]: pruned weights, generated, of 512 to 8192 rows of
 * which 70 to 98 % are zero, times 32 to 512 columns: torc as it selects, tuned, and cuSPARSE. */
#include "bench_provenance.h"
#include "pruned_case.h"
#include "schedule.h"
#include <stdlib.h>
#include <string.h>

static const int64_t sizes[] = {512, 1024, 2048, 4096, 8192}, widths[] = {32, 128, 512, 0};
static const int zeros[] = {70, 80, 90, 95, 98};
enum { SIZES = sizeof sizes / sizeof *sizes, ZEROS = sizeof zeros / sizeof *zeros };

/* Those that may be compiled in: what takes longest comes first. */
static const char *const small[] = {
    "pruned-512-90", "pruned-1024-98", "pruned-512-95", "pruned-512-98", NULL};
static const char *const exhausted = "pruned-512-98"; /* at N = 512 hundreds are kept */
enum { WIDEST_EXHAUSTED = 512, ARCHITECTURE = 90 };

static void print_provenance(FILE *csv, const bench_device *device)
{
    bench_provenance p = bench_provenance_now();
    fprintf(csv, "# device: %s, %d multiprocessors; driver: %s; NVRTC %d\n", device->info.name,
        device->info.multiprocessors, p.driver, device->info.compiler_version);
    fprintf(csv, "# date: %s; commit: %s\n", p.date, p.commit);
    fprintf(csv,
        "# us: of one call of many in a row, by the clock; device: of calls in a graph; host: until it "
        "returns\n");
}

int main(int argc, char **argv)
{
    bench_device device;
    bool is_short = argc == 3 && strcmp(argv[2], "--short") == 0;
    if ((argc != 2 && !is_short) || *argv[1] == '-') {
        fprintf(stderr, "usage: torc-bench-pruned FILE.csv [--short]\n");
        return 2;
    }
    FILE *csv = fopen(argv[1], "w");
    bench_require(csv, argv[1], "cannot be written");
    pruned_compilation compilation = {.count = 0};
    for (int m = 0; small[m]; m++) {
        for (int w = 0; widths[w]; w++) {
            bool is_exhausted = strcmp(small[m], exhausted) == 0 && widths[w] < WIDEST_EXHAUSTED;
            pruned_compile_ahead(csv, &compilation, small[m], TORC_FP32, widths[w],
                is_exhausted ? TORC_MOST_SCHEDULES : PRUNED_FIRST, ARCHITECTURE);
        }
    }
    pruned_compile_wait(csv, &compilation);
    bench_device_open(&device);
    print_provenance(csv, &device);
    for (int w = 0; widths[w] < WIDEST_EXHAUSTED; w++) {
        pruned_exhaust(csv, &device, exhausted, TORC_FP32, widths[w]);
    }
    fputs(pruned_csv_header, csv);
    for (int s = 0; s < (is_short ? 2 : SIZES); s++) {
        for (int z = ZEROS - 1; z >= 0; z--) {
            char name[32];
            snprintf(name, sizeof name, "pruned-%d-%d", (int)sizes[s], zeros[z]);
            bench_matrix A = bench_matrix_make(name);
            for (int w = 0; widths[w]; w++) {
                pruned_case_run(csv, &device, &A, TORC_FP32, widths[w]);
            }
            bench_matrix_free(&A);
        }
    }
    bench_require(fclose(csv) == 0, "the results", "could not be written to the end");
    bench_device_close(&device);
    return 0;
}
