/* user_operators.c: see user_operators.h. Each text is compiled here, and is source for the device. */
#include "user_operators.h"
#include "operators.h"
#include "require.h"
#include <math.h>
#include <string.h>

/* ---- Functions ---------------------------------------------------------------------------------------- */

#define C_BOOL bool
#define C_INT8 int8_t
#define C_INT16 int16_t
#define C_INT32 int32_t
#define C_INT64 int64_t
#define C_UINT8 uint8_t
#define C_UINT16 uint16_t
#define C_UINT32 uint32_t
#define C_UINT64 uint64_t
#define C_FP32 float
#define C_FP64 double
#define C_FC32 GxB_FC32_t
#define C_FC64 GxB_FC64_t
#define C_UDT value_path

/* X(name, type of z, of x, of y, what is done). Those of one type that are monoids too are named below. */
#define BINARY_OPERATORS(X)                                                                                  \
    X(mix, BOOL, BOOL, BOOL, *z = x && !y)                                                                   \
    X(mix, INT16, INT16, INT16, *z = 3 * x - y)                                                              \
    X(mix, INT32, INT32, INT32, *z = 3 * (uint32_t)x - (uint32_t)y)                                          \
    X(mix, INT64, INT64, INT64, *z = 3 * (uint64_t)x - (uint64_t)y)                                          \
    X(mix, UINT8, UINT8, UINT8, *z = 3 * x - y)                                                              \
    X(mix, FP32, FP32, FP32, *z = 3 * x - y)                                                                 \
    X(mix, FP64, FP64, FP64, *z = 3 * x - y)                                                                 \
    X(mix, FC64, FC64, FC64, *z = 3 * x - y)                                                                 \
    X(later, INT8, INT8, INT8, *z = x > y ? x : y)                                                           \
    X(later, INT32, INT32, INT32, *z = x > y ? x : y)                                                        \
    X(later, UINT16, UINT16, UINT16, *z = x > y ? x : y)                                                     \
    X(later, FP32, FP32, FP32, *z = x > y ? x : y)                                                           \
    X(later, FP64, FP64, FP64, *z = x > y ? x : y)                                                           \
    X(join, BOOL, BOOL, BOOL, *z = x || y)                                                                   \
    X(join, INT32, INT32, INT32, *z = x | y)                                                                 \
    X(join, INT64, INT64, INT64, *z = x | y)                                                                 \
    X(total, INT16, INT16, INT16, *z = x + y)                                                                \
    X(total, UINT32, UINT32, UINT32, *z = x + y)                                                             \
    X(total, INT64, INT64, INT64, *z = (uint64_t)x + (uint64_t)y)                                            \
    X(rank, INT64, FP32, INT8, *z = (x > 1) + 3 * y)                                                         \
    X(nearer, BOOL, INT16, FP64, *z = x < y)                                                                 \
    X(widen, FP64, INT32, FP32, *z = x + 2 * (double)y)                                                      \
    X(narrow, INT8, FP64, INT64, *z = x > 1 ? 1 : y < 0 ? -1 : 0)                                            \
    X(choose, FP32, BOOL, UINT16, *z = x ? y : 1)                                                            \
    X(shorter, UDT, UDT, UDT, *z = x.cost < y.cost || (x.cost == y.cost && x.hops <= y.hops) ? x : y)        \
    X(extend, UDT, UDT, FP64, z->cost = x.cost + y; z->hops = x.hops + 1)                                    \
    X(begin, UDT, FP64, INT32, z->cost = x; z->hops = y)                                                     \
    X(cheaper, BOOL, UDT, UDT, *z = x.cost < y.cost)                                                         \
    X(SECOND, UDT, UDT, UDT, (void)x; *z = y)

/* X(name, type of z, of x, what is done) */
#define UNARY_OPERATORS(X)                                                                                   \
    X(turn, BOOL, BOOL, *z = !x)                                                                             \
    X(turn, INT16, INT16, *z = 7 - x)                                                                        \
    X(turn, INT64, INT64, *z = 7 - (uint64_t)x)                                                              \
    X(turn, FP32, FP32, *z = x / 2)                                                                          \
    X(turn, FP64, FP64, *z = x / 2)                                                                          \
    X(turn, FC32, FC32, *z = x + x)                                                                          \
    X(turn, UDT, UDT, z->cost = -x.cost; z->hops = x.hops)                                                   \
    X(fold, INT32, FP64, *z = x > 1 ? 7 : x < -1 ? -3 : 0)                                                   \
    X(unfold, FP64, INT8, *z = x * 0.5)                                                                      \
    X(cost, FP64, UDT, *z = x.cost)

