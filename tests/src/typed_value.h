/* typed_value.h: values of each torc_type as test data: VALUE (FP32, 1.5f) is the address of a constant, and
 * so is VALUE (FC32, 1, -1). */
#ifndef TORC_TYPED_VALUE_H
#define TORC_TYPED_VALUE_H

#include <math.h>
#include <string.h>
#include <torc/torc.h>

#define X(name, ctype, text) typedef ctype value_##name;
TORC_TYPE_MAP(X)
#undef X

/* A real number is a complex one too. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define VALUE(TYPE, ...) (&(const value_##TYPE){__VA_ARGS__})

static inline bool is_same_real(double x, double y)
{
    return (isnan(x) && isnan(y)) || memcmp(&x, &y, sizeof x) == 0;
}

/* The same bytes, or NaN where the other is. */
static inline bool is_same_value(const void *x, const void *y, torc_type type)
{
    torc_fc32 float_x = {0, 0}, float_y = {0, 0};
    torc_fc64 double_x = {0, 0}, double_y = {0, 0};
    size_t size = torc_type_size(type);
    switch (type) {
    case TORC_FP32:
    case TORC_FC32:
        memcpy(&float_x, x, size);
        memcpy(&float_y, y, size);
        return is_same_real(float_x.real, float_y.real) && is_same_real(float_x.imag, float_y.imag);
    case TORC_FP64:
    case TORC_FC64:
        memcpy(&double_x, x, size);
        memcpy(&double_y, y, size);
        return is_same_real(double_x.real, double_y.real) && is_same_real(double_x.imag, double_y.imag);
    default:
        return memcmp(x, y, size) == 0;
    }
}

#endif
