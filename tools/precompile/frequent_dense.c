#include "frequent_dense.h"

enum { VECTOR_BYTES = 16 };

typedef struct taker {
    torc_source_taker *add;
    void *to;
} taker;

/* Of several devices each has parts of lines, which are not flat. */
static void take_vectors(const taker *take, torc_elementwise_kernel kernel, torc_type widest)
{
    char source[TORC_SOURCE_SIZE];
    kernel.vector = VECTOR_BYTES / (int)torc_type_size(widest);
    for (int is_flat = 0; is_flat < (kernel.a.has_lists ? 1 : 2); is_flat++) {
        kernel.is_flat = is_flat;
        if (torc_elementwise_source(source, &kernel) == TORC_SUCCESS) {
            take->add(take->to, source);
        }
    }
}

static void take_elementwise(const taker *take, torc_elementwise_kernel kernel)
{
    take_vectors(take, kernel, kernel.c_type);
}

static torc_operand_form form_of(torc_type type, torc_access access)
{
    return (torc_operand_form){.type = type, .access = access};
}

/* C = f (A, B); of arrays, and of one and a value. */
static void take_binary(const taker *take, torc_multiply binary, torc_type type)
{
    torc_elementwise_kernel kernel = {
        .operation = {.kind = TORC_EWISE_MULT, .binary = binary, .type = type}, .c_type = type};
    for (int ways = 0; ways < 3; ways++) {
        kernel.a = form_of(type, ways == 1 ? TORC_ACCESS_ISO : TORC_ACCESS_ARRAY);
        kernel.b = form_of(type, ways == 2 ? TORC_ACCESS_ISO : TORC_ACCESS_ARRAY);
        take_elementwise(take, kernel);
    }
}

/* C = f (A), or C = accum (C, f (A)), or where a mask allows it. */
static void take_unary(const taker *take, torc_unary unary, torc_access access, torc_type type, bool has_mask,
    bool has_accum, torc_multiply accum)
{
    take_elementwise(take, (torc_elementwise_kernel){
                               .operation = {.kind = TORC_APPLY, .unary = unary, .type = type},
                               .a = form_of(type, access),
                               .b = form_of(type, TORC_ACCESS_NONE),
                               .c_type = type,
                               .has_mask = has_mask,
                               .has_accum = has_accum,
                               .accum = accum,
                               .old_access = has_mask || has_accum ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE,
                           });
}

static void take_elementwise_on(const taker *take, torc_type type)
{
    static const torc_multiply binaries[] = {TORC_PLUS, TORC_MINUS, TORC_TIMES, TORC_DIV, TORC_MIN, TORC_MAX};
    static const torc_unary unaries[] = {
        TORC_UNARY_IDENTITY, TORC_UNARY_ABS, TORC_UNARY_AINV, TORC_UNARY_MINV, TORC_UNARY_SQRT};
    static const torc_multiply accums[] = {TORC_PLUS, TORC_MINUS, TORC_MIN, TORC_MAX};
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        take_binary(take, binaries[i], type);
    }
    for (size_t i = 0; i < sizeof unaries / sizeof *unaries; i++) {
        take_unary(take, unaries[i], TORC_ACCESS_ARRAY, type, false, false, TORC_FIRST);
    }
    for (size_t i = 0; i < sizeof accums / sizeof *accums; i++) {
        take_unary(take, TORC_UNARY_IDENTITY, TORC_ACCESS_ARRAY, type, false, true, accums[i]);
    }
    for (int has_mask = 0; has_mask < 2; has_mask++) { /* assigned: a value everywhere, or under a mask */
        take_unary(take, TORC_UNARY_IDENTITY, TORC_ACCESS_ISO, type, has_mask, false, TORC_FIRST);
    }
}

static void take_reduction(const taker *take, torc_monoid monoid, torc_type type, bool is_across)
{
    char source[TORC_SOURCE_SIZE];
    torc_reduce_kernel kernel = {.reduction = {monoid, type, NULL},
        .a_type = type,
        .a_access = TORC_ACCESS_ARRAY,
        .is_across = is_across};
    if (torc_reduce_source(source, &kernel) == TORC_SUCCESS) {
        take->add(take->to, source);
    }
}

