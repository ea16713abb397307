/* reference_elementwise.c: element-wise operations, one element after another, as they are defined. */
#include "reference.h"
#include <stdlib.h>
#include <string.h>

/* One launch. x, y, t, c: room for a value of each type. */
typedef struct evaluation {
    const torc_elementwise_kernel *kernel;
    const torc_elementwise_args *args;
    torc_operation_traits traits;
    torc_type t_type;
    torc_reference_unary unary;
    torc_reference_operator compare; /* of index operators; or */
    torc_index_unary_function index; /* the user's; NULL of both: it is positional */
    torc_function binary;            /* NULL where it is positional */
    unsigned char *x, *y, *t, *c;
} evaluation;

/* An element of an operand. */
typedef struct element {
    bool is_present;
    const void *value; /* as it is stored */
    torc_type type;
} element;

static void cast(void *to, torc_type to_type, const void *from, torc_type from_type)
{
    if (to_type == from_type && to_type != TORC_BOOL) {
        memcpy(to, from, torc_type_size(to_type));
    } else {
        torc_cast(to, to_type, from, from_type);
    }
}

static element fetch(
    const torc_operand_form *form, const torc_elementwise_operand *operand, int64_t line, int64_t place)
{
    int64_t at = line * operand->ld + place;
    if (form->has_lists) {
        int64_t from_line = operand->lines ? (int64_t)operand->lines[line] : line;
        int64_t from_place = operand->places ? (int64_t)operand->places[place] : place;
        at = from_line * operand->ld + from_place * operand->step;
    }
    element e = {!form->is_bitmap || operand->bitmap[at], NULL, form->type};
    if (form->access == TORC_ACCESS_ARRAY) {
        e.value = (const char *)operand->values + (size_t)at * torc_type_size(form->type);
    } else if (form->access == TORC_ACCESS_ISO) {
        e.value = operand->values ? operand->values : operand->value;
    }
    return e;
}

/* The argument of the operator from an element; zero if it reads none. */
static const void *argument(void *x, torc_type type, element e)
{
    if (e.value) {
        cast(x, type, e.value, e.type);
    } else {
        memset(x, 0, torc_type_size(type));
    }
    return x;
}

static void call_binary(evaluation *e, const void *x, const void *y, int64_t i, int64_t j)
{
    const torc_operation *operation = &e->kernel->operation;
    if (e->traits.is_positional) {
        int64_t position = torc_reference_position(operation->binary, i, 0, j);
        cast(e->t, e->t_type, &position, TORC_INT64);
        return;
    }
    bool is_flipped = operation->binary == TORC_USER && operation->is_flipped;
    e->binary(e->t, is_flipped ? y : x, is_flipped ? x : y);
}

/* z = index (a, i, j, thunk), of z_type, a position or a truth. */
static void call_index(evaluation *e, void *z, torc_type z_type, element a, int64_t i, int64_t j)
{
    if (e->index) {
        e->index(z, argument(e->x, e->traits.x_type, a), (uint64_t)i, (uint64_t)j, e->args->thunk);
        return;
    }
    if (!e->traits.is_positional) {
        e->compare(z, argument(e->x, e->traits.x_type, a), e->args->thunk);
        return;
    }
    int64_t thunk;
    memcpy(&thunk, e->args->thunk, sizeof thunk);
    int64_t position = torc_reference_index(e->kernel->operation.index, i, j, thunk);
    cast(z, z_type, &position, TORC_INT64);
}

/* Index operators that give positions hold where these, cut to their type, are not 0. */
static bool holds(evaluation *e, element a, int64_t i, int64_t j)
{
    if (e->index) {
        torc_value value;
        bool is_true;
        call_index(e, &value, e->kernel->operation.definition->z.type, a, i, j);
        torc_cast(&is_true, TORC_BOOL, &value, e->kernel->operation.definition->z.type);
        return is_true;
    }
    bool is_index = e->kernel->operation.index <= TORC_DIAGINDEX;
    int64_t position = 0;
    uint8_t truth = 0;
    if (is_index) {
        call_index(e, &position, e->kernel->operation.type, a, i, j);
    } else {
        call_index(e, &truth, TORC_BOOL, a, i, j);
    }
    return position != 0 || truth != 0;
}

static bool add_elements(evaluation *e, element a, element b, int64_t i, int64_t j)
{
    const torc_operation_traits *traits = &e->traits;
    if (a.is_present && b.is_present) {
        call_binary(e, argument(e->x, traits->x_type, a), argument(e->y, traits->y_type, b), i, j);
    } else if (a.is_present || b.is_present) { /* a lone one does not meet the operator */
        element lone = a.is_present ? a : b;
        cast(e->t, e->t_type, lone.value, lone.type);
    }
    return a.is_present || b.is_present;
}

