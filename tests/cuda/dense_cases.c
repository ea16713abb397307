#include "dense_cases.h"
#include "ugly_csr.h"
#include "user_operations.h"
#include <stdio.h>
#include <stdlib.h>

enum { MAX_CASES = 4000, VECTOR_BYTES = 16 };

/* ---- Element by element ------------------------------------------------------------------------------- */

static bool happens(uint64_t *state, uint64_t one_in)
{
    return torc_random(state, one_in) == 0;
}

static torc_type some_type(uint64_t *state, torc_type usual)
{
    return usual > TORC_OPAQUE || happens(state, 2) ? usual : (torc_type)torc_random(state, TORC_TYPE_COUNT);
}

static torc_operand_form some_form(uint64_t *state, torc_type type, bool is_read, bool is_bitmap)
{
    return (torc_operand_form){
        .type = is_read ? some_type(state, type) : type,
        .access = !is_read            ? TORC_ACCESS_NONE
                  : happens(state, 4) ? TORC_ACCESS_ISO
                                      : TORC_ACCESS_ARRAY,
        .is_bitmap = is_bitmap,
        .has_lists = happens(state, 4),
    };
}

static bool is_accum(torc_multiply multiply, torc_type type)
{
    torc_traits traits = torc_semiring_traits((torc_semiring){TORC_ANY_MONOID, multiply, type});
    return traits.is_supported && !traits.is_positional && traits.z_type == type;
}

static torc_multiply some_accum(uint64_t *state, torc_type type)
{
    torc_multiply multiply;
    do {
        multiply = (torc_multiply)torc_random(state, TORC_MULTIPLY_COUNT);
    } while (!is_accum(multiply, type));
    return multiply;
}

static void choose_store(torc_elementwise_kernel *kernel, uint64_t *state)
{
    kernel->c_is_bitmap = happens(state, 2);
    kernel->has_mask = happens(state, 3);
    kernel->has_accum = kernel->c_type < TORC_OPAQUE && happens(state, 3);
    kernel->accum = kernel->has_accum ? some_accum(state, kernel->c_type) : TORC_FIRST;
    bool is_kept = kernel->has_accum || (kernel->has_mask && (!kernel->c_is_bitmap || happens(state, 2)));
    kernel->old_access = !is_kept            ? TORC_ACCESS_NONE
                         : happens(state, 5) ? TORC_ACCESS_ISO
                                             : TORC_ACCESS_ARRAY;
}

static size_t bytes_of(const torc_operand_form *form)
{
    return form->access == TORC_ACCESS_ARRAY && !form->has_lists ? torc_type_size(form->type) : 1;
}

static void choose_vector(torc_elementwise_kernel *kernel, uint64_t *state)
{
    size_t widest = torc_type_size(kernel->c_type), a = bytes_of(&kernel->a), b = bytes_of(&kernel->b);
    widest = a > widest ? a : widest;
    widest = b > widest ? b : widest;
    kernel->vector = 1;
    while ((size_t)kernel->vector * 2 * widest <= VECTOR_BYTES && !happens(state, 5)) {
        kernel->vector *= 2;
    }
}

static void add_kernel(torc_elementwise_cases *cases, torc_operation operation)
{
    torc_operation_traits traits = torc_operation_get_traits(&operation);
    if (!traits.is_supported || cases->count + 1 == MAX_CASES) {
        return;
    }
    uint64_t state = (uint64_t)cases->count + 1;
    bool is_binary = operation.kind >= TORC_EWISE_MULT, joins = operation.kind > TORC_EWISE_MULT;
    bool a_is_bitmap = joins || happens(&state, 2), b_is_bitmap = is_binary && happens(&state, 2);
    torc_elementwise_kernel kernel = {
        .operation = operation,
        .a = some_form(&state, traits.x_type, traits.reads_a, a_is_bitmap),
        .b = some_form(&state, traits.y_type, is_binary && traits.reads_b, b_is_bitmap),
    };
    kernel.b.has_lists = is_binary && kernel.b.has_lists;
    torc_type t_type = operation.kind == TORC_SELECT ? kernel.a.type : traits.z_type;
    kernel.c_type = some_type(&state, t_type);
    choose_store(&kernel, &state);
    choose_vector(&kernel, &state);
    kernel.is_flat =
        !kernel.a.has_lists && !kernel.b.has_lists && !traits.is_positional && happens(&state, 2);
    cases->kernels[cases->count++] = kernel;
}

/* The engine has made the others of these. */
static bool is_left_over(torc_multiply multiply)
{
    return multiply < TORC_FIRSTI || multiply == TORC_FIRSTI || multiply == TORC_FIRSTI1 ||
           multiply == TORC_SECONDJ || multiply == TORC_SECONDJ1;
}

static void add_kernels_of(torc_elementwise_cases *cases, torc_type type)
{
    for (int unary = 0; unary < TORC_UNARY_COUNT; unary++) {
        add_kernel(cases, (torc_operation){.kind = TORC_APPLY, .unary = (torc_unary)unary, .type = type});
    }
    for (int index = 0; index < TORC_INDEX_UNARY_COUNT; index++) {
        for (int selects = 0; selects < 2; selects++) {
            add_kernel(cases, (torc_operation){.kind = selects ? TORC_SELECT : TORC_APPLY_INDEX,
                                  .index = (torc_index_unary)index,
                                  .type = type});
        }
    }
    for (int multiply = 0; multiply < TORC_MULTIPLY_COUNT; multiply++) {
        for (int kind = TORC_EWISE_MULT; kind <= TORC_EWISE_UNION; kind++) {
            if (is_left_over((torc_multiply)multiply)) {
                add_kernel(cases,
                    (torc_operation){
                        .kind = (torc_operation_kind)kind, .binary = (torc_multiply)multiply, .type = type});
            }
        }
    }
}

