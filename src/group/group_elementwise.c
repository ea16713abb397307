/* group_elementwise.c: element-wise operations and reductions of operands that are on the devices. */
#include "elementwise_check.h"
#include "group_operands.h"
#include <stdlib.h>
#include <string.h>

/* ---- Element by element ------------------------------------------------------------------------------- */

/* Does a result depend on the number of its column? */
static bool names_columns(torc_multiply binary)
{
    return binary == TORC_FIRSTJ || binary == TORC_FIRSTJ1 || binary == TORC_SECONDJ ||
           binary == TORC_SECONDJ1;
}

/* The operation for columns from `first` on, whose own numbers begin with 0: the thunk makes up for it. */
static torc_operation shifted(const torc_operation *operation, int64_t first)
{
    torc_operation own = *operation;
    bool has_index = own.kind == TORC_APPLY_INDEX || own.kind == TORC_SELECT;
    bool adds = own.index == TORC_COLINDEX;
    bool subtracts = own.index == TORC_DIAGINDEX || own.index == TORC_TRIL || own.index == TORC_TRIU ||
                     own.index == TORC_DIAG || own.index == TORC_OFFDIAG || own.index == TORC_COLLE ||
                     own.index == TORC_COLGT;
    if (has_index && (adds || subtracts)) {
        own.thunk = torc_scalar_cast(&own.thunk, TORC_INT64);
        own.thunk.value[0] += (uint64_t)(adds ? first : -first);
    }
    return own;
}

typedef struct elementwise {
    torc_group *group;
    torc_group_dense *C;
    const torc_operation *operation;
    const torc_group_operand *A, *B;
    const torc_group_update *update;
} elementwise;

static torc_operand operand_of(const torc_group_operand *operand, int member)
{
    return (torc_operand){
        .dense = operand->dense ? &operand->dense->parts[member] : NULL, .value = operand->value};
}

static torc_status compute_part(const elementwise *e, int member)
{
    torc_operation operation = shifted(e->operation, e->C->first[member]);
    torc_operand a = operand_of(e->A, member), b = e->B ? operand_of(e->B, member) : a;
    torc_update update = torc_group_update_of(e->update, member);
    return torc_elementwise(
        &e->C->parts[member], &operation, e->group->members[member].context, &a, e->B ? &b : NULL, &update);
}

/* Check that the operand has C's shape, and have all its rows on every device. */
static torc_status prepare_operand(const elementwise *e, const torc_group_operand *operand)
{
    torc_group_dense *X = operand ? operand->dense : NULL;
    if (!X) {
        return TORC_SUCCESS;
    }
    torc_status status = torc_group_check(e->group, X);
    if (status == TORC_SUCCESS && (X->nrows != e->C->nrows || X->ncols != e->C->ncols)) {
        status = torc_group_refuse(e->group, TORC_DIMENSION_MISMATCH, "an operand has another shape than C");
    }
    return status == TORC_SUCCESS ? torc_group_exchange(X) : status;
}

static torc_status prepare(const elementwise *e)
{
    const torc_group_update *update = e->update;
    bool reads_old = update && (update->has_accum || (update->mask && !update->replace));
    torc_status status = torc_group_check(e->group, e->C);
    if (status == TORC_SUCCESS && torc_operation_has_b(e->operation) && names_columns(e->operation->binary)) {
        status = torc_group_refuse(
            e->group, TORC_UNSUPPORTED, "an operation whose results depend on the numbers of columns");
    }
    if (status == TORC_SUCCESS) {
        status = torc_group_prepare_update(e->group, e->C, update);
    }
    if (status == TORC_SUCCESS) {
        status = prepare_operand(e, e->A);
    }
    if (status == TORC_SUCCESS) {
        status = prepare_operand(e, e->B);
    }
    return status == TORC_SUCCESS && reads_old ? torc_group_exchange(e->C) : status;
}

torc_status torc_group_elementwise(torc_group_dense *C, const torc_operation *operation,
    const torc_group_operand *A, const torc_group_operand *B, const torc_group_update *update)
{
    if (!C || !operation || !A) {
        return TORC_NULL_POINTER;
    }
    elementwise e = {C->group, C, operation, A, B, update};
    torc_status status = prepare(&e);
    for (int m = 0; m < e.group->count && status == TORC_SUCCESS; m++) {
        if (!e.group->members[m].is_lost) {
            status = torc_group_note(e.group, m, compute_part(&e, m));
        }
    }
    if (status == TORC_SUCCESS) {
        torc_group_own_all(C);
    }
    return status;
}

/* ---- Reductions --------------------------------------------------------------------------------------- */

