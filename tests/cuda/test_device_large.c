/* test_device_large.c: more elements, entries and bytes than 31 and 32 bits count, on a GPU that has room for
 * them. The reference executor does the same of small sizes, so that what is expected is right.
 *
 * Element (i,j) of an operand is (j * FACTOR + i) mod 2^32, cut to its type: what is expected anywhere can be
 * said without the other elements. Places near powers of two, the last ones, and some at random are
 * overwritten before each operation, and looked at after it. */
#include "candidates.h"
#include "context.h"
#include "gpu.h"
#include "sparse.h"
#include "ugly_csr.h"
#include <stdlib.h>
#include <string.h>
#include <torc/elementwise.h>
#include <unistd.h>

enum { FACTOR = 1000003, NEAR = 3, AT_RANDOM = 200, PLACES = 256, RESIDUES = 256 };

static const size_t GPU_ROOM = (size_t)60 << 30, HOST_ROOM = (size_t)48 << 30;

#define TRY(context, call)                                                                                   \
    do {                                                                                                     \
        torc_status tried = (call);                                                                          \
        cr_assert_eq(tried, TORC_SUCCESS, "%s: %s", torc_status_text(tried), torc_context_error(context));   \
    } while (0)

typedef struct site {
    torc_context *context;
    bool is_large; /* else sizes are smaller by 2^SMALLER */
} site;

/* 2^exponent, or that much smaller. */
static int64_t power(const site *s, int exponent)
{
    enum { SMALLER = 20 };
    return INT64_C(1) << (s->is_large ? exponent : exponent - SMALLER);
}

