#include "kernel_source.h"
#include <stdio.h>

/* What a value is stored as, and what it is in registers and in C. */
static const struct {
    const char *stored, *computed;
} types[TORC_TYPE_COUNT] = {
    [TORC_BOOL] = {"torc::boolean", "bool"},
    [TORC_INT8] = {"int8_t", "int8_t"},
    [TORC_INT16] = {"int16_t", "int16_t"},
    [TORC_INT32] = {"int32_t", "int32_t"},
    [TORC_INT64] = {"int64_t", "int64_t"},
    [TORC_UINT8] = {"uint8_t", "uint8_t"},
    [TORC_UINT16] = {"uint16_t", "uint16_t"},
    [TORC_UINT32] = {"uint32_t", "uint32_t"},
    [TORC_UINT64] = {"uint64_t", "uint64_t"},
    [TORC_FP32] = {"float", "float"},
    [TORC_FP64] = {"double", "double"},
    [TORC_FC32] = {"torc::complex<float>", "torc::complex<float>"},
    [TORC_FC64] = {"torc::complex<double>", "torc::complex<double>"},
};

static const char *const accesses[] = {
    [TORC_ACCESS_NONE] = "torc::access_none",
    [TORC_ACCESS_ISO] = "torc::access_iso",
    [TORC_ACCESS_ARRAY] = "torc::access_array",
};

static bool is_in_range(const torc_spmm_kernel *kernel)
{
    return (unsigned)kernel->semiring.add < TORC_MONOID_COUNT &&
           (unsigned)kernel->semiring.multiply < TORC_MULTIPLY_COUNT &&
           (unsigned)kernel->semiring.type < TORC_TYPE_COUNT && (unsigned)kernel->a_type < TORC_TYPE_COUNT &&
           (unsigned)kernel->b_type < TORC_TYPE_COUNT && (unsigned)kernel->a_access <= TORC_ACCESS_ARRAY &&
           (unsigned)kernel->b_access <= TORC_ACCESS_ARRAY && (unsigned)kernel->accum < TORC_MULTIPLY_COUNT &&
           (unsigned)kernel->old_access <= TORC_ACCESS_ARRAY;
}

/* At least one block a multiprocessor, said in so many words: left to itself, ptxas spills a few registers to
 * fit one block more. */
torc_status torc_kernel_source(char source[TORC_SOURCE_SIZE], const torc_spmm_kernel *kernel)
{
    if (!is_in_range(kernel)) {
        return TORC_UNSUPPORTED;
    }
    const char *type = types[kernel->semiring.type].computed;
    torc_type z = torc_semiring_traits(kernel->semiring).z_type;
    const char *z_type = types[z].computed;
    const char *b_stored = types[kernel->b_type].stored;
    if (kernel->is_packed) {
        type = z_type = b_stored = "torc::bits";
    }
    /* The threads of a uniform kernel's group share one column. */
    torc_shape shape = kernel->is_uniform ? (torc_shape){1, 1} : kernel->shape;
    int ways = kernel->is_uniform ? kernel->shape.lanes : kernel->ways > 0 ? kernel->ways : 1;
    int length = snprintf(source, TORC_SOURCE_SIZE,
        "#include \"spmm_kernel.cuh\"\n"
        "static_assert(sizeof(torc_spmm_args) == %zu, \"host and kernel disagree\");\n"
        "using monoid = torc::%s_monoid<%s>;\n"
        "using multiply = torc::%s<%s>;\n"
        "using operand_a = torc::operand<%s, %s, %s, 1>;\n"
        "using operand_b = torc::operand<%s, %s, %s, %d>;\n"
        "using presence = torc::operand<bool, torc::boolean, %s, %d>;\n"
        "using update = torc::update<%s, %s, torc::%s<%s>, %d, %d, %d, %s>;\n"
        "using kernel =\n"
        "    torc::spmm_kernel<monoid, multiply, operand_a, operand_b, presence, update, %s, %d, %d, %d, "
        "%d>;\n"
        "extern \"C\" __global__ void __launch_bounds__(TORC_BLOCK_THREADS, 1)\n" TORC_SPMM_MAIN
        "(const __grid_constant__ torc_spmm_args args)\n"
        "{\n"
        "    kernel::main(args);\n"
        "}\n"
        "extern \"C\" __global__ void __launch_bounds__(TORC_BLOCK_THREADS)\n" TORC_SPMM_COMBINE
        "(const __grid_constant__ torc_spmm_args args)\n"
        "{\n"
        "    kernel::combine(args);\n"
        "}\n",
        sizeof(torc_spmm_args), torc_monoid_name(kernel->semiring.add), z_type,
        torc_multiply_name(kernel->semiring.multiply), type, type, types[kernel->a_type].stored,
        accesses[kernel->a_access], type, b_stored, accesses[kernel->b_access], shape.vector,
        accesses[kernel->b_is_bitmap ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE], shape.vector, z_type,
        kernel->is_packed ? z_type : types[z].stored, torc_multiply_name(kernel->accum), z_type,
        kernel->has_accum, kernel->has_mask, kernel->c_is_bitmap, accesses[kernel->old_access],
        kernel->wide_offsets ? "uint64_t" : "uint32_t", shape.lanes, shape.vector, ways,
        kernel->is_uniform ? kernel->shape.vector : 0);
    return length < TORC_SOURCE_SIZE ? TORC_SUCCESS : TORC_UNSUPPORTED;
}
