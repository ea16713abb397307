#include "joined_walk.h"
#include "fnv1a.h"
#include "splitmix.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MATRICES = 4, ELEMENTS = 5 };

typedef struct state {
    torc_context *context;
    const joined_walk *walk;
    uint64_t random, hash;
    torc_sparse *A;
    torc_dense X[MATRICES];
    uint8_t *mask;  /* laid out as they are */
    uint64_t *list; /* n places, on the device */
    size_t cells;
} state;

static void try(state *s, torc_status status, const char *what)
{
    cr_assert(status == TORC_SUCCESS, "%s, seed %lu: %s, %s", what, (unsigned long)s->walk->seed,
        torc_status_text(status), torc_context_error(s->context));
}

static void add_bytes(state *s, const void *bytes, size_t size)
{
    s->hash = torc_fnv1a(s->hash, bytes, size);
}

static uint64_t below(state *s, uint64_t n)
{
    return (uint64_t)random_below(&s->random, (int64_t)n);
}

/* ---- Content ------------------------------------------------------------------------------------------ */

/* Where the type has fractions every sum rounds, so that its order shows. */
static void draw(state *s, void *value, size_t number)
{
    torc_type type = s->walk->type;
    double x = (double)((int64_t)below(s, 7) - 3) * (type == TORC_FP32 || type == TORC_FP64 ? 0.7310586 : 1);
    torc_cast((char *)value + number * torc_type_size(type), type, &x, TORC_FP64);
}

static void fill(state *s, void *host)
{
    for (size_t i = 0; i < s->cells; i++) {
        draw(s, host, i);
    }
}

static void upload(state *s, int number)
{
    torc_dense *X = &s->X[number];
    size_t size = s->cells * torc_type_size(X->type);
    unsigned char *host = malloc(size);
    fill(s, host);
    try(s, torc_memory_upload(s->context, X->data, host, size), "upload");
    for (size_t i = 0; i < s->cells && X->bitmap; i++) {
        host[i] = below(s, 3) > 0;
    }
    if (X->bitmap) {
        try(s, torc_memory_upload(s->context, X->bitmap, host, s->cells), "upload");
    }
    free(host);
}

static int64_t line_of(const joined_walk *walk)
{
    return (walk->order == TORC_ROW_MAJOR ? walk->columns : walk->n) + walk->padding;
}

static void *allocate(state *s, size_t size)
{
    void *memory;
    try(s, torc_memory_allocate(&memory, s->context, size), "memory");
    return memory;
}

static void make_a(state *s)
{
    const joined_walk *walk = s->walk;
    int64_t nnz = walk->n * walk->row, at = 0;
    int64_t *row_ptr = malloc(((size_t)walk->n + 1) * sizeof *row_ptr);
    uint32_t *col_idx = malloc((size_t)nnz * sizeof *col_idx);
    char *values = malloc((size_t)nnz * torc_type_size(walk->type));
    for (int64_t i = 0; i < walk->n; i++) {
        row_ptr[i] = at;
        int64_t first = (int64_t)below(s, (uint64_t)walk->n), step = 1 + 2 * (int64_t)below(s, 8);
        for (int64_t k = 0; k < walk->row && i % 5 != 3; k++, at++) {
            col_idx[at] = (uint32_t)((first + k * step) % walk->n);
            draw(s, values, (size_t)at);
        }
    }
    row_ptr[walk->n] = at;
    torc_csr csr = {.nrows = walk->n,
        .ncols = walk->n,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .values = values,
        .row_ptr_bits = 64,
        .col_idx_bits = 32,
        .type = walk->type};
    try(s, torc_sparse_create(&s->A, s->context, &csr), "A");
    free(row_ptr);
    free(col_idx);
    free(values);
}

static void make_operands(state *s)
{
    const joined_walk *walk = s->walk;
    int64_t lines = walk->order == TORC_ROW_MAJOR ? walk->n : walk->columns;
    s->cells = (size_t)(lines * line_of(walk));
    for (int i = 0; i < MATRICES; i++) {
        s->X[i] = (torc_dense){walk->n, walk->columns, line_of(walk), walk->order, walk->type, false,
            allocate(s, s->cells * torc_type_size(walk->type)), NULL};
        s->X[i].bitmap = walk->has_bitmap ? allocate(s, s->cells) : NULL;
        upload(s, i);
    }
    uint8_t *bytes = malloc(s->cells);
    uint64_t *places = malloc((size_t)walk->n * sizeof *places);
    for (size_t i = 0; i < s->cells; i++) {
        bytes[i] = below(s, 2) > 0;
    }
    for (int64_t i = 0; i < walk->n; i++) {
        places[i] = below(s, (uint64_t)walk->n);
    }
    s->mask = allocate(s, s->cells);
    s->list = allocate(s, (size_t)walk->n * sizeof *places);
    try(s, torc_memory_upload(s->context, s->mask, bytes, s->cells), "mask");
    try(s, torc_memory_upload(s->context, s->list, places, (size_t)walk->n * sizeof *places), "list");
    free(bytes);
    free(places);
}