static site open_site(bool is_large)
{
    torc_options options = TORC_OPTIONS_INIT;
    site s = {NULL, is_large};
    if (!is_large) {
        options.backend = TORC_BACKEND_REFERENCE;
        cr_assert_eq(torc_context_create(&s.context, &options), TORC_SUCCESS);
        return s;
    }
    s.context = torc_gpu_context(&options);
    torc_device_info info;
    TRY(s.context, torc_context_info(&info, s.context));
    size_t host = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    if (info.memory_available < GPU_ROOM || host < HOST_ROOM || strcmp(info.backend, "cuda") != 0) {
        torc_context_destroy(s.context);
        cr_skip_test("no GPU with 60 GiB to spare, or less than 48 GiB beside it");
    }
    return s;
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

static torc_dense make(const site *s, torc_type type, int64_t nrows, int64_t ncols, torc_order order)
{
    torc_dense made = {nrows, ncols, order == TORC_ROW_MAJOR ? ncols : nrows, order, type, false, NULL, NULL};
    TRY(s->context,
        torc_memory_allocate(&made.data, s->context, (size_t)(nrows * ncols) * torc_type_size(type)));
    return made;
}

static void release(const site *s, torc_dense *X)
{
    torc_memory_release(s->context, X->data);
    torc_memory_release(s->context, X->bitmap);
    *X = (torc_dense){0};
}

static torc_scalar int32_of(int32_t value)
{
    torc_scalar made = {.type = TORC_INT32};
    memcpy(made.value, &value, sizeof value);
    return made;
}

static void fill(const site *s, const torc_dense *X)
{
    const torc_operation column = {.kind = TORC_APPLY_INDEX, .index = TORC_COLINDEX, .type = TORC_INT32};
    const torc_operation row = {.kind = TORC_APPLY_INDEX, .index = TORC_ROWINDEX, .type = TORC_INT32};
    const torc_operation times = {.kind = TORC_EWISE_MULT, .binary = TORC_TIMES, .type = TORC_INT32};
    const torc_update add = {.has_accum = true, .accum = TORC_PLUS};
    const torc_operand anything = {.value = int32_of(0)}, factor = {.value = int32_of(FACTOR)};
    const torc_operand own = {.dense = X};
    TRY(s->context, torc_elementwise(X, &column, s->context, &anything, NULL, NULL));
    TRY(s->context, torc_elementwise(X, &times, s->context, &own, &factor, NULL));
    TRY(s->context, torc_elementwise(X, &row, s->context, &anything, NULL, &add));
}

static int64_t cut_to(torc_type type, uint64_t value)
{
    return type == TORC_INT8 ? (int8_t)value : type == TORC_INT32 ? (int32_t)value : (int64_t)value;
}

static uint64_t element(int64_t i, int64_t j)
{
    return (uint64_t)j * FACTOR + (uint64_t)i;
}

/* ---- Places ------------------------------------------------------------------------------------------- */

typedef struct places {
    uint64_t offsets[PLACES]; /* bytes */
    int64_t i[PLACES], j[PLACES];
    size_t count, size;
} places;

static void add_place(places *p, const torc_dense *X, int64_t number)
{
    int64_t count = X->nrows * X->ncols;
    if (number < 0 || number >= count || p->count == PLACES) {
        return;
    }
    int64_t line = number / X->ld, in_line = number % X->ld;
    p->i[p->count] = X->order == TORC_ROW_MAJOR ? line : in_line;
    p->j[p->count] = X->order == TORC_ROW_MAJOR ? in_line : line;
    p->offsets[p->count++] = (uint64_t)number * p->size;
}

/* X has no gaps. Each place once, since they are written to all at once. */
static places places_of(const site *s, const torc_dense *X)
{
    places p = {.size = torc_type_size(X->type)};
    int64_t last = X->nrows * X->ncols - 1, size = (int64_t)p.size;
    int64_t marks[] = {0, power(s, 31) / size, power(s, 32) / size, power(s, 31), power(s, 32), last};
    enum { MARKS = sizeof marks / sizeof *marks };
    for (int m = 0; m < MARKS; m++) {
        bool is_new = true;
        for (int other = 0; other < m; other++) {
            is_new = is_new && llabs(marks[m] - marks[other]) > 2 * NEAR;
        }
        for (int64_t near = -NEAR; near <= NEAR && is_new; near++) {
            add_place(&p, X, marks[m] + near);
        }
    }
    /* One of each of as many stretches, away from their ends. */
    uint64_t state = 1;
    int64_t stretch = last / AT_RANDOM;
    for (int n = 0; n < AT_RANDOM && stretch > 8 * NEAR; n++) {
        int64_t number = n * stretch + (int64_t)torc_random(&state, (uint64_t)stretch);
        bool is_new = true;
        for (size_t other = 0; other < p.count; other++) {
            is_new = is_new && p.offsets[other] != (uint64_t)(number * size);
        }
        if (is_new) {
            add_place(&p, X, number);
        }
    }
    return p;
}

static void overwrite(const site *s, const torc_dense *X, const places *p)
{
    char *rubbish = malloc(p->count * p->size);
    memset(rubbish, 0x5A, p->count * p->size);
    TRY(s->context, torc_memory_scatter(s->context, X->data, rubbish, p->offsets, p->count, p->size));
    free(rubbish);
}

static void look(int64_t found[PLACES], const site *s, const torc_dense *X, const places *p)
{
    char bytes[PLACES * sizeof(int64_t)];
    TRY(s->context, torc_memory_gather(s->context, bytes, X->data, p->offsets, p->count, p->size));
    for (size_t n = 0; n < p->count; n++) {
        torc_cast(&found[n], TORC_INT64, bytes + n * p->size, X->type);
    }
}

/* ---- Element by element ------------------------------------------------------------------------------- */

typedef struct shape {
    torc_type type;
    int64_t nrows, ncols;
} shape;

enum { SHAPES = 6 };

static shape shape_of(const site *s, int which)
{
    int64_t most = power(s, 32) + 77, half = power(s, 31) + 77;
    int64_t side = s->is_large ? 65601 : 65, less = s->is_large ? 46351 : 47;
    const shape shapes[SHAPES] = {{TORC_INT8, most, 1}, {TORC_INT8, 1, most}, {TORC_INT8, side, side - 1},
        {TORC_INT32, half, 1}, {TORC_INT32, 1, half}, {TORC_INT32, less, less - 1}};
    return shapes[which];
}

static void expect_elements(
    const site *s, const torc_dense *X, const places *p, bool transposed, const char *what)
{
    int64_t found[PLACES];
    look(found, s, X, p);
    for (size_t n = 0; n < p->count; n++) {
        int64_t i = transposed ? p->j[n] : p->i[n], j = transposed ? p->i[n] : p->j[n];
        cr_assert_eq(found[n], cut_to(X->type, element(i, j)), "%s: (%lld,%lld) of %lldx%lld is %lld", what,
            (long long)p->i[n], (long long)p->j[n], (long long)X->nrows, (long long)X->ncols,
            (long long)found[n]);
    }
}

/* How many of 0 .. count-1, times factor, have each residue of 256. */
static void count_residues(int64_t counts[RESIDUES], int64_t count, int64_t factor)
{
    memset(counts, 0, RESIDUES * sizeof *counts);
    for (int64_t r = 0; r < RESIDUES; r++) {
        counts[r * factor % RESIDUES] += count / RESIDUES + (r < count % RESIDUES);
    }
}

/* Of X, whose type is int8: how many elements have each value, as a byte. */
static void count_values(int64_t counts[RESIDUES], const torc_dense *X)
{
    int64_t rows[RESIDUES], columns[RESIDUES];
    count_residues(rows, X->nrows, 1);
    count_residues(columns, X->ncols, FACTOR);
    memset(counts, 0, RESIDUES * sizeof *counts);
    for (int r = 0; r < RESIDUES; r++) {
        for (int c = 0; c < RESIDUES; c++) {
            counts[(r + c) % RESIDUES] += rows[r] * columns[c];
        }
    }
}

static void check_reductions(const site *s, const torc_dense *X)
{
    const torc_reduction sum = {.add = TORC_PLUS_MONOID, .type = TORC_INT64};
    int64_t counts[RESIDUES], expected = 0, found = 0;
    count_values(counts, X);
    for (int v = 0; v < RESIDUES; v++) {
        expected += counts[v] * (int8_t)v;
    }
    TRY(s->context, torc_reduce_to_scalar(&found, NULL, sum, s->context, X));
    cr_assert_eq(found, expected, "the sum of %lldx%lld", (long long)X->nrows, (long long)X->ncols);
    for (int transpose = 0; transpose < 2; transpose++) {
        int64_t length = transpose ? X->ncols : X->nrows, terms = transpose ? X->nrows : X->ncols;
        if (length > power(s, 27)) {
            continue; /* eight bytes each: no room */
        }
        int64_t residues[RESIDUES], sums[PLACES];
        count_residues(residues, terms, transpose ? 1 : FACTOR);
        torc_dense w = make(s, TORC_INT64, length, 1, TORC_ROW_MAJOR);
        places p = places_of(s, &w);
        overwrite(s, &w, &p);
        TRY(s->context, torc_reduce_to_vector(&w, sum, s->context, X, transpose, NULL));
        look(sums, s, &w, &p);
        for (size_t n = 0; n < p.count; n++) {
            uint64_t own = transpose ? element(0, p.i[n]) : element(p.i[n], 0);
            int64_t total = 0;
            for (int r = 0; r < RESIDUES; r++) {
                total += residues[r] * (int8_t)(own + (uint64_t)r);
            }
            cr_assert_eq(sums[n], total, "the sum of line %lld", (long long)p.i[n]);
        }
        release(s, &w);
    }
}

/* C has X's elements of one value, then those under a mask of X's bytes that are not zero. */
static void check_presence(const site *s, const torc_dense *X)
{
    enum { VALUE = 5 };
    const torc_operation equal = {.kind = TORC_SELECT,
        .index = TORC_VALUEEQ,
        .type = TORC_INT8,
        .thunk = {.type = TORC_INT8, .value = {VALUE}}};
    const torc_operation one = {.kind = TORC_APPLY, .unary = TORC_UNARY_ONE, .type = TORC_INT8};
    const torc_operand from = {.dense = X};
    const torc_update where = {.mask = X->data};
    int64_t counts[RESIDUES], present = 0, found[PLACES];
    size_t size = (size_t)(X->nrows * X->ncols);
    torc_dense C = make(s, TORC_INT8, X->nrows, X->ncols, X->order);
    TRY(s->context, torc_memory_allocate((void **)&C.bitmap, s->context, size));
    TRY(s->context, torc_elementwise(&C, &equal, s->context, &from, NULL, NULL));
    TRY(s->context, torc_count_present(&present, s->context, C.bitmap, size));
    count_values(counts, X);
    cr_assert_eq(present, counts[VALUE], "%lld present", (long long)present);
    torc_memory_release(s->context, C.bitmap);
    C.bitmap = NULL;
    fill(s, &C);
    TRY(s->context, torc_elementwise(&C, &one, s->context, &from, NULL, &where));
    places p = places_of(s, &C);
    look(found, s, &C, &p);
    for (size_t n = 0; n < p.count; n++) {
        cr_assert_eq(found[n], cut_to(TORC_INT8, element(p.i[n], p.j[n])) ? 1 : 0);
    }
    release(s, &C);
}

static void check_elements(bool is_large)
{
    const torc_operation same = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY};
    site s = open_site(is_large);
    for (int which = 0; which < SHAPES; which++) {
        shape own = shape_of(&s, which);
        torc_dense X = make(&s, own.type, own.nrows, own.ncols, TORC_ROW_MAJOR);
        places p = places_of(&s, &X);
        overwrite(&s, &X, &p);
        fill(&s, &X);
        expect_elements(&s, &X, &p, false, "filled");
        if (own.type == TORC_INT8) {
            check_reductions(&s, &X);
            check_presence(&s, &X);
        }
        torc_dense Y = make(&s, own.type, own.ncols, own.nrows, TORC_ROW_MAJOR);
        places turned = places_of(&s, &Y);
        torc_operation copy = same;
        copy.type = own.type;
        overwrite(&s, &Y, &turned);
        const torc_operand from = {.dense = &X, .transpose = true};
        TRY(s.context, torc_elementwise(&Y, &copy, s.context, &from, NULL, NULL));
        expect_elements(&s, &Y, &turned, true, "transposed");
        release(&s, &X);
        release(&s, &Y);
    }
    torc_context_destroy(s.context);
}

