/* elementwise.c: one element-wise operation: check, bring A and B into C's order, describe the kernel,
 * launch. C is written by the launch alone. */
#include "elementwise_once.h"
#include "dense.h"
#include "elementwise_check.h"
#include <string.h>

static const torc_update overwrite;

/* A launch in the making. */
typedef struct plan {
    torc_context *context;
    torc_layout c;
    torc_elementwise_kernel kernel;
    torc_elementwise_args args;
} plan;

static bool is_full(const torc_operand *operand)
{
    return !operand->dense || !operand->dense->bitmap;
}

/* The operation with what need not be compiled left out, as dense_kernels.h says. */
static torc_operation normal_form(
    const torc_operation *operation, const torc_operand *A, const torc_operand *B)
{
    torc_operation normal = *operation;
    bool may_lack = operation->kind == TORC_EWISE_ADD || operation->kind == TORC_EWISE_UNION;
    if (may_lack && is_full(A) && is_full(B)) {
        normal.kind = TORC_EWISE_MULT;
    }
    if (operation->binary >= TORC_FIRSTI && operation->binary < TORC_MULTIPLY_COUNT) {
        bool is_i = operation->binary <= TORC_FIRSTI1 || operation->binary == TORC_SECONDI ||
                    operation->binary == TORC_SECONDI1;
        bool is_next = (operation->binary - TORC_FIRSTI) % 2;
        normal.binary =
            is_i ? (is_next ? TORC_FIRSTI1 : TORC_FIRSTI) : (is_next ? TORC_SECONDJ1 : TORC_SECONDJ);
    }
    return normal;
}

/* Values of A and B that are read: by the operator, or where the other operand is absent. */
static void find_reads(bool reads[2], torc_operation operation, const torc_operand *A, const torc_operand *B)
{
    bool adds = operation.kind == TORC_EWISE_ADD;
    operation.kind = adds ? TORC_EWISE_MULT : operation.kind;
    torc_operation_traits traits = torc_operation_get_traits(&operation);
    reads[0] = traits.reads_a || (adds && !is_full(B));
    reads[1] = traits.reads_b || (adds && !is_full(A));
}

static void place_value(plan *p, torc_operand_form *form, torc_elementwise_operand *to,
    const torc_scalar *value, torc_type operator_type)
{
    torc_operation_kind kind = p->kernel.operation.kind;
    bool is_kept = kind == TORC_SELECT || kind == TORC_EWISE_ADD;
    form->access = TORC_ACCESS_ISO;
    form->type = is_kept ? value->type : operator_type;
    torc_scalar cast = torc_scalar_cast(value, form->type);
    memcpy(to->value, cast.value, sizeof to->value);
}

/* An array of A or B, laid out as `from`, in workspace and in C's order. */
static torc_status bring(
    void **array, plan *p, torc_workspace workspace, const void *values, const torc_layout *from, size_t size)
{
    const torc_executor *executor = p->context->executor;
    size_t count = (size_t)p->c.nlines * (size_t)p->c.length;
    torc_status status = torc_context_workspace(array, p->context, workspace, count * size);
    return status == TORC_SUCCESS ? executor->transpose_dense(p->context->device, *array, p->c.length, values,
                                        from->ld, from->nlines, from->length, size)
                                  : status;
}

static torc_status place_in_order(
    plan *p, torc_operand_form *form, torc_elementwise_operand *to, const torc_layout *from, bool is_b)
{
    void *array;
    torc_status status = TORC_SUCCESS;
    to->ld = from->ld;
    if (from->by_column == p->c.by_column) {
        return status;
    }
    to->ld = p->c.length;
    if (form->access == TORC_ACCESS_ARRAY) {
        status = bring(&array, p, is_b ? TORC_WORKSPACE_B : TORC_WORKSPACE_A, to->values, from,
            torc_type_size(form->type));
        to->values = array;
    }
    if (status == TORC_SUCCESS && form->is_bitmap) {
        status =
            bring(&array, p, is_b ? TORC_WORKSPACE_B_BITMAP : TORC_WORKSPACE_A_BITMAP, to->bitmap, from, 1);
        to->bitmap = array;
    }
    return status;
}

