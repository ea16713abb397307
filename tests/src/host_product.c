/* host_product.c: see host_product.h. */
#include "host_product.h"
#include "splitmix.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILL = 0x5A, PADDING = 3, LONG_ROW = 700 };

static const struct {
    torc_semiring semiring;
    torc_multiply accum;
} algebras[] = {
    {{TORC_PLUS_MONOID, TORC_TIMES, TORC_INT64}, TORC_MINUS},
    {{TORC_MIN_MONOID, TORC_PLUS, TORC_INT32}, TORC_MIN},
    {{TORC_LOR_MONOID, TORC_LAND, TORC_BOOL}, TORC_LXOR},
    {{TORC_PLUS_MONOID, TORC_SECONDJ, TORC_INT64}, TORC_PLUS},
    {{TORC_MAX_MONOID, TORC_FIRSTI, TORC_INT32}, TORC_RMINUS},
    {{TORC_PLUS_MONOID, TORC_SECOND, TORC_INT16}, TORC_PLUS},
    {{TORC_PLUS_MONOID, TORC_FIRST, TORC_FP64}, TORC_MINUS},
};
enum { ALGEBRAS = sizeof algebras / sizeof algebras[0] };

static int64_t lines_of(const torc_dense *X)
{
    return X->order == TORC_ROW_MAJOR ? X->nrows : X->ncols;
}

size_t host_bitmap_bytes(const torc_dense *X)
{
    return X->bitmap ? (size_t)lines_of(X) * (size_t)X->ld : 0;
}

size_t host_value_bytes(const torc_dense *X)
{
    size_t size = torc_type_size(X->type);
    return X->iso ? size : (size_t)lines_of(X) * (size_t)X->ld * size;
}

/* Small integers of any type. */
static void fill_values(uint64_t *seed, void *values, torc_type type, size_t count)
{
    for (size_t p = 0; p < count; p++) {
        int64_t x = random_below(seed, 7) - 3;
        torc_cast((char *)values + p * torc_type_size(type), type, &x, TORC_INT64);
    }
}

static uint8_t *random_bytes(uint64_t *seed, const host_memory_kind *memory, size_t count)
{
    uint8_t *bytes = memory->allocate(count + 1);
    for (size_t p = 0; p < count; p++) {
        bytes[p] = random_below(seed, 3) > 0;
    }
    return bytes;
}

/* Rows of no to four entries, one of them longer than a segment where there is room. */
static void make_sparse(host_product *p, uint64_t *seed, int64_t nrows, int64_t ncols)
{
    int64_t *row_ptr = calloc((size_t)nrows + 1, sizeof *row_ptr), long_row = random_below(seed, nrows);
    for (int64_t i = 0; i < nrows; i++) {
        int64_t most = ncols < 5 ? ncols + 1 : 5;
        row_ptr[i + 1] =
            row_ptr[i] + (i == long_row && ncols >= LONG_ROW ? LONG_ROW : random_below(seed, most));
    }
    int64_t nnz = row_ptr[nrows];
    int64_t *col_idx = malloc(((size_t)nnz + 1) * sizeof *col_idx);
    for (int64_t i = 0; i < nrows; i++) {
        int64_t count = row_ptr[i + 1] - row_ptr[i], first = random_below(seed, ncols);
        for (int64_t e = 0; e < count; e++) {
            col_idx[row_ptr[i] + e] = (first + e * (ncols / count)) % ncols;
        }
    }
    torc_type type = p->semiring.type;
    void *values = malloc(((size_t)nnz + 1) * torc_type_size(type));
    fill_values(seed, values, type, (size_t)nnz + 1);
    bool iso = random_below(seed, 4) == 0;
    p->A = (torc_csr){nrows, ncols, row_ptr, col_idx, values, 64, 64, type, iso, NULL};
}

static torc_dense make_dense(host_product *p, uint64_t *seed, int64_t nrows, int64_t ncols, torc_type type)
{
    torc_order order = random_below(seed, 2) ? TORC_ROW_MAJOR : TORC_COL_MAJOR;
    int64_t ld = (order == TORC_ROW_MAJOR ? ncols : nrows) + (random_below(seed, 2) ? PADDING : 0);
    torc_dense X = {nrows, ncols, ld, order, type, false, NULL, NULL};
    size_t cells = (size_t)lines_of(&X) * (size_t)ld;
    X.data = p->memory.allocate(cells * torc_type_size(type));
    fill_values(seed, X.data, type, cells);
    X.bitmap = random_below(seed, 2) ? random_bytes(seed, &p->memory, cells) : NULL;
    return X;
}

