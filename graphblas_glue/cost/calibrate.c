#include "calibrate.h"
#include "clock.h"
#include "doubt_rate.h"
#include "memory_rate.h"
#include "pack.h"
#include "rates_measure.h"
#include "session.h"
#include <string.h>

/* A: ROWS square, EACH entries a row. N where SuiteSparse is fastest, on what fits into its caches. */
enum { ROWS = 1 << 16, EACH = 16, WIDTH = 32 };
#define PATIENCE 0.2 /* seconds of calls, and five at least: the quickest counts */

/* ---- SuiteSparse -------------------------------------------------------------------------------------- */

typedef struct value_type {
    const char *name;
    size_t size;
    unsigned char one[8];
} value_type;

static const value_type fp32 = {"GrB_FP32", 4, {0, 0, 0x80, 0x3f}},
                        fp64 = {"GrB_FP64", 8, {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}}, int32 = {"GrB_INT32", 4, {1}},
                        boolean = {"GrB_BOOL", 1, {1}};

/* Every so many values 1, the others 0: speed depends on that only where a monoid stops early. */
static void *make_values(const torc_binding *graphblas, size_t count, const value_type *type, size_t every)
{
    unsigned char *values = torc_host_allocate(graphblas, count * type->size);
    for (size_t i = 0; values && i < count; i++) {
        if (i % every == 0) {
            memcpy(values + i * type->size, type->one, type->size);
        } else {
            memset(values + i * type->size, 0, type->size);
        }
    }
    return values;
}

static GrB_Info finish_matrix(GrB_Matrix *X, const torc_binding *graphblas, const value_type *type,
    GrB_Index ncols, torc_arrays *arrays, bool is_made)
{
    GrB_Info info =
        is_made ? torc_pack_new(X, graphblas, torc_binding_handle(graphblas, type->name), ROWS, ncols, arrays)
                : GrB_OUT_OF_MEMORY;
    torc_arrays_release(graphblas, arrays);
    return info;
}

/* Sparse: on a hypersparse one SuiteSparse is far slower. */
static GrB_Info make_sparse(GrB_Matrix *A, const torc_binding *graphblas, const value_type *type)
{
    size_t nvals = (size_t)ROWS * EACH;
    torc_arrays arrays = {.format = TORC_HYPERSPARSE,
        .nvec = ROWS,
        .nvals = (int64_t)nvals,
        .ptr = torc_host_allocate(graphblas, (ROWS + 1) * sizeof(uint64_t)),
        .hyper = torc_host_allocate(graphblas, ROWS * sizeof(uint64_t)),
        .idx = torc_host_allocate(graphblas, nvals * sizeof(uint64_t)),
        .values = make_values(graphblas, nvals, type, 1),
        .nvalues = nvals,
        .type_size = type->size};
    bool is_made = arrays.ptr && arrays.hyper && arrays.idx && arrays.values;
    for (uint64_t i = 0; is_made && i < ROWS; i++) {
        arrays.ptr[i] = i * EACH;
        arrays.hyper[i] = i;
        uint64_t first = i * UINT64_C(2654435761) % (ROWS / EACH);
        for (uint64_t k = 0; k < EACH; k++) { /* ascending */
            arrays.idx[i * EACH + k] = k * (ROWS / EACH) + first;
        }
    }
    if (is_made) {
        arrays.ptr[ROWS] = nvals;
    }
    GrB_Info info = finish_matrix(A, graphblas, type, ROWS, &arrays, is_made);
    return info == GrB_SUCCESS
               ? torc_binding_set_option(graphblas, *A, graphblas->numbers->sparsity_control, TORC_SPARSE)
               : info;
}

static GrB_Info make_full(GrB_Matrix *B, const torc_binding *graphblas, const value_type *type)
{
    size_t count = (size_t)ROWS * WIDTH;
    torc_arrays arrays = {.format = TORC_FULL,
        .nvec = ROWS,
        .nvals = (int64_t)count,
        .values = make_values(graphblas, count, type, 3),
        .nvalues = count,
        .type_size = type->size};
    return finish_matrix(B, graphblas, type, WIDTH, &arrays, arrays.values);
}

