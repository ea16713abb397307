/* test_joined_faults.c: several devices for want of host memory: an operation in which allocation 0, 1, 2,
 * ... fails ends with TORC_OUT_OF_MEMORY and C as it was, on whatever devices its parts were, until none
 * fails. */
#include "context.h"
#include "engine_fixture.h"
#include "host_memory.h"
#include "joined.h"
#include "reference.h"
#include "splitmix.h"
#include <string.h>
#include <torc/elementwise.h>

enum { N = 12, CELLS = N * N, WALKS = 60 };

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, NULL, false};

/* C's block is larger than C, and begins with a narrower matrix, which is spread in its own way. */
typedef struct walk {
    torc_context *context;
    torc_sparse *A; /* the identity */
    torc_dense X;   /* N x N, spread; maybe with a bitmap */
    void *c;
    uint8_t *c_bitmap;
    double old[CELLS];
    uint8_t old_bitmap[CELLS];
} walk;

static torc_dense by_row(int64_t nrows, int64_t ncols, void *data, uint8_t *bitmap)
{
    return (torc_dense){nrows, ncols, ncols, TORC_ROW_MAJOR, TORC_FP64, false, data, bitmap};
}

/* C = B, of some columns, and spread by them. */
static void spread(const walk *w, void *c, const double *b, int64_t columns)
{
    torc_dense C = by_row(N, columns, c, NULL), B = C;
    B.data = device_copy(w->context, b, (size_t)(N * columns) * sizeof *b);
    cr_assert(torc_spmm(&C, plus_times, w->A, false, &B, NULL) == TORC_SUCCESS);
    torc_memory_release(w->context, B.data);
}

/* Is C one column of its block? There are fewer columns than devices then. */
static bool is_column(uint64_t seed)
{
    return seed % 2;
}

static void begin(walk *w, const char *devices, uint64_t seed)
{
    static uint32_t row_ptr[N + 1], col_idx[N];
    static const double one = 1;
    static const double zeros[CELLS];
    double values[CELLS];
    uint64_t random = seed;
    int64_t columns = is_column(seed) ? 1 : 2 + random_below(&random, N - 2);
    w->context = open_devices(devices, 0);
    torc_joined *joined = torc_joined_of(w->context->device);
    joined->least_copy = SIZE_MAX; /* what is uploaded all members have */
    for (uint32_t i = 0; i < N; i++) {
        row_ptr[i + 1] = i + 1;
        col_idx[i] = i;
    }
    torc_csr csr = {N, N, row_ptr, col_idx, &one, 32, 32, TORC_FP64, true, NULL};
    cr_assert(torc_sparse_create(&w->A, w->context, &csr) == TORC_SUCCESS);
    for (int i = 0; i < CELLS; i++) {
        values[i] = (double)random_below(&random, 1000);
        w->old[i] = i < N * columns ? (double)random_below(&random, 1000) : 0;
        w->old_bitmap[i] = (uint8_t)random_below(&random, 2);
    }
    bool has_bitmap = random_below(&random, 2);
    w->c = device_copy(w->context, zeros, sizeof zeros);
    w->c_bitmap = device_copy(w->context, w->old_bitmap, sizeof w->old_bitmap);
    w->X = by_row(N, N, device_copy(w->context, values, sizeof values), NULL);
    w->X.bitmap = has_bitmap ? device_copy(w->context, w->old_bitmap, sizeof w->old_bitmap) : NULL;
    spread(w, w->X.data, values, N);
    if (is_column(seed)) {
        joined->least_copy = 1; /* or one of them */
        cr_assert(torc_memory_upload(w->context, w->c, w->old, N * sizeof *w->old) == TORC_SUCCESS);
    } else {
        spread(w, w->c, w->old, columns);
    }
}

static void end(walk *w)
{
    torc_memory_release(w->context, w->c);
    torc_memory_release(w->context, w->c_bitmap);
    torc_memory_release(w->context, w->X.data);
    torc_memory_release(w->context, w->X.bitmap);
    torc_sparse_destroy(w->A);
    torc_context_destroy(w->context);
}

