/* test_joined.c: several reference devices as one: the same bits as one device gives, whatever is done. */
#include "context.h"
#include "engine_fixture.h"
#include "joined.h"
#include "joined_executor.h"
#include "joined_walk.h"
#include "reference.h"

static const char *const lists[] = {"0", "0,1", "0,1,2", "0,1,2,3,4"};
enum { LISTS = sizeof lists / sizeof lists[0], WALKS = 110 };

static joined_walk walk_of(uint64_t seed)
{
    static const torc_type types[] = {TORC_FP32, TORC_INT64, TORC_FP64, TORC_INT8};
    static const int64_t columns[] = {1, 2, 5, 8, 16, 20, 33};
    return (joined_walk){.seed = seed,
        .n = seed % 3 ? 64 : 7 + (int64_t)(seed % 40),
        .columns = columns[seed % 7],
        .row = seed % 3 ? 64 : 4, /* of 64: slices begin where rows do, and rows are shared out */
        .steps = 24,
        .type = types[seed / 7 % 4],
        .order = seed / 28 % 2 ? TORC_COL_MAJOR : TORC_ROW_MAJOR,
        .padding = seed / 56 % 2 ? 3 : 0,
        .has_bitmap = seed / 5 % 3 == 0};
}

Test(joined, walks_as_one_device_does)
{
    for (uint64_t seed = 1; seed <= WALKS; seed++) {
        joined_walk walk = walk_of(seed);
        torc_context *one = open_reference(0);
        uint64_t expected = joined_walk_take(one, &walk);
        torc_context_destroy(one);
        for (int i = 0; i < LISTS; i++) {
            torc_context *context = open_devices(lists[i], 0);
            uint64_t found = joined_walk_take(context, &walk);
            cr_assert(found == expected, "seed %lu on %s", (unsigned long)seed, lists[i]);
            torc_context_destroy(context);
        }
    }
    cr_expect(torc_reference_bytes_held() == 0);
}

Test(joined, refuses_what_is_no_list)
{
    static const char *const bad[] = {
        "", "x", "0,", ",0", "0,,1", "-1", "0 1", "99999999999", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        torc_options options = TORC_OPTIONS_INIT;
        options.backend = TORC_BACKEND_REFERENCE;
        options.devices = bad[i];
        torc_context *context;
        cr_expect(torc_context_create(&context, &options) == TORC_INVALID_VALUE, "'%s'", bad[i]);
        cr_expect(!torc_joined_is_list(bad[i]), "'%s'", bad[i]);
    }
    cr_expect(torc_joined_is_list("0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"));
    cr_expect(torc_joined_is_list("all") && torc_joined_is_list("0") && torc_joined_is_list("3,1"));
}

Test(joined, leaves_nothing_behind_if_one_member_cannot_be_opened)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_REFERENCE;
    options.devices = "0,1,64";
    torc_context *context;
    cr_expect(torc_context_create(&context, &options) == TORC_NO_DEVICE);
    cr_expect(context == NULL);
}