Test(in_small, elements)
{
    check_elements(false);
}

Test(device_large, elements)
{
    check_elements(true);
}

/* ---- Products ----------------------------------------------------------------------------------------- */

/* Entry n of A, of row n / degree, is in column n * stride mod ncols; stride is 1 where A is transposed. */
typedef struct product {
    const char *name;
    int64_t nrows, ncols, degree, stride, width;
    bool transpose;
    torc_order order;
} product;

static torc_sparse *make_sparse(const site *s, const product *p)
{
    int64_t nnz = p->nrows * p->degree, column = 0;
    bool is_wide = nnz > UINT32_MAX;
    uint32_t *columns = malloc((size_t)nnz * sizeof *columns), *few = NULL;
    int64_t *many = NULL;
    cr_assert(columns);
    for (int64_t n = 0; n < nnz; n++) {
        columns[n] = (uint32_t)column;
        column = column + p->stride < p->ncols ? column + p->stride : column + p->stride - p->ncols;
    }
    if (is_wide) {
        many = malloc((size_t)(p->nrows + 1) * sizeof *many);
        cr_assert(many);
    } else {
        few = malloc((size_t)(p->nrows + 1) * sizeof *few);
        cr_assert(few);
    }
    for (int64_t i = 0; i <= p->nrows; i++) {
        if (is_wide) {
            many[i] = i * p->degree;
        } else {
            few[i] = (uint32_t)(i * p->degree);
        }
    }
    const torc_csr csr = {.nrows = p->nrows,
        .ncols = p->ncols,
        .row_ptr = is_wide ? (void *)many : few,
        .col_idx = columns,
        .row_ptr_bits = is_wide ? 64 : 32,
        .col_idx_bits = 32,
        .type = TORC_INT32};
    torc_sparse *A;
    TRY(s->context, torc_sparse_create(&A, s->context, &csr));
    free(columns);
    free(few);
    free(many);
    return A;
}

