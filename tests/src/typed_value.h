/* typed_value.h: values of each torc_type as test data: VALUE (FP32, 1.5f) is the address of a constant. */
#ifndef TORC_TYPED_VALUE_H
#define TORC_TYPED_VALUE_H

#include <math.h>
#include <string.h>
#include <torc/torc.h>

#define X(name, ctype, text) typedef ctype value_##name;
TORC_TYPE_MAP(X)
#undef X

#define VALUE(TYPE, x) (&(const value_##TYPE){x})

/* The same bytes, or both NaN. */
static inline bool is_same_value(const void *x, const void *y, torc_type type)
{
    double real_x = 0, real_y = 0;
    if (type == TORC_FP32) {
        float fx, fy;
        memcpy(&fx, x, sizeof fx);
        memcpy(&fy, y, sizeof fy);
        real_x = fx;
        real_y = fy;
    } else if (type == TORC_FP64) {
        memcpy(&real_x, x, sizeof real_x);
        memcpy(&real_y, y, sizeof real_y);
    }
    return (isnan(real_x) && isnan(real_y)) || memcmp(x, y, torc_type_size(type)) == 0;
}

#endif