typedef struct column_sums {
    const torc_group_dense *A;
    torc_reduction reduction;
    char *sums;       /* host memory, of all columns */
    uint8_t *present; /* likewise */
} column_sums;

/* Into device memory: `w` has room. */
static torc_status reduce_into(const torc_dense *w, const column_sums *r, torc_context *context, int member)
{
    size_t size = torc_type_size(r->reduction.type), n = (size_t)w->nrows;
    int64_t first = r->A->first[member];
    torc_status status = torc_reduce_to_vector(w, r->reduction, context, &r->A->parts[member], true, NULL);
    if (status == TORC_SUCCESS) {
        status = torc_memory_download(context, r->sums + (size_t)first * size, w->data, n * size);
    }
    return status == TORC_SUCCESS ? torc_memory_download(context, r->present + first, w->bitmap, n) : status;
}

/* All have all where columns are not split: one reduces. */
static torc_status reduce_part(torc_group *group, int member, void *argument)
{
    const column_sums *r = argument;
    torc_context *context = group->members[member].context;
    int64_t n = r->A->parts[member].ncols;
    torc_dense w = {n, 1, n, TORC_COL_MAJOR, r->reduction.type, false, NULL, NULL};
    void *bitmap = NULL;
    if (n == 0 || (!r->A->is_split && group->members[member].slot > 0)) {
        return TORC_SUCCESS;
    }
    torc_status status =
        torc_memory_allocate(&w.data, context, (size_t)n * torc_type_size(r->reduction.type));
    if (status == TORC_SUCCESS) {
        status = torc_memory_allocate(&bitmap, context, (size_t)n);
    }
    w.bitmap = bitmap;
    if (status == TORC_SUCCESS) {
        status = reduce_into(&w, r, context, member);
    }
    torc_memory_release(context, w.data);
    torc_memory_release(context, bitmap);
    return status;
}

static torc_status reduce(column_sums *r, torc_group_dense *A)
{
    torc_status status = torc_group_check(A->group, A);
    if (status == TORC_SUCCESS) {
        status = torc_group_exchange(A);
    }
    return status == TORC_SUCCESS ? torc_group_each(NULL, A->group, reduce_part, r) : status;
}

torc_status torc_group_reduce_columns(
    void *sums, uint8_t *present, torc_reduction reduction, torc_group_dense *A)
{
    if (!A || (!sums && A->ncols > 0)) {
        return TORC_NULL_POINTER;
    }
    uint8_t *bytes = present ? present : malloc((size_t)A->ncols + 1);
    if (!bytes) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status = reduce(&(column_sums){A, reduction, sums, bytes}, A);
    if (!present) {
        free(bytes);
    }
    return status;
}

/* The sums of columns, put on one device again. */
static torc_status reduce_sums(void *result, bool *is_empty, torc_reduction reduction, torc_context *context,
    const void *sums, const uint8_t *present, int64_t n)
{
    torc_dense w = {n, 1, n, TORC_COL_MAJOR, reduction.type, false, NULL, NULL};
    size_t size = (size_t)n * torc_type_size(reduction.type);
    void *bitmap = NULL;
    torc_status status = torc_memory_allocate(&w.data, context, size);
    if (status == TORC_SUCCESS) {
        status = torc_memory_allocate(&bitmap, context, (size_t)n);
    }
    if (status == TORC_SUCCESS) {
        status = torc_memory_upload(context, w.data, sums, size);
    }
    if (status == TORC_SUCCESS) {
        status = torc_memory_upload(context, bitmap, present, (size_t)n);
    }
    w.bitmap = bitmap;
    if (status == TORC_SUCCESS) {
        status = torc_reduce_to_scalar(result, is_empty, reduction, context, &w);
    }
    torc_memory_release(context, w.data);
    torc_memory_release(context, bitmap);
    return status;
}

torc_status torc_group_reduce_to_scalar(
    void *result, bool *is_empty, torc_reduction reduction, torc_group_dense *A)
{
    if (!result || !A) {
        return TORC_NULL_POINTER;
    }
    size_t n = (size_t)A->ncols;
    void *sums = malloc(n * torc_type_size(reduction.type) + 1);
    uint8_t *present = malloc(n + 1);
    torc_status status =
        sums && present ? torc_group_reduce_columns(sums, present, reduction, A) : TORC_OUT_OF_MEMORY;
    int first = torc_group_first(A->group);
    if (status == TORC_SUCCESS) {
        status = torc_group_note(A->group, first,
            reduce_sums(
                result, is_empty, reduction, A->group->members[first].context, sums, present, A->ncols));
    }
    free(sums);
    free(present);
    return status;
}
