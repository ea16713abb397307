/* operators.cuh: the monoids and multiplies of torc.h. Read by nvcc and by NVRTC.
 *
 * A monoid has
 *     add (x, y)
 *     start ()     neutral, bit for bit: add (start (), x) is x. A reduction that starts from it behaves as
 *                  one that starts from its first term: hence -0.0 for plus, and NaN for min and max of
 *                  floating point, which prefer a number to a NaN
 *     has_start    false: it has none; the reduction starts from its first term
 *     identity ()  GraphBLAS's: what a row without entries receives
 *     takes_one    any one term is the result, the rest need not be read
 * A multiply has multiply (x, y) on its own type, or, where it is positional, at (i, k, j). It says what it
 * reads, so that a kernel loads nothing else. Integers wrap. Those of bool also work on bits.
 */
#ifndef TORC_OPERATORS_CUH
#define TORC_OPERATORS_CUH

#include "bits.cuh"

namespace torc
{

/* ---- Values ------------------------------------------------------------------------------------------- */

/* min and max: of floating point fmin and fmax. */
template <class T>
__device__ T lesser(T x, T y)
{
    return y < x ? y : x;
}

template <class T>
__device__ T greater(T x, T y)
{
    return x < y ? y : x;
}

inline __device__ float lesser(float x, float y)
{
    return fminf(x, y);
}

inline __device__ double lesser(double x, double y)
{
    return fmin(x, y);
}

inline __device__ float greater(float x, float y)
{
    return fmaxf(x, y);
}

inline __device__ double greater(double x, double y)
{
    return fmax(x, y);
}

/* The identity of min; of floating point infinity. */
template <class T>
__device__ T highest()
{
    if constexpr (number<T>::is_integer) {
        return number<T>::highest;
    } else {
        return __int_as_float(0x7f800000);
    }
}

/* The identity of max. */
template <class T>
__device__ T lowest()
{
    if constexpr (number<T>::is_integer) {
        return number<T>::lowest;
    } else {
        return -highest<T>();
    }
}

/* What min and max start from. */
template <class T>
__device__ T nan_or(T identity)
{
    if constexpr (number<T>::is_integer) {
        return identity;
    } else {
        return __int_as_float(0x7fffffff);
    }
}

/* What plus starts from, which leaves the sign of a zero alone. */
template <class T>
struct negative_zero {
    static __device__ T value()
    {
        return static_cast<T>(-0.0f);
    }
};

template <class R>
struct negative_zero<complex<R>> {
    static __device__ complex<R> value()
    {
        return {-0.0f, -0.0f};
    }
};

template <class T>
__device__ typename number<T>::wrapping wrap(T x)
{
    return static_cast<typename number<T>::wrapping>(x);
}

/* x/0 is 0 for x = 0 and saturates otherwise; the lowest integer over -1 wraps. */
template <class T>
__device__ T quotient(T x, T y)
{
    if constexpr (!number<T>::is_integer) {
        return x / y;
    } else if constexpr (number<T>::lowest == 0) {
        return static_cast<T>(y != 0 ? x / y : x != 0 ? number<T>::highest : 0);
    } else {
        if (y == 0) {
            return x == 0 ? 0 : x < 0 ? number<T>::lowest : number<T>::highest;
        }
        return static_cast<T>(y == -1 ? 0 - wrap(x) : x / y);
    }
}

/* ---- Monoids ------------------------------------------------------------------------------------------ */

/* `start` and `identity` are expressions. */
#define TORC_MONOID(name, expression, start_value, identity_value)                                           \
    template <class T>                                                                                       \
    struct name##_monoid {                                                                                   \
        using type = T;                                                                                      \
        static constexpr bool has_start = true, takes_one = false;                                           \
        static __device__ T add(T x, T y)                                                                    \
        {                                                                                                    \
            return static_cast<T>(expression);                                                               \
        }                                                                                                    \
        static __device__ T start()                                                                          \
        {                                                                                                    \
            return static_cast<T>(start_value);                                                              \
        }                                                                                                    \
        static __device__ T identity()                                                                       \
        {                                                                                                    \
            return static_cast<T>(identity_value);                                                           \
        }                                                                                                    \
    };

TORC_MONOID(plus, wrap(x) + wrap(y), negative_zero<T>::value(), 0)
TORC_MONOID(times, wrap(x) * wrap(y), 1, 1)
TORC_MONOID(min, lesser(x, y), nan_or(highest<T>()), highest<T>())
TORC_MONOID(max, greater(x, y), nan_or(lowest<T>()), lowest<T>())
TORC_MONOID(lor, x | y, false, false)
TORC_MONOID(land, x &y, true, true)
TORC_MONOID(lxor, x != y, false, false)
TORC_MONOID(lxnor, x == y, true, true)
TORC_MONOID(bor, x | y, 0, 0)
TORC_MONOID(band, x &y, ~0ull, ~0ull)
TORC_MONOID(bxor, x ^ y, 0, 0)
TORC_MONOID(bxnor, ~(x ^ y), ~0ull, ~0ull)
#undef TORC_MONOID

