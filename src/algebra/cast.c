/* cast.c: GraphBLAS's typecasts of one value. From floating point they truncate and saturate; between
 * integers they wrap. A value first becomes the widest type of its kind, without loss, and is rounded or
 * wrapped once.
 */
#include <math.h>
#include <torc/torc.h>

/* Cast to an integer type, through its unsigned twin, which wraps; or to a real type, by one conversion. */
#define CAST_INTEGER(kind, source)                                                                           \
    static void cast_##kind(void *to, torc_type to_type, source x)                                           \
    {                                                                                                        \
        switch (to_type) {                                                                                   \
        case TORC_BOOL:                                                                                      \
            *(uint8_t *)to = x != 0;                                                                         \
            break;                                                                                           \
        case TORC_INT8:                                                                                      \
        case TORC_UINT8:                                                                                     \
            *(uint8_t *)to = (uint8_t)x;                                                                     \
            break;                                                                                           \
        case TORC_INT16:                                                                                     \
        case TORC_UINT16:                                                                                    \
            *(uint16_t *)to = (uint16_t)x;                                                                   \
            break;                                                                                           \
        case TORC_INT32:                                                                                     \
        case TORC_UINT32:                                                                                    \
            *(uint32_t *)to = (uint32_t)x;                                                                   \
            break;                                                                                           \
        case TORC_INT64:                                                                                     \
        case TORC_UINT64:                                                                                    \
            *(uint64_t *)to = (uint64_t)x;                                                                   \
            break;                                                                                           \
        case TORC_FP32:                                                                                      \
            *(float *)to = (float)x;                                                                         \
            break;                                                                                           \
        case TORC_FP64:                                                                                      \
            *(double *)to = (double)x;                                                                       \
            break;                                                                                           \
        case TORC_FC32:                                                                                      \
            *(torc_fc32 *)to = (torc_fc32){(float)x, 0};                                                     \
            break;                                                                                           \
        default:                                                                                             \
            *(torc_fc64 *)to = (torc_fc64){(double)x, 0};                                                    \
            break;                                                                                           \
        }                                                                                                    \
    }

CAST_INTEGER(signed, int64_t)
CAST_INTEGER(unsigned, uint64_t)

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

static uint64_t saturate_unsigned(double x, uint64_t high)
{
    if (!(x > 0)) { /* a NaN too */
        return 0;
    }
    return x >= (double)high ? high : (uint64_t)x;
}

static void cast_real(void *to, torc_type to_type, double x)
{
    switch (to_type) {
    case TORC_BOOL:
        *(uint8_t *)to = x != 0; /* a NaN is true */
        break;
    case TORC_INT8:
        *(int8_t *)to = (int8_t)saturate(x, INT8_MIN, INT8_MAX);
        break;
    case TORC_INT16:
        *(int16_t *)to = (int16_t)saturate(x, INT16_MIN, INT16_MAX);
        break;
    case TORC_INT32:
        *(int32_t *)to = (int32_t)saturate(x, INT32_MIN, INT32_MAX);
        break;
    case TORC_INT64:
        *(int64_t *)to = saturate(x, INT64_MIN, INT64_MAX);
        break;
    case TORC_UINT8:
        *(uint8_t *)to = (uint8_t)saturate_unsigned(x, UINT8_MAX);
        break;
    case TORC_UINT16:
        *(uint16_t *)to = (uint16_t)saturate_unsigned(x, UINT16_MAX);
        break;
    case TORC_UINT32:
        *(uint32_t *)to = (uint32_t)saturate_unsigned(x, UINT32_MAX);
        break;
    case TORC_UINT64:
        *(uint64_t *)to = saturate_unsigned(x, UINT64_MAX);
        break;
    case TORC_FP32:
        *(float *)to = (float)x;
        break;
    case TORC_FP64:
        *(double *)to = x;
        break;
    case TORC_FC32:
        *(torc_fc32 *)to = (torc_fc32){(float)x, 0};
        break;
    default:
        *(torc_fc64 *)to = (torc_fc64){x, 0};
        break;
    }
}

static void cast_complex(void *to, torc_type to_type, torc_fc64 x)
{
    switch (to_type) {
    case TORC_BOOL:
        *(uint8_t *)to = x.real != 0 || x.imag != 0;
        break;
    case TORC_FC32:
        *(torc_fc32 *)to = (torc_fc32){(float)x.real, (float)x.imag};
        break;
    case TORC_FC64:
        *(torc_fc64 *)to = x;
        break;
    default:
        cast_real(to, to_type, x.real);
        break;
    }
}

bool torc_can_cast(torc_type to, torc_type from)
{
    bool are_types = torc_type_size(to) > 0 && torc_type_size(from) > 0;
    return are_types && (to == from || (to < TORC_OPAQUE && from < TORC_OPAQUE));
}

void torc_cast(void *to, torc_type to_type, const void *from, torc_type from_type)
{
    switch (from_type) {
    case TORC_BOOL:
        cast_unsigned(to, to_type, *(const uint8_t *)from != 0);
        break;
    case TORC_INT8:
        cast_signed(to, to_type, *(const int8_t *)from);
        break;
    case TORC_INT16:
        cast_signed(to, to_type, *(const int16_t *)from);
        break;
    case TORC_INT32:
        cast_signed(to, to_type, *(const int32_t *)from);
        break;
    case TORC_INT64:
        cast_signed(to, to_type, *(const int64_t *)from);
        break;
    case TORC_UINT8:
        cast_unsigned(to, to_type, *(const uint8_t *)from);
        break;
    case TORC_UINT16:
        cast_unsigned(to, to_type, *(const uint16_t *)from);
        break;
    case TORC_UINT32:
        cast_unsigned(to, to_type, *(const uint32_t *)from);
        break;
    case TORC_UINT64:
        cast_unsigned(to, to_type, *(const uint64_t *)from);
        break;
    case TORC_FP32:
        cast_real(to, to_type, *(const float *)from);
        break;
    case TORC_FP64:
        cast_real(to, to_type, *(const double *)from);
        break;
    case TORC_FC32: {
        torc_fc32 x = *(const torc_fc32 *)from;
        cast_complex(to, to_type, (torc_fc64){x.real, x.imag});
        break;
    }
    default:
        cast_complex(to, to_type, *(const torc_fc64 *)from);
        break;
    }
}
