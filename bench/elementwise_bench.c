/* elementwise_bench.c: torc-bench-elementwise [CSV]: element-wise operations and reductions on device memory:
 * how long each takes on the device, cold and over its floor, the bytes that it must move at the bandwidth of
 * a copy; and how long the host takes to queue it. A table on stdout, the same as CSV into the file. */
#include "bench_device.h"
#include "bench_timer.h"
#include "clock_now.h"
#include <stdio.h>
#include <string.h>
#include <torc/elementwise.h>

enum { COLUMNS = 64, CALLS = 200 };
static const double CASE_SECONDS = 0.2;

/* x, y and z of n rows and COLUMNS columns, and bytes, one in two of which is zero. */
typedef struct operands {
    torc_context *context;
    torc_dense x, y, z, across, sums;
    uint8_t *mask;
    double sum[2];
} operands;

typedef struct bench_operation {
    const char *name;
    torc_status (*call)(operands *o);
    double arrays, bytes; /* elements and bytes that are moved for each element of z */
} bench_operation;

static torc_operand operand_of(const torc_dense *dense)
{
    return (torc_operand){.dense = dense};
}

static torc_status combine(operands *o, torc_multiply binary, const torc_update *update)
{
    torc_operation operation = {.kind = TORC_EWISE_MULT, .binary = binary, .type = o->z.type};
    torc_operand a = operand_of(&o->x), b = operand_of(&o->y);
    return torc_elementwise(&o->z, &operation, o->context, &a, &b, update);
}

static torc_status apply(operands *o, torc_unary unary, torc_operand a, const torc_update *update)
{
    torc_operation operation = {.kind = TORC_APPLY, .unary = unary, .type = o->z.type};
    return torc_elementwise(&o->z, &operation, o->context, &a, NULL, update);
}

static torc_status subtract(operands *o)
{
    return combine(o, TORC_MINUS, NULL);
}

static torc_status add_products(operands *o)
{
    torc_update update = {.has_accum = true, .accum = TORC_PLUS};
    return combine(o, TORC_TIMES, &update);
}

static torc_status subtract_across(operands *o)
{
    torc_operation operation = {.kind = TORC_EWISE_MULT, .binary = TORC_MINUS, .type = o->z.type};
    torc_operand a = operand_of(&o->x), b = operand_of(&o->across);
    return torc_elementwise(&o->z, &operation, o->context, &a, &b, NULL);
}

static torc_status assign_where(operands *o)
{
    torc_update update = {.mask = o->mask};
    torc_operand zero = {.value = {.type = TORC_INT32}};
    return apply(o, TORC_UNARY_IDENTITY, zero, &update);
}

static torc_status take_absolute(operands *o)
{
    return apply(o, TORC_UNARY_ABS, operand_of(&o->x), NULL);
}

static torc_status transpose(operands *o)
{
    return apply(o, TORC_UNARY_IDENTITY, operand_of(&o->across), NULL);
}

static torc_status sum_all(operands *o)
{
    torc_reduction plus = {TORC_PLUS_MONOID, o->x.type, NULL};
    return torc_reduce_to_scalar(o->sum, NULL, plus, o->context, &o->x);
}

static torc_status sum_rows(operands *o)
{
    torc_reduction plus = {TORC_PLUS_MONOID, o->x.type, NULL};
    return torc_reduce_to_vector(&o->sums, plus, o->context, &o->x, false, NULL);
}

static torc_status sum_columns(operands *o)
{
    torc_reduction plus = {TORC_PLUS_MONOID, o->x.type, NULL};
    torc_dense sums = o->sums;
    sums.nrows = sums.ld = COLUMNS;
    return torc_reduce_to_vector(&sums, plus, o->context, &o->x, true, NULL);
}

static torc_status count(operands *o)
{
    int64_t present;
    return torc_count_present(&present, o->context, o->mask, (size_t)(o->x.nrows * COLUMNS));
}

static const bench_operation operations[] = {
    {"z = x - y", subtract, 3, 0},
    {"z += x * y", add_products, 4, 0},
    {"z<m> = 0", assign_where, 1, 1},
    {"z = |x|", take_absolute, 2, 0},
    {"z = x - y'", subtract_across, 3, 0},
    {"z = x'", transpose, 2, 0},
    {"+ of x", sum_all, 1, 0},
    {"+ of rows", sum_rows, 1 + 1.0 / COLUMNS, 0},
    {"+ of columns", sum_columns, 1, 0},
    {"count m", count, 0, 1},
};

typedef struct queued {
    operands *o;
    const bench_operation *operation;
} queued;