static torc_status place_operand(
    plan *p, const torc_operand *operand, bool is_read, torc_type operator_type, bool is_b)
{
    torc_operand_form *form = is_b ? &p->kernel.b : &p->kernel.a;
    torc_elementwise_operand *to = is_b ? &p->args.b : &p->args.a;
    form->type = operator_type;
    if (!operand->dense) {
        if (is_read) {
            place_value(p, form, to, &operand->value, operator_type);
        }
        return TORC_SUCCESS;
    }
    torc_dense view = torc_operand_view(operand);
    torc_layout from = torc_layout_of(&view);
    if (is_read) {
        form->type = view.type;
        form->access = view.iso ? TORC_ACCESS_ISO : TORC_ACCESS_ARRAY;
    }
    form->is_bitmap = view.bitmap;
    to->values = view.data;
    to->bitmap = view.bitmap;
    if (form->access != TORC_ACCESS_ARRAY && !form->is_bitmap) {
        return TORC_SUCCESS; /* it has no arrays, and ld may be anything */
    }
    if (!operand->rows && !operand->columns) {
        return place_in_order(p, form, to, &from, is_b);
    }
    form->has_lists = true;
    bool is_along = from.by_column == p->c.by_column;
    to->ld = is_along ? from.ld : 1;
    to->step = is_along ? 1 : from.ld;
    to->lines = p->c.by_column ? operand->columns : operand->rows;
    to->places = p->c.by_column ? operand->rows : operand->columns;
    return TORC_SUCCESS;
}

static bool looks_at_positions(const torc_operation *operation)
{
    return torc_operation_get_traits(operation).is_positional;
}

static bool is_flat_operand(
    const plan *p, const torc_operand_form *form, const torc_elementwise_operand *from)
{
    bool has_array = form->access == TORC_ACCESS_ARRAY || form->is_bitmap;
    return !has_array || (!form->has_lists && (p->c.nlines == 1 || from->ld == p->c.length));
}

static void flatten(plan *p)
{
    p->kernel.is_flat = !looks_at_positions(&p->kernel.operation) && torc_is_gapless(&p->c) &&
                        is_flat_operand(p, &p->kernel.a, &p->args.a) &&
                        is_flat_operand(p, &p->kernel.b, &p->args.b);
    if (p->kernel.is_flat) {
        p->args.flat_length = p->args.length;
        p->args.length *= p->args.nlines;
        p->args.nlines = 1;
    }
}

static bool fits(const plan *p, int vector, const void *array, size_t size, int64_t ld)
{
    size_t bytes = (size_t)vector * size;
    bool is_aligned = (uintptr_t)array % bytes == 0 && (p->args.nlines == 1 || ld % vector == 0);
    return !array || (is_aligned && (size & (size - 1)) == 0 && bytes <= 16);
}

static bool operand_fits(
    const plan *p, int vector, const torc_operand_form *form, const torc_elementwise_operand *from)
{
    const void *values = form->access == TORC_ACCESS_ARRAY ? from->values : NULL;
    return form->has_lists || (fits(p, vector, values, torc_type_size(form->type), from->ld) &&
                                  fits(p, vector, from->bitmap, 1, from->ld));
}

/* The widest that every array allows. */
static int choose_vector(const plan *p)
{
    const torc_elementwise_args *args = &p->args;
    int vector = 16;
    while (vector > 1 &&
           !(operand_fits(p, vector, &p->kernel.a, &args->a) &&
               operand_fits(p, vector, &p->kernel.b, &args->b) &&
               fits(p, vector, args->c, torc_type_size(p->kernel.c_type), args->ldc) &&
               fits(p, vector, args->c_bitmap, 1, args->ldc) && fits(p, vector, args->mask, 1, args->ldc))) {
        vector /= 2;
    }
    return vector;
}

static void place_result(plan *p, const torc_dense *C, const torc_update *update)
{
    p->kernel.c_type = C->type;
    p->kernel.c_is_bitmap = C->bitmap;
    p->kernel.has_mask = update->mask;
    p->kernel.has_accum = update->has_accum;
    p->kernel.accum = update->has_accum ? update->accum : TORC_FIRST;
    p->kernel.old_access = !torc_reads_old(update) ? TORC_ACCESS_NONE
                           : update->iso           ? TORC_ACCESS_ISO
                                                   : TORC_ACCESS_ARRAY;
    p->args.nlines = p->c.nlines;
    p->args.length = p->c.length;
    p->args.by_column = p->c.by_column;
    p->args.c = C->data;
    p->args.ldc = p->c.ld;
    p->args.c_bitmap = C->bitmap;
    p->args.mask = update->mask;
    p->args.old_c = update->iso ? update->iso : C->data;
    p->args.mask_complement = update->complement;
    p->args.mask_replace = update->replace;
}

