/* cast.c: GraphBLAS's typecasts of one value: truncate and saturate from floating point, wrap between
 * integers. Every integer type here fits in int64_t and every floating-point type in double, so a value
 * passes through one of the two without loss and is rounded or wrapped once. */
#include <math.h>
#include <torc/torc.h>

static void cast_integer(void *to, torc_type to_type, int64_t x)
{
    switch (to_type) {
    case TORC_BOOL:
        *(uint8_t *)to = x != 0;
        break;
    case TORC_INT32:
    case TORC_UINT32:
        *(uint32_t *)to = (uint32_t)x;
        break;
    case TORC_INT64:
        *(int64_t *)to = x;
        break;
    case TORC_FP32:
        *(float *)to = (float)x;
        break;
    default:
        *(double *)to = (double)x;
        break;
    }
}

static int64_t saturate(double x, int64_t low, int64_t high)
{
    if (isnan(x)) {
        return 0;
    }
    if (x <= (double)low) {
        return low;
    }
    return x >= (double)high ? high : (int64_t)x;
}

static void cast_real(void *to, torc_type to_type, double x)
{
    switch (to_type) {
    case TORC_BOOL:
        *(uint8_t *)to = x != 0; /* a NaN is true */
        break;
    case TORC_INT32:
        *(int32_t *)to = (int32_t)saturate(x, INT32_MIN, INT32_MAX);
        break;
    case TORC_UINT32:
        *(uint32_t *)to = (uint32_t)saturate(x, 0, UINT32_MAX);
        break;
    case TORC_INT64:
        *(int64_t *)to = saturate(x, INT64_MIN, INT64_MAX);
        break;
    case TORC_FP32:
        *(float *)to = (float)x;
        break;
    default:
        *(double *)to = x;
        break;
    }
}

void torc_cast(void *to, torc_type to_type, const void *from, torc_type from_type)
{
    switch (from_type) {
    case TORC_BOOL:
        cast_integer(to, to_type, *(const uint8_t *)from != 0);
        break;
    case TORC_INT32:
        cast_integer(to, to_type, *(const int32_t *)from);
        break;
    case TORC_INT64:
        cast_integer(to, to_type, *(const int64_t *)from);
        break;
    case TORC_UINT32:
        cast_integer(to, to_type, *(const uint32_t *)from);
        break;
    case TORC_FP32:
        cast_real(to, to_type, *(const float *)from);
        break;
    default:
        cast_real(to, to_type, *(const double *)from);
        break;
    }
}