/* One for each kind of semiring: decision.c tells which calls are of it. */
typedef struct cpu_case {
    torc_rate rate;
    const char *semiring, *accum;
    const value_type *type, *result; /* of A and B; of C */
    double work;
} cpu_case;

#define TERMS ((double)ROWS * EACH * WIDTH)
static const cpu_case cpu_cases[] = {
    {TORC_RATE_CPU_ACCUMULATED, "GrB_PLUS_TIMES_SEMIRING_FP32", "GrB_PLUS_FP32", &fp32, &fp32, TERMS},
    {TORC_RATE_CPU_PLUS, "GrB_PLUS_TIMES_SEMIRING_FP32", NULL, &fp32, &fp32, TERMS},
    {TORC_RATE_CPU_LOGICAL, "GrB_LOR_LAND_SEMIRING_BOOL", NULL, &boolean, &boolean, TERMS},
    {TORC_RATE_CPU_ANY, "GxB_ANY_SECONDI_INT32", NULL, &boolean, &int32, TERMS / EACH},
    {TORC_RATE_CPU_MIN_MAX, "GrB_MIN_PLUS_SEMIRING_FP32", NULL, &fp32, &fp32, TERMS},
    {TORC_RATE_CPU_GENERIC, "GrB_PLUS_TIMES_SEMIRING_FP64", NULL, &fp32, &fp64, TERMS},
};

static GrB_Info time_mxm(double *seconds, const torc_binding *graphblas, const cpu_case *c, GrB_Matrix C,
    GrB_Matrix A, GrB_Matrix B)
{
    GrB_Index nvals;
    GrB_BinaryOp accum = c->accum ? torc_binding_handle(graphblas, c->accum) : NULL;
    GrB_Info info = GrB_SUCCESS;
    double begin = torc_clock();
    *seconds = 1e9;
    for (int i = 0; info == GrB_SUCCESS && (i < 5 || torc_clock() - begin < PATIENCE); i++) {
        double start = torc_clock();
        info = graphblas->mxm(C, NULL, accum, torc_binding_handle(graphblas, c->semiring), A, B, NULL);
        if (info == GrB_SUCCESS) {
            info = graphblas->matrix_nvals(&nvals, C); /* all of it is done then */
        }
        double taken = torc_clock() - start;
        *seconds = taken < *seconds ? taken : *seconds;
    }
    return info;
}

static GrB_Info measure_cpu(torc_machine_rates *rates, const torc_binding *graphblas, const cpu_case *c)
{
    GrB_Matrix A = NULL, B = NULL, C = NULL;
    double seconds;
    GrB_Info info = make_sparse(&A, graphblas, c->type);
    if (info == GrB_SUCCESS) {
        info = make_full(&B, graphblas, c->type);
    }
    if (info == GrB_SUCCESS) {
        info = make_full(&C, graphblas, c->result);
    }
    if (info == GrB_SUCCESS) {
        info = time_mxm(&seconds, graphblas, c, C, A, B);
    }
    if (info == GrB_SUCCESS) {
        rates->of[c->rate] = c->work / seconds;
    }
    GrB_Matrix *all[] = {&A, &B, &C};
    for (int i = 0; i < 3; i++) {
        graphblas->matrix_free(all[i]);
    }
    return info;
}

/* ---- Both --------------------------------------------------------------------------------------------- */

static torc_status open_device(
    torc_machine_rates *rates, torc_device_info *info, torc_context **context, const torc_options *options)
{
    double start = torc_clock();
    torc_status status = torc_context_create(context, options);
    if (status == TORC_SUCCESS) {
        rates->of[TORC_RATE_START] = torc_clock() - start;
        status = torc_context_info(info, *context);
    }
    return status;
}

