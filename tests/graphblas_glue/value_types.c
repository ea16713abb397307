/* value_types.c: see value_types.h. */
#include "value_types.h"
#include "require.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Kept until the process ends. */
GrB_Type torc_value_path(void)
{
    static GrB_Type made;
    if (!made) {
        GrB_Info info = GxB_Type_new(&made, sizeof(value_path), "value_path",
            "typedef struct { double cost ; int64_t hops ; } value_path ;");
        TORC_REQUIRE(info == GrB_SUCCESS);
    }
    return made;
}

GrB_Type torc_value_handle(value_type type)
{
    switch (type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        return handle;
        ANY_TYPE_MAP(X)
#undef X
    default:
        return NULL;
    }
}

size_t torc_value_size(value_type type)
{
    static const size_t sizes[] = {
#define X(name, handle, ctype) sizeof(ctype),
        ANY_TYPE_MAP(X)
#undef X
    };
    return sizes[type];
}

const char *torc_value_type_name(value_type type)
{
    static const char *const names[] = {
#define X(name, handle, ctype) #name,
        ANY_TYPE_MAP(X)
#undef X
    };
    return names[type];
}

bool torc_value_is_real(value_type type)
{
    return type == VALUE_FP32 || type == VALUE_FP64;
}

bool torc_value_is_complex(value_type type)
{
    return type == VALUE_FC32 || type == VALUE_FC64;
}

static double draw_special(uint64_t *stream)
{
    static const double specials[] = {NAN, INFINITY, -INFINITY, -0.0, DBL_MAX, -DBL_MAX, DBL_MIN,
        DBL_TRUE_MIN, FLT_MAX, FLT_MIN, -FLT_TRUE_MIN};
    return specials[random_below(stream, sizeof specials / sizeof *specials)];
}

static double draw_real(value_style style, uint64_t *stream)
{
    if (style == STYLE_EXACT) {
        return (double)(random_below(stream, 9) - 4);
    }
    if (style == STYLE_SPECIAL && random_chance(stream, 0.15)) {
        return draw_special(stream);
    }
    if (random_chance(stream, 0.2)) {
        return (double)(random_below(stream, 5) - 2);
    }
    if (random_chance(stream, 0.05)) {
        return random_chance(stream, 0.5) ? 1e37 : -1e37;
    }
    if (random_chance(stream, 0.03)) { /* subnormal in FP32 */
        return ldexp(2 * random_unit(stream) - 1, -130);
    }
    return ldexp(2 * random_unit(stream) - 1, (int)random_below(stream, 41) - 20);
}

/* The bits of an integer, to be cut to the width of its type. */
static uint64_t draw_integer(value_type type, value_style style, uint64_t *stream)
{
    bool is_unsigned = type == VALUE_UINT8 || type == VALUE_UINT16 || type == VALUE_UINT32 ||
                       type == VALUE_UINT64 || type == VALUE_BOOL;
    int64_t small = random_below(stream, 5);
    if (style == STYLE_EXACT || random_chance(stream, 0.3)) {
        return (uint64_t)(is_unsigned || random_chance(stream, 0.5) ? small : -small);
    }
    if (random_chance(stream, 0.3)) { /* the least or the greatest of a signed type, or next to it */
        uint64_t sign = (uint64_t)1 << (8 * torc_value_size(type) - 1);
        return sign + (uint64_t)small - 2;
    }
    if (random_chance(stream, 0.1)) { /* the greatest of an unsigned type, or near it */
        return (uint64_t)-1 - (uint64_t)small;
    }
    return random_word(stream);
}

void torc_value_draw(void *value, value_type type, value_style style, uint64_t *stream)
{
    GxB_FC64_t fc64;
    GxB_FC32_t fc32;
    float fp32;
    double x;
    uint64_t bits;
    value_path path;
    switch (type) {
    case VALUE_UDT:
        path.cost = draw_real(style, stream);
        path.hops = random_below(stream, 4);
        memcpy(value, &path, sizeof path);
        break;
    case VALUE_BOOL:
        *(bool *)value = random_chance(stream, 0.6);
        break;
    case VALUE_FP32:
        fp32 = (float)draw_real(style, stream);
        memcpy(value, &fp32, sizeof fp32);
        break;
    case VALUE_FP64:
        x = draw_real(style, stream);
        memcpy(value, &x, sizeof x);
        break;
    case VALUE_FC32:
        x = draw_real(style, stream);
        fc32 = GxB_CMPLXF((float)x, (float)draw_real(style, stream));
        memcpy(value, &fc32, sizeof fc32);
        break;
    case VALUE_FC64:
        x = draw_real(style, stream);
        fc64 = GxB_CMPLX(x, draw_real(style, stream));
        memcpy(value, &fc64, sizeof fc64);
        break;
    default:
        bits = draw_integer(type, style, stream);
        memcpy(value, &bits, torc_value_size(type)); /* little-endian */
        break;
    }
}

static bool equal_reals(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

bool torc_value_equal(value_type type, const void *x, const void *y)
{
    const float *f = x, *g = y;
    const double *d = x, *e = y;
    switch (type) {
    case VALUE_FP32:
        return equal_reals(*f, *g);
    case VALUE_FP64:
        return equal_reals(*d, *e);
    case VALUE_FC32:
        return equal_reals(f[0], g[0]) && equal_reals(f[1], g[1]);
    case VALUE_FC64:
        return equal_reals(d[0], e[0]) && equal_reals(d[1], e[1]);
    case VALUE_UDT:
        return equal_reals(*d, *e) && ((const value_path *)x)->hops == ((const value_path *)y)->hops;
    default:
        return memcmp(x, y, torc_value_size(type)) == 0;
    }
}

double torc_value_as_double(value_type type, const void *value)
{
    switch (type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        return (double)*(const ctype *)value;
        VALUE_TYPE_MAP(X)
#undef X
    case VALUE_UDT:
        return ((const value_path *)value)->cost;
    default:
        return NAN;
    }
}

int torc_value_get(double parts[2], value_type type, const void *value)
{
    const float *f = value;
    const double *d = value;
    parts[0] = torc_value_as_double(type, value);
    parts[1] = type == VALUE_FC32 ? (double)f[1] : type == VALUE_FC64 ? d[1] : 0;
    return torc_value_is_complex(type) ? 2 : 1;
}

void torc_value_set(void *value, value_type type, const double parts[2])
{
    float *f = value;
    double *d = value;
    int nparts = torc_value_is_complex(type) ? 2 : 1;
    for (int i = 0; i < nparts; i++) {
        if (type == VALUE_FP32 || type == VALUE_FC32) {
            f[i] = (float)parts[i];
        } else {
            d[i] = parts[i];
        }
    }
}