static void take_reductions_on(const taker *take, torc_type type)
{
    static const torc_monoid monoids[] = {TORC_PLUS_MONOID, TORC_MIN_MONOID, TORC_MAX_MONOID};
    for (size_t i = 0; i < sizeof monoids / sizeof *monoids; i++) {
        for (int is_across = 0; is_across < 2; is_across++) {
            take_reduction(take, monoids[i], type, is_across);
        }
    }
}

/* A round of FastSV: parents hooked to smaller ones, grandparents gathered by a list, and whether they are
 * the same as before. */
static void take_parents(const taker *take, torc_type type)
{
    torc_operand_form parents = form_of(type, TORC_ACCESS_ARRAY), grandparents = parents;
    grandparents.has_lists = true;
    take_elementwise(take, (torc_elementwise_kernel){
                               .operation = {.kind = TORC_EWISE_MULT, .binary = TORC_MIN, .type = type},
                               .a = parents,
                               .b = parents,
                               .c_type = type,
                               .has_accum = true,
                               .accum = TORC_MIN,
                               .old_access = TORC_ACCESS_ARRAY,
                           });
    take_elementwise(take, (torc_elementwise_kernel){
                               .operation = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type},
                               .a = grandparents,
                               .b = form_of(type, TORC_ACCESS_NONE),
                               .c_type = type,
                           });
    torc_elementwise_kernel is_same = {
        .operation = {.kind = TORC_EWISE_MULT, .binary = TORC_EQ, .type = type},
        .a = parents,
        .b = parents,
        .c_type = TORC_BOOL,
    };
    take_vectors(take, is_same, type);
}

static torc_operand_form bitmap_of(torc_type type, torc_access access)
{
    return (torc_operand_form){.type = type, .access = access, .is_bitmap = true};
}

/* What the searches assign where a mask allows it: a level everywhere, or what is there of A; C has a bitmap.
 * The first time C is empty, or of one value. */
static void take_masked(const taker *take, torc_type type)
{
    for (torc_access old = TORC_ACCESS_NONE; old <= TORC_ACCESS_ARRAY; old++) {
        torc_elementwise_kernel kernel = {
            .operation = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type},
            .a = form_of(type, TORC_ACCESS_ISO),
            .b = form_of(type, TORC_ACCESS_NONE),
            .c_type = type,
            .c_is_bitmap = true,
            .has_mask = true,
            .old_access = old,
        };
        take_elementwise(take, kernel);
        kernel.a = bitmap_of(type, TORC_ACCESS_ARRAY);
        take_elementwise(take, kernel);
    }
}

/* Betweenness centrality: C += A where A is, C<M> = A / B where B is, and C += A * B where both are. */
static void take_dependencies(const taker *take, torc_type type)
{
    torc_operand_form a = bitmap_of(type, TORC_ACCESS_ARRAY), none = form_of(type, TORC_ACCESS_NONE);
    for (torc_access old = TORC_ACCESS_ISO; old <= TORC_ACCESS_ARRAY; old++) {
        torc_elementwise_kernel kernel = {
            .operation = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type},
            .a = a,
            .b = none,
            .c_type = type,
            .c_is_bitmap = true,
            .has_accum = true,
            .accum = TORC_PLUS,
            .old_access = old,
        };
        take_elementwise(take, kernel);
        kernel.operation = (torc_operation){.kind = TORC_EWISE_MULT, .binary = TORC_TIMES, .type = type};
        kernel.b = a;
        kernel.c_is_bitmap = false;
        take_elementwise(take, kernel);
        kernel.operation.binary = TORC_DIV;
        kernel.a = form_of(type, old);
        kernel.c_is_bitmap = kernel.has_mask = true;
        kernel.has_accum = false;
        kernel.accum = TORC_FIRST;
        kernel.old_access = TORC_ACCESS_NONE;
        take_elementwise(take, kernel);
    }
}

/* PageRank of one vector: d = max (degree / damping, 1 / damping), degrees being int64, and the first C -= A,
 * of one value. Shortest paths: which have become shorter. */
