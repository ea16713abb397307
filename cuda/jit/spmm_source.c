#include "kernel_source.h"
#include <stdarg.h>
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

/* The text under construction; it stays within its room, and says when it would not. */
typedef struct text {
    char *characters;
    size_t length;
    bool is_whole;
} text;

__attribute__((format(printf, 2, 3))) static void append(text *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t room = TORC_SOURCE_SIZE - to->length;
    int length = vsnprintf(to->characters + to->length, room, format, arguments);
    va_end(arguments);
    to->is_whole = to->is_whole && length >= 0 && (size_t)length < room;
    to->length += to->is_whole ? (size_t)length : 0;
}

static bool is_in_range(const torc_spmm_kernel *kernel)
{
    return torc_semiring_traits(kernel->semiring).is_supported && torc_type_size(kernel->a_type) > 0 &&
           torc_type_size(kernel->b_type) > 0 && (unsigned)kernel->a_access <= TORC_ACCESS_ARRAY &&
           (unsigned)kernel->b_access <= TORC_ACCESS_ARRAY && (unsigned)kernel->accum < TORC_MULTIPLY_COUNT &&
           (unsigned)kernel->old_access <= TORC_ACCESS_ARRAY;
}

static bool has_source(torc_semiring semiring)
{
    const torc_definition *definition = semiring.definition;
    return (semiring.add != TORC_USER_MONOID || (definition->source && definition->add)) &&
           (semiring.multiply != TORC_USER || (definition->source && definition->multiply));
}

/* using `alias` = the type, with a check that the kernel means the same by it. */
static void append_type(text *to, const char *alias, torc_type type, const char *user_name)
{
    if (type > TORC_OPAQUE) {
        append(to, "using %s = torc_c::user::%s;\n", alias, user_name);
    } else {
        append(to, "using %s = %s;\n", alias, types[type].computed);
    }
    append(
        to, "static_assert(sizeof(%s) == %zu, \"host and kernel disagree\");\n", alias, torc_type_size(type));
}

static void append_call(text *to, const char *name, const char *function)
{
    append(to,
        "struct %s {\n"
        "    template <class Z, class X, class Y>\n"
        "    static __device__ void call(Z *z, X *x, Y *y)\n"
        "    {\n"
        "        torc_c::user::%s(z, x, y);\n"
        "    }\n"
        "};\n",
        name, function);
}

static void append_identity(text *to, const unsigned char *identity, size_t size)
{
    append(to, "struct user_identity {\n"
               "    static __device__ z_type value()\n"
               "    {\n"
               "        const unsigned char bytes[sizeof(z_type)] = {");
    for (size_t i = 0; identity && i < size; i++) {
        append(to, "%d,", identity[i]);
    }
    append(to, "};\n"
               "        z_type z;\n"
               "        memcpy(&z, bytes, sizeof z);\n"
               "        return z;\n"
               "    }\n"
               "};\n");
}

static void append_monoid(text *to, torc_semiring semiring, torc_type z_type)
{
    if (semiring.add == TORC_USER_MONOID) {
        append_call(to, "user_add", semiring.definition->add);
        append_identity(to, semiring.definition->identity, torc_type_size(z_type));
        append(to, "using monoid = torc::user_monoid<z_type, user_add, user_identity>;\n");
    } else {
        append(to, "using monoid = torc::%s_monoid<z_type>;\n", torc_monoid_name(semiring.add));
    }
}

static void append_multiply(text *to, torc_semiring semiring)
{
    if (semiring.multiply == TORC_USER) {
        append_call(to, "user_function", semiring.definition->multiply);
        append(to, "using multiply = torc::user_multiply<x_type, y_type, z_type, user_function, %s>;\n",
            semiring.is_flipped ? "true" : "false");
    } else {
        append(to, "using multiply = torc::%s<x_type>;\n", torc_multiply_name(semiring.multiply));
    }
}

static void append_types(text *to, const torc_spmm_kernel *kernel)
{
    static const torc_definition none;
    torc_semiring semiring = kernel->semiring;
    torc_traits traits = torc_semiring_traits(semiring);
    const torc_definition *definition = semiring.definition ? semiring.definition : &none;
    if (kernel->is_packed) {
        append(to, "using x_type = torc::bits;\nusing y_type = torc::bits;\nusing z_type = torc::bits;\n");
        return;
    }
    append_type(to, "x_type", traits.x_type, semiring.is_flipped ? definition->y.name : definition->x.name);
    append_type(to, "y_type", traits.y_type, semiring.is_flipped ? definition->x.name : definition->y.name);
    append_type(to, "z_type", traits.z_type, definition->z.name);
}

static void append_semiring(text *to, const torc_spmm_kernel *kernel)
{
    torc_semiring semiring = kernel->semiring;
    if (semiring.add == TORC_USER_MONOID || semiring.multiply == TORC_USER) {
        append(to, "#include \"user_operators.cuh\"\nnamespace torc_c::user\n{\n%s\n}\n",
            semiring.definition->source);
    }
    append_types(to, kernel);
    append_monoid(to, semiring, torc_semiring_traits(semiring).z_type);
    append_multiply(to, semiring);
}

