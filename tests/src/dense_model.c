#include "dense_model.h"
#include "reference.h"
#include "splitmix.h"
#include "typed_value.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

grid grid_new(int64_t m, int64_t n)
{
    return (grid){m, n, calloc((size_t)(m * n) + 1, sizeof(cell))};
}

void grid_free(grid *g)
{
    free(g->cells);
}

cell *grid_at(const grid *g, int64_t i, int64_t j)
{
    return &g->cells[i * g->n + j];
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

torc_scalar random_value(uint64_t *seed, torc_type type)
{
    static const double extremes[] = {INFINITY, -INFINITY, NAN, -0.0, .5, -2.5, 1e10, -1e20, 1e200};
    torc_scalar value = {type, {0, 0}};
    torc_fc64 x = {(double)(random_below(seed, 11) - 4), (double)(random_below(seed, 5) - 2)};
    if (random_below(seed, 8) == 0) {
        x.real = extremes[random_below(seed, sizeof extremes / sizeof extremes[0])];
    }
    if (type > TORC_OPAQUE) {
        value.value[0] = random_word(seed);
        value.value[1] = random_word(seed);
    } else if (type == TORC_FC32 || type == TORC_FC64) {
        torc_cast(value.value, type, &x, TORC_FC64);
    } else {
        torc_cast(value.value, type, &x.real, TORC_FP64);
    }
    return value;
}

int64_t placed_at(const torc_dense *dense, int64_t i, int64_t j)
{
    return dense->order == TORC_ROW_MAJOR ? i * dense->ld + j : i + j * dense->ld;
}

static void upload(torc_context *context, placed *p)
{
    size_t size = torc_type_size(p->dense.type), count = p->dense.iso ? 1 : p->count;
    void *bitmap = NULL;
    cr_assert(torc_memory_allocate(&p->dense.data, context, count * size + 1) == TORC_SUCCESS);
    cr_assert(torc_memory_upload(context, p->dense.data, p->data, count * size) == TORC_SUCCESS);
    if (p->bitmap) {
        cr_assert(torc_memory_allocate(&bitmap, context, p->count + 1) == TORC_SUCCESS);
        cr_assert(torc_memory_upload(context, bitmap, p->bitmap, p->count) == TORC_SUCCESS);
    }
    p->dense.bitmap = bitmap;
}

placed placed_random(
    torc_context *context, uint64_t *seed, int64_t m, int64_t n, torc_type type, bool may_be_iso)
{
    torc_order order = random_below(seed, 2) ? TORC_ROW_MAJOR : TORC_COL_MAJOR;
    int64_t length = order == TORC_ROW_MAJOR ? n : m,
            gap = random_below(seed, 4) ? 0 : 1 + random_below(seed, 16);
    placed p = {
        .dense = {m, n, length + gap, order, type, may_be_iso && random_below(seed, 6) == 0, NULL, NULL}};
    size_t size = torc_type_size(type);
    p.count = (size_t)((order == TORC_ROW_MAJOR ? m : n) * p.dense.ld);
    p.data = malloc(p.count * size + size);
    for (size_t k = 0; k <= p.count; k++) {
        torc_scalar value = random_value(seed, type);
        memcpy(p.data + k * size, value.value, size);
    }
    if (random_below(seed, 2)) {
        p.bitmap = malloc(p.count + 1);
        int64_t chance = 1 + random_below(seed, 8);
        for (size_t k = 0; k <= p.count; k++) {
            p.bitmap[k] = random_below(seed, 8) < chance;
        }
    }
    upload(context, &p);
    return p;
}

void placed_free(torc_context *context, placed *p)
{
    torc_memory_release(context, p->dense.data);
    torc_memory_release(context, p->dense.bitmap);
    free(p->data);
    free(p->bitmap);
}

uint8_t *random_mask(uint64_t *seed, const placed *like)
{
    uint8_t *mask = malloc(like->count + 1);
    for (size_t k = 0; k < like->count; k++) {
        mask[k] = random_below(seed, 2) ? (uint8_t)random_below(seed, 4) : 0;
    }
    return mask;
}

grid grid_of(const placed *p)
{
    grid g = grid_new(p->dense.nrows, p->dense.ncols);
    size_t size = torc_type_size(p->dense.type);
    for (int64_t i = 0; i < g.m; i++) {
        for (int64_t j = 0; j < g.n; j++) {
            size_t at = (size_t)placed_at(&p->dense, i, j);
            cell *c = grid_at(&g, i, j);
            c->is_present = !p->bitmap || p->bitmap[at];
            c->x.type = p->dense.type;
            memcpy(c->x.value, p->data + (p->dense.iso ? 0 : at) * size, size);
        }
    }
    return g;
}

bool placed_download(torc_context *context, placed *p)
{
    size_t size = torc_type_size(p->dense.type);
    unsigned char *before = p->data;
    p->data = malloc((p->count + 1) * size);
    cr_assert(torc_memory_download(context, p->data, p->dense.data, p->count * size) == TORC_SUCCESS);
    if (p->bitmap) {
        cr_assert(torc_memory_download(context, p->bitmap, p->dense.bitmap, p->count) == TORC_SUCCESS);
    }
    int64_t length = p->dense.order == TORC_ROW_MAJOR ? p->dense.ncols : p->dense.nrows;
    bool is_same = true;
    for (size_t k = 0; k < p->count; k++) {
        bool is_gap = (int64_t)k % p->dense.ld >= length;
        is_same = is_same && (!is_gap || memcmp(before + k * size, p->data + k * size, size) == 0);
    }
    free(before);
    return is_same;
}

/* ---- Operations --------------------------------------------------------------------------------------- */

static cell as(const cell *c, torc_type type)
{
    cell cast = {c->is_present, {type, {0, 0}}};
    if (type > TORC_OPAQUE) {
        cast.x = c->x;
    } else {
        torc_cast(cast.x.value, type, c->x.value, c->x.type);
    }
    return cast;
}

static cell integer(int64_t value, torc_type type)
{
    cell made = {true, {TORC_INT64, {(uint64_t)value, 0}}};
    return as(&made, type);
}

static cell index_of(const torc_operation *operation, const cell *a, int64_t i, int64_t j)
{
    bool indexes = operation->index <= TORC_DIAGINDEX;
    cell thunk = {true, operation->thunk}, z = {true, {TORC_BOOL, {0, 0}}};
    if (operation->index >= TORC_VALUEEQ) {
        cell x = as(a, operation->type), s = as(&thunk, operation->type);
        torc_reference_compare(operation->index, operation->type)(z.x.value, x.x.value, s.x.value);
        return z;
    }
    int64_t s = (int64_t)as(&thunk, TORC_INT64).x.value[0];
    return integer(torc_reference_index(operation->index, i, j, s), indexes ? operation->type : TORC_BOOL);
}

static cell binary_of(const torc_operation *operation, const cell *a, const cell *b, int64_t i, int64_t j)
{
    torc_operation_traits traits = torc_operation_get_traits(operation);
    cell x = as(a, traits.x_type), y = as(b, traits.y_type), z = {true, {traits.z_type, {0, 0}}};
    switch (operation->binary) {
    case TORC_FIRSTI:
    case TORC_SECONDI:
        return integer(i, traits.z_type);
    case TORC_FIRSTI1:
    case TORC_SECONDI1:
        return integer(i + 1, traits.z_type);
    case TORC_FIRSTJ:
    case TORC_SECONDJ:
        return integer(j, traits.z_type);
    case TORC_FIRSTJ1:
    case TORC_SECONDJ1:
        return integer(j + 1, traits.z_type);
    default:
        torc_reference_multiply(operation->binary, operation->type)(z.x.value, x.x.value, y.x.value);
        return z;
    }
}

static cell unary_of(const torc_operation *operation, const cell *a)
{
    torc_operation_traits traits = torc_operation_get_traits(operation);
    cell x = as(a, operation->type), z = {true, {traits.z_type, {0, 0}}};
    torc_reference_apply(operation->unary, operation->type)(z.x.value, x.x.value);
    return z;
}

static bool is_zero(const cell *c)
{
    return c->x.value[0] == 0;
}

static cell operate(const torc_operation *operation, const cell *a, const cell *b, int64_t i, int64_t j)
{
    const cell absent = {false, {TORC_BOOL, {0, 0}}};
    cell alpha = {true, operation->alpha}, beta = {true, operation->beta}, kept;
    switch (operation->kind) {
    case TORC_APPLY:
        return a->is_present ? unary_of(operation, a) : absent;
    case TORC_APPLY_INDEX:
        return a->is_present ? index_of(operation, a, i, j) : absent;
    case TORC_SELECT:
        kept = a->is_present ? index_of(operation, a, i, j) : absent;
        return kept.is_present && !is_zero(&kept) ? *a : absent;
    case TORC_EWISE_MULT:
        return a->is_present && b->is_present ? binary_of(operation, a, b, i, j) : absent;
    case TORC_EWISE_ADD:
        if (a->is_present != b->is_present) {
            return as(a->is_present ? a : b, torc_operation_get_traits(operation).z_type);
        }
        return a->is_present ? binary_of(operation, a, b, i, j) : absent;
    default:
        if (!a->is_present && !b->is_present) {
            return absent;
        }
        return binary_of(operation, a->is_present ? a : &alpha, b->is_present ? b : &beta, i, j);
    }
}

grid model_operation(const torc_operation *operation, const grid *A, const grid *B)
{
    grid T = grid_new(A->m, A->n);
    for (int64_t i = 0; i < A->m; i++) {
        for (int64_t j = 0; j < A->n; j++) {
            *grid_at(&T, i, j) = operate(operation, grid_at(A, i, j), B ? grid_at(B, i, j) : NULL, i, j);
        }
    }
    return T;
}

/* Z = accum (C, T), or T. */
static grid accumulate(const grid *C, torc_type type, const grid *T, const torc_update *update)
{
    grid Z = grid_new(C->m, C->n);
    for (int64_t p = 0; p < C->m * C->n; p++) {
        cell c = C->cells[p], t = as(&T->cells[p], type), *z = &Z.cells[p];
        *z = t;
        if (update->has_accum && c.is_present) {
            *z = c;
            if (t.is_present) {
                torc_reference_multiply(update->accum, type)(z->x.value, c.x.value, t.x.value);
            }
        }
    }
    return Z;
}

void model_update(grid *C, torc_type type, const grid *T, const uint8_t *mask, const torc_update *update,
    bool has_bitmap, const torc_scalar *absent)
{
    grid Z = accumulate(C, type, T, update);
    for (int64_t p = 0; p < C->m * C->n; p++) {
        bool is_allowed = !mask || (mask[p] != 0) != update->complement;
        if (is_allowed) {
            C->cells[p] = Z.cells[p];
        } else if (update->replace) {
            C->cells[p].is_present = false;
        }
        if (!has_bitmap && !C->cells[p].is_present) {
            C->cells[p] = (cell){true, *absent};
        }
    }
    grid_free(&Z);
}

const char *grid_difference(const grid *expected, const grid *found)
{
    static char text[160];
    for (int64_t p = 0; p < expected->m * expected->n; p++) {
        const cell *e = &expected->cells[p], *f = &found->cells[p];
        bool is_same = e->is_present == f->is_present &&
                       (!e->is_present || is_same_value(e->x.value, f->x.value, f->x.type));
        if (!is_same) {
            snprintf(text, sizeof text, "(%" PRId64 ",%" PRId64 "): %s %" PRIx64 ", not %s %" PRIx64,
                p / expected->n, p % expected->n, f->is_present ? "present" : "absent", f->x.value[0],
                e->is_present ? "present" : "absent", e->x.value[0]);
            return text;
        }
    }
    return NULL;
}
