/* test_device_group.c: groups on GPUs: two contexts on the first one, and all GPUs there are. Products on the
 * devices and in host memory have the bits of one context, with the kernels that selection takes; what was
 * computed by rows is all there afterwards. */
#include "gpu.h"
#include "group_operands.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40000, COLUMNS = 30000, MOST = 130 };

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false};

static uint32_t draw(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static float *random_values(size_t count)
{
    float *values = malloc(count * sizeof *values);
    for (size_t p = 0; p < count; p++) {
        values[p] = (float)draw() / 7e8f - 1;
    }
    return values;
}

/* Up to 20 entries a row, now and then 2000. */
static torc_csr make_sparse(void)
{
    int32_t *row_ptr = calloc(ROWS + 1, sizeof *row_ptr);
    for (int i = 0; i < ROWS; i++) {
        row_ptr[i + 1] = row_ptr[i] + (i % 1777 == 5 ? 2000 : (int32_t)(draw() % 21));
    }
    int32_t *col_idx = malloc((size_t)row_ptr[ROWS] * sizeof *col_idx);
    for (int i = 0; i < ROWS; i++) {
        int32_t first = (int32_t)(draw() % COLUMNS);
        for (int32_t p = row_ptr[i]; p < row_ptr[i + 1]; p++) {
            col_idx[p] = (first + 13 * (p - row_ptr[i])) % COLUMNS;
        }
    }
    float *values = random_values((size_t)row_ptr[ROWS]);
    return (torc_csr){ROWS, COLUMNS, row_ptr, col_idx, values, 32, 32, TORC_FP32, false, NULL};
}

typedef struct operands {
    torc_csr csr;
    torc_dense b, c; /* host memory */
    float *expected, *expected_in_host_memory;
} operands;

static void compute_on_one(const operands *o, torc_context *context)
{
    torc_dense B = o->b, C = o->c, in_host_memory = o->c;
    size_t b_size = (size_t)(B.nrows * B.ncols) * sizeof(float);
    size_t c_size = (size_t)(C.nrows * C.ncols) * sizeof(float);
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, context, &o->csr), TORC_SUCCESS);
    cr_assert_eq(torc_memory_allocate(&B.data, context, b_size), TORC_SUCCESS);
    cr_assert_eq(torc_memory_allocate(&C.data, context, c_size), TORC_SUCCESS);
    cr_assert_eq(torc_memory_upload(context, B.data, o->b.data, b_size), TORC_SUCCESS);
    cr_assert_eq(torc_spmm(&C, plus_times, A, false, &B, NULL), TORC_SUCCESS);
    cr_assert_eq(torc_memory_download(context, o->expected, C.data, c_size), TORC_SUCCESS);
    in_host_memory.data = o->expected_in_host_memory;
    cr_assert_eq(torc_spmm_host(&in_host_memory, plus_times, A, false, &o->b, NULL, NULL), TORC_SUCCESS);
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
}

static void check(const operands *o, torc_group *group, torc_group_sparse *A, const char *devices)
{
    size_t size = (size_t)(o->c.nrows * o->c.ncols) * sizeof(float);
    long n = (long)o->c.ncols;
    torc_group_dense *B, *C;
    cr_assert_eq(torc_group_dense_create(&B, group, COLUMNS, n, TORC_FP32, false), TORC_SUCCESS);
    cr_assert_eq(torc_group_dense_create(&C, group, ROWS, n, TORC_FP32, false), TORC_SUCCESS);
    cr_assert_eq(torc_group_upload(B, &o->b), TORC_SUCCESS);
    cr_assert_eq(
        torc_group_spmm(C, plus_times, A, false, B, NULL), TORC_SUCCESS, "%s", torc_group_error(group));
    cr_expect(n >= 16 || C->owned || torc_group_size(group) == 1, "by rows where columns are few");
    cr_assert_eq(torc_group_download(&o->c, C), TORC_SUCCESS);
    cr_expect(memcmp(o->c.data, o->expected, size) == 0, "on %s, N = %ld", devices, n);
    cr_assert_eq(torc_group_exchange(C), TORC_SUCCESS, "%s", torc_group_error(group));
    memset(o->c.data, 0xff, size);
    cr_assert_eq(torc_group_download(&o->c, C), TORC_SUCCESS);
    cr_expect(memcmp(o->c.data, o->expected, size) == 0, "exchanged on %s, N = %ld", devices, n);
    memset(o->c.data, 0xff, size);
    cr_assert_eq(torc_group_spmm_host(&o->c, plus_times, A, false, &o->b, NULL, NULL), TORC_SUCCESS, "%s",
        torc_group_error(group));
    cr_expect(memcmp(o->c.data, o->expected_in_host_memory, size) == 0, "in host memory on %s, N = %ld",
        devices, n);
    torc_group_dense_destroy(B);
    torc_group_dense_destroy(C);
}

Test(device_group, has_the_bits_of_one_context)
{
    static const int64_t widths[] = {1, 2, 3, 8, 17, 40, 128, MOST};
    static const char *const devices[] = {"0", "0,0", "0,0,0", "all"};
    torc_options options = TORC_OPTIONS_INIT;
    torc_context *context = torc_gpu_context(&options);
    operands o = {.csr = make_sparse()};
    o.b = (torc_dense){COLUMNS, 0, 0, TORC_ROW_MAJOR, TORC_FP32, false, random_values(COLUMNS * MOST), NULL};
    o.c = (torc_dense){ROWS, 0, 0, TORC_ROW_MAJOR, TORC_FP32, false, random_values(ROWS * MOST), NULL};
    o.expected = random_values(ROWS * MOST);
    o.expected_in_host_memory = random_values(ROWS * MOST);
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        o.b.ncols = o.b.ld = o.c.ncols = o.c.ld = widths[w];
        compute_on_one(&o, context);
        for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
            torc_group_options group_options = TORC_GROUP_OPTIONS_INIT;
            torc_group *group;
            torc_group_sparse *A;
            group_options.devices = devices[d];
            cr_assert_eq(torc_group_create(&group, &group_options), TORC_SUCCESS);
            cr_assert_eq(
                torc_group_sparse_create(&A, group, &o.csr), TORC_SUCCESS, "%s", torc_group_error(group));
            check(&o, group, A, devices[d]);
            torc_group_sparse_destroy(A);
            torc_group_destroy(group);
        }
    }
    torc_context_destroy(context);
    void *all[] = {(void *)o.csr.row_ptr, (void *)o.csr.col_idx, (void *)o.csr.values, o.b.data, o.c.data,
        o.expected, o.expected_in_host_memory};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]);
    }
}
