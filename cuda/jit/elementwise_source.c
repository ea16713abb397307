/* elementwise_source.c: the text of element-wise kernels: elementwise.cuh. */
#include "kernel_source.h"
#include "source_text.h"

/* Is it one of one value? */
static bool has_user_function(const torc_operation *operation)
{
    return operation->kind == TORC_APPLY
               ? operation->unary == TORC_UNARY_USER
               : operation->kind < TORC_EWISE_MULT && operation->index == TORC_INDEX_UNARY_USER;
}

/* The operation's operator as part of a semiring, whose text is that of products. */
static torc_semiring semiring_of(const torc_operation *operation)
{
    bool is_binary = operation->kind >= TORC_EWISE_MULT, is_user = has_user_function(operation);
    return (torc_semiring){
        .add = TORC_ANY_MONOID,
        .multiply = is_binary ? operation->binary
                    : is_user ? TORC_USER
                              : TORC_FIRST,
        .type = operation->type,
        .definition = is_binary || is_user ? operation->definition : NULL,
        .is_flipped = is_binary && operation->is_flipped,
    };
}

/* using function = the operator of one value, and of its place. */
static void append_function(torc_text *to, const torc_operation *operation)
{
    bool is_unary = operation->kind == TORC_APPLY;
    if (has_user_function(operation)) {
        const torc_definition *definition = operation->definition;
        torc_text_append_call(to, "user_function", definition->multiply);
        torc_text_append_type(to, "given_type", definition->z.type, definition->z.name);
        torc_text_append(to, "using function = torc::%s, given_type, user_function>;\n",
            is_unary ? "user_unary<x_type" : "user_index<x_type, y_type");
    } else {
        torc_text_append(to, "using function = torc::%s_%s<x_type>;\n",
            is_unary ? torc_unary_name(operation->unary) : torc_index_unary_name(operation->index),
            is_unary ? "unary" : "index");
    }
}

static bool is_form(const torc_operand_form *form)
{
    return torc_type_size(form->type) > 0 && (unsigned)form->access <= TORC_ACCESS_ARRAY;
}

static bool is_in_range(const torc_elementwise_kernel *kernel)
{
    return torc_operation_get_traits(&kernel->operation).is_supported && is_form(&kernel->a) &&
           is_form(&kernel->b) && torc_type_size(kernel->c_type) > 0 &&
           (unsigned)kernel->accum < TORC_MULTIPLY_COUNT && (unsigned)kernel->old_access <= TORC_ACCESS_ARRAY;
}

static void append_operation(torc_text *to, const torc_operation *operation)
{
    switch (operation->kind) {
    case TORC_APPLY:
        torc_text_append(to, "using operation = torc::apply<function, x_type>;\n");
        break;
    case TORC_APPLY_INDEX:
        torc_text_append(to, "using operation = torc::apply_index<function, x_type>;\n");
        break;
    case TORC_SELECT:
        torc_text_append(to, "using operation = torc::select<function, x_type>;\n");
        break;
    case TORC_EWISE_MULT:
        torc_text_append(to, "using operation = torc::ewise_mult<multiply, x_type, y_type>;\n");
        break;
    case TORC_EWISE_ADD:
        torc_text_append(to, "using operation = torc::ewise_add<multiply, x_type, y_type, z_type>;\n");
        break;
    case TORC_EWISE_UNION:
        torc_text_append(to, "using operation = torc::ewise_union<multiply, x_type, y_type>;\n");
        break;
    }
}

/* T is A's, where the operation selects. */
static torc_type type_of_t(const torc_elementwise_kernel *kernel, const torc_operation_traits *traits)
{
    return kernel->operation.kind == TORC_SELECT ? kernel->a.type : traits->z_type;
}

/* A user-defined operator with the names that the kernel's types have: T of a selection is A's, and an
 * operator of one value has no y. */
static torc_definition named(const torc_elementwise_kernel *kernel)
{
    torc_definition definition = *kernel->operation.definition;
    bool selects_opaque = kernel->operation.kind == TORC_SELECT && kernel->a.type > TORC_OPAQUE;
    definition.z.name = selects_opaque ? definition.x.name : definition.z.name;
    definition.y.name = kernel->operation.kind == TORC_APPLY ? definition.x.name : definition.y.name;
    return definition;
}