static torc_status run(const walk *w, uint64_t seed)
{
    torc_dense C = by_row(N, N, w->c, w->c_bitmap), c = by_row(N, 1, w->c, w->c_bitmap);
    torc_dense x = by_row(N, 1, w->X.data, NULL);
    torc_operation negate = {.kind = TORC_APPLY, .unary = TORC_UNARY_AINV, .type = TORC_FP64};
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    torc_operand operand = {.dense = &w->X};
    switch (seed % 4) {
    case 0:
        return torc_spmm(&C, plus_times, w->A, false, &w->X, NULL);
    case 1:
        return torc_spmm(&c, plus_times, w->A, false, &x, NULL);
    case 2:
        return torc_elementwise(&C, &negate, w->context, &operand, NULL, NULL);
    default:
        return torc_reduce_to_vector(&c, plus, w->context, &w->X, true, NULL);
    }
}

static void expect_old(const walk *w, uint64_t seed, int64_t call)
{
    double c[CELLS];
    uint8_t bitmap[CELLS];
    cr_assert(torc_memory_download(w->context, c, w->c, sizeof c) == TORC_SUCCESS);
    cr_assert(torc_memory_download(w->context, bitmap, w->c_bitmap, sizeof bitmap) == TORC_SUCCESS);
    cr_expect(memcmp(c, w->old, sizeof c) == 0, "seed %lu, call %ld: C is touched", (unsigned long)seed,
        (long)call);
    cr_expect(memcmp(bitmap, w->old_bitmap, sizeof bitmap) == 0, "seed %lu, call %ld: its bitmap is touched",
        (unsigned long)seed, (long)call);
}

Test(joined_faults, of_host_memory_leave_c_as_it_was)
{
    static const char *const lists[] = {"0,1", "0,1,2", "0,1,2,3,4"};
    int64_t failures = 0;
    for (uint64_t seed = 0; seed < WALKS; seed++) {
        bool is_done = false;
        for (int64_t call = 0; !is_done; call++) {
            walk w;
            begin(&w, lists[seed % 3], seed);
            torc_host_memory_fail_at(call);
            torc_status status = run(&w, seed);
            is_done = torc_host_memory_calls_left() >= 0;
            torc_host_memory_fail_at(-1);
            bool is_known = status == TORC_OUT_OF_MEMORY || status == TORC_DEVICE_ERROR; /* in mid-launch */
            cr_assert(is_done ? status == TORC_SUCCESS : status == TORC_SUCCESS || is_known, "%s",
                torc_status_text(status));
            if (status == TORC_OUT_OF_MEMORY) {
                expect_old(&w, seed, call);
                failures++;
            }
            end(&w);
        }
    }
    cr_expect(failures > WALKS, "%ld failures", (long)failures);
}

