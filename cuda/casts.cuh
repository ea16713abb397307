/* casts.cuh: the types of values and GraphBLAS's casts between them. Read by nvcc and by NVRTC.
 *
 * bool in registers and in C is 0 or 1. A stored bool that is read is a `boolean`: any nonzero byte is true.
 * To bool: x != 0, a NaN is true. Floating point to integer truncates and saturates, NaN becomes 0. Integer
 * to integer wraps. The hardware's own conversions are not relied on: their NaN differs by width.
 */
#ifndef TORC_CASTS_CUH
#define TORC_CASTS_CUH

#include "spmm_args.h"

namespace torc
{

struct boolean {
    uint8_t byte;
};

/* wrapping: the type to add and multiply in, so that integers wrap. lowest and highest: an integer's range.
 */
template <class T>
struct number;

template <>
struct number<bool> {
    static constexpr bool is_integer = true;
};

template <>
struct number<int32_t> {
    using wrapping = uint32_t;
    static constexpr bool is_integer = true;
    static constexpr int32_t lowest = -2147483647 - 1, highest = 2147483647;
};

template <>
struct number<int64_t> {
    using wrapping = uint64_t;
    static constexpr bool is_integer = true;
    static constexpr int64_t lowest = -9223372036854775807 - 1, highest = 9223372036854775807;
};

template <>
struct number<uint32_t> {
    using wrapping = uint32_t;
    static constexpr bool is_integer = true;
    static constexpr uint32_t lowest = 0, highest = 4294967295u;
};

template <>
struct number<float> {
    using wrapping = float;
    static constexpr bool is_integer = false;
};

template <>
struct number<double> {
    using wrapping = double;
    static constexpr bool is_integer = false;
};

/* Cast to a number. */
template <class To>
struct caster {
    template <class From>
    static __device__ To cast(From x)
    {
        if constexpr (!number<To>::is_integer || number<From>::is_integer) {
            return static_cast<To>(x);
        } else if (x != x) {
            return 0;
        } else if (x <= static_cast<From>(number<To>::lowest)) {
            return number<To>::lowest;
        } else if (x >= static_cast<From>(number<To>::highest)) {
            return number<To>::highest;
        } else {
            return static_cast<To>(x);
        }
    }

    static __device__ To cast(boolean x)
    {
        return x.byte != 0;
    }
};

template <>
struct caster<bool> {
    template <class From>
    static __device__ bool cast(From x)
    {
        return x != 0;
    }

    static __device__ bool cast(boolean x)
    {
        return x.byte != 0;
    }
};

} // namespace torc

#endif
