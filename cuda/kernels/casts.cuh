/* casts.cuh: the types of values and GraphBLAS's casts between them. Read by nvcc and by NVRTC.
 *
 * bool in registers and in C is 0 or 1. A stored bool that is read is a `boolean`: any nonzero byte is true.
 * To bool: x != 0, a NaN is true. Floating point to integer truncates and saturates, NaN becomes 0. Integer
 * to integer wraps. Complex to another type takes the real part, to bool either. The hardware's own
 * conversions are not relied on: their NaN differs by width.
 */
#ifndef TORC_CASTS_CUH
#define TORC_CASTS_CUH

#include "complex.cuh"
#include "fixed_width.h"
#include "instructions.cuh"

namespace torc
{

struct boolean {
    uint8_t byte;
};

/* A value of so many bytes, of which no more is known, aligned as torc_dense says. */
template <int Size>
struct alignas(Size % 16 == 0 ? 16 : Size & -Size) opaque {
    unsigned char bytes[Size];
};

/* wrapping: the type to add and multiply in, so that integers wrap. lowest and highest: an integer's range.
 */
template <class Wrapping>
struct real_number {
    using wrapping = Wrapping;
    static constexpr bool is_integer = false;
};

template <class T, class Wrapping, T Lowest, T Highest>
struct integer_number {
    using wrapping = Wrapping;
    static constexpr bool is_integer = true;
    static constexpr T lowest = Lowest, highest = Highest;
};

template <class T>
struct number : real_number<T> { /* float, double, complex */
};
template <>
struct number<bool> : integer_number<bool, bool, false, true> {
};
template <>
struct number<int8_t> : integer_number<int8_t, uint32_t, -128, 127> {
};
template <>
struct number<int16_t> : integer_number<int16_t, uint32_t, -32768, 32767> {
};
template <>
struct number<int32_t> : integer_number<int32_t, uint32_t, -2147483647 - 1, 2147483647> {
};
template <>
struct number<int64_t> : integer_number<int64_t, uint64_t, -9223372036854775807 - 1, 9223372036854775807> {
};
template <>
struct number<uint8_t> : integer_number<uint8_t, uint32_t, 0, 255> {
};
template <>
struct number<uint16_t> : integer_number<uint16_t, uint32_t, 0, 65535> {
};
template <>
struct number<uint32_t> : integer_number<uint32_t, uint32_t, 0, 4294967295u> {
};
template <>
struct number<uint64_t> : integer_number<uint64_t, uint64_t, 0, 18446744073709551615u> {
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

    template <class R>
    static __device__ To cast(complex<R> x)
    {
        return cast(x.real);
    }

    static __device__ To cast(boolean x)
    {
        if constexpr (!number<To>::is_integer && sizeof(To) == sizeof(double)) {
            return double_of_bit(x.byte != 0);
        } else {
            return x.byte != 0;
        }
    }
};

template <class R>
struct caster<complex<R>> {
    template <class From>
    static __device__ complex<R> cast(From x)
    {
        return caster<R>::cast(x);
    }

    template <class S>
    static __device__ complex<R> cast(complex<S> x)
    {
        return {static_cast<R>(x.real), static_cast<R>(x.imag)};
    }
};

template <>
struct caster<bool> {
    template <class From>
    static __device__ bool cast(From x)
    {
        return x != From(0);
    }

    static __device__ bool cast(boolean x)
    {
        return x.byte != 0;
    }
};

} // namespace torc

#endif
