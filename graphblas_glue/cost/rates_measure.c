#include "rates_measure.h"
#include "clock.h"
#include <stdlib.h>
#include <sys/mman.h>

enum { FIRST_BYTES = 4 << 20, REPEATS = 3 };

/* ---- The bus ------------------------------------------------------------------------------------------ */

typedef torc_status (*copy_function)(torc_context *context, void *device, void *host);

static torc_status copy_in(torc_context *context, void *device, void *host)
{
    torc_status status = torc_memory_upload(context, device, host, TORC_BUS_BYTES);
    return status == TORC_SUCCESS ? torc_context_wait(context) : status; /* what is staged has not arrived */
}

static torc_status copy_out(torc_context *context, void *device, void *host)
{
    return torc_memory_download(context, host, device, TORC_BUS_BYTES);
}

/* Seconds of the quickest of some copies. */
static torc_status time_copy(
    double *seconds, copy_function copy, torc_context *context, void *device, void *host)
{
    torc_status status = TORC_SUCCESS;
    *seconds = 1e9;
    for (int i = 0; i < REPEATS && status == TORC_SUCCESS; i++) {
        double start = torc_clock();
        status = copy(context, device, host);
        double taken = torc_clock() - start;
        *seconds = taken < *seconds ? taken : *seconds;
    }
    return status;
}

/* What the engine makes at its first copy. */
static torc_status copy_first(torc_context *context, void *device)
{
    void *host = calloc(FIRST_BYTES, 1);
    torc_status status = host ? torc_memory_upload(context, device, host, FIRST_BYTES) : TORC_OUT_OF_MEMORY;
    status = status == TORC_SUCCESS ? torc_context_wait(context) : status;
    free(host);
    return status;
}

/* The first copy out makes the pages, which takes what it takes longer than a later one. */
static torc_status measure_bus(torc_machine_rates *rates, torc_context *context, void *device, void *host)
{
    double first, out, in;
    double start = torc_clock();
    torc_status status = copy_out(context, device, host);
    first = torc_clock() - start;
    if (status == TORC_SUCCESS) {
        status = time_copy(&out, copy_out, context, device, host);
    }
    if (status == TORC_SUCCESS) {
        status = time_copy(&in, copy_in, context, device, host);
    }
    if (status == TORC_SUCCESS) {
        rates->of[TORC_RATE_IN_STAGED] = TORC_BUS_BYTES / in;
        rates->of[TORC_RATE_OUT_STAGED] = TORC_BUS_BYTES / out;
        if (first > 1.1 * out) { /* or else something else made the pages */
            rates->of[TORC_RATE_FRESH] = TORC_BUS_BYTES / (first - out);
        }
    }
    return status;
}

/* Where pinning is refused the rates stay as they are. */
static torc_status measure_pinned(torc_machine_rates *rates, torc_context *context, void *device, void *host)
{
    double out, in;
    if (torc_memory_pin(context, host, TORC_BUS_BYTES) != TORC_SUCCESS) {
        return TORC_SUCCESS;
    }
    torc_status status = time_copy(&out, copy_out, context, device, host);
    if (status == TORC_SUCCESS) {
        status = time_copy(&in, copy_in, context, device, host);
    }
    if (status == TORC_SUCCESS) {
        rates->of[TORC_RATE_IN_PINNED] = TORC_BUS_BYTES / in;
        rates->of[TORC_RATE_OUT_PINNED] = TORC_BUS_BYTES / out;
    }
    torc_memory_unpin(context, host, TORC_BUS_BYTES);
    return status;
}

torc_status torc_rates_measure_bus(torc_machine_rates *rates, torc_context *context)
{
    torc_machine_rates measured = *rates;
    void *device = NULL;
    void *host = mmap(NULL, TORC_BUS_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (host == MAP_FAILED) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status = torc_memory_allocate(&device, context, TORC_BUS_BYTES);
    if (status == TORC_SUCCESS) {
        status = copy_first(context, device);
    }
    if (status == TORC_SUCCESS) {
        status = measure_bus(&measured, context, device, host);
    }
    if (status == TORC_SUCCESS) {
        status = measure_pinned(&measured, context, device, host);
    }
    if (status == TORC_SUCCESS) {
        *rates = measured;
    }
    torc_memory_release(context, device);
    munmap(host, TORC_BUS_BYTES);
    return status;
}

/* ---- Kernels ------------------------------------------------------------------------------------------ */

/* One product with A uniform, `each` entries a row, on operands of its own: seconds of the quickest. */
static torc_status time_product(double *seconds, torc_context *context, int64_t n, int each, int64_t width)
{
    static const float one = 1;
    uint32_t *row_ptr = malloc(((size_t)n + 1) * sizeof *row_ptr);
    uint32_t *col_idx = malloc((size_t)n * (size_t)each * sizeof *col_idx);
    torc_sparse *A = NULL;
    torc_dense B = {n, width, width, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL}, C = B;
    torc_status status = row_ptr && col_idx ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS) {
        for (int64_t i = 0; i <= n; i++) {
            row_ptr[i] = (uint32_t)(i * each);
        }
        for (int64_t p = 0; p < n * each; p++) { /* a multiplicative hash: far apart, no column twice a row */
            col_idx[p] = (uint32_t)((uint64_t)p * UINT64_C(2654435761) % (uint64_t)n);
        }
        torc_csr csr = {.nrows = n,
            .ncols = n,
            .row_ptr = row_ptr,
            .col_idx = col_idx,
            .values = &one,
            .row_ptr_bits = 32,
            .col_idx_bits = 32,
            .type = TORC_FP32,
            .iso = true};
        status = torc_sparse_create(&A, context, &csr);
    }
    if (status == TORC_SUCCESS) {
        status = torc_memory_allocate(&B.data, context, (size_t)(n * width) * sizeof(float));
    }
    if (status == TORC_SUCCESS) {
        status = torc_memory_allocate(&C.data, context, (size_t)(n * width) * sizeof(float));
    }
    *seconds = 1e9;
    for (int i = 0; i <= REPEATS && status == TORC_SUCCESS; i++) {
        double start = torc_clock();
        status = torc_spmm(&C, (torc_semiring){TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, A, false, &B, NULL);
        status = status == TORC_SUCCESS ? torc_context_wait(context) : status;
        double taken = torc_clock() - start;
        *seconds = taken < *seconds ? taken : *seconds;
    }
    torc_sparse_destroy(A);
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    free(row_ptr);
    free(col_idx);
    return status;
}

torc_status torc_rates_measure_kernels(torc_machine_rates *rates, torc_context *context)
{
    enum { SMALL = 64, LARGE = 1 << 20, EACH = 16, WIDTH = 32 };
    double call, small, large;
    torc_status status = time_product(&small, context, SMALL, EACH, WIDTH); /* compiles the kernel */
    double start = torc_clock();
    if (status == TORC_SUCCESS) { /* all that a call does, on little, the multiplication more than once */
        status = time_product(&small, context, SMALL, EACH, WIDTH);
    }
    call = torc_clock() - start;
    if (status == TORC_SUCCESS) {
        status = time_product(&large, context, LARGE, EACH, WIDTH);
    }
    if (status == TORC_SUCCESS) {
        rates->of[TORC_RATE_CALL] = call;
        rates->of[TORC_RATE_GATHER] = (double)LARGE * EACH * WIDTH * sizeof(float) / large;
    }
    return status;
}
