#include "kernel_source.h"
#include "source_text.h"

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

/* A row split of plain products of values of at most 4 bytes, in several lanes of 4 columns. To divide takes
 * registers, and so do places. */
static bool is_light(const torc_spmm_kernel *kernel)
{
    const torc_family_facts *family = &torc_families[kernel->family];
    int across = family->is_uniform ? kernel->ways : kernel->shape.lanes;
    torc_traits traits = torc_semiring_traits(kernel->semiring);
    torc_multiply multiply = kernel->semiring.multiply;
    bool is_plain = !kernel->b_is_bitmap && !kernel->c_is_bitmap && !kernel->has_mask && !kernel->has_accum;
    bool is_easy = !traits.is_positional && multiply != TORC_DIV && multiply != TORC_RDIV;
    return is_plain && is_easy && torc_type_size(traits.x_type) <= 4 && torc_type_size(traits.y_type) <= 4 &&
           torc_type_size(traits.z_type) <= 4 && family->cut == TORC_CUT_SEGMENTS && across > 1 &&
           kernel->shape.vector == 4;
}

/* Blocks that shall fit on a multiprocessor. At least one, said in so many words: left to itself, ptxas
 * spills a few registers to fit one block more. Row caching of real numbers fits 6 without: on an H200, fp32,
 * rows of 3 at N = 64 take 10 % less than with 5. So do others of few registers: N = 16, R-MAT of scale 20
 * takes 12 % less, rows of 3 10 % less, rows of 16 of a uniform matrix 4 % more. An accumulator needs a few
 * registers more than there are then, and so does a mask. Slices of a bitmap B, up to two columns a thread,
 * no accumulator and no values of A, fit 4, others 3: fp64, a frontier on R-MAT takes 10 to
 * 12 % less (bench/results/2026-11-21-h200-masks.txt). */
static int blocks_wanted(const torc_spmm_kernel *kernel)
{
    torc_semiring semiring = kernel->semiring;
    bool is_real = !kernel->is_packed && semiring.type < TORC_FC32 && !semiring.definition;
    if (kernel->b_is_bitmap) {
        bool is_easy =
            kernel->shape.vector <= 2 && kernel->a_access != TORC_ACCESS_ARRAY && !kernel->has_accum;
        return !is_real || torc_families[kernel->family].cut == TORC_CUT_SEGMENTS ? 1 : is_easy ? 4 : 3;
    }
    if (kernel->family == TORC_BRICKS) { /* as many as find registers for two bricks and their sums */
        size_t bytes = (size_t)kernel->shape.vector * torc_type_size(semiring.type);
        return bytes == 16 ? 3 : bytes == 8 ? 5 : 8;
    }
    bool is_small = is_real && !kernel->has_accum && !kernel->has_mask;
    return is_small && (kernel->family == TORC_CACHED_ROWS || is_light(kernel)) ? 6 : 1;
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
    torc_text_append(&to,
        "struct product {\n"
        "    using Monoid = monoid;\n"
        "    using Multiply = multiply;\n"
        "    using A = operand_a;\n"
        "    using B = operand_b;\n"
        "    using Presence = presence;\n"
        "    using Update = update;\n"
        "    using Offset = %s;\n"
        "};\n"
        "using kernel = torc::spmm_kernel<product, torc::%s<%d, %d, %d>>;\n"
        "static_assert(sizeof(torc_spmm_args) == %zu && kernel::BLOCK == %d, \"host and kernel disagree\");\n"
        "extern \"C\" __global__ void __launch_bounds__(kernel::BLOCK, torc::blocks_that_fit(kernel::BLOCK, "
        "%d))\n" TORC_SPMM_MAIN "(const __grid_constant__ torc_spmm_args args)\n"
        "{\n"
        "    kernel::main(args);\n"
        "}\n"
        "extern \"C\" __global__ void __launch_bounds__(TORC_BLOCK_THREADS, 1)\n" TORC_SPMM_COMBINE
        "(const __grid_constant__ torc_spmm_args args)\n"
        "{\n"
        "    kernel::combine(args);\n"
        "}\n",
        kernel->wide_offsets ? "uint64_t" : "uint32_t", family->policy, kernel->shape.lanes,
        kernel->shape.vector, kernel->number, sizeof(torc_spmm_args), family->threads, blocks_wanted(kernel));
    return to.is_whole ? TORC_SUCCESS : TORC_UNSUPPORTED;
}