/* X = -X. If some device fails after another has written to its part, X is lost. */
Test(joined_faults, what_is_done_in_part_is_not_read)
{
    int64_t lost = 0;
    bool is_done = false;
    for (int64_t call = 0; !is_done; call++) {
        walk w;
        double before[CELLS], after[CELLS];
        begin(&w, "0,1,2", 0);
        cr_assert(torc_memory_download(w.context, before, w.X.data, sizeof before) == TORC_SUCCESS);
        torc_operation negate = {.kind = TORC_APPLY, .unary = TORC_UNARY_AINV, .type = TORC_FP64};
        torc_operand operand = {.dense = &w.X};
        torc_host_memory_fail_at(call);
        torc_status status = torc_elementwise(&w.X, &negate, w.context, &operand, NULL, NULL);
        is_done = torc_host_memory_calls_left() >= 0;
        torc_host_memory_fail_at(-1);
        bool is_read = torc_memory_download(w.context, after, w.X.data, sizeof after) == TORC_SUCCESS;
        bool is_negated = status == TORC_SUCCESS;
        for (int i = 0; i < CELLS && is_read; i++) {
            cr_expect(after[i] == (is_negated ? -before[i] : before[i]), "call %ld: %d", (long)call, i);
        }
        cr_expect(is_read || status == TORC_DEVICE_ERROR, "call %ld", (long)call);
        lost += !is_read;
        /* Until all of it is written anew. */
        torc_dense C = by_row(N, N, w.X.data, NULL), C0 = by_row(N, N, w.c, NULL);
        status = call % 2 ? torc_memory_upload(w.context, w.X.data, before, sizeof before)
                          : torc_spmm(&C, plus_times, w.A, false, &C0, NULL);
        cr_expect(status == TORC_SUCCESS, "call %ld: %s", (long)call, torc_context_error(w.context));
        cr_expect(torc_memory_download(w.context, after, w.X.data, sizeof after) == TORC_SUCCESS);
        cr_expect(memcmp(after, call % 2 ? before : w.old, sizeof after) == 0, "call %ld", (long)call);
        end(&w);
    }
    cr_expect(lost > 0);
}

/* X, spread, is negated where it is, until a device fails after another has written to its part: X is lost.
 */
static void tear(walk *w)
{
    double x[CELLS];
    torc_operation negate = {.kind = TORC_APPLY, .unary = TORC_UNARY_AINV, .type = TORC_FP64};
    torc_operand operand = {.dense = &w->X};
    begin(w, "0,1,2", 0);
    torc_memory_release(w->context, w->X.bitmap);
    w->X.bitmap = NULL;
    torc_reference_fail_at(1);
    cr_assert(torc_elementwise(&w->X, &negate, w->context, &operand, NULL, NULL) == TORC_DEVICE_ERROR);
    torc_reference_fail_at(-1);
    cr_assert(torc_memory_download(w->context, x, w->X.data, sizeof x) == TORC_DEVICE_ERROR);
}

static void build_anew(const walk *w, const double *values)
{
    uint64_t positions[CELLS];
    torc_dense X = by_row(N, N, w->X.data, w->c_bitmap);
    for (uint64_t i = 0; i < CELLS; i++) {
        positions[i] = i;
    }
    cr_expect(torc_build(&X, w->context, positions, values, false, CELLS) == TORC_SUCCESS);
}

static void transpose_anew(const walk *w, const double *values)
{
    double transposed[CELLS];
    for (int i = 0; i < CELLS; i++) {
        transposed[i % N * N + i / N] = values[i];
    }
    torc_dense X = by_row(N, N, w->X.data, NULL), Y = X;
    Y.data = device_copy(w->context, transposed, sizeof transposed);
    spread(w, Y.data, transposed, N);
    X.order = TORC_COL_MAJOR;
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = TORC_FP64};
    torc_operand operand = {.dense = &Y};
    cr_expect(torc_elementwise(&X, &identity, w->context, &operand, NULL, NULL) == TORC_SUCCESS);
    torc_memory_release(w->context, Y.data);
}

/* X holds the sums of columns of a matrix with one row that counts. */
static void reduce_anew(const walk *w, const double *values)
{
    double rows[N * CELLS] = {0};
    memcpy(rows, values, CELLS * sizeof *values);
    torc_dense x = {CELLS, 1, CELLS, TORC_COL_MAJOR, TORC_FP64, false, w->X.data, NULL};
    torc_dense Y = by_row(N, CELLS, device_copy(w->context, rows, sizeof rows), NULL);
    spread(w, Y.data, rows, CELLS);
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    cr_expect(torc_reduce_to_vector(&x, plus, w->context, &Y, true, NULL) == TORC_SUCCESS);
    torc_memory_release(w->context, Y.data);
}