/* An opaque value goes where one of the same type is, so that its name in the source will do; what is only
 * moved needs none. */
static void append_types(torc_text *to, const torc_elementwise_kernel *kernel)
{
    torc_operation_traits traits = torc_operation_get_traits(&kernel->operation);
    torc_semiring semiring = semiring_of(&kernel->operation), types = semiring;
    torc_definition definition;
    if (semiring.definition) {
        definition = named(kernel);
        types.definition = &definition;
    }
    torc_text_append_source(to, semiring);
    torc_text_append_types(to, types,
        (torc_traits){
            .x_type = traits.x_type, .y_type = traits.y_type, .z_type = type_of_t(kernel, &traits)});
    if (kernel->c_type > TORC_OPAQUE) {
        torc_text_append(to, "using c_type = z_type;\n");
    } else {
        torc_text_append_type(to, "c_type", kernel->c_type, NULL);
    }
    if (kernel->operation.kind >= TORC_EWISE_MULT) {
        torc_text_append_multiply(to, semiring);
    } else {
        append_function(to, &kernel->operation);
    }
}

static void append_operand(torc_text *to, const char *name, const char *alias, const torc_operand_form *form)
{
    torc_text_append(to, "using %s = torc::dense_operand<%s, %s, %d, %d>;\n", name,
        torc_text_stored(alias, form->type), torc_text_access(form->access), form->is_bitmap,
        form->has_lists);
}

/* Vectors of a thread on their way at once: four, of up to 16 elements together; one, where they are wider
 * than the 16 bytes that an instruction moves. */
int torc_elementwise_vectors(const torc_elementwise_kernel *kernel)
{
    size_t widest = torc_type_size(kernel->c_type), a = torc_type_size(kernel->a.type),
           b = torc_type_size(kernel->b.type);
    widest = a > widest ? a : widest;
    widest = b > widest ? b : widest;
    return widest * (size_t)kernel->vector > 16 ? 1 : kernel->vector <= 4 ? 4 : 16 / kernel->vector;
}

torc_status torc_elementwise_source(char source[TORC_SOURCE_SIZE], const void *description)
{
    const torc_elementwise_kernel *kernel = description;
    if (!is_in_range(kernel) || !torc_text_has_source(semiring_of(&kernel->operation))) {
        return TORC_UNSUPPORTED;
    }
    torc_text to = {.characters = source, .is_whole = true};
    bool is_select = kernel->operation.kind == TORC_SELECT;
    torc_text_append(&to, "#include \"elementwise.cuh\"\n");
    append_types(&to, kernel);
    append_operation(&to, &kernel->operation);
    append_operand(&to, "operand_a", is_select ? "z_type" : "x_type", &kernel->a);
    append_operand(&to, "operand_b", "y_type", &kernel->b);
    torc_text_append(&to,
        "using update = torc::update<c_type, %s, torc::%s<c_type>, %d, %d, %d, %s>;\n"
        "static_assert(sizeof(torc_elementwise_args) == %zu, \"host and kernel disagree\");\n"
        "using kernel = torc::elementwise_kernel<operation, operand_a, operand_b, c_type, update, %d, %d, "
        "%d>;\n"
        "extern \"C\" __global__ void __launch_bounds__(TORC_BLOCK_THREADS, 1)\n" TORC_ELEMENTWISE_MAIN
        "(const __grid_constant__ torc_elementwise_args args)\n"
        "{\n"
        "    kernel::main(args);\n"
        "}\n",
        torc_text_stored("c_type", kernel->c_type), torc_multiply_name(kernel->accum), kernel->has_accum,
        kernel->has_mask, kernel->c_is_bitmap, torc_text_access(kernel->old_access),
        sizeof(torc_elementwise_args), kernel->is_flat, kernel->vector, torc_elementwise_vectors(kernel));
    return to.is_whole ? TORC_SUCCESS : TORC_UNSUPPORTED;
}
