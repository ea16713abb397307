/* devices_bench.c: torc-bench-devices [--scale S] [--columns LIST] [--repeats R] [--csv FILE]: R-MAT times a
 * dense matrix, plus_times in fp32, on the first device of TORC_DEVICES and on all of them: operands on the
 * devices, steps in which C is the next B, whole calls from pinned host memory to host memory, and these with
 * A in host memory too. Median times; and whether the bits are the same. A goes in several blocks of rows
 * where TORC_MEMORY_LIMIT leaves little beside what the other modes keep. */
#include "bench_provenance.h"
#include "bench_require.h"
#include "bench_values.h"
#include "clock_now.h"
#include "matrix_generators.h"
#include "rmat_settings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torc/torc.h>

enum { HASHED_BYTES = 1 << 20, MOST_SCALE = 26 };

typedef enum bench_mode { RESIDENT, STEP, HOST, BY_ROWS, MODES } bench_mode;
static const char *const mode_names[] = {"resident", "step", "host-to-host", "by-rows"};

typedef struct measured {
    double seconds;
    uint64_t hash;
} measured;

static const char usage[] =
    "usage: torc-bench-devices [--scale S] [--columns LIST] [--repeats R] [--csv FILE]\n";

/* ---- Calls that must succeed -------------------------------------------------------------------------- */

static void require(torc_status status, torc_context *context, const char *what)
{
    if (status != TORC_SUCCESS && context && *torc_context_error(context)) {
        fprintf(stderr, "%s\n", torc_context_error(context));
    }
    bench_require(status == TORC_SUCCESS, what, torc_status_text(status));
}

/* ---- Host memory -------------------------------------------------------------------------------------- */

static void fill_some(void *values, int64_t begin, int64_t end)
{
    for (int64_t p = begin; p < end; p++) {
        ((float *)values)[p] = (float)bench_value(TORC_FP32, p);
    }
}

typedef struct hashing {
    const unsigned char *bytes;
    size_t size;
    uint64_t *hashes;
} hashing;

static void hash_some(void *argument, int64_t begin, int64_t end)
{
    const hashing *h = argument;
    for (int64_t block = begin; block < end; block++) {
        size_t from = (size_t)block * HASHED_BYTES,
               to = from + HASHED_BYTES < h->size ? from + HASHED_BYTES : h->size;
        uint64_t hash = 1;
        for (size_t p = from; p < to; p += sizeof(uint32_t)) {
            uint32_t word;
            memcpy(&word, h->bytes + p, sizeof word);
            hash = bench_mix(hash ^ word);
        }
        h->hashes[block] = hash;
    }
}

static uint64_t hash_of(const float *values, size_t count)
{
    hashing h = {(const unsigned char *)values, count * sizeof *values, NULL};
    size_t blocks = (h.size + HASHED_BYTES - 1) / HASHED_BYTES;
    uint64_t hash = blocks;
    h.hashes = bench_allocate(blocks, sizeof *h.hashes);
    torc_threads_loop((int64_t)blocks, HASHED_BYTES, hash_some, &h);
    for (size_t block = 0; block < blocks; block++) {
        hash = bench_mix(hash ^ h.hashes[block]);
    }
    free(h.hashes);
    return hash;
}

/* ---- One context -------------------------------------------------------------------------------------- */

typedef struct operands {
    torc_context *context;
    const torc_csr *a; /* host memory */
    torc_sparse *A;
    torc_dense b, c; /* pinned host memory */
    torc_dense B, C; /* on the device */
} operands;

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};