/* X holds booleans. */
static void unpack_anew(const walk *w, const double *values)
{
    enum { WIDTH = N * sizeof(double), WORDS = (WIDTH + TORC_WORD_COLUMNS - 1) / TORC_WORD_COLUMNS };
    const uint8_t *bytes = (const void *)values;
    uint64_t words[N * WORDS] = {0};
    for (size_t i = 0; i < sizeof(double) * CELLS; i++) {
        size_t column = i % WIDTH;
        words[i / WIDTH * WORDS + column / TORC_WORD_COLUMNS] |= (uint64_t)(bytes[i] & 1)
                                                                 << column % TORC_WORD_COLUMNS;
    }
    torc_dense X = {N, WIDTH, WIDTH, TORC_ROW_MAJOR, TORC_BOOL, false, w->X.data, NULL};
    uint64_t *packed = device_copy(w->context, words, sizeof words);
    cr_expect(torc_joined_unpack_bits(w->context->device, &X, packed) == TORC_SUCCESS);
    torc_memory_release(w->context, packed);
}

static double constant_product[CELLS];

static torc_status load_constant(
    torc_constant_program **program, torc_device *device, const torc_constant_kernel *kernel)
{
    (void)kernel;
    *program = (torc_constant_program *)(void *)device;
    return TORC_SUCCESS;
}

static torc_status multiply_constant(
    torc_device *device, const torc_constant_program *program, const torc_constant_args *args)
{
    (void)device;
    (void)program;
    memcpy(args->c, constant_product, sizeof constant_product);
    return TORC_SUCCESS;
}

static void unload_constant(torc_device *device, torc_constant_program *program)
{
    (void)device;
    (void)program;
}

/* By members that can do that. */
static void multiply_anew(const walk *w, const double *values)
{
    static const uint32_t row_ptr[N + 1];
    torc_joined *joined = torc_joined_of(w->context->device);
    const torc_executor *each = joined->each;
    torc_executor with_constants = *each;
    with_constants.constant_load = load_constant;
    with_constants.constant_multiply = multiply_constant;
    with_constants.constant_unload = unload_constant;
    joined->each = &with_constants;
    memcpy(constant_product, values, sizeof constant_product);
    torc_constant_kernel kernel = {.semiring = plus_times, .nrows = N, .ncols = N, .row_ptr = row_ptr};
    torc_constant_args args = {w->c, w->X.data};
    torc_constant_program *program;
    cr_assert(torc_joined_constant_load(&program, w->context->device, &kernel) == TORC_SUCCESS);
    cr_expect(torc_joined_constant_multiply(w->context->device, program, &args) == TORC_SUCCESS);
    torc_joined_constant_unload(w->context->device, program);
    joined->each = each;
}

Test(joined_faults, what_is_lost_is_there_once_anything_writes_all_of_it)
{
    static void (*const ways[])(const walk *w, const double *values) = {
        build_anew, transpose_anew, reduce_anew, unpack_anew, multiply_anew};
    double values[CELLS], found[CELLS];
    for (int i = 0; i < CELLS; i++) {
        values[i] = i;
    }
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        walk w;
        tear(&w);
        ways[way](&w, values);
        cr_expect(torc_memory_download(w.context, found, w.X.data, sizeof found) == TORC_SUCCESS,
            "way %zu: it is lost", way);
        uint8_t *a = (void *)values, *b = (void *)found;
        bool is_same = true;
        for (size_t i = 0; i < sizeof values; i++) {
            is_same = is_same && (ways[way] == unpack_anew ? (a[i] & 1) == b[i] : a[i] == b[i]);
        }
        cr_expect(is_same, "way %zu", way);
        end(&w);
    }
}

static bool is_lost(const walk *w, int begin, int end)
{
    double values[CELLS];
    const double *x = w->X.data;
    return torc_memory_download(w->context, values, x + begin, (size_t)(end - begin) * sizeof *x) ==
           TORC_DEVICE_ERROR;
}

static void upload_part(const walk *w, int begin, int end)
{
    static const double zeros[CELLS];
    double *x = w->X.data;
    cr_expect(
        torc_memory_upload(w->context, x + begin, zeros, (size_t)(end - begin) * sizeof *x) == TORC_SUCCESS);
}