/* ---- Steps -------------------------------------------------------------------------------------------- */

static int other_than(state *s, int c)
{
    return (c + 1 + (int)below(s, MATRICES - 1)) % MATRICES;
}

/* Replace needs a bitmap. */
static torc_update random_update(state *s)
{
    torc_update update = {0};
    if (below(s, 3) == 0) {
        update.mask = s->mask;
        update.complement = below(s, 2);
        update.replace = s->walk->has_bitmap && below(s, 2);
    }
    update.has_accum = below(s, 3) == 0;
    update.accum = TORC_PLUS;
    return update;
}

static void multiply(state *s)
{
    static const torc_monoid adds[] = {TORC_PLUS_MONOID, TORC_MIN_MONOID, TORC_MAX_MONOID};
    static const torc_multiply multiplies[] = {TORC_TIMES, TORC_PLUS, TORC_SECOND, TORC_SECONDJ};
    torc_semiring semiring = {adds[below(s, 3)], multiplies[below(s, 3)], s->walk->type};
    torc_update update = random_update(s);
    int c = (int)below(s, MATRICES), b = other_than(s, c);
    bool transpose = below(s, 2);
    try(s, torc_spmm(&s->X[c], semiring, s->A, transpose, &s->X[b], below(s, 2) ? &update : NULL), "spmm");
}

static void combine(state *s)
{
    static const torc_multiply operators[] = {TORC_PLUS, TORC_MIN, TORC_SECOND, TORC_FIRSTJ1};
    torc_operation operation = {.kind = below(s, 2) ? TORC_EWISE_ADD : TORC_EWISE_MULT,
        .binary = operators[below(s, s->walk->type == TORC_INT64 ? 4 : 3)],
        .type = s->walk->type};
    torc_update update = random_update(s);
    int c = (int)below(s, MATRICES);
    torc_operand A = {.dense = &s->X[other_than(s, c)]}, B = {.dense = &s->X[other_than(s, c)]};
    try(s, torc_elementwise(&s->X[c], &operation, s->context, &A, &B, below(s, 2) ? &update : NULL), "ewise");
}

/* All of C becomes a value, where the mask allows it. */
static void assign(state *s)
{
    torc_operation operation = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = s->walk->type};
    torc_operand A = {.value = {.type = s->walk->type}};
    torc_update update = random_update(s);
    int64_t value = (int64_t)below(s, 5);
    torc_cast(A.value.value, s->walk->type, &value, TORC_INT64);
    try(s,
        torc_elementwise(
            &s->X[below(s, MATRICES)], &operation, s->context, &A, NULL, below(s, 2) ? &update : NULL),
        "assign");
}

static void extract(state *s)
{
    torc_operation operation = {.kind = TORC_APPLY, .unary = TORC_UNARY_AINV, .type = s->walk->type};
    int c = (int)below(s, MATRICES);
    torc_operand A = {.dense = &s->X[other_than(s, c)], .rows = s->list};
    try(s, torc_elementwise(&s->X[c], &operation, s->context, &A, NULL, NULL), "extract");
}

/* Some columns of C, a view of it. */
static void negate_columns(state *s)
{
    torc_operation operation = {.kind = TORC_APPLY, .unary = TORC_UNARY_AINV, .type = s->walk->type};
    int c = (int)below(s, MATRICES);
    torc_dense part = s->X[c];
    int64_t first = (int64_t)below(s, (uint64_t)part.ncols);
    size_t skipped = (size_t)(part.order == TORC_ROW_MAJOR ? first : first * part.ld);
    part.ncols -= first;
    part.data = (char *)part.data + skipped * torc_type_size(part.type);
    part.bitmap = part.bitmap ? part.bitmap + skipped : NULL;
    torc_operand A = {.dense = &part};
    try(s, torc_elementwise(&part, &operation, s->context, &A, NULL, NULL), "view");
}