static void take_first_steps(const taker *take, torc_type type)
{
    torc_elementwise_kernel kernel = {
        .operation = {.kind = TORC_EWISE_MULT, .binary = TORC_DIV, .type = type},
        .a = bitmap_of(TORC_INT64, TORC_ACCESS_ARRAY),
        .b = form_of(type, TORC_ACCESS_ISO),
        .c_type = type,
        .c_is_bitmap = true,
    };
    take_vectors(take, kernel, TORC_INT64);
    kernel.operation = (torc_operation){.kind = TORC_EWISE_ADD, .binary = TORC_MAX, .type = type};
    kernel.a = form_of(type, TORC_ACCESS_ISO);
    kernel.b = bitmap_of(type, TORC_ACCESS_ARRAY);
    kernel.c_is_bitmap = false;
    take_elementwise(take, kernel);
    kernel.operation = (torc_operation){.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    kernel.a = form_of(type, TORC_ACCESS_ARRAY);
    kernel.b = form_of(type, TORC_ACCESS_NONE);
    kernel.has_accum = true;
    kernel.accum = TORC_MINUS;
    kernel.old_access = TORC_ACCESS_ISO;
    take_elementwise(take, kernel);
    kernel.accum = TORC_PLUS;
    take_elementwise(take, kernel);
    torc_elementwise_kernel is_less = {
        .operation = {.kind = TORC_EWISE_MULT, .binary = TORC_LT, .type = type},
        .a = kernel.a,
        .b = kernel.a,
        .c_type = TORC_BOOL,
    };
    take_vectors(take, is_less, type);
}

/* Labels that are known, assigned again where they are: C<A> = A, where C had all, or one value. And a vector
 * to which degrees are added. */
static void take_labels(const taker *take, torc_type type)
{
    torc_elementwise_kernel kernel = {
        .operation = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type},
        .a = bitmap_of(type, TORC_ACCESS_ARRAY),
        .b = form_of(type, TORC_ACCESS_NONE),
        .c_type = type,
        .has_mask = true,
    };
    for (kernel.old_access = TORC_ACCESS_ISO; kernel.old_access <= TORC_ACCESS_ARRAY; kernel.old_access++) {
        take_elementwise(take, kernel);
    }
    kernel = (torc_elementwise_kernel){
        .operation = {.kind = TORC_EWISE_ADD, .binary = TORC_PLUS, .type = type},
        .a = form_of(type, TORC_ACCESS_ARRAY),
        .b = bitmap_of(TORC_INT64, TORC_ACCESS_ARRAY),
        .c_type = type,
    };
    take_vectors(take, kernel, TORC_INT64);
}

/* C = A, read as FP64. */
static void take_cast(const taker *take, torc_type type)
{
    take_elementwise(take, (torc_elementwise_kernel){
                               .operation = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type},
                               .a = form_of(type, TORC_ACCESS_ARRAY),
                               .b = form_of(type, TORC_ACCESS_NONE),
                               .c_type = TORC_FP64,
                           });
}

/* A frontier's pattern, as betweenness centrality keeps it. */
static void take_pattern(const taker *take)
{
    take_elementwise(take, (torc_elementwise_kernel){
                               .operation = {.kind = TORC_APPLY, .unary = TORC_UNARY_ONE, .type = TORC_BOOL},
                               .a = bitmap_of(TORC_BOOL, TORC_ACCESS_NONE),
                               .b = form_of(TORC_BOOL, TORC_ACCESS_NONE),
                               .c_type = TORC_BOOL,
                               .c_is_bitmap = true,
                           });
}

void torc_frequent_dense(torc_source_taker *add, void *to)
{
    const taker take = {add, to};
    for (torc_type type = TORC_FP32; type <= TORC_FP64; type++) {
        take_elementwise_on(&take, type);
        take_reductions_on(&take, type);
        take_masked(&take, type);
        take_dependencies(&take, type);
        take_first_steps(&take, type);
        take_labels(&take, type);
    }
    take_masked(&take, TORC_INT32);
    take_masked(&take, TORC_INT64);
    take_parents(&take, TORC_UINT32);
    take_parents(&take, TORC_UINT64);
    take_reduction(&take, TORC_LAND_MONOID, TORC_BOOL, false);
    take_reduction(&take, TORC_LOR_MONOID, TORC_BOOL, false);
    take_cast(&take, TORC_UINT32);
    take_cast(&take, TORC_UINT64);
    take_cast(&take, TORC_FP32);
    take_pattern(&take);
}