static void make_update(host_product *p, uint64_t *seed, torc_multiply accum)
{
    torc_update *u = &p->update;
    u->has_accum = random_below(seed, 2);
    u->accum = accum;
    if (random_below(seed, 2)) {
        u->mask = random_bytes(seed, &p->memory, p->c_cells);
        u->complement = random_below(seed, 2);
        u->replace = p->C.bitmap && random_below(seed, 2);
    }
    if (random_below(seed, 4) == 0) {
        void *iso = malloc(torc_type_size(p->C.type));
        fill_values(seed, iso, p->C.type, 1);
        u->iso = iso;
    }
}

/* C is another place than the old content. */
static void separate_old(host_product *p)
{
    size_t bytes = host_value_bytes(&p->C);
    p->C.data = p->memory.allocate(bytes);
    memset(p->C.data, FILL, bytes);
    if (p->C.bitmap) {
        p->C.bitmap = p->memory.allocate(p->c_cells);
        memset(p->C.bitmap, FILL, p->c_cells);
    }
}

static void *place(torc_context *context, const void *host, size_t size)
{
    void *device = NULL;
    cr_assert(torc_memory_allocate(&device, context, host ? size : 0) == TORC_SUCCESS);
    cr_assert(!host || torc_memory_upload(context, device, host, size) == TORC_SUCCESS);
    return device;
}

/* What torc_spmm makes of it, with everything on the device. */
static void expect(host_product *p)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_REFERENCE;
    torc_context *context;
    torc_sparse *A;
    cr_assert(torc_context_create(&context, &options) == TORC_SUCCESS);
    cr_assert(torc_sparse_create(&A, context, &p->A) == TORC_SUCCESS);
    torc_dense B = p->B, C = p->old;
    torc_update update = p->update;
    size_t value_bytes = host_value_bytes(&C), bitmap_bytes = host_bitmap_bytes(&C);
    B.data = place(context, B.data, host_value_bytes(&B));
    B.bitmap = place(context, B.bitmap, host_bitmap_bytes(&B));
    C.data = place(context, C.data, value_bytes);
    C.bitmap = place(context, C.bitmap, bitmap_bytes);
    void *mask = place(context, update.mask, p->c_cells);
    void *iso = place(context, update.iso, torc_type_size(C.type));
    update.mask = mask;
    update.iso = iso;
    torc_status status = torc_spmm(&C, p->semiring, A, p->transpose, &B, &update);
    cr_assert(status == TORC_SUCCESS, "%s: %s", torc_status_text(status), host_product_describe(p));
    p->expected = malloc(value_bytes);
    cr_assert(torc_memory_download(context, p->expected, C.data, value_bytes) == TORC_SUCCESS);
    if (C.bitmap) {
        p->expected_bitmap = malloc(bitmap_bytes);
        cr_assert(torc_memory_download(context, p->expected_bitmap, C.bitmap, bitmap_bytes) == TORC_SUCCESS);
    }
    void *memory[] = {B.data, B.bitmap, C.data, C.bitmap, mask, iso};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        torc_memory_release(context, memory[i]);
    }
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

static void remember(host_product *p)
{
    size_t bytes = host_value_bytes(&p->C);
    p->before = malloc(bytes);
    memcpy(p->before, p->C.data, bytes);
    if (p->C.bitmap) {
        p->bitmap_before = malloc(p->c_cells);
        memcpy(p->bitmap_before, p->C.bitmap, p->c_cells);
    }
}

host_product *host_product_new(uint64_t seed, int64_t m, int64_t k, int64_t n, const host_memory_kind *memory)
{
    host_product *p = calloc(1, sizeof *p);
    int64_t algebra = random_below(&(uint64_t){seed}, ALGEBRAS);
    p->seed = seed;
    p->memory = *memory;
    p->semiring = algebras[algebra].semiring;
    p->transpose = random_below(&seed, 2);
    make_sparse(p, &seed, p->transpose ? k : m, p->transpose ? m : k);
    torc_type type = torc_semiring_traits(p->semiring).z_type;
    p->B = make_dense(p, &seed, k, n, random_below(&seed, 4) ? p->semiring.type : TORC_INT32);
    p->B.iso = random_below(&seed, 6) == 0;
    p->C = make_dense(p, &seed, m, n, type);
    p->c_cells = (size_t)lines_of(&p->C) * (size_t)p->C.ld;
    make_update(p, &seed, algebras[algebra].accum);
    p->old = p->C;
    if (random_below(&seed, 2)) {
        separate_old(p);
        if (p->old.bitmap && random_below(&seed, 3) == 0) { /* all of it was present */
            memory->release(p->old.bitmap);
            p->old.bitmap = NULL;
        }
    }
    remember(p);
    torc_dense old = p->old;
    uint8_t *ones = NULL;
    if (p->C.bitmap && !old.bitmap) {
        p->old.bitmap = ones = malloc(p->c_cells);
        memset(ones, 1, p->c_cells);
    }
    expect(p);
    p->old = old;
    free(ones);
    return p;
}

