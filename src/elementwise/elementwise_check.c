#include "elementwise_check.h"
#include "dense.h"
#include <inttypes.h>
#include <string.h>

bool torc_operation_has_b(const torc_operation *operation)
{
    return operation->kind >= TORC_EWISE_MULT;
}

torc_dense torc_operand_view(const torc_operand *operand)
{
    torc_dense view = *operand->dense;
    if (operand->transpose) {
        view.nrows = operand->dense->ncols;
        view.ncols = operand->dense->nrows;
        view.order = operand->dense->order == TORC_ROW_MAJOR ? TORC_COL_MAJOR : TORC_ROW_MAJOR;
    }
    return view;
}

torc_scalar torc_scalar_cast(const torc_scalar *value, torc_type type)
{
    torc_scalar cast = *value;
    if (type < TORC_OPAQUE && type != value->type) {
        memset(cast.value, 0, sizeof cast.value);
        torc_cast(cast.value, type, value->value, value->type);
        cast.type = type;
    }
    return cast;
}

static torc_status check_operation(torc_context *context, const torc_operation *operation)
{
    if (torc_operation_get_traits(operation).is_supported) {
        return TORC_SUCCESS;
    }
    const char *name = operation->kind == TORC_APPLY     ? torc_unary_name(operation->unary)
                       : torc_operation_has_b(operation) ? torc_multiply_name(operation->binary)
                                                         : torc_index_unary_name(operation->index);
    return torc_context_refuse(
        context, TORC_UNSUPPORTED, "%s does not exist on %s", name, torc_type_name(operation->type));
}

static torc_status check_cast(torc_context *context, const char *what, torc_type to, torc_type from)
{
    return torc_can_cast(to, from) && torc_type_size(from) > 0
               ? TORC_SUCCESS
               : torc_context_refuse(context, TORC_INVALID_VALUE, "%s: %s cannot be cast to %s", what,
                     torc_type_name(from), torc_type_name(to));
}

static torc_status check_scalar(torc_context *context, const char *what, torc_type to, torc_type from)
{
    return torc_type_size(from) <= sizeof((torc_scalar *)0)->value
               ? check_cast(context, what, to, from)
               : torc_context_refuse(
                     context, TORC_INVALID_VALUE, "%s: a value of %zu bytes", what, torc_type_size(from));
}

static torc_status check_scalars(
    torc_context *context, const torc_operation *operation, const torc_operation_traits *traits)
{
    if (operation->kind == TORC_APPLY_INDEX || operation->kind == TORC_SELECT) {
        return check_scalar(context, "thunk", traits->thunk_type, operation->thunk.type);
    }
    if (operation->kind != TORC_EWISE_UNION) {
        return TORC_SUCCESS;
    }
    torc_status status = check_scalar(context, "alpha", traits->x_type, operation->alpha.type);
    return status == TORC_SUCCESS ? check_scalar(context, "beta", traits->y_type, operation->beta.type)
                                  : status;
}

static torc_status check_shape(
    torc_context *context, const char *name, const torc_operand *operand, const torc_dense *C)
{
    torc_dense view = torc_operand_view(operand);
    bool fits = (operand->rows || view.nrows == C->nrows) && (operand->columns || view.ncols == C->ncols);
    return fits ? TORC_SUCCESS
                : torc_context_refuse(context, TORC_DIMENSION_MISMATCH,
                      "%s is %" PRId64 " x %" PRId64 ", C is %" PRId64 " x %" PRId64, name, view.nrows,
                      view.ncols, C->nrows, C->ncols);
}