static void queue(void *state)
{
    queued *q = state;
    BENCH_TORC(q->operation->call(q->o));
}

/* Seconds of the host a call: the device is behind, unless the call waits for it. */
static double time_host(queued *q)
{
    BENCH_TORC(torc_context_wait(q->o->context));
    double start = torc_now();
    for (int i = 0; i < CALLS; i++) {
        queue(q);
    }
    double seconds = torc_now() - start;
    BENCH_TORC(torc_context_wait(q->o->context));
    return seconds / CALLS;
}

static torc_dense matrix_of(torc_type type, int64_t nrows, torc_order order)
{
    int64_t ld = order == TORC_ROW_MAJOR ? COLUMNS : nrows;
    return (torc_dense){
        nrows, COLUMNS, ld, order, type, false, bench_device_values(type, nrows * COLUMNS), NULL};
}

static void measure(
    bench_device *device, bench_timer *timer, FILE *csv, double bandwidth, torc_type type, int64_t elements)
{
    int64_t nrows = elements / COLUMNS;
    operands o = {.context = device->context,
        .x = matrix_of(type, nrows, TORC_ROW_MAJOR),
        .y = matrix_of(type, nrows, TORC_ROW_MAJOR),
        .z = matrix_of(type, nrows, TORC_ROW_MAJOR),
        .across = matrix_of(type, nrows, TORC_COL_MAJOR)};
    o.sums = (torc_dense){nrows, 1, nrows, TORC_COL_MAJOR, type, false,
        bench_device_allocate((size_t)nrows * torc_type_size(type)), NULL};
    o.mask = bench_device_allocate((size_t)elements);
    BENCH_CUDA(cudaMemset2D(o.mask, 2, 1, 1, (size_t)elements / 2));
    BENCH_CUDA(cudaMemset2D(o.mask + 1, 2, 0, 1, (size_t)elements / 2));
    BENCH_CUDA(cudaDeviceSynchronize());
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const bench_operation *operation = &operations[i];
        queued q = {&o, operation};
        queue(&q); /* which compiles it */
        BENCH_TORC(torc_context_wait(device->context));
        double bytes =
            (double)elements * (operation->arrays * (double)torc_type_size(type) + operation->bytes);
        double floor = bytes / bandwidth, cold = bench_time_cold(timer, queue, &q),
               warm = bench_time_warm(timer, queue, &q), host = time_host(&q);
        printf("%-14s %-5s %10lld %9.4f %9.4f %9.4f %6.2f %8.2f\n", operation->name, torc_type_name(type),
            (long long)elements, 1e3 * floor, 1e3 * cold, 1e3 * warm, cold / floor, 1e6 * host);
        fprintf(csv, "%s,%s,%lld,%.6g,%.6g,%.6g,%.4g,%.4g\n", operation->name, torc_type_name(type),
            (long long)elements, 1e3 * floor, 1e3 * cold, 1e3 * warm, cold / floor, 1e6 * host);
    }
    void *const arrays[] = {o.x.data, o.y.data, o.z.data, o.across.data, o.sums.data, o.mask};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        BENCH_CUDA(cudaFree(arrays[i]));
    }
}

int main(int argc, char **argv)
{
    bench_device device;
    bench_timer timer;
    if (argc > 2 || (argc == 2 && *argv[1] == '-')) {
        fprintf(stderr, "usage: torc-bench-elementwise [CSV]\n");
        return 2;
    }
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : fopen("/dev/null", "w");
    bench_require(csv, "CSV", "cannot be written");
    bench_device_open(&device);
    bench_timer_open(&timer, device.stream, device.info.l2_bytes, CASE_SECONDS);
    double bandwidth = bench_copy_bandwidth(&timer);
    printf("%s, a copy moves %.0f GB/s\n", device.info.name, 1e-9 * bandwidth);
    printf("%-14s %-5s %10s %9s %9s %9s %6s %8s\n", "operation", "type", "elements", "floor ms", "cold ms",
        "warm ms", "/floor", "host us");
    fprintf(csv, "operation,type,elements,floor_ms,cold_ms,warm_ms,over_floor,host_us\n");
    const torc_type types[] = {TORC_FP32, TORC_FP64};
    for (int t = 0; t < 2; t++) {
        for (int64_t elements = 1 << 20; elements <= 64 << 20; elements <<= 6) {
            measure(&device, &timer, csv, bandwidth, types[t], elements);
        }
    }
    bench_timer_close(&timer);
    bench_device_close(&device);
    bench_require(fclose(csv) == 0, "CSV", "cannot be written");
    return 0;
}