/* X(name, type of z, of x, of y, what is done), where y is the thunk. */
#define INDEX_UNARY_OPERATORS(X)                                                                             \
    X(spread, FP64, FP32, INT16, *z = (double)(i + 3 * j) + y + (x > 0))                                     \
    X(place, INT32, INT32, INT64, *z = (uint32_t)(i + 2 * j + (uint64_t)y + (uint64_t)x))                    \
    X(keep, BOOL, INT8, INT64, *z = (int64_t)(i + 2 * j) + (x > 0) > y)                                      \
    X(keep, BOOL, FP64, BOOL, *z = ((i + j + (x > 1)) % 2 == 1) != y)                                        \
    X(keep, BOOL, UDT, FP32, *z = x.cost + (double)(i + j) > y)                                              \
    X(within, BOOL, UDT, UDT, *z = x.cost + (double)(i + j) <= y.cost)                                       \
    X(near, BOOL, INT32, UDT, *z = x + (double)(i + j) < y.cost)                                             \
    X(reach, FP64, UDT, UDT, *z = x.cost + y.cost + (double)(i + j))

#define DEFINE_BINARY(name, ztype, xtype, ytype, action)                                                     \
    static void name##_##xtype(void *pz, const void *px, const void *py)                                     \
    {                                                                                                        \
        C_##ztype *z = pz;                                                                                   \
        C_##xtype x = *(const C_##xtype *)px;                                                                \
        C_##ytype y = *(const C_##ytype *)py;                                                                \
        action;                                                                                              \
    }
BINARY_OPERATORS(DEFINE_BINARY)

#define DEFINE_UNARY(name, ztype, xtype, action)                                                             \
    static void name##_##xtype(void *pz, const void *px)                                                     \
    {                                                                                                        \
        C_##ztype *z = pz;                                                                                   \
        C_##xtype x = *(const C_##xtype *)px;                                                                \
        action;                                                                                              \
    }
UNARY_OPERATORS(DEFINE_UNARY)

#define DEFINE_INDEX_UNARY(name, ztype, xtype, ytype, action)                                                \
    static void name##_##xtype(void *pz, const void *px, uint64_t i, uint64_t j, const void *py)             \
    {                                                                                                        \
        C_##ztype *z = pz;                                                                                   \
        C_##xtype x = *(const C_##xtype *)px;                                                                \
        C_##ytype y = *(const C_##ytype *)py;                                                                \
        action;                                                                                              \
    }
INDEX_UNARY_OPERATORS(DEFINE_INDEX_UNARY)

/* ---- Operators ---------------------------------------------------------------------------------------- */

typedef struct user_operator {
    user_kind kind;
    const char *names[2], *function_name; /* with source, and bare */
    value_type z, x, y;
    user_function function;
    const char *source;
} user_operator;