static void reduce(state *s)
{
    torc_reduction plus = {TORC_PLUS_MONOID, s->walk->type, NULL};
    const torc_dense *X = &s->X[below(s, MATRICES)];
    bool transpose = below(s, 2), is_empty;
    int64_t length = transpose ? X->ncols : X->nrows;
    size_t size = (size_t)length * torc_type_size(X->type);
    char sum[16] = {0};
    torc_dense w = {length, 1, length, TORC_COL_MAJOR, X->type, false, allocate(s, size), NULL};
    void *host = malloc(size);
    try(s, torc_reduce_to_vector(&w, plus, s->context, X, transpose, NULL), "reduce");
    try(s, torc_memory_download(s->context, host, w.data, size), "sums");
    try(s, torc_reduce_to_scalar(sum, &is_empty, plus, s->context, X), "reduce");
    add_bytes(s, host, size);
    add_bytes(s, sum, torc_type_size(X->type));
    if (X->bitmap && s->walk->padding == 0) {
        int64_t count;
        try(s, torc_count_present(&count, s->context, X->bitmap, s->cells), "count");
        add_bytes(s, &count, sizeof count);
    }
    torc_memory_release(s->context, w.data);
    free(host);
}

/* Written, and others read. */
static void touch_elements(state *s)
{
    const torc_dense *X = &s->X[below(s, MATRICES)];
    size_t size = torc_type_size(X->type);
    uint64_t offsets[ELEMENTS];
    char values[ELEMENTS * 16];
    for (int i = 0; i < ELEMENTS; i++) {
        int64_t value = (int64_t)below(s, 9);
        uint64_t line = below(s, s->cells / (uint64_t)X->ld),
                 place = below(s, (uint64_t)(X->ld - s->walk->padding));
        offsets[i] = (line * (uint64_t)X->ld + place) * size;
        torc_cast(values + (size_t)i * size, X->type, &value, TORC_INT64);
    }
    for (int i = 0; i < ELEMENTS; i++) { /* one after another: they may be the same */
        try(s, torc_memory_scatter(s->context, X->data, values + (size_t)i * size, &offsets[i], 1, size),
            "scatter");
    }
    try(s, torc_memory_gather(s->context, values, X->data, offsets, ELEMENTS, size), "gather");
    if (!X->bitmap) { /* what absent ones hold is nobody's */
        add_bytes(s, values, ELEMENTS * size);
    }
}

static void upload_some(state *s)
{
    upload(s, (int)below(s, MATRICES));
}

/* ---- The walk ----------------------------------------------------------------------------------------- */

/* Elements alone. */
static void add_matrix(state *s, const torc_dense *X)
{
    size_t size = torc_type_size(X->type);
    char *values = malloc(s->cells * size);
    uint8_t *bitmap = malloc(s->cells);
    memset(bitmap, 1, s->cells);
    try(s, torc_memory_download(s->context, values, X->data, s->cells * size), "download");
    if (X->bitmap) {
        try(s, torc_memory_download(s->context, bitmap, X->bitmap, s->cells), "download");
    }
    for (size_t at = 0; at < s->cells; at++) {
        bool is_element = (int64_t)(at % (size_t)X->ld) < X->ld - s->walk->padding;
        if (is_element) {
            add_bytes(s, &bitmap[at], 1);
        }
        if (is_element && bitmap[at]) {
            add_bytes(s, values + at * size, size);
        }
    }
    free(values);
    free(bitmap);
}

uint64_t joined_walk_take(torc_context *context, const joined_walk *walk)
{
    static void (*const steps[])(state *) = {multiply, multiply, multiply, combine, combine, assign, extract,
        negate_columns, reduce, touch_elements, upload_some};
    state s = {.context = context, .walk = walk, .random = walk->seed, .hash = TORC_FNV1A_START};
    make_a(&s);
    make_operands(&s);
    for (int i = 0; i < walk->steps; i++) {
        steps[below(&s, sizeof steps / sizeof steps[0])](&s);
    }
    for (int i = 0; i < MATRICES; i++) {
        add_matrix(&s, &s.X[i]);
        torc_memory_release(context, s.X[i].data);
        torc_memory_release(context, s.X[i].bitmap);
    }
    torc_memory_release(context, s.mask);
    torc_memory_release(context, s.list);
    torc_sparse_destroy(s.A);
    return s.hash;
}