/* Whatever fails, nothing is lost, and a context goes on. */
Test(joined, survives_faults)
{
    joined_walk walk = walk_of(11);
    torc_context *context = open_devices("0,1,2", 0);
    uint64_t expected = joined_walk_take(context, &walk);
    int failures = 0;
    for (int64_t call = 0; call < 60; call++) {
        void *memory = NULL;
        char bytes[4096] = {0};
        torc_reference_fail_at(call);
        torc_status status = torc_memory_allocate(&memory, context, sizeof bytes);
        if (status == TORC_SUCCESS) {
            status = torc_memory_upload(context, memory, bytes, sizeof bytes);
        }
        if (status == TORC_SUCCESS) {
            status = torc_memory_download(context, bytes, memory, sizeof bytes);
        }
        torc_reference_fail_at(-1);
        failures += status != TORC_SUCCESS;
        torc_memory_release(context, memory);
    }
    cr_expect(failures > 6 && failures < 60, "%d failures", failures);
    cr_expect(joined_walk_take(context, &walk) == expected);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* C is made row-major in workspace, which stays where it is while A's rows are shared out. */
Test(joined, products_survive_faults)
{
    enum { ROWS = 64, COLUMNS = 2 }; /* fewer than devices: rows are shared out */
    static uint32_t row_ptr[ROWS + 1], col_idx[ROWS * ROWS];
    static float b[ROWS * COLUMNS], c[ROWS * COLUMNS];
    for (uint32_t i = 0; i <= ROWS; i++) {
        row_ptr[i] = i * ROWS;
    }
    for (uint32_t k = 0; k < ROWS * ROWS; k++) {
        col_idx[k] = k % ROWS;
    }
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        b[k] = (float)(k / COLUMNS);
    }
    const torc_csr csr = {ROWS, ROWS, row_ptr, col_idx, NULL, 32, 32, TORC_FP32, false, NULL};
    const torc_semiring semiring = {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32, NULL, false};
    torc_context *context = open_devices("0,1,2", 0);
    torc_dense B = {ROWS, COLUMNS, COLUMNS, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL};
    torc_dense C = {ROWS, COLUMNS, ROWS, TORC_COL_MAJOR, TORC_FP32, false, NULL, NULL};
    B.data = device_copy(context, b, sizeof b);
    C.data = device_copy(context, c, sizeof c);
    int failures = 0;
    for (int64_t call = 0; call < 60; call++) {
        torc_sparse *A;
        cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
        torc_reference_fail_at(call);
        torc_status status = torc_spmm(&C, semiring, A, false, &B, NULL);
        torc_reference_fail_at(-1);
        failures += status != TORC_SUCCESS;
        cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
        for (int k = 0; k < ROWS * COLUMNS && status == TORC_SUCCESS; k++) {
            cr_assert_eq(c[k], ROWS * (ROWS - 1) / 2, "call %ld", (long)call);
        }
        torc_sparse_destroy(A);
    }
    cr_expect(failures > 0 && failures < 60, "%d failures", failures);
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

Test(joined, limits_each_member)
{
    enum { LIMIT = 1 << 16 };
    torc_context *context = open_devices("0,1", LIMIT);
    void *first, *second;
    torc_device_info info;
    cr_assert(torc_memory_allocate(&first, context, LIMIT / 2) == TORC_SUCCESS);
    cr_assert(torc_context_info(&info, context) == TORC_SUCCESS);
    cr_expect(info.memory_available == LIMIT / 2);
    cr_expect(torc_memory_allocate(&second, context, LIMIT) == TORC_OUT_OF_MEMORY);
    cr_expect(torc_reference_bytes_held() == LIMIT);
    torc_memory_release(context, first);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* ---- What is around -------------------------------------------------------------------------------------
 */

enum { LARGE = 2048 };

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false};

/* The product with it is the other operand. */
static torc_sparse *new_identity(torc_context *context, int64_t n)
{
    static uint32_t row_ptr[LARGE + 1], col_idx[LARGE];
    static const float one = 1;
    for (int64_t i = 0; i < n; i++) {
        row_ptr[i + 1] = (uint32_t)i + 1;
        col_idx[i] = (uint32_t)i;
    }
    torc_csr csr = {n, n, row_ptr, col_idx, &one, 32, 32, TORC_FP32, true, NULL};
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    return A;
}

static torc_dense new_matrix(int64_t columns, torc_order order, void *data)
{
    int64_t ld = order == TORC_ROW_MAJOR ? columns : LARGE;
    return (torc_dense){LARGE, columns, ld, order, TORC_FP32, false, data, NULL};
}

static float *new_values(size_t count, float step)
{
    float *values = malloc(count * sizeof *values);
    cr_assert(values);
    for (size_t i = 0; i < count; i++) {
        values[i] = (float)i * step;
    }
    return values;
}

static torc_executor changed; /* the members' */

static torc_status lacks_kernel(
    torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    (void)device, (void)kernel, (void)args;
    return TORC_NOT_COMPILED;
}

Test(joined, leaves_c_as_it_was_where_a_kernel_is_lacking)
{
    enum { ROWS = 16, COLUMNS = 32 };
    torc_context *context = open_devices("0,1", 0);
    torc_joined *joined = torc_joined_of(context->device);
    size_t size = (size_t)ROWS * COLUMNS * sizeof(float);
    float *values = new_values((size_t)ROWS * COLUMNS, 1), found[ROWS * COLUMNS];
    torc_dense B = {ROWS, COLUMNS, COLUMNS, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL}, C = B;
    B.data = device_copy(context, values, size);
    C.data = device_copy(context, values, size);
    torc_sparse *A = new_identity(context, ROWS);
    changed = *joined->each;
    changed.spmm = lacks_kernel;
    joined->each = &changed;
    cr_expect(torc_spmm(&C, plus_times, A, false, &B, NULL) == TORC_NOT_COMPILED);
    cr_assert(torc_memory_download(context, found, C.data, size) == TORC_SUCCESS);
    cr_expect(memcmp(values, found, size) == 0);
    torc_sparse_destroy(A);
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_context_destroy(context);
    free(values);
}

/* B's copy is the left half of a matrix on the device. */
Test(joined, leaves_what_lies_beside_a_copy)
{
    torc_context *context = open_devices("0,1", 0);
    size_t count = (size_t)LARGE * (LARGE / 2), size = count * sizeof(float);
    float *both = new_values(2 * count, 1), *b = new_values(count, -1), *found = new_values(count, 0);
    char *halves = device_copy(context, both, 2 * size);
    torc_sparse *A = new_identity(context, LARGE);
    torc_dense B = new_matrix(LARGE / 2, TORC_COL_MAJOR, b), C = new_matrix(LARGE / 2, TORC_COL_MAJOR, found);
    torc_host_options options = {.b_copy = {.data = halves}};
    cr_assert(torc_spmm_host(&C, plus_times, A, false, &B, NULL, &options) == TORC_SUCCESS);
    cr_expect(memcmp(found, b, size) == 0, "C");
    cr_assert(torc_memory_download(context, found, halves, size) == TORC_SUCCESS);
    cr_expect(memcmp(found, b, size) == 0, "the copy");
    cr_assert(torc_memory_download(context, found, halves + size, size) == TORC_SUCCESS);
    cr_expect(memcmp(found, both + count, size) == 0, "beside it");
    torc_sparse_destroy(A);
    torc_memory_release(context, halves);
    torc_context_destroy(context);
    free(both);
    free(b);
    free(found);
}

static int64_t received;

static torc_status count_lines(torc_device *device, torc_device *other, const torc_lines *lines)
{
    received++;
    return torc_executor_reference()->receive(device, other, lines);
}

/* As on GPUs, where short lines are not cut. */
static int64_t count_exchanges(const char *devices, torc_order order, bool accumulates)
{
    torc_context *context = open_devices(devices, 0);
    torc_joined *joined = torc_joined_of(context->device);
    size_t count = (size_t)LARGE * LARGE;
    float *b = new_values(count, 0), *c = new_values(count, 0);
    joined->least_columns = 8;
    joined->least_line = 128;
    changed = *joined->each;
    changed.receive = count_lines;
    joined->each = &changed;
    torc_sparse *A = new_identity(context, LARGE);
    torc_dense B = new_matrix(LARGE, order, b), C = new_matrix(LARGE, order, c);
    torc_update update = {.has_accum = accumulates, .accum = TORC_PLUS};
    received = 0;
    cr_assert(torc_spmm_host(&C, plus_times, A, false, &B, &update, NULL) == TORC_SUCCESS);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    free(b);
    free(c);
    return received;
}

Test(joined, exchanges_nothing_of_panels)
{
    static const char *const many[] = {"0,1", "0,1,2", "0,1,2,3", "0,1,2,3,4,5,6,7"};
    for (size_t i = 0; i < sizeof many / sizeof many[0]; i++) {
        for (int way = 0; way < 4; way++) {
            int64_t count = count_exchanges(many[i], way % 2 ? TORC_COL_MAJOR : TORC_ROW_MAJOR, way / 2);
            cr_expect(count == 0, "%ld on %s, way %d", (long)count, many[i], way);
        }
    }
}

/* C becomes B, by panels in rings of buffers, which begin within a row of each other's matrices. */
static void multiply_in_panels(const char *devices, int64_t columns, size_t limit)
{
    enum { ROWS = 1497 };
    torc_context *context = open_devices(devices, limit);
    size_t count = (size_t)ROWS * (size_t)columns;
    float *b = new_values(count, 1), *c = new_values(count, -1);
    torc_sparse *A = new_identity(context, ROWS);
    torc_dense B = {ROWS, columns, columns, TORC_ROW_MAJOR, TORC_FP32, false, b, NULL}, C = B;
    C.data = c;
    torc_update update = {.has_accum = true, .accum = TORC_MAX};
    torc_status status = torc_spmm_host(&C, plus_times, A, false, &B, &update, NULL);
    cr_assert(status == TORC_SUCCESS, "%ld columns on %s: %d", (long)columns, devices, (int)status);
    cr_expect(memcmp(b, c, count * sizeof *b) == 0, "%ld columns on %s", (long)columns, devices);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    free(b);
    free(c);
}

Test(joined, multiplies_in_panels_of_any_width)
{
    for (int64_t columns = 60; columns < 180; columns += 9) {
        for (int i = 1; i < LISTS; i++) {
            multiply_in_panels(lists[i], columns, 1 << 20);
        }
    }
}

/* C is spread by columns: an element of several values may begin on one device and end on another, in the
 * next row too. */
Test(joined, gathers_what_ends_on_another_device)
{
    enum { ROWS = 6, COLUMNS = 8, CELLS = ROWS * COLUMNS, MOST = 12 };
    float *values = new_values(CELLS, 1), *old = new_values(CELLS, -1), found[MOST];
    for (int i = 1; i < LISTS; i++) {
        torc_context *context = open_devices(lists[i], 0);
        torc_dense B = {ROWS, COLUMNS, COLUMNS, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL}, C = B;
        B.data = device_copy(context, values, CELLS * sizeof *values);
        torc_sparse *A = new_identity(context, ROWS);
        for (uint64_t at = 0; at < CELLS * MOST; at++) {
            uint64_t first = at / MOST, count = at % MOST + 1, offset = first * sizeof *values;
            if (first + count > CELLS) {
                continue;
            }
            C.data = device_copy(context, old, CELLS * sizeof *old);
            cr_assert(torc_spmm(&C, plus_times, A, false, &B, NULL) == TORC_SUCCESS);
            cr_assert(torc_memory_gather(context, found, C.data, &offset, 1, count * sizeof *values) ==
                      TORC_SUCCESS);
            cr_assert(memcmp(found, values + first, count * sizeof *values) == 0, "%s: %lu values from %lu",
                lists[i], (unsigned long)count, (unsigned long)first);
            torc_memory_release(context, C.data);
        }
        torc_sparse_destroy(A);
        torc_memory_release(context, B.data);
        torc_context_destroy(context);
    }
    free(values);
    free(old);
}

enum { OF_OPERATION, OF_SUM, OLD_C, USES, VALUES = 64 }; /* values that each device hands out some of */

/* Do several devices take an iso operand for that value? */
static bool is_iso_of(torc_context *context, void *where, double value, int use)
{
    double c[VALUES] = {0};
    bool is_it = true;
    torc_dense A = {VALUES, 1, 1, TORC_ROW_MAJOR, TORC_FP64, true, where, NULL}, C = A;
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = TORC_FP64};
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    torc_operand iso = {.dense = &A}, zero = {.value = {.type = TORC_FP64}};
    torc_update keep = {.iso = where, .has_accum = true, .accum = TORC_FIRST};
    C.iso = false;
    C.data = device_copy(context, c, sizeof c);
    torc_status status = use == OF_SUM  ? torc_reduce_to_vector(&C, plus, context, &A, false, NULL)
                         : use == OLD_C ? torc_elementwise(&C, &identity, context, &zero, NULL, &keep)
                                        : torc_elementwise(&C, &identity, context, &iso, NULL, NULL);
    cr_assert(status == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
    for (int i = 0; i < VALUES; i++) {
        is_it = is_it && c[i] == value;
    }
    torc_memory_release(context, C.data);
    return is_it;
}

/* Some bytes of the value are where one upload left them, the others where the next one did. */
Test(joined, takes_all_bytes_of_an_iso_operand)
{
    static const double values[] = {1, 2, 1. / 3, 4, 5, 6};
    const size_t at = 2 * sizeof *values;
    for (size_t split = at; split <= at + sizeof *values; split++) {
        for (int use = 0; use < USES; use++) {
            torc_context *context = open_devices("0,1", 0);
            char *memory;
            const char *from = (const char *)values;
            cr_assert(torc_memory_allocate((void **)&memory, context, sizeof values) == TORC_SUCCESS);
            cr_assert(torc_memory_upload(context, memory, from, split) == TORC_SUCCESS);
            cr_assert(torc_memory_upload(context, memory + split, from + split, sizeof values - split) ==
                      TORC_SUCCESS);
            cr_expect(is_iso_of(context, memory + at, values[2], use), "use %d, cut at %zu", use, split);
            torc_memory_release(context, memory);
            torc_context_destroy(context);
        }
    }
}

/* Of the first line of what is spread, which begins behind other columns, these are not. */
Test(joined, single_elements_come_from_who_has_them)
{
    enum { ROWS = 8, HALF = 32, COLS = 2 * HALF };
    static uint32_t row_ptr[ROWS + 1], col_idx[ROWS];
    static float values[ROWS * COLS], zeros[ROWS * COLS], found[COLS];
    uint64_t offsets[COLS];
    const float one = 1;
    for (uint32_t i = 0; i < ROWS; i++) {
        row_ptr[i + 1] = i + 1;
        col_idx[i] = i;
    }
    for (int i = 0; i < ROWS * COLS; i++) {
        values[i] = (float)(i + 1);
    }
    for (uint64_t i = 0; i < COLS; i++) {
        offsets[i] = i * sizeof *values;
    }
    for (int l = 0; l < LISTS; l++) {
        torc_context *context = open_devices(lists[l], 0);
        torc_semiring sums = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false};
        torc_csr csr = {ROWS, ROWS, row_ptr, col_idx, &one, 32, 32, TORC_FP32, true, NULL}, row = csr;
        row.nrows = 1;
        torc_sparse *A, *first;
        cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
        cr_assert(torc_sparse_create(&first, context, &row) == TORC_SUCCESS);
        float *b = device_copy(context, values, sizeof values),
              *c = device_copy(context, zeros, sizeof zeros);
        torc_dense B = {ROWS, HALF, COLS, TORC_ROW_MAJOR, TORC_FP32, false, b + HALF, NULL}, C = B;
        C.data = c + HALF;
        cr_assert(torc_spmm(&C, sums, A, false, &B, NULL) == TORC_SUCCESS);
        B.data = b;
        C.data = c;
        C.nrows = 1;
        cr_assert(torc_spmm(&C, sums, first, false, &B, NULL) == TORC_SUCCESS);
        cr_assert(torc_memory_gather(context, found, c, offsets, COLS, sizeof *found) == TORC_SUCCESS);
        for (int i = 0; i < COLS; i++) {
            cr_expect(found[i] == values[i], "%s: column %d has %g", lists[l], i, (double)found[i]);
        }
        torc_sparse_destroy(A);
        torc_sparse_destroy(first);
        torc_memory_release(context, b);
        torc_memory_release(context, c);
        torc_context_destroy(context);
    }
}
