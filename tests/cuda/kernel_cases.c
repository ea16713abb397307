#include "kernel_cases.h"
#include <stdio.h>
#include <stdlib.h>

enum { MAX_CASES = 4000, MAX_LANES_LOG = 5, MAX_VECTOR_LOG = 2, VECTOR_BYTES = 16 };

static void add_case(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    size_t b_bytes = torc_type_size(kernel.b_type) * (size_t)kernel.shape.vector;
    size_t c_bytes =
        torc_type_size(torc_semiring_traits(kernel.semiring).z_type) * (size_t)kernel.shape.vector;
    if (b_bytes > VECTOR_BYTES || c_bytes > VECTOR_BYTES || cases->count == MAX_CASES) {
        return; /* the engine never asks for such a shape */
    }
    cases->kernels[cases->count++] = kernel;
}

static torc_spmm_kernel plain_kernel(torc_semiring semiring)
{
    torc_traits traits = torc_semiring_traits(semiring);
    return (torc_spmm_kernel){
        .semiring = semiring,
        .a_type = semiring.type,
        .b_type = semiring.type,
        .a_access = traits.reads_a ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE,
        .b_access = traits.reads_b ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE,
        .shape = {8, 1},
    };
}

/* What every other operator meets. */
static bool is_chosen(torc_semiring semiring)
{
    torc_type z_type = torc_semiring_traits(semiring).z_type;
    bool is_complex = z_type == TORC_FC32 || z_type == TORC_FC64;
    torc_monoid add = z_type == TORC_BOOL ? TORC_LXOR_MONOID
                      : is_complex        ? TORC_PLUS_MONOID
                                          : TORC_MIN_MONOID;
    torc_multiply multiply = semiring.type == TORC_BOOL ? TORC_LAND : TORC_TIMES;
    return semiring.add == add || semiring.multiply == multiply;
}

static void add_semirings(torc_kernel_cases *cases, bool chosen_only)
{
    int number = 0;
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        for (int multiply = 0; multiply < TORC_MULTIPLY_COUNT; multiply++) {
            for (int add = 0; add < TORC_MONOID_COUNT; add++) {
                torc_semiring semiring = {(torc_monoid)add, (torc_multiply)multiply, (torc_type)type};
                if (torc_semiring_traits(semiring).is_supported && (!chosen_only || is_chosen(semiring))) {
                    torc_spmm_kernel kernel = plain_kernel(semiring);
                    size_t most = VECTOR_BYTES / torc_type_size(semiring.type);
                    int vectors = most >= 4 ? 3 : most >= 2 ? 2 : 1;
                    kernel.shape.lanes = 1 << number % (MAX_LANES_LOG + 1);
                    kernel.shape.vector = 1 << number / 2 % vectors;
                    kernel.wide_offsets = number % 3 == 0;
                    kernel.wide_pitch = number % 5 == 0;
                    add_case(cases, kernel);
                    number++;
                }
            }
        }
    }
}

static const torc_semiring thorough[] = {
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP64},
    {TORC_PLUS_MONOID, TORC_PLUS, TORC_INT32},
    {TORC_LOR_MONOID, TORC_LAND, TORC_BOOL},
    {TORC_ANY_MONOID, TORC_SECOND, TORC_INT64},
    {TORC_LOR_MONOID, TORC_LT, TORC_UINT16},
    {TORC_MAX_MONOID, TORC_SECONDJ1, TORC_INT64},
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FC64},
};

static void add_every_shape(torc_kernel_cases *cases, torc_semiring semiring)
{
    torc_spmm_kernel kernel = plain_kernel(semiring);
    for (int lanes = 0; lanes <= MAX_LANES_LOG; lanes++) {
        for (int vector = 0; vector <= MAX_VECTOR_LOG; vector++) {
            for (int wide = 0; wide < 2; wide++) {
                kernel.shape = (torc_shape){1 << lanes, 1 << vector};
                kernel.wide_offsets = wide;
                add_case(cases, kernel);
            }
        }
    }
}

static void add_every_access(torc_kernel_cases *cases, torc_semiring semiring)
{
    torc_spmm_kernel kernel = plain_kernel(semiring);
    for (int a = TORC_ACCESS_ISO; a <= TORC_ACCESS_ARRAY; a++) {
        for (int b = TORC_ACCESS_ISO; b <= TORC_ACCESS_ARRAY; b++) {
            kernel.a_access = kernel.a_access == TORC_ACCESS_NONE ? TORC_ACCESS_NONE : (torc_access)a;
            kernel.b_access = kernel.b_access == TORC_ACCESS_NONE ? TORC_ACCESS_NONE : (torc_access)b;
            kernel.shape = (torc_shape){16, 2};
            add_case(cases, kernel);
            kernel.shape = (torc_shape){2, 1};
            add_case(cases, kernel);
        }
    }
}

/* Exact whatever the values. */
static torc_semiring semiring_for_casts(torc_type type)
{
    switch (type) {
    case TORC_BOOL:
        return (torc_semiring){TORC_LXOR_MONOID, TORC_LAND, type};
    case TORC_FC32:
    case TORC_FC64:
        return (torc_semiring){TORC_ANY_MONOID, TORC_PLUS, type};
    default:
        return (torc_semiring){TORC_MIN_MONOID, TORC_PLUS, type};
    }
}

static void add_every_cast(torc_kernel_cases *cases)
{
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        for (int stored = 0; stored < TORC_TYPE_COUNT; stored++) {
            torc_spmm_kernel kernel = plain_kernel(semiring_for_casts((torc_type)type));
            kernel.a_type = (torc_type)stored;
            kernel.b_type = (torc_type)((stored + type) % TORC_TYPE_COUNT);
            bool is_wide = torc_type_size(kernel.b_type) == 16 || torc_type_size(kernel.semiring.type) == 16;
            kernel.shape.vector = is_wide ? 1 : 2;
            add_case(cases, kernel);
        }
    }
}

static torc_kernel_cases no_cases(void)
{
    torc_kernel_cases cases = {malloc(MAX_CASES * sizeof *cases.kernels), 0};
    if (!cases.kernels) {
        abort();
    }
    return cases;
}

torc_kernel_cases torc_kernel_cases_of_semirings(void)
{
    torc_kernel_cases cases = no_cases();
    add_semirings(&cases, false);
    return cases;
}

torc_kernel_cases torc_kernel_cases_chosen(void)
{
    torc_kernel_cases cases = no_cases();
    add_semirings(&cases, true);
    for (size_t i = 0; i < sizeof thorough / sizeof thorough[0]; i++) {
        add_every_shape(&cases, thorough[i]);
        add_every_access(&cases, thorough[i]);
    }
    add_every_cast(&cases);
    return cases;
}

void torc_kernel_describe(char text[128], const torc_spmm_kernel *kernel)
{
    static const char *const access[] = {"none", "iso", "array"};
    snprintf(text, 128, "%s_%s %s, A %s %s, B %s %s, %s, %s%s%d, %dx%d",
        torc_monoid_name(kernel->semiring.add), torc_multiply_name(kernel->semiring.multiply),
        torc_type_name(kernel->semiring.type), torc_type_name(kernel->a_type), access[kernel->a_access],
        torc_type_name(kernel->b_type), access[kernel->b_access], kernel->wide_offsets ? "wide" : "narrow",
        torc_families[kernel->family].name, torc_families[kernel->family].suffix, kernel->number,
        kernel->shape.lanes, kernel->shape.vector);
}