/* From its first byte on, or back from its last. What is written in between is lost until then. */
Test(joined_faults, what_is_lost_is_there_piece_by_piece)
{
    for (int backwards = 0; backwards <= 1; backwards++) {
        walk w;
        tear(&w);
        int middle = CELLS / 2, written = backwards ? middle : 0, other = backwards ? 0 : middle;
        upload_part(&w, CELLS / 3, CELLS / 2);
        cr_expect(is_lost(&w, 0, middle) && is_lost(&w, middle, CELLS));
        upload_part(&w, written, written + middle);
        cr_expect(!is_lost(&w, written, written + middle));
        cr_expect(is_lost(&w, other, other + middle));
        upload_part(&w, other, other + middle);
        cr_expect(!is_lost(&w, 0, CELLS));
        upload_part(&w, 0, middle);
        const torc_joined_block *block = torc_joined_find(torc_joined_of(w.context->device), w.X.data);
        cr_expect_eq(block->torn_begin, block->torn_end, "nothing is lost, where much is written, too");
        end(&w);
    }
}

/* A column of X is written: those beside it are lost as before. */
Test(joined_faults, what_lies_between_lines_that_are_written_stays_lost)
{
    walk w;
    double column[N] = {0};
    tear(&w);
    torc_dense C = {N, 1, N, TORC_ROW_MAJOR, TORC_FP64, false, w.X.data, NULL}, B = by_row(N, 1, NULL, NULL);
    B.data = device_copy(w.context, column, sizeof column);
    cr_expect(torc_spmm(&C, plus_times, w.A, false, &B, NULL) == TORC_SUCCESS);
    cr_expect(is_lost(&w, 1, 2));
    cr_expect(is_lost(&w, CELLS - 1, CELLS));
    torc_memory_release(w.context, B.data);
    end(&w);
}

/* C by column goes to rows in the context's memory, where C = C + A B fails in part. What is narrower and
 * comes next is in the same place. */
Test(joined_faults, what_is_lost_of_a_contexts_own_memory_nobody_misses)
{
    int64_t failures = 0;
    for (int64_t call = 0, is_done = false; !is_done; call++) {
        walk w;
        begin(&w, "0,1,2", 2);
        torc_dense C = by_row(N, N, w.c, NULL), B = by_row(N, N, w.X.data, NULL);
        C.order = B.order = TORC_COL_MAJOR;
        torc_update plus = {.has_accum = true, .accum = TORC_PLUS};
        torc_reference_fail_at(call);
        torc_status status = torc_spmm(&C, plus_times, w.A, false, &B, &plus);
        is_done = status == TORC_SUCCESS;
        torc_reference_fail_at(-1);
        failures += status == TORC_DEVICE_ERROR;
        static const double zeros[CELLS];
        C.data = device_copy(w.context, zeros, sizeof zeros);
        B.data = device_copy(w.context, zeros, sizeof zeros);
        C.ncols = B.ncols = N / 2;
        status = torc_spmm(&C, plus_times, w.A, false, &B, NULL);
        cr_expect(status == TORC_SUCCESS, "call %ld: %s", (long)call, torc_context_error(w.context));
        torc_memory_release(w.context, C.data);
        torc_memory_release(w.context, B.data);
        end(&w);
    }
    cr_expect(failures > 0);
}

Test(joined_faults, memory_that_a_context_hands_out_again_is_not_lost)
{
    walk w;
    void *memory;
    uint8_t byte;
    begin(&w, "0,1,2", 0);
    cr_assert(torc_context_workspace(&memory, w.context, TORC_WORKSPACE_C, 64) == TORC_SUCCESS);
    torc_joined_find(torc_joined_of(w.context->device), memory)->torn_end = 64;
    cr_assert(torc_memory_download(w.context, &byte, memory, 1) == TORC_DEVICE_ERROR);
    cr_assert(torc_context_workspace(&memory, w.context, TORC_WORKSPACE_C, 32) == TORC_SUCCESS);
    cr_expect(torc_memory_download(w.context, &byte, memory, 1) == TORC_SUCCESS);
    end(&w);
}