/* Σ of B(k,j) over the entries of row i of A, or of column i. */
static int64_t expected_sum(const product *p, torc_type type, int64_t i, int64_t j)
{
    uint64_t sum = 0;
    if (!p->transpose) {
        for (int64_t t = 0; t < p->degree; t++) {
            sum += element((i * p->degree + t) * p->stride % p->ncols, j);
        }
    } else {
        for (int64_t n = i; n < p->nrows * p->degree; n += p->ncols) {
            sum += element(n / p->degree, j);
        }
    }
    return cut_to(type, sum);
}

static void check_product(const site *s, const product *p, torc_type type)
{
    static const torc_update everywhere;
    const torc_semiring semiring = {.add = TORC_PLUS_MONOID, .multiply = TORC_SECOND, .type = type};
    torc_sparse *A = make_sparse(s, p);
    torc_dense B = make(s, type, p->transpose ? p->nrows : p->ncols, p->width, p->order);
    torc_dense C = make(s, type, p->transpose ? p->ncols : p->nrows, p->width, p->order);
    places at = places_of(s, &C);
    fill(s, &B);
    TRY(s->context, torc_context_wait(s->context));
    torc_statistics statistics;
    TRY(s->context, torc_sparse_statistics(&statistics, A, p->transpose));
    cr_assert_eq(statistics.nnz, p->nrows * p->degree);
    torc_problem problem = torc_problem_of(&C, semiring, A, &B, &everywhere, p->transpose);
    torc_spmm_kernel list[TORC_MAX_CANDIDATES];
    int count = p->order == TORC_ROW_MAJOR ? torc_list_candidates(list, &problem) : 1;
    for (int k = 0; k < count; k++) {
        if (p->order == TORC_ROW_MAJOR) {
            if (k > 0 && list[k].family == list[k - 1].family) {
                continue; /* one of each family */
            }
            torc_kernel_name(s->context->kernel, &list[k]);
        }
        int64_t found[PLACES];
        overwrite(s, &C, &at);
        TRY(s->context, torc_spmm(&C, semiring, A, p->transpose, &B, NULL));
        look(found, s, &C, &at);
        for (size_t n = 0; n < at.count; n++) {
            int64_t expected = expected_sum(p, type, at.i[n], at.j[n]);
            cr_assert_eq(found[n], expected, "%s by \"%s\": (%lld,%lld) is %lld, not %lld", p->name,
                s->context->kernel, (long long)at.i[n], (long long)at.j[n], (long long)found[n],
                (long long)expected);
        }
    }
    s->context->kernel[0] = '\0';
    release(s, &B);
    release(s, &C);
    torc_sparse_destroy(A);
}