torc_status torc_values_check(const torc_dense *X, const char *name, torc_type type, torc_context *context)
{
    torc_dense laid_out = *X;
    if (X->iso && !X->bitmap) { /* as if it were an array: its elements can be counted */
        laid_out.ld = X->order == TORC_ROW_MAJOR ? X->ncols : X->nrows;
    }
    torc_status status = check_cast(context, name, type, X->type);
    if (status == TORC_SUCCESS) {
        status = torc_check_layout(context, name, &laid_out);
    }
    bool lacks = status == TORC_SUCCESS && !X->data && X->nrows > 0 && X->ncols > 0;
    return lacks ? torc_context_refuse(context, TORC_NULL_POINTER, "%s has no values", name) : status;
}

/* Check A or B. operator_type: the type that the operator casts its values to. */
static torc_status check_operand(torc_context *context, const char *name, const torc_operand *operand,
    const torc_dense *C, const torc_operation *operation, bool is_read, torc_type operator_type)
{
    const torc_dense *X = operand->dense;
    torc_operation_traits traits = torc_operation_get_traits(operation);
    torc_type type = X ? X->type : operand->value.type;
    bool is_kept_unseen =
        operation->kind == TORC_SELECT && traits.is_positional && operation->index != TORC_INDEX_UNARY_USER;
    bool meets_operator = is_read && !is_kept_unseen;
    torc_status status = TORC_SUCCESS;
    if (X) {
        status = check_shape(context, name, operand, C);
    }
    if (status == TORC_SUCCESS && X) {
        bool has_layout = X->bitmap || (is_read && !X->iso);
        status = has_layout ? torc_check_layout(context, name, X) : torc_check_order(context, name, X);
    }
    if (status == TORC_SUCCESS && meets_operator) {
        status = check_cast(context, name, operator_type, type);
    }
    if (status == TORC_SUCCESS && operation->kind == TORC_EWISE_ADD) {
        status = check_cast(context, name, traits.z_type, type);
    }
    if (status == TORC_SUCCESS && is_read && !X) {
        status = check_scalar(context, name, type, type);
    }
    bool lacks = status == TORC_SUCCESS && is_read && X && !X->data && X->nrows > 0 && X->ncols > 0;
    return lacks ? torc_context_refuse(context, TORC_NULL_POINTER, "%s has no values", name) : status;
}

torc_status torc_result_check(
    const torc_dense *C, torc_type type, torc_context *context, const torc_update *update)
{
    if (C->iso) {
        return torc_context_refuse(context, TORC_INVALID_VALUE, "the result is iso");
    }
    torc_status status = torc_check_layout(context, "the result", C);
    if (status == TORC_SUCCESS) {
        status = check_cast(context, "the result", C->type, type);
    }
    if (status != TORC_SUCCESS) {
        return status;
    }
    if (C->nrows > 0 && C->ncols > 0 && !C->data) {
        return torc_context_refuse(context, TORC_NULL_POINTER, "the result has no memory");
    }
    return torc_check_update(context, C, update);
}

torc_status torc_elementwise_check(const torc_dense *C, const torc_operation *operation,
    torc_context *context, const torc_operand *A, const torc_operand *B, const torc_update *update)
{
    if (!C || !operation || !context || !A || (torc_operation_has_b(operation) && !B)) {
        return torc_context_explain(context, TORC_NULL_POINTER, "C, operation, A or B is NULL");
    }
    torc_operation_traits traits = torc_operation_get_traits(operation);
    torc_status status = check_operation(context, operation);
    if (status == TORC_SUCCESS) {
        status = check_scalars(context, operation, &traits);
    }
    if (status == TORC_SUCCESS) {
        status = check_operand(context, "A", A, C, operation, traits.reads_a, traits.x_type);
    }
    if (status == TORC_SUCCESS && torc_operation_has_b(operation)) {
        status = check_operand(context, "B", B, C, operation, traits.reads_b, traits.y_type);
    }
    if (status == TORC_SUCCESS) {
        torc_type a_type = A->dense ? A->dense->type : A->value.type;
        torc_type type = operation->kind == TORC_SELECT ? a_type : traits.z_type;
        status = torc_result_check(C, type, context, update);
    }
    return status;
}