/* A product that writes all of X, and fails before it does. */
Test(joined_faults, what_is_lost_stays_so_where_nothing_was_written)
{
    int64_t failures = 0;
    for (int64_t call = 0, is_done = false; !is_done; call++) {
        walk w;
        double x[CELLS];
        tear(&w);
        torc_dense C = by_row(N, N, w.X.data, NULL), B = by_row(N, N, w.c, NULL);
        torc_host_memory_fail_at(call);
        torc_status status = torc_spmm(&C, plus_times, w.A, false, &B, NULL);
        is_done = torc_host_memory_calls_left() >= 0;
        torc_host_memory_fail_at(-1);
        if (status == TORC_OUT_OF_MEMORY) {
            failures++;
            status = torc_memory_download(w.context, x, w.X.data, sizeof x);
            cr_expect(status == TORC_DEVICE_ERROR, "call %ld", (long)call);
        }
        end(&w);
    }
    cr_expect(failures > 0);
}

/* Told by where they lie, not by where their offsets count from. */
Test(joined_faults, lost_elements_are_neither_gathered_nor_scattered_and_others_are)
{
    walk w;
    double element, *x;
    const uint64_t none = 0, behind = CELLS / 2 * sizeof element;
    tear(&w);
    torc_joined *joined = torc_joined_of(w.context->device);
    torc_joined_block *block = torc_joined_find(joined, w.X.data);
    x = w.X.data;
    block->torn_begin = behind;
    cr_expect(torc_memory_gather(w.context, &element, x, &none, 1, sizeof element) == TORC_SUCCESS);
    cr_expect(torc_memory_scatter(w.context, x, &element, &none, 1, sizeof element) == TORC_SUCCESS);
    cr_expect(torc_memory_gather(w.context, &element, x, &behind, 1, sizeof element) == TORC_DEVICE_ERROR);
    cr_expect(torc_memory_scatter(w.context, x, &element, &behind, 1, sizeof element) == TORC_DEVICE_ERROR);
    block->torn_begin = 0;
    block->torn_end = behind;
    cr_expect(torc_memory_gather(w.context, &element, x, &behind, 1, sizeof element) == TORC_SUCCESS);
    cr_expect(torc_memory_gather(w.context, &element, x, &none, 1, sizeof element) == TORC_DEVICE_ERROR);
    end(&w);
}

/* C by column goes to rows and back, and its bitmap after it: what is back nobody adds to again. */
Test(joined_faults, nothing_is_accumulated_twice)
{
    int64_t failures = 0;
    for (int64_t call = 0, is_done = false; !is_done; call++) {
        walk w;
        double before[CELLS], after[CELLS];
        begin(&w, "0,1,2", 2);
        uint8_t all[CELLS];
        memset(all, 1, sizeof all);
        cr_assert(torc_memory_upload(w.context, w.c_bitmap, all, sizeof all) == TORC_SUCCESS);
        cr_assert(torc_memory_download(w.context, before, w.X.data, sizeof before) == TORC_SUCCESS);
        cr_assert(torc_memory_upload(w.context, w.c, before, sizeof before) == TORC_SUCCESS);
        torc_dense C = by_row(N, N, w.c, w.c_bitmap), B = by_row(N, N, w.X.data, NULL);
        C.order = B.order = TORC_COL_MAJOR;
        torc_update plus = {.has_accum = true, .accum = TORC_PLUS};
        torc_host_memory_fail_at(call);
        torc_status status = torc_spmm(&C, plus_times, w.A, false, &B, &plus);
        is_done = torc_host_memory_calls_left() >= 0;
        torc_host_memory_fail_at(-1);
        failures += status != TORC_SUCCESS;
        bool is_read = torc_memory_download(w.context, after, w.c, sizeof after) == TORC_SUCCESS;
        for (int i = 0; i < CELLS && is_read && status != TORC_DEVICE_ERROR; i++) {
            double expected = status == TORC_SUCCESS ? 2 * before[i] : before[i];
            cr_assert(after[i] == expected, "call %ld: %d", (long)call, i);
        }
        end(&w);
    }
    cr_expect(failures > 0);
}