static void check_products(bool is_large)
{
    site s = open_site(is_large);
    int64_t rows = power(&s, 27) + 3, few = is_large ? 1000003 : 1009;
    const product many_elements[] = {
        {"2^32 elements of C", rows, few, 2, 1, 32, false, TORC_ROW_MAJOR},
        {"2^31 elements of C, odd rows", rows, few, 2, 1, 17, false, TORC_ROW_MAJOR},
        {"2^31 elements of B", few, rows, 5, 29, 17, false, TORC_ROW_MAJOR},
        {"2^31 elements of C, column by column", rows, few, 2, 1, 17, false, TORC_COL_MAJOR},
    };
    for (size_t n = 0; n < sizeof many_elements / sizeof *many_elements; n++) {
        check_product(&s, &many_elements[n], TORC_INT32);
    }
    const product many_rows = {"2^31 rows", power(&s, 31) + 77, few, 1, 1, 1, false, TORC_ROW_MAJOR};
    check_product(&s, &many_rows, TORC_INT8);
    const product many_entries[] = {
        {"2^32 entries", power(&s, 20) + 3, few, 4099, 1, 4, false, TORC_ROW_MAJOR},
        {"2^31 entries, transposed", power(&s, 20) + 3, few, 2053, 1, 4, true, TORC_ROW_MAJOR},
    };
    for (size_t n = 0; n < sizeof many_entries / sizeof *many_entries; n++) {
        check_product(&s, &many_entries[n], TORC_INT32);
    }
    torc_context_destroy(s.context);
}

Test(in_small, products)
{
    check_products(false);
}

Test(device_large, products)
{
    check_products(true);
}