/* What values of x_type, y_type or z_type, `computed`, are stored as. */
static const char *stored_as(const char *computed, torc_type stored, bool is_packed)
{
    return is_packed || stored > TORC_OPAQUE ? computed : types[stored].stored;
}

static void append_operands(text *to, const torc_spmm_kernel *kernel, int vector)
{
    const char *pitch = kernel->wide_pitch ? "uint64_t" : "uint32_t";
    append(to,
        "using operand_a = torc::operand<x_type, %s, %s, 1>;\n"
        "using operand_b = torc::operand<y_type, %s, %s, %d, %s>;\n"
        "using presence = torc::operand<bool, torc::boolean, %s, %d, %s>;\n",
        stored_as("x_type", kernel->a_type, false), accesses[kernel->a_access],
        stored_as("y_type", kernel->b_type, kernel->is_packed), accesses[kernel->b_access], vector, pitch,
        accesses[kernel->b_is_bitmap ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE], vector, pitch);
}

static void append_update(text *to, const torc_spmm_kernel *kernel)
{
    torc_type z_type = torc_semiring_traits(kernel->semiring).z_type;
    append(to, "using update = torc::update<z_type, %s, torc::%s<z_type>, %d, %d, %d, %s>;\n",
        stored_as("z_type", z_type, kernel->is_packed), torc_multiply_name(kernel->accum), kernel->has_accum,
        kernel->has_mask, kernel->c_is_bitmap, accesses[kernel->old_access]);
}

/* A row split of plain products of values of at most 4 bytes, in several lanes of 4 columns. To divide takes
 * registers, and so do places. */
static bool is_light(const torc_spmm_kernel *kernel)
{
    torc_traits traits = torc_semiring_traits(kernel->semiring);
    torc_multiply multiply = kernel->semiring.multiply;
    bool is_plain = !kernel->b_is_bitmap && !kernel->c_is_bitmap && !kernel->has_mask && !kernel->has_accum;
    bool is_easy = !traits.is_positional && multiply != TORC_DIV && multiply != TORC_RDIV;
    return is_plain && is_easy && torc_type_size(traits.x_type) <= 4 && torc_type_size(traits.y_type) <= 4 &&
           torc_type_size(traits.z_type) <= 4 && kernel->split == TORC_SPLIT_ROWS &&
           kernel->shape.lanes > 1 && kernel->shape.vector == 4;
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
        return !is_real || kernel->split == TORC_SPLIT_ROWS ? 1 : is_easy ? 4 : 3;
    }
    bool is_small = is_real && !kernel->has_accum && !kernel->has_mask;
    return is_small && (kernel->caches_rows || is_light(kernel)) ? 6 : 1;
}

torc_status torc_spmm_source(char source[TORC_SOURCE_SIZE], const void *description)
{
    const torc_spmm_kernel *kernel = description;
    if (!is_in_range(kernel) || !has_source(kernel->semiring)) {
        return TORC_UNSUPPORTED;
    }
    /* The threads of a uniform kernel's group share one column. */
    torc_shape shape = kernel->is_uniform ? (torc_shape){1, 1} : kernel->shape;
    int ways = kernel->is_uniform ? kernel->shape.lanes : kernel->ways > 0 ? kernel->ways : 1;
    text to = {.characters = source, .is_whole = true};
    append(&to, "#include \"spmm_kernel.cuh\"\n");
    append_semiring(&to, kernel);
    append_operands(&to, kernel, shape.vector);
    append_update(&to, kernel);
    append(&to,
        "static_assert(sizeof(torc_spmm_args) == %zu, \"host and kernel disagree\");\n"
        "using kernel =\n"
        "    torc::spmm_kernel<monoid, multiply, operand_a, operand_b, presence, update, %s, %d, %d, %d, "
        "%d, %d, %d, %d, %d, %d, %d>;\n"
        "extern \"C\" __global__ void __launch_bounds__(kernel::BLOCK, %d)\n" TORC_SPMM_MAIN
        "(const __grid_constant__ torc_spmm_args args)\n"
        "{\n"
        "    kernel::main(args);\n"
        "}\n"
        "extern \"C\" __global__ void __launch_bounds__(TORC_BLOCK_THREADS, 1)\n" TORC_SPMM_COMBINE
        "(const __grid_constant__ torc_spmm_args args)\n"
        "{\n"
        "    kernel::combine(args);\n"
        "}\n",
        sizeof(torc_spmm_args), kernel->wide_offsets ? "uint64_t" : "uint32_t", shape.lanes, shape.vector,
        ways, kernel->is_uniform ? kernel->shape.vector : 0, kernel->split == TORC_SPLIT_NONZEROS,
        kernel->split == TORC_SPLIT_PANELS, kernel->caches_rows, kernel->streams,
        kernel->split == TORC_SPLIT_TILES, kernel->split == TORC_SPLIT_BUNDLES, blocks_wanted(kernel));
    return to.is_whole ? TORC_SUCCESS : TORC_UNSUPPORTED;
}
