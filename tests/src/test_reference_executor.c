/* The reference executor, entry point by entry point, on matrices under 5 x 5 worked out by hand. */
#include "reference.h"
#include <criterion/criterion.h>
#include <malloc.h>
#include <math.h>
#include <string.h>

static torc_device *open_device(void)
{
    torc_options options = TORC_OPTIONS_INIT;
    torc_device *device;
    cr_assert(torc_executor_reference()->open(&device, &options) == TORC_SUCCESS);
    return device;
}

/*     [ 1  .  3 ]         [  1   -1  ]
 * A = [ .  .  . ]     B = [  2   0.5 ]     ld of B is 3, of C is 4
 *     [ .  -2 . ]         [ -4    2  ]                                      */
static const uint32_t row_ptr[] = {0, 2, 2, 3}, col_idx[] = {0, 2, 1};
static const double a[] = {1, 3, -2}, b[] = {1, -1, 99, 2, 0.5, 99, -4, 2, 99};

static void multiply(double c[12], torc_monoid add, torc_multiply multiply)
{
    torc_device *device = open_device();
    torc_spmm_kernel kernel = {
        .semiring = {add, multiply, TORC_FP64},
        .a_type = TORC_FP64,
        .b_type = TORC_FP64,
        .a_access = TORC_ACCESS_ARRAY,
        .b_access = TORC_ACCESS_ARRAY,
    };
    torc_spmm_args args = {.nrows = 3,
        .ncols = 2,
        .ldb = 3,
        .ldc = 4,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .a = a,
        .b = b,
        .c = c};
    for (int i = 0; i < 12; i++) {
        c[i] = -77;
    }
    cr_assert(torc_executor_reference()->spmm(device, &kernel, &args) == TORC_SUCCESS);
    torc_executor_reference()->close(device);
}