static void place_scalars(plan *p, const torc_operation *operation, const torc_operation_traits *traits)
{
    if (operation->kind == TORC_APPLY_INDEX || operation->kind == TORC_SELECT) {
        torc_scalar thunk = torc_scalar_cast(&operation->thunk, traits->thunk_type);
        memcpy(p->args.thunk, thunk.value, sizeof p->args.thunk);
    }
    if (operation->kind == TORC_EWISE_UNION) {
        torc_scalar alpha = torc_scalar_cast(&operation->alpha, traits->x_type);
        torc_scalar beta = torc_scalar_cast(&operation->beta, traits->y_type);
        memcpy(p->args.alpha, alpha.value, sizeof p->args.alpha);
        memcpy(p->args.beta, beta.value, sizeof p->args.beta);
    }
}

/* Is C = T no more than A the other way round? */
static bool is_transposition(
    const torc_dense *C, const torc_operation *operation, const torc_operand *A, const torc_update *update)
{
    const torc_dense *X = A->dense;
    if (operation->kind != TORC_APPLY || operation->unary != TORC_UNARY_IDENTITY || update->mask ||
        update->has_accum || !X || X->iso || A->rows || A->columns) {
        return false;
    }
    torc_dense view = torc_operand_view(A);
    return C->type == X->type && operation->type == X->type && !C->bitmap == !X->bitmap &&
           torc_layout_of(&view).by_column != torc_layout_of(C).by_column;
}

static torc_status transpose_into(const torc_dense *C, torc_context *context, const torc_operand *A)
{
    const torc_executor *executor = context->executor;
    torc_dense view = torc_operand_view(A);
    torc_layout from = torc_layout_of(&view), to = torc_layout_of(C);
    torc_status status = executor->transpose_dense(context->device, C->data, to.ld, view.data, from.ld,
        from.nlines, from.length, torc_type_size(C->type));
    if (status == TORC_SUCCESS && C->bitmap) {
        status = executor->transpose_dense(
            context->device, C->bitmap, to.ld, view.bitmap, from.ld, from.nlines, from.length, 1);
        status = status == TORC_OUT_OF_MEMORY ? TORC_DEVICE_ERROR : status; /* values are written */
    }
    return status;
}

/* May fail before the launch, which alone writes to C. */
torc_status torc_elementwise_once(const torc_dense *C, const torc_operation *operation, torc_context *context,
    const torc_operand *A, const torc_operand *B, const torc_update *update)
{
    static const torc_operand nothing;
    B = torc_operation_has_b(operation) ? B : &nothing;
    if (is_transposition(C, operation, A, update)) {
        return transpose_into(C, context, A);
    }
    torc_operation_traits traits = torc_operation_get_traits(operation);
    plan p = {.context = context, .c = torc_layout_of(C)};
    bool reads[2];
    p.kernel.operation = normal_form(operation, A, B);
    find_reads(reads, p.kernel.operation, A, B);
    place_result(&p, C, update);
    place_scalars(&p, operation, &traits);
    torc_status status = place_operand(&p, A, reads[0], traits.x_type, false);
    if (status == TORC_SUCCESS) {
        status = place_operand(&p, B, reads[1], traits.y_type, true);
    }
    if (status != TORC_SUCCESS) {
        return status;
    }
    flatten(&p);
    p.kernel.vector = choose_vector(&p);
    return context->executor->elementwise(context->device, &p.kernel, &p.args);
}

torc_status torc_elementwise(const torc_dense *C, const torc_operation *operation, torc_context *context,
    const torc_operand *A, const torc_operand *B, const torc_update *update)
{
    update = update ? update : &overwrite;
    torc_status status = torc_elementwise_check(C, operation, context, A, B, update);
    if (status != TORC_SUCCESS || C->nrows == 0 || C->ncols == 0) {
        return status;
    }
    status = torc_elementwise_once(C, operation, context, A, B, update);
    if (status == TORC_OUT_OF_MEMORY && torc_context_trim(context)) {
        status = torc_elementwise_once(C, operation, context, A, B, update);
    }
    return status;
}