static void multiply(operands *o, bench_mode mode)
{
    switch (mode) {
    case HOST:
        require(
            torc_spmm_host(&o->c, plus_times, o->A, false, &o->b, NULL, NULL), o->context, mode_names[mode]);
        return;
    case BY_ROWS:
        require(torc_spmm_by_rows(&o->c, plus_times, o->context, o->a, &o->b, NULL, NULL), o->context,
            mode_names[mode]);
        return;
    default:
        require(torc_spmm(&o->C, plus_times, o->A, false, &o->B, NULL), o->context, mode_names[mode]);
        require(torc_context_wait(o->context), o->context, mode_names[mode]);
    }
    if (mode == STEP) {
        torc_dense next = o->C;
        o->C = o->B;
        o->B = next;
    }
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* After a first call, which compiles and plans. */
static double median(operands *o, bench_mode mode, int repeats)
{
    double seconds[RMAT_MOST_REPEATS];
    multiply(o, mode);
    for (int i = 0; i < repeats; i++) {
        double start = torc_now();
        multiply(o, mode);
        seconds[i] = torc_now() - start;
    }
    qsort(seconds, (size_t)repeats, sizeof *seconds, compare_seconds);
    return seconds[repeats / 2];
}

static size_t bytes_of(const torc_dense *X)
{
    return (size_t)(X->nrows * X->ncols) * sizeof(float);
}

static void measure_width(measured results[MODES], operands *o, int repeats)
{
    size_t size = bytes_of(&o->b);
    o->B = o->b;
    o->C = o->c;
    require(torc_memory_allocate(&o->B.data, o->context, size), o->context, "device memory");
    require(torc_memory_allocate(&o->C.data, o->context, size), o->context, "device memory");
    for (int mode = 0; mode < MODES; mode++) {
        require(torc_memory_upload(o->context, o->B.data, o->b.data, size), o->context, "upload");
        memset(o->c.data, 0xff, sizeof(float));
        results[mode].seconds = median(o, mode, repeats);
        if (mode == RESIDENT || mode == STEP) {
            const void *result = mode == STEP ? o->B.data : o->C.data;
            require(torc_memory_download(o->context, o->c.data, result, size), o->context, "download");
        }
        results[mode].hash = hash_of(o->c.data, (size_t)(o->c.nrows * o->c.ncols));
    }
    torc_memory_release(o->context, o->B.data);
    torc_memory_release(o->context, o->C.data);
}

static void measure_context(measured (*results)[MODES], torc_context *context, const rmat_settings *settings,
    const torc_csr *csr, torc_dense b, torc_dense c)
{
    operands o = {.context = context, .a = csr, .b = b, .c = c};
    require(torc_sparse_create(&o.A, context, csr), context, "A");
    for (int i = 0; i < settings->nwidths; i++) {
        o.b.ncols = o.b.ld = o.c.ncols = o.c.ld = settings->widths[i];
        measure_width(results[i], &o, settings->repeats);
    }
    torc_sparse_destroy(o.A);
}

/* ---- The program -------------------------------------------------------------------------------------- */

/* All of TORC_DEVICES, or the first of them. */
static torc_context *open_context(bool is_one)
{
    torc_options options;
    torc_context *context;
    torc_options_from_environment(&options);
    options.devices = options.devices ? options.devices : "all";
    if (is_one) {
        options.device = atoi(options.devices);
        options.devices = NULL;
    }
    require(torc_context_create(&context, &options), NULL, "devices");
    return context;
}

static void print_provenance(FILE *csv, torc_context *context, const bench_matrix *matrix)
{
    const char *devices = getenv("TORC_DEVICES");
    bench_provenance p = bench_provenance_now();
    torc_device_info info;
    require(torc_context_info(&info, context), context, "device");
    fprintf(csv, "# device: %s; TORC_DEVICES: %s\n", info.name, devices ? devices : "all");
    fprintf(csv, "# driver: %s\n# date: %s\n# commit: %s\n", p.driver, p.date, p.commit);
    fprintf(csv, "# matrix: %lld rows, %lld entries\n", (long long)matrix->nrows, (long long)matrix->nnz);
}

static void report(FILE *csv, const rmat_settings *settings, measured (*one)[MODES], measured (*all)[MODES])
{
    fprintf(csv, "scale,columns,mode,one_ms,all_ms,speedup,bits\n");
    for (int i = 0; i < settings->nwidths; i++) {
        for (int mode = 0; mode < MODES; mode++) {
            const measured *a = &one[i][mode], *b = &all[i][mode];
            fprintf(csv, "%d,%lld,%s,%.4g,%.4g,%.3f,%s\n", settings->scale, (long long)settings->widths[i],
                mode_names[mode], 1e3 * a->seconds, 1e3 * b->seconds, a->seconds / b->seconds,
                a->hash == b->hash ? "same" : "differ");
        }
    }
}

int main(int argc, char **argv)
{
    rmat_settings settings = {.scale = 20, .repeats = 9, .nwidths = 4, .widths = {1, 8, 128, 512}};
    static measured one[RMAT_MOST_WIDTHS][MODES], all[RMAT_MOST_WIDTHS][MODES];
    if (!rmat_settings_parse(&settings, MOST_SCALE, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    FILE *csv = settings.csv ? fopen(settings.csv, "w") : stdout;
    bench_require(csv, settings.csv ? settings.csv : "CSV", "cannot be written");
    bench_matrix matrix = bench_make_rmat(settings.scale, true);
    int64_t widest = 1;
    for (int i = 0; i < settings.nwidths; i++) {
        widest = settings.widths[i] > widest ? settings.widths[i] : widest;
    }
    size_t cells = (size_t)(matrix.nrows * widest);
    float *values = bench_allocate((size_t)matrix.nnz, sizeof *values);
    float *b = bench_allocate(cells, sizeof *b), *c = bench_allocate(cells, sizeof *c);
    torc_threads_loop(matrix.nnz, sizeof *values, fill_some, values);
    torc_threads_loop((int64_t)cells, sizeof *b, fill_some, b);
    torc_threads_loop((int64_t)cells, sizeof *c, fill_some, c); /* memory that was touched is pinned faster */
    torc_csr A = {
        matrix.nrows, matrix.ncols, matrix.row_ptr, matrix.col_idx, values, 32, 32, TORC_FP32, false, NULL};
    torc_dense B = {matrix.nrows, 1, 1, TORC_ROW_MAJOR, TORC_FP32, false, b, NULL}, C = B;
    C.data = c;
    torc_context *context = open_context(true), *pinning = open_context(true); /* for all devices */
    require(torc_memory_pin(pinning, b, cells * sizeof *b), NULL, "pinned memory");
    require(torc_memory_pin(pinning, c, cells * sizeof *c), NULL, "pinned memory");
    measure_context(one, context, &settings, &A, B, C);
    torc_context_destroy(context);
    context = open_context(false);
    print_provenance(csv, context, &matrix);
    measure_context(all, context, &settings, &A, B, C);
    torc_context_destroy(context);
    report(csv, &settings, one, all);
    torc_memory_unpin(pinning, b, cells * sizeof *b);
    torc_memory_unpin(pinning, c, cells * sizeof *c);
    torc_context_destroy(pinning);
    free(values);
    free(b);
    free(c);
    bench_matrix_free(&matrix);
    bench_require(fclose(csv) == 0, "CSV", "cannot be written");
    return 0;
}
