#include "user_semirings.h"
#include "splitmix.h"
#include <math.h>
#include <stdlib.h>

/* Code of the host, and the same text as source. */
#define BOTH(name, ...)                                                                                      \
    __VA_ARGS__                                                                                              \
    static const char name[] = #__VA_ARGS__;

#define FUNCTION(f) ((torc_function)(void (*)(void))f)
#define BUILT_IN(type)                                                                                       \
    {                                                                                                        \
        TORC_##type, NULL                                                                                    \
    }
#define OPAQUE(ctype)                                                                                        \
    {                                                                                                        \
        (torc_type)(TORC_OPAQUE + sizeof(ctype)), #ctype                                                     \
    }

/* ---- Shortest paths, of equally long ones the one with the fewest hops: 16 bytes ----------------------- */

BOTH(
    path_source,
    typedef struct {
        double cost;
        int64_t hops;
    } path;

    static void shorter(path *z, const path *x, const path *y) {
        bool is_x = x->cost < y->cost || (x->cost == y->cost && x->hops <= y->hops);
        *z = is_x ? *x : *y;
    }

    static void extend(path *z, const path *x, const path *y) {
        z->cost = fmax(x->cost + y->cost, -INFINITY);
        z->hops = x->hops + y->hops;
    })

static const path no_path = {INFINITY, INT64_MAX};

static const torc_definition paths = {
    .source = path_source,
    .add = "shorter",
    .multiply = "extend",
    .x = OPAQUE(path),
    .y = OPAQUE(path),
    .z = OPAQUE(path),
    .identity = &no_path,
    .add_on_host = FUNCTION(shorter),
    .multiply_on_host = FUNCTION(extend),
};

static void fill_path(void *value, uint64_t *seed)
{
    *(path *)value = (path){(double)random_below(seed, 5), random_below(seed, 4)};
}

/* ---- Vectors times numbers: 24 bytes, operands of two types -------------------------------------------- */

BOTH(
    vector_source, typedef struct { double x, y, z; } vector;

    static void sum(vector *z, const vector *x, const vector *y) {
        z->x = x->x + y->x;
        z->y = x->y + y->y;
        z->z = x->z + y->z;
    }

    static void scale(void *z, const void *x, const void *y) {
        double factor = *(const double *)x;
        const vector *v = (const vector *)y;
        vector *scaled = (vector *)z;
        scaled->x = factor * v->x;
        scaled->y = factor * v->y;
        scaled->z = factor - v->z;
    })

static const torc_definition vectors = {
    .source = vector_source,
    .add = "sum",
    .multiply = "scale",
    .x = BUILT_IN(FP64),
    .y = OPAQUE(vector),
    .z = OPAQUE(vector),
    .add_on_host = FUNCTION(sum),
    .multiply_on_host = FUNCTION(scale),
};

static void fill_vector(void *value, uint64_t *seed)
{
    *(vector *)value = (vector){(double)random_below(seed, 9) - 4, (double)random_below(seed, 9), 1};
}

static void fill_float(void *value, uint64_t *seed)
{
    *(float *)value = (float)random_below(seed, 9) - 4;
}

/* ---- Colours: 3 bytes, with a helper and headers ------------------------------------------------------- */

BOTH(
    colour_body, typedef struct { uint8_t red, green, blue; } colour;

    static inline uint8_t add_up(uint8_t x, uint8_t y) { return x + y > UINT8_MAX ? UINT8_MAX : x + y; }

    void lighter(colour *restrict z, const colour *restrict x, const colour *restrict y) {
        z->red = x->red > y->red ? x->red : y->red;
        z->green = x->green > y->green ? x->green : y->green;
        z->blue = x->blue > y->blue ? x->blue : y->blue;
    }

    void lighten(colour *z, const colour *x, const uint8_t *y) {
        z->red = add_up(x->red, *y);
        z->green = add_up(x->green, *y);
        z->blue = x->blue;
    })

static const torc_definition colours = {
    .source = colour_body,
    .add = "lighter",
    .multiply = "lighten",
    .x = OPAQUE(colour),
    .y = BUILT_IN(UINT8),
    .z = OPAQUE(colour),
    .add_on_host = FUNCTION(lighter),
    .multiply_on_host = FUNCTION(lighten),
};

static void fill_colour(void *value, uint64_t *seed)
{
    *(colour *)value = (colour){(uint8_t)random_word(seed), (uint8_t)random_word(seed), 7};
}

static void fill_byte(void *value, uint64_t *seed)
{
    *(uint8_t *)value = (uint8_t)random_word(seed);
}

/* ---- 2 x 2 matrices, which do not commute -------------------------------------------------------------- */

