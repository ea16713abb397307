/* operators.cuh: the monoids and multiplies of torc.h on one type. Read by nvcc and by NVRTC.
 *
 * A monoid has
 *     add (x, y)
 *     start ()     neutral, bit for bit: add (start (), x) is x. A reduction that starts from it behaves as
 *                  one that starts from its first term: hence -0.0 for plus, and NaN for min and max of
 *                  floating point, which prefer a number to a NaN
 *     identity ()  GraphBLAS's: what a row without entries receives
 *     takes_one    any one term is the result, the rest need not be read
 * A multiply says what it reads, so that a kernel loads nothing else. Integers wrap.
 */
#ifndef TORC_OPERATORS_CUH
#define TORC_OPERATORS_CUH

#include "casts.cuh"

namespace torc
{

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

template <class T>
struct plus_monoid {
    using type = T;
    static constexpr bool takes_one = false;
    static __device__ T add(T x, T y)
    {
        using wrapping = typename number<T>::wrapping;
        return static_cast<T>(static_cast<wrapping>(x) + static_cast<wrapping>(y));
    }
    static __device__ T start()
    {
        return static_cast<T>(-0.0f);
    }
    static __device__ T identity()
    {
        return 0;
    }
};

template <class T>
struct min_monoid {
    using type = T;
    static constexpr bool takes_one = false;
    static __device__ T add(T x, T y)
    {
        return lesser(x, y);
    }
    static __device__ T start()
    {
        return nan_or(identity());
    }
    static __device__ T identity()
    {
        return highest<T>();
    }
};

template <class T>
struct max_monoid {
    using type = T;
    static constexpr bool takes_one = false;
    static __device__ T add(T x, T y)
    {
        return greater(x, y);
    }
    static __device__ T start()
    {
        return nan_or(identity());
    }
    static __device__ T identity()
    {
        return lowest<T>();
    }
};

template <class T>
struct lor_monoid {
    using type = T;
    static constexpr bool takes_one = false;
    static __device__ T add(T x, T y)
    {
        return x | y;
    }
    static __device__ T start()
    {
        return false;
    }
    static __device__ T identity()
    {
        return false;
    }
};

template <class T>
struct any_monoid {
    using type = T;
    static constexpr bool takes_one = true;
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

template <bool ReadsA, bool ReadsB>
struct reads {
    static constexpr bool reads_a = ReadsA, reads_b = ReadsB;
};

template <class T>
struct times : reads<true, true> {
    static __device__ T multiply(T x, T y)
    {
        using wrapping = typename number<T>::wrapping;
        return static_cast<T>(static_cast<wrapping>(x) * static_cast<wrapping>(y));
    }
};

template <class T>
struct plus : reads<true, true> {
    static __device__ T multiply(T x, T y)
    {
        return plus_monoid<T>::add(x, y);
    }
};

template <class T>
struct min : reads<true, true> {
    static __device__ T multiply(T x, T y)
    {
        return lesser(x, y);
    }
};

template <class T>
struct max : reads<true, true> {
    static __device__ T multiply(T x, T y)
    {
        return greater(x, y);
    }
};

template <class T>
struct land : reads<true, true> {
    static __device__ T multiply(T x, T y)
    {
        return x & y;
    }
};

template <class T>
struct first : reads<true, false> {
    static __device__ T multiply(T x, T)
    {
        return x;
    }
};

template <class T>
struct second : reads<false, true> {
    static __device__ T multiply(T, T y)
    {
        return y;
    }
};

template <class T>
struct pair : reads<false, false> {
    static __device__ T multiply(T, T)
    {
        return 1;
    }
};

} // namespace torc

#endif
