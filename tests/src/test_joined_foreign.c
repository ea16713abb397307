/* test_joined_foreign.c: several devices refuse every array that is not of torc_memory_allocate, in whatever
 * place: members have no memory for it. One device takes it. */
#include "engine_fixture.h"
#include <string.h>
#include <torc/elementwise.h>

enum { N = 4, CELLS = N * N };

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, NULL, false};
static const torc_semiring lor_land = {TORC_LOR_MONOID, TORC_LAND, TORC_BOOL, NULL, false};
static const torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};

/* Arrays of the host are the reference device's too. */
static double foreign[CELLS], host[CELLS];
static uint8_t foreign_bits[CELLS];
static uint64_t foreign_list[N];

typedef struct bench {
    torc_context *context;
    torc_status expected;
    torc_sparse *A;
    void *b, *c, *bits;
} bench;

static torc_dense full(void *data, torc_order order)
{
    return (torc_dense){N, N, N, order, TORC_FP64, false, data, NULL};
}

static torc_dense iso(void *data)
{
    torc_dense X = full(data, TORC_ROW_MAJOR);
    X.iso = true;
    return X;
}

static torc_dense bools(void *data)
{
    return (torc_dense){N, N, N, TORC_ROW_MAJOR, TORC_BOOL, false, data, NULL};
}

/* Then leave another text to torc_context_error. */
static void expect(const bench *b, torc_status status, const char *what)
{
    bool is_told = strcmp(torc_context_error(b->context), "an array is not of torc_memory_allocate") == 0;
    cr_expect(status == b->expected, "%s: %s", what, torc_status_text(status));
    cr_expect(is_told == (b->expected != TORC_SUCCESS), "%s: %s", what, torc_context_error(b->context));
    cr_assert(torc_memory_allocate(NULL, b->context, 1) == TORC_NULL_POINTER);
}

static torc_status multiply(const bench *b, torc_dense C, torc_dense B, const torc_update *update)
{
    return torc_spmm(&C, plus_times, b->A, false, &B, update);
}

static void walk_products(const bench *b)
{
    torc_dense B = full(b->b, TORC_ROW_MAJOR), C = full(b->c, TORC_ROW_MAJOR), with_bitmap = B;
    torc_dense packed_b = bools(b->bits), packed_c = bools(b->c);
    with_bitmap.bitmap = foreign_bits;
    const torc_update masked = {.mask = foreign_bits};
    const torc_update from_iso = {.iso = foreign, .has_accum = true, .accum = TORC_PLUS};
    expect(b, multiply(b, C, full(foreign, TORC_ROW_MAJOR), NULL), "B by row");
    expect(b, multiply(b, full(foreign, TORC_ROW_MAJOR), B, NULL), "C by row");
    expect(b, multiply(b, C, full(foreign, TORC_COL_MAJOR), NULL), "B by column");
    expect(b, multiply(b, full(foreign, TORC_COL_MAJOR), B, NULL), "C by column");
    expect(b, multiply(b, C, iso(foreign), NULL), "B iso");
    expect(b, multiply(b, C, with_bitmap, NULL), "B's bitmap");
    expect(b, multiply(b, C, B, &masked), "mask");
    expect(b, multiply(b, C, B, &from_iso), "old C iso");
    packed_b.data = foreign_bits;
    expect(b, torc_spmm(&packed_c, lor_land, b->A, false, &packed_b, NULL), "B packed");
    packed_b.data = b->bits;
    packed_c.data = foreign_bits;
    expect(b, torc_spmm(&packed_c, lor_land, b->A, false, &packed_b, NULL), "C packed");
}

static void walk_host_products(const bench *b)
{
    double result[CELLS];
    torc_dense B = full(host, TORC_ROW_MAJOR), C = full(result, TORC_ROW_MAJOR);
    const torc_host_options of_b = {.b_copy = {.data = foreign}}, of_c = {.c_copy = {.data = foreign}};
    const torc_host_options filled = {.b_copy = {.data = foreign, .is_filled = true}};
    expect(b, torc_spmm_host(&C, plus_times, b->A, false, &B, NULL, &of_b), "copy of B");
    expect(b, torc_spmm_host(&C, plus_times, b->A, false, &B, NULL, &of_c), "copy of C");
    expect(b, torc_spmm_host(&C, plus_times, b->A, false, &B, NULL, &filled), "copy that holds B");
}

static torc_status apply(const bench *b, torc_unary unary, void *c, const torc_operand *A)
{
    torc_dense C = full(c, TORC_ROW_MAJOR);
    torc_operation operation = {.kind = TORC_APPLY, .unary = unary, .type = TORC_FP64};
    return torc_elementwise(&C, &operation, b->context, A, NULL, NULL);
}