BOTH(
    matrix_source, typedef struct { uint32_t a, b, c, d; } matrix;

    void plus(matrix *z, matrix *x, matrix *y) {
        z->a = x->a + y->a;
        z->b = x->b + y->b;
        z->c = x->c + y->c;
        z->d = x->d + y->d;
    }

    void multiply(matrix *z, matrix *x, matrix *y) {
        z->a = x->a * y->a + x->b * y->c;
        z->b = x->a * y->b + x->b * y->d;
        z->c = x->c * y->a + x->d * y->c;
        z->d = x->c * y->b + x->d * y->d;
    })

static const torc_definition matrices = {
    .source = matrix_source,
    .add = "plus",
    .multiply = "multiply",
    .x = OPAQUE(matrix),
    .y = OPAQUE(matrix),
    .z = OPAQUE(matrix),
    .add_on_host = FUNCTION(plus),
    .multiply_on_host = FUNCTION(multiply),
};

static void fill_matrix(void *value, uint64_t *seed)
{
    uint32_t word = (uint32_t)random_word(seed);
    *(matrix *)value = (matrix){word, word >> 8, word * 3, 1};
}

/* ---- One part built in --------------------------------------------------------------------------------- */

BOTH(
    polynomial_source,
    static void polynomial(double *z, const double *x, const double *y) { *z = *x * *x - *y; })

static const torc_definition polynomials = {
    .source = polynomial_source,
    .multiply = "polynomial",
    .x = BUILT_IN(FP64),
    .y = BUILT_IN(FP64),
    .z = BUILT_IN(FP64),
    .multiply_on_host = FUNCTION(polynomial),
};

BOTH(
    divisor_source, static void divisor(int32_t *z, const int32_t *x, const int32_t *y) {
        int32_t a = *x < 0 ? -*x : *x;
        int32_t b = *y < 0 ? -*y : *y;
        while (b != 0) {
            int32_t rest = a % b;
            a = b;
            b = rest;
        }
        *z = a;
    })

static const int32_t no_number = 0;
static const torc_definition divisors = {
    .source = divisor_source,
    .add = "divisor",
    .z = BUILT_IN(INT32),
    .identity = &no_number,
    .add_on_host = FUNCTION(divisor),
};

BOTH(
    interval_source, typedef struct { float low, high; } interval;

    static void contains(bool *z, const interval *x, const double *y) { *z = x->low <= *y && *y <= x->high; })

static const torc_definition intervals = {
    .source = interval_source,
    .multiply = "contains",
    .x = OPAQUE(interval),
    .y = BUILT_IN(FP64),
    .z = BUILT_IN(BOOL),
    .multiply_on_host = FUNCTION(contains),
};

static void fill_interval(void *value, uint64_t *seed)
{
    float low = (float)random_below(seed, 100);
    *(interval *)value = (interval){low, low + 3};
}

static void fill_integer(void *value, uint64_t *seed)
{
    *(int32_t *)value = 6 * (int32_t)random_below(seed, 16) - 48;
}

/* ---- All of them --------------------------------------------------------------------------------------- */

#define USER(a_definition)                                                                                   \
    {                                                                                                        \
        .add = TORC_USER_MONOID, .multiply = TORC_USER, .definition = &a_definition                          \
    }
#define TYPE(ctype) (torc_type)(TORC_OPAQUE + sizeof(ctype))

const torc_user_case torc_user_cases[TORC_USER_CASES] = {
    {"paths", USER(paths), TYPE(path), TYPE(path), fill_path, fill_path},
    {"vectors", USER(vectors), TORC_FP32, TYPE(vector), fill_float, fill_vector},
    {"vectors, flipped",
        {.add = TORC_USER_MONOID, .multiply = TORC_USER, .definition = &vectors, .is_flipped = true},
        TYPE(vector), TORC_FP32, fill_vector, fill_float},
    {"colours", USER(colours), TYPE(colour), TORC_UINT8, fill_colour, fill_byte},
    {"matrices", USER(matrices), TYPE(matrix), TYPE(matrix), fill_matrix, fill_matrix},
    {"plus over polynomials", {.add = TORC_PLUS_MONOID, .multiply = TORC_USER, .definition = &polynomials},
        TORC_INT32, TORC_FP32, fill_integer, fill_float},
    {"greatest common divisor of products",
        {.add = TORC_USER_MONOID, .multiply = TORC_TIMES, .type = TORC_INT32, .definition = &divisors},
        TORC_INT32, TORC_INT32, fill_integer, fill_integer},
    {"any interval contains", {.add = TORC_LOR_MONOID, .multiply = TORC_USER, .definition = &intervals},
        TYPE(interval), TORC_FP32, fill_interval, fill_float},
};

void *torc_user_values(
    uint64_t *seed, torc_type type, void (*fill)(void *value, uint64_t *seed), size_t count)
{
    size_t size = torc_type_size(type);
    char *values = malloc(count * size + 1);
    if (!values) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        fill(values + i * size, seed);
    }
    return values;
}