static torc_status measure_device(
    torc_machine_rates *rates, const torc_device_info *info, torc_context *context)
{
    torc_rates_know_device(rates, info);
    torc_status status = torc_rates_measure_bus(rates, context);
    return status == TORC_SUCCESS ? torc_rates_measure_kernels(rates, context) : status;
}

static int refuse(torc_context *context, const char *why)
{
    fprintf(stderr, "torc calibrate: nothing to calibrate for: %s\n", why);
    torc_context_destroy(context);
    return 1;
}

static void print_rate(FILE *table, torc_rate rate, double value, double by_default)
{
    if (torc_rate_unit(rate)[0] == 's') {
        fprintf(table, "%-12s %12.3f ms     by default %12.3f ms\n", torc_rate_name(rate), 1e3 * value,
            1e3 * by_default);
    } else {
        fprintf(table, "%-12s %12.2f G%-4s  by default %12.2f G%s\n", torc_rate_name(rate), 1e-9 * value,
            torc_rate_unit(rate), 1e-9 * by_default, torc_rate_unit(rate));
    }
}

static GrB_Info measure_processors(torc_machine_rates *rates, const torc_binding *graphblas, int processors)
{
    GrB_Info info = GrB_SUCCESS;
    torc_doubt_rate_measure(rates, processors);
    torc_memory_rate_measure(rates, processors);
    for (size_t i = 0; i < sizeof cpu_cases / sizeof *cpu_cases && info == GrB_SUCCESS; i++) {
        info = measure_cpu(rates, graphblas, &cpu_cases[i]);
    }
    return info;
}

/* info: of GraphBLAS. Returns whether they are kept. */
static bool keep(FILE *table, const torc_machine_rates *rates, int processors, const char *key,
    const char *folder, GrB_Info info)
{
    torc_machine_rates defaults;
    torc_rates_default(&defaults, processors);
    fputs(key, table);
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        print_rate(table, (torc_rate)i, rates->of[i], defaults.of[i]);
    }
    if (info != GrB_SUCCESS) {
        fprintf(table, "not kept: GraphBLAS reports error %d\n", (int)info);
        return false;
    }
    bool is_stored = torc_rates_store(rates, folder, key);
    fprintf(table, "%s in %s\n", is_stored ? "kept" : "not kept: no file can be written",
        folder[0] ? folder : "any folder");
    return is_stored;
}

int torc_calibrate(FILE *table)
{
    const torc_binding *graphblas = torc_binding_get();
    torc_machine_rates rates;
    torc_context *context = NULL;
    torc_device_info device;
    char key[TORC_RATES_KEY];
    if (!graphblas || !graphblas->is_known) {
        fprintf(stderr, "torc calibrate: no GraphBLAS that torc supports: nothing to measure\n");
        return 1;
    }
    int threads = torc_binding_threads(graphblas, NULL), processors = torc_processors();
    torc_rates_of_machine(&rates);
    torc_status status = open_device(&rates, &device, &context, &torc_session_settings()->options);
    if (status != TORC_SUCCESS) {
        return refuse(context, torc_status_text(status));
    }
    if (strcmp(device.backend, "cuda") != 0) {
        return refuse(context, "the reference executor is no device");
    }
    if (threads < processors) {
        fprintf(stderr, "torc calibrate: GraphBLAS may use %d of %d processors: unset OMP_NUM_THREADS\n",
            threads, processors);
        torc_context_destroy(context);
        return 1;
    }
    status = measure_device(&rates, &device, context);
    if (status != TORC_SUCCESS) {
        return refuse(context, torc_status_text(status));
    }
    GrB_Info info = measure_processors(&rates, graphblas, processors);
    torc_rates_key(key, graphblas);
    bool is_kept = keep(table, &rates, processors, key, device.cache_dir, info);
    torc_context_destroy(context);
    return !is_kept;
}