static bool unite_elements(evaluation *e, element a, element b, int64_t i, int64_t j)
{
    const void *x = a.is_present ? argument(e->x, e->traits.x_type, a) : e->args->alpha;
    const void *y = b.is_present ? argument(e->y, e->traits.y_type, b) : e->args->beta;
    if (a.is_present || b.is_present) {
        call_binary(e, x, y, i, j);
    }
    return a.is_present || b.is_present;
}

/* t = T(i,j), if it is there. */
static bool evaluate(evaluation *e, element a, element b, int64_t i, int64_t j)
{
    switch (e->kernel->operation.kind) {
    case TORC_APPLY:
        if (a.is_present) {
            if (e->unary) {
                e->unary(e->t, argument(e->x, e->traits.x_type, a));
            } else { /* the identity of an opaque type */
                memcpy(e->t, a.value, torc_type_size(e->t_type));
            }
        }
        return a.is_present;
    case TORC_APPLY_INDEX:
        if (a.is_present) {
            call_index(e, e->t, e->t_type, a, i, j);
        }
        return a.is_present;
    case TORC_SELECT:
        if (!a.is_present || !holds(e, a, i, j)) {
            return false;
        }
        memcpy(e->t, a.value, torc_type_size(e->t_type));
        return true;
    case TORC_EWISE_MULT:
        if (a.is_present && b.is_present) {
            call_binary(e, argument(e->x, e->traits.x_type, a), argument(e->y, e->traits.y_type, b), i, j);
        }
        return a.is_present && b.is_present;
    case TORC_EWISE_ADD:
        return add_elements(e, a, b, i, j);
    case TORC_EWISE_UNION:
        break;
    }
    return unite_elements(e, a, b, i, j);
}

static void walk(evaluation *e)
{
    const torc_elementwise_kernel *kernel = e->kernel;
    const torc_elementwise_args *args = e->args;
    torc_reference_store store = {
        .type = kernel->c_type,
        .c = args->c,
        .c_bitmap = kernel->c_is_bitmap ? args->c_bitmap : NULL,
        .mask = kernel->has_mask ? args->mask : NULL,
        .old_c = args->old_c,
        .old_access = kernel->old_access,
        .has_accum = kernel->has_accum,
        .mask_complement = args->mask_complement,
        .mask_replace = args->mask_replace,
        .accum = kernel->accum,
    };
    for (int64_t line = 0; line < args->nlines; line++) {
        for (int64_t place = 0; place < args->length; place++) {
            int64_t i = args->by_column ? place : line, j = args->by_column ? line : place;
            element a = fetch(&kernel->a, &args->a, line, place);
            element b = fetch(&kernel->b, &args->b, line, place);
            bool is_present = evaluate(e, a, b, i, j);
            if (is_present) {
                cast(e->c, kernel->c_type, e->t, e->t_type);
            } else {
                memset(e->c, 0, torc_type_size(kernel->c_type));
            }
            torc_reference_update(&store, line * args->ldc + place, e->c, is_present);
        }
    }
}

/* False where a user-defined operator has no function on the host. */
static bool choose_operator(evaluation *e)
{
    const torc_operation *operation = &e->kernel->operation;
    bool is_index = operation->kind == TORC_APPLY_INDEX || operation->kind == TORC_SELECT;
    if (operation->kind == TORC_APPLY && operation->unary == TORC_UNARY_USER) {
        e->unary = operation->unary_on_host;
        return e->unary;
    }
    if (is_index && operation->index == TORC_INDEX_UNARY_USER) {
        e->index = operation->index_on_host;
        return e->index;
    }
    if (operation->kind == TORC_APPLY) {
        e->unary = operation->type < TORC_TYPE_COUNT ? torc_reference_apply(operation->unary, operation->type)
                                                     : NULL;
    } else if (is_index && !e->traits.is_positional) {
        e->compare = torc_reference_compare(operation->index, operation->type);
    } else if (!is_index && !e->traits.is_positional) {
        e->binary = operation->binary == TORC_USER
                        ? operation->definition->multiply_on_host
                        : torc_reference_multiply(operation->binary, operation->type);
        return e->binary;
    }
    return true;
}

torc_status torc_reference_elementwise(
    const torc_elementwise_kernel *kernel, const torc_elementwise_args *args)
{
    torc_operation_traits traits = torc_operation_get_traits(&kernel->operation);
    bool selects = kernel->operation.kind == TORC_SELECT;
    evaluation e = {kernel, args, traits, selects ? kernel->a.type : traits.z_type};
    if (!choose_operator(&e)) {
        return TORC_UNSUPPORTED;
    }
    e.x = malloc(torc_type_size(traits.x_type));
    e.y = malloc(torc_type_size(traits.y_type));
    e.t = malloc(torc_type_size(e.t_type));
    e.c = malloc(torc_type_size(kernel->c_type));
    bool has_memory = e.x && e.y && e.t && e.c;
    if (has_memory) {
        walk(&e);
    }
    free(e.x);
    free(e.y);
    free(e.t);
    free(e.c);
    return has_memory ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}
