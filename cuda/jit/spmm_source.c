#include "kernel_source.h"
#include "source_text.h"
#include "wanted_blocks.h"

static bool is_in_range(const torc_spmm_kernel *kernel)
{
    return torc_semiring_traits(kernel->semiring).is_supported && torc_type_size(kernel->a_type) > 0 &&
           torc_type_size(kernel->b_type) > 0 && (unsigned)kernel->a_access <= TORC_ACCESS_ARRAY &&
           (unsigned)kernel->b_access <= TORC_ACCESS_ARRAY && (unsigned)kernel->accum < TORC_MULTIPLY_COUNT &&
           (unsigned)kernel->old_access <= TORC_ACCESS_ARRAY;
}

static void append_semiring(torc_text *to, const torc_spmm_kernel *kernel)
{
    torc_semiring semiring = kernel->semiring;
    torc_traits traits = torc_semiring_traits(semiring);
    torc_text_append_source(to, semiring);
    if (kernel->is_packed) {
        torc_text_append(
            to, "using x_type = torc::bits;\nusing y_type = torc::bits;\nusing z_type = torc::bits;\n");
    } else {
        torc_text_append_types(to, semiring, traits);
    }
    torc_text_append_monoid(to, semiring, traits.z_type);
    torc_text_append_multiply(to, semiring);
}

static const char *stored_as(const char *computed, torc_type stored, bool is_packed)
{
    return is_packed ? computed : torc_text_stored(computed, stored);
}

static void append_operands(torc_text *to, const torc_spmm_kernel *kernel, int vector)
{
    const char *pitch = kernel->wide_pitch ? "uint64_t" : "uint32_t";
    torc_text_append(to,
        "using operand_a = torc::operand<x_type, %s, %s, 1>;\n"
        "using operand_b = torc::operand<y_type, %s, %s, %d, %s>;\n"
        "using presence = torc::operand<bool, torc::boolean, %s, %d, %s>;\n",
        stored_as("x_type", kernel->a_type, false), torc_text_access(kernel->a_access),
        stored_as("y_type", kernel->b_type, kernel->is_packed), torc_text_access(kernel->b_access), vector,
        pitch, torc_text_access(kernel->b_is_bitmap ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE), vector, pitch);
}

static void append_update(torc_text *to, const torc_spmm_kernel *kernel)
{
    torc_type z_type = torc_semiring_traits(kernel->semiring).z_type;
    torc_text_append(to, "using update = torc::update<z_type, %s, torc::%s<z_type>, %d, %d, %d, %s>;\n",
        stored_as("z_type", z_type, kernel->is_packed), torc_multiply_name(kernel->accum), kernel->has_accum,
        kernel->has_mask, kernel->c_is_bitmap, torc_text_access(kernel->old_access));
}

/* Its template's arguments: bricks have one more. */
static void append_policy(torc_text *to, const torc_spmm_kernel *kernel)
{
    torc_text_append(to, "using policy = torc::%s<%d, %d, %d", torc_families[kernel->family].policy,
        kernel->shape.lanes, kernel->shape.vector, kernel->number);
    if (kernel->height > 0) {
        torc_text_append(to, ", %d", kernel->height);
    }
    torc_text_append(to, ">;\n");
}

torc_status torc_spmm_source(char source[TORC_SOURCE_SIZE], const void *description)
{
    const torc_spmm_kernel *kernel = description;
    if (!is_in_range(kernel) || !torc_text_has_source(kernel->semiring)) {
        return TORC_UNSUPPORTED;
    }
    const torc_family_facts *family = &torc_families[kernel->family];
    torc_text to = {.characters = source, .is_whole = true};
    torc_text_append(&to, "#include \"spmm_kernel.cuh\"\n#include \"%s\"\n", family->header);
    append_semiring(&to, kernel);
    append_operands(&to, kernel, torc_computed_columns(kernel));
    append_update(&to, kernel);
    append_policy(&to, kernel);
    /* None of these names is likely to be a macro of the user's source, which comes before. */
    torc_text_append(&to,
        "struct product {\n"
        "    using Monoid = monoid;\n"
        "    using Multiply = multiply;\n"
        "    using Sparse = operand_a;\n"
        "    using Dense = operand_b;\n"
        "    using Presence = presence;\n"
        "    using Update = update;\n"
        "    using Offset = %s;\n"
        "};\n"
        "using kernel = torc::spmm_kernel<product, policy>;\n"
        "static_assert(sizeof(torc_spmm_args) == %zu && torc::block_of<kernel>() == %d, \"host and kernel "
        "disagree\");\n"
        "extern \"C\" __global__ void __launch_bounds__(torc::block_of<kernel>(), "
        "torc::blocks_that_fit(torc::block_of<kernel>(), %d))\n" TORC_SPMM_MAIN
        "(const __grid_constant__ torc_spmm_args args)\n"
        "{\n"
        "    kernel::main(args);\n"
        "}\n"
        "extern \"C\" __global__ void __launch_bounds__(TORC_BLOCK_THREADS, 1)\n" TORC_SPMM_COMBINE
        "(const __grid_constant__ torc_spmm_args args)\n"
        "{\n"
        "    kernel::combine(args);\n"
        "}\n",
        kernel->wide_offsets ? "uint64_t" : "uint32_t", sizeof(torc_spmm_args), family->threads,
        torc_wanted_blocks(kernel));
    return to.is_whole ? TORC_SUCCESS : TORC_UNSUPPORTED;
}