const torc_elementwise_kernel torc_elementwise_plus_value = {
    .operation = {.kind = TORC_EWISE_MULT, .binary = TORC_PLUS, .type = TORC_FP32},
    .a = {TORC_FP32, TORC_ACCESS_ARRAY, false, false},
    .b = {TORC_FP32, TORC_ACCESS_ISO, false, false},
    .c_type = TORC_FP32,
    .is_flat = true,
    .vector = 4,
};

torc_elementwise_kernel torc_elementwise_scaled(void)
{
    return (torc_elementwise_kernel){
        .operation = torc_user_operations[TORC_USER_SCALE],
        .a = {TORC_FP64, TORC_ACCESS_ISO, .is_bitmap = true},
        .b = {TORC_BOOL, TORC_ACCESS_ARRAY},
        .c_type = TORC_FP64,
        .c_is_bitmap = true,
        .has_accum = true,
        .accum = TORC_ISEQ,
        .old_access = TORC_ACCESS_ISO,
        .is_flat = true,
        .vector = 2,
    };
}

torc_elementwise_cases torc_elementwise_cases_build(int stride)
{
    torc_elementwise_cases all = {calloc(MAX_CASES, sizeof *all.kernels), 0}, few = {all.kernels, 0};
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        add_kernels_of(&all, (torc_type)type);
    }
    add_kernel(&all, (torc_operation){.kind = TORC_APPLY, .type = torc_opaque_type(12)});
    for (int i = 0; i < all.count; i += stride) {
        few.kernels[few.count++] = all.kernels[i];
    }
    for (int i = 0; i < TORC_USER_OPERATIONS; i++) { /* all of them */
        add_kernel(&few, torc_user_operations[i]);
    }
    few.kernels[few.count++] = torc_elementwise_scaled();
    few.kernels[few.count++] = torc_elementwise_plus_value;
    return few;
}

void torc_elementwise_describe(char text[256], const torc_elementwise_kernel *kernel)
{
    static const char *const kinds[] = {"apply", "apply", "select", "mult", "add", "union"};
    const torc_operation *operation = &kernel->operation;
    const char *name = operation->kind == TORC_APPLY       ? torc_unary_name(operation->unary)
                       : operation->kind < TORC_EWISE_MULT ? torc_index_unary_name(operation->index)
                                                           : torc_multiply_name(operation->binary);
    const torc_operand_form *a = &kernel->a, *b = &kernel->b;
    snprintf(text, 256,
        "%s %s %s, A %s access %d%s%s, B %s access %d%s%s, C %s%s%s, accum %s, old %d, vector %d%s",
        kinds[operation->kind], name, torc_type_name(operation->type), torc_type_name(a->type), a->access,
        a->is_bitmap ? " bitmap" : "", a->has_lists ? " lists" : "", torc_type_name(b->type), b->access,
        b->is_bitmap ? " bitmap" : "", b->has_lists ? " lists" : "", torc_type_name(kernel->c_type),
        kernel->c_is_bitmap ? " bitmap" : "", kernel->has_mask ? " mask" : "",
        kernel->has_accum ? torc_multiply_name(kernel->accum) : "none", kernel->old_access, kernel->vector,
        kernel->is_flat ? " flat" : "");
}

/* ---- Reductions --------------------------------------------------------------------------------------- */

torc_reduce_cases torc_reduce_cases_build(int stride)
{
    torc_reduce_cases cases = {calloc(MAX_CASES, sizeof *cases.kernels), 0};
    int number = 0;
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        for (int add = 0; add < TORC_MONOID_COUNT; add++) {
            torc_semiring semiring = {(torc_monoid)add, TORC_FIRST, (torc_type)type};
            for (int across = 0; across < 2 && torc_semiring_traits(semiring).is_supported; across++) {
                uint64_t state = (uint64_t)number + 1;
                torc_reduce_kernel kernel = {
                    .reduction = {(torc_monoid)add, (torc_type)type, NULL},
                    .a_type = some_type(&state, (torc_type)type),
                    .a_access = happens(&state, 5) ? TORC_ACCESS_ISO : TORC_ACCESS_ARRAY,
                    .a_is_bitmap = happens(&state, 2),
                    .c_is_bitmap = happens(&state, 2),
                    .is_across = across,
                };
                if (number++ % stride == 0) {
                    cases.kernels[cases.count++] = kernel;
                }
            }
        }
    }
    return cases;
}

torc_reduce_kernel torc_complex_product_case(bool is_across)
{
    return (torc_reduce_kernel){.reduction = {TORC_TIMES_MONOID, TORC_FC64, NULL},
        .a_type = TORC_FC64,
        .a_access = TORC_ACCESS_ARRAY,
        .is_across = is_across};
}

torc_reduce_kernel torc_large_reduce_case(int number)
{
    return (torc_reduce_kernel){.reduction = torc_large_reduction,
        .a_type = torc_large_reduction.type,
        .a_access = TORC_ACCESS_ARRAY,
        .a_is_bitmap = number == 1,
        .c_is_bitmap = number == 1,
        .is_across = number == 2};
}

void torc_reduce_describe(char text[256], const torc_reduce_kernel *kernel)
{
    snprintf(text, 256, "%s %s of %s%s%s%s%s", torc_monoid_name(kernel->reduction.add),
        torc_type_name(kernel->reduction.type), torc_type_name(kernel->a_type),
        kernel->a_access == TORC_ACCESS_ISO ? " iso" : "", kernel->a_is_bitmap ? " bitmap" : "",
        kernel->is_across ? " across" : "", kernel->c_is_bitmap ? ", presence" : "");
}
