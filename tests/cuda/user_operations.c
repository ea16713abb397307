#include "user_operations.h"
#include <math.h>

typedef uint64_t GrB_Index;

#define BOTH(name, ...)                                                                                      \
    __VA_ARGS__                                                                                              \
    static const char name##_source[] = #__VA_ARGS__;

// clang-format off
BOTH(fold, static void fold (int32_t *z, const double *x) { *z = *x > 1 ? 7 : *x < -1 ? -3 : 0 ; })
BOTH(spread, static void spread (double *z, const float *x, GrB_Index i, GrB_Index j, const int16_t *y)
    { *z = (double) (i + 3 * j) + *y + (*x > 0) ; })
BOTH(keep, static void keep (int32_t *z, const int8_t *x, GrB_Index i, GrB_Index j, const double *y)
    { *z = (i + 2 * j + (*x > 0)) % 3 > (*y > 0) ; })
BOTH(mix, static void mix (int64_t *z, const int32_t *x, const float *y) { *z = 3 * (int64_t) *x + (*y > 1) ; })
BOTH(scale, static void scale (double *z, const double *x, const double *y)
    { *z = ldexp (*x, *y > -2147483649.0 && *y < 2147483648.0 ? (int) *y : -2147483647 - 1) ; })
BOTH(add_wide, typedef struct { uint64_t x [32] ; } wide ;
    static void add_wide (wide *z, const wide *x, const wide *y)
    { for (int k = 0 ; k < 32 ; k++) z->x [k] = x->x [k] + (y->x [k] ^ (uint64_t) k) ; })
// clang-format on

#define TYPES(of_x, of_y, of_z) .x.type = TORC_##of_x, .y.type = TORC_##of_y, .z.type = TORC_##of_z
#define DEFINITION(name, ...)                                                                                \
    static const torc_definition name##_definition = {.source = name##_source, .multiply = #name, __VA_ARGS__}

DEFINITION(fold, TYPES(FP64, FP64, INT32));
DEFINITION(spread, TYPES(FP32, INT16, FP64));
DEFINITION(keep, TYPES(INT8, FP64, INT32));
DEFINITION(mix, TYPES(INT32, FP32, INT64), .multiply_on_host = (torc_function)(void (*)(void))mix);
DEFINITION(scale, TYPES(FP64, FP64, FP64), .multiply_on_host = (torc_function)(void (*)(void))scale);

#define OF_INDEX(of_kind, name)                                                                              \
    {                                                                                                        \
        .kind = of_kind, .index = TORC_INDEX_UNARY_USER, .definition = &name##_definition,                   \
        .index_on_host = (torc_index_unary_function)(void (*)(void))name                                     \
    }
#define OF_TWO(of_kind, flips)                                                                               \
    {                                                                                                        \
        .kind = of_kind, .binary = TORC_USER, .definition = &mix_definition, .is_flipped = flips             \
    }

#define WIDE_TYPE (torc_type)(TORC_OPAQUE + sizeof(wide))
static const torc_definition add_wide_definition = {.source = add_wide_source,
    .add = "add_wide",
    .z = {WIDE_TYPE, "wide"},
    .add_on_host = (torc_function)(void (*)(void))add_wide};

const torc_reduction torc_large_reduction = {TORC_USER_MONOID, WIDE_TYPE, &add_wide_definition};

const torc_operation torc_user_operations[TORC_USER_OPERATIONS] = {
    {.kind = TORC_APPLY,
        .unary = TORC_UNARY_USER,
        .definition = &fold_definition,
        .unary_on_host = (torc_unary_function)(void (*)(void))fold},
    OF_INDEX(TORC_APPLY_INDEX, spread),
    OF_INDEX(TORC_APPLY_INDEX, keep),
    OF_INDEX(TORC_SELECT, keep),
    OF_TWO(TORC_EWISE_MULT, false),
    OF_TWO(TORC_EWISE_ADD, true),
    OF_TWO(TORC_EWISE_UNION, false),
    {.kind = TORC_EWISE_UNION, .binary = TORC_USER, .definition = &scale_definition},
};