/* C by column = X by row, both with bitmaps, is two transpositions. */
static torc_status transpose_both(const walk *w, const torc_dense *X)
{
    torc_dense C = by_row(N, N, w->c, w->c_bitmap);
    C.order = TORC_COL_MAJOR;
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = TORC_FP64};
    torc_operand operand = {.dense = X};
    return torc_elementwise(&C, &identity, w->context, &operand, NULL, NULL);
}

/* X's bitmap is spread as its values are. */
static void spread_both(walk *w, torc_dense *X)
{
    uint8_t all[CELLS];
    double values[CELLS] = {0};
    begin(w, "0,1,2", 2);
    memset(all, 1, sizeof all);
    torc_dense B = by_row(N, N, device_copy(w->context, values, sizeof values), NULL);
    B.bitmap = device_copy(w->context, all, sizeof all);
    *X = by_row(N, N, device_copy(w->context, values, sizeof values), NULL);
    X->bitmap = device_copy(w->context, all, sizeof all);
    cr_assert(torc_spmm(X, plus_times, w->A, false, &B, NULL) == TORC_SUCCESS);
    torc_memory_release(w->context, B.data);
    torc_memory_release(w->context, B.bitmap);
}

static void end_both(walk *w, const torc_dense *X)
{
    torc_memory_release(w->context, X->data);
    torc_memory_release(w->context, X->bitmap);
    end(w);
}

Test(joined_faults, of_memory_in_the_second_of_two_transpositions_are_of_the_device)
{
    int64_t failures = 0;
    for (int64_t call = 0, is_done = false; !is_done; call++) {
        walk w;
        torc_dense X;
        spread_both(&w, &X);
        torc_host_memory_fail_at(call);
        torc_status status = transpose_both(&w, &X);
        is_done = torc_host_memory_calls_left() >= 0;
        torc_host_memory_fail_at(-1);
        failures += status == TORC_DEVICE_ERROR;
        if (status == TORC_OUT_OF_MEMORY) {
            expect_old(&w, 2, call);
        }
        end_both(&w, &X);
    }
    cr_expect(failures > 0);
}

static int transpositions, failing; /* so far; the number of the one that fails */

static torc_status transpose_without_memory(torc_device *device, void *to, int64_t ldto, const void *from,
    int64_t ldfrom, int64_t nrows, int64_t ncols, size_t size)
{
    return transpositions++ == failing ? TORC_OUT_OF_MEMORY
                                       : torc_executor_reference()->transpose_dense(
                                             device, to, ldto, from, ldfrom, nrows, ncols, size);
}

Test(joined_faults, of_memory_after_some_device_has_transposed_its_part_are_of_the_device)
{
    for (failing = 0; failing < 6; failing++) {
        walk w;
        torc_dense X;
        spread_both(&w, &X);
        torc_joined *joined = torc_joined_of(w.context->device);
        torc_executor without_memory = *joined->each;
        without_memory.transpose_dense = transpose_without_memory;
        const torc_executor *each = joined->each;
        joined->each = &without_memory;
        transpositions = 0;
        torc_status status = transpose_both(&w, &X);
        joined->each = each;
        cr_expect(failing > 0 ? status == TORC_DEVICE_ERROR
                              : status == TORC_OUT_OF_MEMORY || status == TORC_SUCCESS,
            "%d: %s", failing, torc_status_text(status));
        if (status == TORC_OUT_OF_MEMORY) {
            expect_old(&w, 2, failing);
        }
        end_both(&w, &X);
    }
}