#define TEXT(words) TEXT_OF(words)
#define TEXT_OF(words) #words
#define VALUE(type, name) TEXT(C_##type) " " #name " = *p" #name " ; "
#define COMMON(kind, name, ztype, xtype, ytype)                                                              \
    kind, {#name, "BARE_" #name}, #name "_" #xtype, VALUE_##ztype, VALUE_##xtype, VALUE_##ytype,             \
        (user_function)name##_##xtype
#define HEAD(name, ztype, xtype)                                                                             \
    "void " #name "_" #xtype " (" TEXT(C_##ztype) " *z, const " TEXT(C_##xtype) " *px"
#define LAST(ytype) ", const " TEXT(C_##ytype) " *py"
#define DO(action) #action " ; }"

static const user_operator operators[] = {
#define X(name, ztype, xtype, ytype, action)                                                                 \
    {COMMON(USER_BINARY, name, ztype, xtype, ytype),                                                         \
        HEAD(name, ztype, xtype) LAST(ytype) ") { " VALUE(xtype, x) VALUE(ytype, y) DO(action)},
    BINARY_OPERATORS(X)
#undef X
#define X(name, ztype, xtype, action)                                                                        \
    {COMMON(USER_UNARY, name, ztype, xtype, xtype),                                                          \
        HEAD(name, ztype, xtype) ") { " VALUE(xtype, x) DO(action)},
        UNARY_OPERATORS(X)
#undef X
#define X(name, ztype, xtype, ytype, action)                                                                 \
    {COMMON(USER_INDEX_UNARY, name, ztype, xtype, ytype),                                                    \
        HEAD(name, ztype, xtype) ", uint64_t i, uint64_t j" LAST(ytype) ") { " VALUE(xtype, x)               \
            VALUE(ytype, y) DO(action)},
            INDEX_UNARY_OPERATORS(X)
#undef X
};

enum { OPERATORS = sizeof operators / sizeof *operators };

static bool is_named(const user_operator *user, program_operator op, int is_bare)
{
    return op.name && user->x == op.type && strcmp(user->names[is_bare], op.name) == 0;
}

static const user_operator *find(program_operator op)
{
    for (int i = 0; i < OPERATORS; i++) {
        if (is_named(&operators[i], op, false) || is_named(&operators[i], op, true)) {
            return &operators[i];
        }
    }
    return NULL;
}

program_operator torc_user_draw(user_kind kind, uint64_t *stream)
{
    const user_operator *user;
    do {
        user = &operators[random_below(stream, OPERATORS)];
    } while (user->kind != kind);
    return (program_operator){user->names[random_chance(stream, 0.3)], user->x};
}

const char *torc_user_source(program_operator op)
{
    const user_operator *user = find(op);
    return user ? user->source : NULL;
}

bool torc_user_takes_paths(program_operator op)
{
    const user_operator *user = find(op);
    return user && (user->x == VALUE_UDT || user->y == VALUE_UDT || user->z == VALUE_UDT);
}

value_type torc_user_result_type(program_operator op)
{
    const user_operator *user = find(op);
    return user ? user->z : op.type;
}

value_type torc_user_second_type(program_operator op)
{
    const user_operator *user = find(op);
    return user ? user->y : op.type;
}

user_function torc_user_function(const char *name)
{
    for (int i = 0; name && i < OPERATORS; i++) {
        if (strcmp(operators[i].function_name, name) == 0) {
            return operators[i].function;
        }
    }
    return NULL;
}

static void require(GrB_Info info)
{
    TORC_REQUIRE(info == GrB_SUCCESS);
}

/* A bare one has no name either. */
static void *make(const user_operator *user, bool is_bare)
{
    const char *name = is_bare ? NULL : user->function_name, *source = is_bare ? NULL : user->source;
    GrB_Type z = torc_value_handle(user->z), x = torc_value_handle(user->x), y = torc_value_handle(user->y);
    GrB_BinaryOp binary;
    GrB_UnaryOp unary;
    GrB_IndexUnaryOp index;
    switch (user->kind) {
    case USER_BINARY:
        require(GxB_BinaryOp_new(&binary, (GxB_binary_function)user->function, z, x, y, name, source));
        return binary;
    case USER_UNARY:
        require(GxB_UnaryOp_new(&unary, (GxB_unary_function)user->function, z, x, name, source));
        return unary;
    default:
        require(
            GxB_IndexUnaryOp_new(&index, (GxB_index_unary_function)user->function, z, x, y, name, source));
        return index;
    }
}

static void *kept[OPERATORS][2];

static void free_operator(user_kind kind, void *handle)
{
    GrB_BinaryOp binary = handle;
    GrB_UnaryOp unary = handle;
    GrB_IndexUnaryOp index = handle;
    require(kind == USER_BINARY  ? GrB_BinaryOp_free(&binary)
            : kind == USER_UNARY ? GrB_UnaryOp_free(&unary)
                                 : GrB_IndexUnaryOp_free(&index));
}

void *torc_user_handle(user_kind kind, program_operator op)
{
    const user_operator *user = find(op);
    if (!user || user->kind != kind) {
        return NULL;
    }
    bool is_bare = is_named(user, op, true);
    void **handle = &kept[user - operators][is_bare];
    if (!*handle) {
        *handle = make(user, is_bare);
    }
    return *handle;
}

/* ---- Monoids ------------------------------------------------------------------------------------------ */

static const char *const monoid_names[] = {"later", "BARE_later", "join", "BARE_join", "total", "BARE_total",
    "shorter", "BARE_shorter", "OWN_PLUS", "OWN_TIMES", "OWN_MIN", "OWN_MAX", "OWN_LOR", "OWN_LAND",
    "OWN_LXOR", "OWN_EQ", "OWN_BOR", "OWN_BAND", "OWN_BXOR"};

enum { MONOIDS = sizeof monoid_names / sizeof *monoid_names };

const char *torc_user_draw_monoid(uint64_t *stream)
{
    return monoid_names[random_below(stream, MONOIDS)];
}

/* What follows a prefix; NULL: it has another one. */
static const char *after(const char *prefix, const char *name)
{
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

const char *torc_user_operator_of_monoid(const char *name)
{
    const char *built_in = after("OWN_", name);
    return built_in ? built_in : name;
}

enum { ANY_OTHER = -1 };

/* What a monoid is made of besides its operator. GraphBLAS does not look at them where the operator is that
 * of a built-in monoid: so these are wrong. */
typedef struct monoid_values {
    const char *operator_name;
    int type; /* a value_type, or ANY_OTHER that the operator has */
    double identity, terminal;
    bool has_terminal;
} monoid_values;

static const monoid_values *find_values(const char *name, value_type type)
{
    static const monoid_values all[] = {
        {"shorter", VALUE_UDT, INFINITY, -INFINITY, true},
        {"later", VALUE_INT8, -128, 127, true},
        {"later", VALUE_INT32, -0x1p31, 0x1p31 - 1, true},
        {"later", VALUE_UINT16, 0, 65535, true},
        {"later", VALUE_FP32, -INFINITY, INFINITY, true},
        {"later", VALUE_FP64, -INFINITY, 0, false},
        {"join", VALUE_BOOL, false, true, true},
        {"join", VALUE_INT32, 0, -1, true},
        {"join", VALUE_INT64, 0, 0, false},
        {"total", ANY_OTHER, 0, 0, false},
        {"PLUS", ANY_OTHER, 1, 0, false},
        {"TIMES", ANY_OTHER, 0, 3, true},
        {"MIN", ANY_OTHER, 0, 2, true},
        {"MAX", ANY_OTHER, 3, 0, false},
        {"LOR", VALUE_BOOL, true, false, true},
        {"LAND", VALUE_BOOL, false, 0, false},
        {"LXOR", VALUE_BOOL, true, 0, false},
        {"EQ", VALUE_BOOL, false, true, true},
        {"BOR", ANY_OTHER, 0, 0, false},
        {"BAND", VALUE_UINT8, 0, 0, true},
        {"BAND", VALUE_INT32, -1, 0, true},
        {"BAND", VALUE_INT64, -1, 0, true},
        {"BXOR", ANY_OTHER, 0, 0, false},
    };
    const char *bare = after("BARE_", name), *op = bare ? bare : torc_user_operator_of_monoid(name);
    bool is_made = bare || op != name || torc_user_source((program_operator){name, type});
    for (size_t i = 0; i < sizeof all / sizeof *all && is_made; i++) {
        if (strcmp(all[i].operator_name, op) == 0 && (all[i].type == (int)type || all[i].type == ANY_OTHER)) {
            return &all[i];
        }
    }
    return NULL;
}

static GrB_Monoid make_monoid(GrB_BinaryOp op, value_type type, const monoid_values *values)
{
    GrB_Monoid made = NULL;
    value_path identity = {values->identity, 0}, terminal = {values->terminal, 0};
    switch (type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        require(values->has_terminal ? GxB_Monoid_terminal_new_##name(                                       \
                                           &made, op, (ctype)values->identity, (ctype)values->terminal)      \
                                     : GrB_Monoid_new_##name(&made, op, (ctype)values->identity));           \
        break;
        REAL_TYPE_MAP(X)
#undef X
    case VALUE_UDT:
        require(GxB_Monoid_terminal_new_UDT(&made, op, &identity, &terminal));
        break;
    default:
        break;
    }
    return made;
}

static GrB_Monoid kept_monoids[MONOIDS][VALUE_UDT + 1];

GrB_Monoid torc_user_monoid_handle(const char *name, value_type type)
{
    const monoid_values *values = find_values(name, type);
    GrB_BinaryOp op =
        values ? torc_binary_handle((program_operator){torc_user_operator_of_monoid(name), type}) : NULL;
    for (int i = 0; op && i < MONOIDS; i++) {
        if (strcmp(monoid_names[i], name) == 0) {
            GrB_Monoid *monoid = &kept_monoids[i][type];
            *monoid = *monoid ? *monoid : make_monoid(op, type, values);
            return *monoid;
        }
    }
    return NULL;
}

void torc_user_handles_free(void)
{
    for (int i = 0; i < MONOIDS * (VALUE_UDT + 1); i++) {
        require(GrB_Monoid_free(&kept_monoids[i / (VALUE_UDT + 1)][i % (VALUE_UDT + 1)]));
    }
    for (int i = 0; i < 2 * OPERATORS; i++) {
        if (kept[i / 2][i % 2]) {
            free_operator(operators[i / 2].kind, kept[i / 2][i % 2]);
        }
    }
    memset(kept, 0, sizeof kept);
}