Test(reference_executor, multiplies_over_every_semiring)
{
    static const struct {
        torc_multiply multiply;
        double plus[2], min[2], max[2]; /* row 0 of C */
        double alone[2];                /* row 2 */
    } cases[] = {
        {TORC_TIMES, {-11, 5}, {-12, -1}, {1, 6}, {-4, -1}}, /* terms 1, -12 and -1, 6 */
        {TORC_PLUS, {1, 5}, {-1, 0}, {2, 5}, {0, -1.5}},     /* 2, -1 and 0, 5 */
        {TORC_MIN, {-3, 1}, {-4, -1}, {1, 2}, {-2, -2}},     /* 1, -4 and -1, 2 */
        {TORC_MAX, {4, 4}, {1, 1}, {3, 3}, {2, 0.5}},        /* 1, 3 and 1, 3 */
        {TORC_FIRST, {4, 4}, {1, 1}, {3, 3}, {-2, -2}},      /* 1, 3 and 1, 3 */
        {TORC_SECOND, {-3, 1}, {-4, -1}, {1, 2}, {2, 0.5}},  /* 1, -4 and -1, 2 */
        {TORC_PAIR, {2, 2}, {1, 1}, {1, 1}, {1, 1}},         /* 1, 1 and 1, 1 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct {
            torc_monoid add;
            const double *row;
            double identity;
        } sums[] = {
            {TORC_PLUS_MONOID, cases[i].plus, 0},
            {TORC_MIN_MONOID, cases[i].min, INFINITY},
            {TORC_MAX_MONOID, cases[i].max, -INFINITY},
        };
        for (int s = 0; s < 3; s++) {
            double c[12];
            multiply(c, sums[s].add, cases[i].multiply);
            const double expected[12] = {sums[s].row[0], sums[s].row[1], -77, -77, sums[s].identity,
                sums[s].identity, -77, -77, cases[i].alone[0], cases[i].alone[1], -77, -77};
            for (int at = 0; at < 12; at++) {
                cr_expect(c[at] == expected[at], "%s_%s: c[%d] is %g, not %g", torc_monoid_name(sums[s].add),
                    torc_multiply_name(cases[i].multiply), at, c[at], expected[at]);
            }
        }
    }
}

Test(reference_executor, any_takes_one_of_the_terms)
{
    double c[12];
    multiply(c, TORC_ANY_MONOID, TORC_TIMES);
    cr_expect((c[0] == 1 || c[0] == -12) && (c[1] == -1 || c[1] == 6));
    cr_expect(c[4] == 0 && c[5] == 0 && c[8] == -4 && c[9] == -1);
}

/* One row of A, all ones, times one column. */
static float fold(torc_monoid add, const float *column, uint32_t count)
{
    static const uint32_t columns[] = {0, 1, 2, 3};
    static const float one = 1;
    const uint64_t ends[] = {0, count};
    torc_device *device = open_device();
    torc_spmm_kernel kernel = {
        .semiring = {add, TORC_TIMES, TORC_FP32},
        .a_type = TORC_FP32,
        .b_type = TORC_FP32,
        .a_access = TORC_ACCESS_ISO,
        .b_access = TORC_ACCESS_ARRAY,
        .wide_offsets = true,
    };
    float c;
    torc_spmm_args args = {.nrows = 1,
        .ncols = 1,
        .ldb = 1,
        .ldc = 1,
        .row_ptr = ends,
        .col_idx = columns,
        .a = &one,
        .b = column,
        .c = &c};
    cr_assert(torc_executor_reference()->spmm(device, &kernel, &args) == TORC_SUCCESS);
    torc_executor_reference()->close(device);
    return c;
}

Test(reference_executor, min_and_max_prefer_a_number_and_keep_a_lone_nan)
{
    static const float mixed[] = {NAN, 5, NAN, 7}, nans[] = {NAN, NAN};
    cr_expect(fold(TORC_MIN_MONOID, mixed, 4) == 5);
    cr_expect(fold(TORC_MAX_MONOID, mixed, 4) == 7);
    cr_expect(isnan(fold(TORC_PLUS_MONOID, mixed, 4)));
    for (uint32_t count = 1; count <= 2; count++) {
        cr_expect(isnan(fold(TORC_MIN_MONOID, nans, count)), "%u", count);
        cr_expect(isnan(fold(TORC_MAX_MONOID, nans, count)), "%u", count);
    }
    cr_expect(fold(TORC_MIN_MONOID, mixed, 0) == INFINITY);
    cr_expect(fold(TORC_MAX_MONOID, mixed, 0) == -INFINITY);
}

Test(reference_executor, a_sum_starts_from_its_first_term)
{
    static const float zero[] = {-0.0f};
    cr_expect(signbit(fold(TORC_PLUS_MONOID, zero, 1)));
    cr_expect(!signbit(fold(TORC_PLUS_MONOID, zero, 0)));
}

Test(reference_executor, transposes_csr_with_columns_ascending)
{
    /* [ . 5 . 6 ]   columns of row 0 out of order
     * [ 7 . . . ]
     * [ . 8 . . ] */
    uint64_t wide_row_ptr[] = {0, 2, 3, 4}, wide_t[5];
    uint32_t narrow_row_ptr[] = {0, 2, 3, 4}, narrow_t[5];
    uint32_t columns[] = {3, 1, 0, 1}, t_columns[4];
    int32_t values[] = {6, 5, 7, 8}, t_values[4];
    static const uint32_t expected_row_ptr[] = {0, 1, 3, 3, 4}, expected_columns[] = {1, 0, 2, 0};
    static const int32_t expected_values[] = {7, 5, 8, 6};
    torc_device *device = open_device();
    for (int wide = 0; wide < 2; wide++) {
        memset(t_columns, 0xA5, sizeof t_columns);
        memset(t_values, 0xA5, sizeof t_values);
        torc_device_csr A = {
            3, 4, 4, wide, sizeof(int32_t), wide ? (void *)wide_row_ptr : narrow_row_ptr, columns, values};
        torc_device_csr T = {
            4, 3, 4, wide, sizeof(int32_t), wide ? (void *)wide_t : narrow_t, t_columns, t_values};
        cr_assert(torc_executor_reference()->transpose_csr(device, &T, &A) == TORC_SUCCESS);
        for (int i = 0; i < 5; i++) {
            cr_expect((wide ? wide_t[i] : narrow_t[i]) == expected_row_ptr[i], "offset %d", i);
        }
        cr_expect(memcmp(t_columns, expected_columns, sizeof t_columns) == 0);
        cr_expect(memcmp(t_values, expected_values, sizeof t_values) == 0);
        A.value_size = T.value_size = 0;
        A.values = T.values = NULL;
        cr_expect(torc_executor_reference()->transpose_csr(device, &T, &A) == TORC_SUCCESS);
    }
    torc_executor_reference()->close(device);
}

Test(reference_executor, transposes_dense_and_leaves_padding_alone)
{
    static const int16_t from[] = {1, 2, 3, 99, 4, 5, 6, 99}; /* 2 x 3, ld 4 */
    int16_t to[9] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};     /* 3 x 2, ld 3 */
    static const int16_t expected[] = {1, 4, -1, 2, 5, -1, 3, 6, -1};
    torc_device *device = open_device();
    cr_assert(
        torc_executor_reference()->transpose_dense(device, to, 3, from, 4, 2, 3, sizeof *to) == TORC_SUCCESS);
    cr_expect(memcmp(to, expected, sizeof to) == 0);
    torc_executor_reference()->close(device);
}

/* There may be no arrays: copies of nothing from NULL are undefined, as the sanitizers say. */
Test(reference_executor, sends_and_fetches_lines_of_nothing)
{
    const torc_lines lines = {.height = 3};
    torc_device *device = open_device();
    size_t moved = torc_reference_bytes_moved();
    cr_expect(torc_executor_reference()->send(device, &lines) == TORC_SUCCESS);
    cr_expect(torc_executor_reference()->fetch(device, &lines) == TORC_SUCCESS);
    cr_expect(torc_reference_bytes_moved() == moved);
    torc_executor_reference()->close(device);
}

Test(reference_executor, narrows_offsets_of_more_than_31_bits)
{
    static const int64_t from[] = {0, 5, 2147483648, 4294967295};
    uint32_t to[4];
    torc_device *device = open_device();
    cr_assert(torc_executor_reference()->upload_narrow(device, to, from, 4) == TORC_SUCCESS);
    cr_expect(to[0] == 0 && to[1] == 5 && to[2] == 2147483648u && to[3] == 4294967295u);
    torc_executor_reference()->close(device);
}

/* Blocks of one size come and go, and small ones of the program lie between them. */
Test(reference_executor, memory_that_is_released_serves_again)
{
    enum { BLOCKS = 6, BETWEEN = 64, ROUNDS = 4000, SIZE = 200000, SMALL = 2000 };
    torc_device *device = open_device();
    void *blocks[BLOCKS] = {0}, *between[BETWEEN] = {0};
    mallopt(M_MMAP_THRESHOLD, 1 << 30); /* as libc does by itself once a larger block was freed */
    size_t before = mallinfo2().arena;
    uint32_t random = 1;
    for (int i = 0; i < ROUNDS; i++) {
        random = random * 1103515245 + 12345;
        void **block = &blocks[(random >> 16) % BLOCKS], **small = &between[i % BETWEEN];
        torc_executor_reference()->release(device, *block);
        free(*small);
        *small = malloc(SMALL);
        cr_assert(torc_executor_reference()->allocate(block, device, SIZE) == TORC_SUCCESS);
    }
    cr_assert_lt(mallinfo2().arena - before, 2 * (BLOCKS * SIZE + BETWEEN * SMALL));
    for (int i = 0; i < BLOCKS; i++) {
        torc_executor_reference()->release(device, blocks[i]);
    }
    for (int i = 0; i < BETWEEN; i++) {
        free(between[i]);
    }
    torc_executor_reference()->close(device);
}