/* Complex numbers are not left alone by 1: 1 times (1, infinity) has 0 times infinity in its real part. */
template <class R>
struct times_monoid<complex<R>> {
    using type = complex<R>;
    static constexpr bool has_start = false, takes_one = false;
    static __device__ type add(type x, type y)
    {
        return x * y;
    }
    static __device__ type start()
    {
        return identity();
    }
    static __device__ type identity()
    {
        return 1;
    }
};

template <class T>
struct any_monoid {
    using type = T;
    static constexpr bool has_start = true, takes_one = true;
    static __device__ T add(T, T y)
    {
        return y;
    }
    static __device__ T start()
    {
        return 0;
    }
    static __device__ T identity()
    {
        return 0;
    }
};

/* ---- Multiplies --------------------------------------------------------------------------------------- */

template <bool ReadsA, bool ReadsB>
struct reads {
    static constexpr bool reads_a = ReadsA, reads_b = ReadsB, is_positional = false;
};

#define TORC_MULTIPLY(name, reads_a, reads_b, result, expression)                                            \
    template <class T>                                                                                       \
    struct name : reads<reads_a, reads_b> {                                                                  \
        static __device__ result multiply(T x, T y)                                                          \
        {                                                                                                    \
            return static_cast<result>(expression);                                                          \
        }                                                                                                    \
    };

TORC_MULTIPLY(first, true, false, T, x)
TORC_MULTIPLY(second, false, true, T, y)
TORC_MULTIPLY(pair, false, false, T, 1)
TORC_MULTIPLY(plus, true, true, T, wrap(x) + wrap(y))
TORC_MULTIPLY(minus, true, true, T, wrap(x) - wrap(y))
TORC_MULTIPLY(rminus, true, true, T, wrap(y) - wrap(x))
TORC_MULTIPLY(times, true, true, T, wrap(x) * wrap(y))
TORC_MULTIPLY(div, true, true, T, quotient(x, y))
TORC_MULTIPLY(rdiv, true, true, T, quotient(y, x))
TORC_MULTIPLY(min, true, true, T, lesser(x, y))
TORC_MULTIPLY(max, true, true, T, greater(x, y))
TORC_MULTIPLY(iseq, true, true, T, x == y)
TORC_MULTIPLY(isne, true, true, T, x != y)
TORC_MULTIPLY(isgt, true, true, T, x > y)
TORC_MULTIPLY(islt, true, true, T, x < y)
TORC_MULTIPLY(isge, true, true, T, x >= y)
TORC_MULTIPLY(isle, true, true, T, x <= y)
TORC_MULTIPLY(lor, true, true, T, (x != 0) | (y != 0))
TORC_MULTIPLY(land, true, true, T, (x != 0) & (y != 0))
TORC_MULTIPLY(lxor, true, true, T, (x != 0) != (y != 0))
TORC_MULTIPLY(eq, true, true, typename truth<T>::type, x == y)
TORC_MULTIPLY(ne, true, true, typename truth<T>::type, x != y)
TORC_MULTIPLY(gt, true, true, typename truth<T>::type, x > y)
TORC_MULTIPLY(lt, true, true, typename truth<T>::type, x < y)
TORC_MULTIPLY(ge, true, true, typename truth<T>::type, x >= y)
TORC_MULTIPLY(le, true, true, typename truth<T>::type, x <= y)
TORC_MULTIPLY(bor, true, true, T, x | y)
TORC_MULTIPLY(band, true, true, T, x &y)
TORC_MULTIPLY(bxor, true, true, T, x ^ y)
TORC_MULTIPLY(bxnor, true, true, T, ~(x ^ y))
#undef TORC_MULTIPLY

#define TORC_POSITIONAL(name, position)                                                                      \
    template <class T>                                                                                       \
    struct name {                                                                                            \
        static constexpr bool reads_a = false, reads_b = false, is_positional = true;                        \
        static __device__ T at(int64_t i, int64_t k, int64_t j)                                              \
        {                                                                                                    \
            return static_cast<T>(position);                                                                 \
        }                                                                                                    \
    };

TORC_POSITIONAL(firsti, i)
TORC_POSITIONAL(firsti1, i + 1)
TORC_POSITIONAL(firstj, k)
TORC_POSITIONAL(firstj1, k + 1)
TORC_POSITIONAL(secondi, k)
TORC_POSITIONAL(secondi1, k + 1)
TORC_POSITIONAL(secondj, j)
TORC_POSITIONAL(secondj1, j + 1)
#undef TORC_POSITIONAL

} // namespace torc

#endif