void host_product_free(host_product *p)
{
    if (p->old.data != p->C.data) {
        p->memory.release(p->old.data);
        p->memory.release(p->old.bitmap);
    }
    void *dense[] = {p->B.data, p->B.bitmap, p->C.data, p->C.bitmap, (void *)p->update.mask};
    for (size_t i = 0; i < sizeof dense / sizeof dense[0]; i++) {
        p->memory.release(dense[i]);
    }
    void *others[] = {(void *)p->A.row_ptr, (void *)p->A.col_idx, (void *)p->A.values, (void *)p->update.iso,
        p->before, p->bitmap_before, p->expected, p->expected_bitmap};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        free(others[i]);
    }
    free(p);
}

void host_product_reset(host_product *p)
{
    memcpy(p->C.data, p->before, host_value_bytes(&p->C));
    if (p->C.bitmap) {
        memcpy(p->C.bitmap, p->bitmap_before, p->c_cells);
    }
}

const char *host_product_change(const host_product *p)
{
    bool has_changed = memcmp(p->C.data, p->before, host_value_bytes(&p->C)) != 0 ||
                       (p->C.bitmap && memcmp(p->C.bitmap, p->bitmap_before, p->c_cells) != 0);
    return has_changed ? "C is touched" : NULL;
}

/* Is element (line, at) of C what it should be, padding what it was? */
static const char *check_element(const host_product *p, int64_t line, int64_t at)
{
    const torc_dense *C = &p->C;
    size_t size = torc_type_size(C->type), position = (size_t)(line * C->ld + at);
    const unsigned char *value = (const unsigned char *)C->data + position * size;
    if (at >= (C->order == TORC_ROW_MAJOR ? C->ncols : C->nrows)) {
        bool is_same = memcmp(value, p->before + position * size, size) == 0 &&
                       (!C->bitmap || C->bitmap[position] == p->bitmap_before[position]);
        return is_same ? NULL : "the padding is touched";
    }
    if (C->bitmap && C->bitmap[position] != p->expected_bitmap[position]) {
        return "another element is present";
    }
    bool is_present = !C->bitmap || C->bitmap[position];
    return is_present && memcmp(value, p->expected + position * size, size) != 0 ? "another value" : NULL;
}

const char *host_product_difference(const host_product *p)
{
    const char *difference = NULL;
    for (int64_t line = 0; line < lines_of(&p->C) && !difference; line++) {
        for (int64_t at = 0; at < p->C.ld && !difference; at++) {
            difference = check_element(p, line, at);
        }
    }
    return difference;
}

size_t host_product_column_bytes(const host_product *p)
{
    size_t m = (size_t)p->C.nrows, k = (size_t)p->B.nrows, size = torc_type_size(p->C.type);
    size_t bytes = torc_semiring_traits(p->semiring).reads_b ? k * torc_type_size(p->B.type) : 0;
    bytes += p->B.bitmap ? k : 0;
    bytes += m * (size + (p->C.bitmap ? 1 : 0) + (p->update.mask ? 1 : 0));
    bytes += p->update.iso ? size : 0;
    size_t segments = (size_t)(m + k); /* more than there are */
    return bytes + segments * (size + 1);
}

static const char *order_name(const torc_dense *X)
{
    return X->order == TORC_ROW_MAJOR ? "row" : "column";
}

const char *host_product_describe(const host_product *p)
{
    static char text[512];
    snprintf(text, sizeof text,
        "seed %lu: %ld x %ld x %ld, %s_%s %s, A%s%s, B %s-major%s%s %s, C %s-major%s%s%s%s%s%s%s",
        (unsigned long)p->seed, p->C.nrows, p->B.nrows, p->C.ncols, torc_monoid_name(p->semiring.add),
        torc_multiply_name(p->semiring.multiply), torc_type_name(p->semiring.type), p->A.iso ? " iso" : "",
        p->transpose ? " transposed" : "", order_name(&p->B), p->B.iso ? " iso" : "",
        p->B.bitmap ? " bitmap" : "", torc_type_name(p->B.type), order_name(&p->C),
        p->C.bitmap ? " bitmap" : "", p->update.mask ? " mask" : "",
        p->update.complement ? " complement" : "", p->update.replace ? " replace" : "",
        p->update.has_accum ? " accum" : "", p->update.iso ? " iso" : "",
        p->old.data == p->C.data ? " in place" : "");
    return text;
}