static void walk_elementwise(const bench *b)
{
    torc_dense own = full(b->b, TORC_ROW_MAJOR), other = full(foreign, TORC_ROW_MAJOR), one = iso(foreign);
    const torc_operand A = {.dense = &own}, of_others = {.dense = &other}, is_iso = {.dense = &one};
    const torc_operand transposed = {.dense = &other, .transpose = true};
    const torc_operand rows = {.dense = &own, .rows = foreign_list};
    const torc_operand columns = {.dense = &own, .columns = foreign_list};
    expect(b, apply(b, TORC_UNARY_AINV, b->c, &of_others), "A");
    expect(b, apply(b, TORC_UNARY_AINV, foreign, &A), "C");
    expect(b, apply(b, TORC_UNARY_AINV, b->c, &transposed), "A transposed");
    expect(b, apply(b, TORC_UNARY_IDENTITY, b->c, &transposed), "a transpose");
    expect(b, apply(b, TORC_UNARY_AINV, b->c, &is_iso), "A iso");
    expect(b, apply(b, TORC_UNARY_AINV, b->c, &rows), "list of rows");
    expect(b, apply(b, TORC_UNARY_AINV, b->c, &columns), "list of columns");
}

static void walk_reductions(const bench *b)
{
    double sum;
    int64_t count;
    torc_dense A = full(foreign, TORC_ROW_MAJOR), one = iso(foreign), own = full(b->b, TORC_ROW_MAJOR);
    torc_dense w = {N, 1, N, TORC_COL_MAJOR, TORC_FP64, false, foreign, NULL};
    expect(b, torc_reduce_to_scalar(&sum, NULL, plus, b->context, &A), "a sum");
    expect(b, torc_reduce_to_scalar(&sum, NULL, plus, b->context, &one), "a sum of iso");
    expect(b, torc_reduce_to_vector(&w, plus, b->context, &own, false, NULL), "sums of rows");
    expect(b, torc_reduce_to_vector(&w, plus, b->context, &own, true, NULL), "sums of columns");
    expect(b, torc_count_present(&count, b->context, foreign_bits, CELLS), "a count");
}

static void walk_memory(const bench *b)
{
    const uint64_t offset = sizeof(double), position = 1;
    torc_dense bitmap = full(b->c, TORC_ROW_MAJOR), values = full(foreign, TORC_ROW_MAJOR);
    bitmap.bitmap = foreign_bits;
    values.bitmap = b->bits;
    expect(b, torc_build(&bitmap, b->context, &position, host, false, 1), "a bitmap that is built");
    expect(b, torc_build(&values, b->context, &position, host, false, 1), "values that are built");
    expect(b, torc_memory_upload(b->context, foreign, host, sizeof host), "upload");
    expect(b, torc_memory_download(b->context, host, foreign, sizeof host), "download");
    expect(b, torc_memory_gather(b->context, host, foreign, &offset, 1, sizeof *host), "gather");
    expect(b, torc_memory_scatter(b->context, foreign, host, &offset, 1, sizeof *host), "scatter");
}

static void walk(const char *devices, torc_status expected)
{
    static const uint32_t row_ptr[] = {0, 1, 2, 3, 4}, col_idx[] = {0, 1, 2, 3};
    static const double one = 1;
    const torc_csr csr = {N, N, row_ptr, col_idx, &one, 32, 32, TORC_FP64, true, NULL};
    bench b = {.context = open_devices(devices, 0), .expected = expected};
    cr_assert(torc_sparse_create(&b.A, b.context, &csr) == TORC_SUCCESS);
    b.b = device_copy(b.context, host, sizeof host);
    b.c = device_copy(b.context, host, sizeof host);
    b.bits = device_copy(b.context, foreign_bits, sizeof foreign_bits);
    walk_products(&b);
    walk_host_products(&b);
    walk_elementwise(&b);
    walk_reductions(&b);
    walk_memory(&b);
    torc_memory_release(b.context, b.b);
    torc_memory_release(b.context, b.c);
    torc_memory_release(b.context, b.bits);
    torc_sparse_destroy(b.A);
    torc_context_destroy(b.context);
}

Test(joined_foreign, is_refused_by_several_devices)
{
    walk("0,1", TORC_INVALID_VALUE);
    walk("0,1,2,3,4", TORC_INVALID_VALUE);
}

Test(joined_foreign, serves_one_device)
{
    walk(NULL, TORC_SUCCESS);
}
