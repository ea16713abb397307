/* unary_operators.cuh: the unary operators of elementwise.h: z = apply (x), on a type T. What they give where
 * C's functions and CUDA's differ is said here: fractions and exponents of what is not finite. Integers wrap.
 * Read by NVRTC.
 */
#ifndef TORC_UNARY_OPERATORS_CUH
#define TORC_UNARY_OPERATORS_CUH

#include "operators.cuh"

namespace torc
{

/* ---- Values ------------------------------------------------------------------------------------------- */

template <class T>
__device__ T negative(T x)
{
    if constexpr (number<T>::is_integer) {
        return static_cast<T>(0 - wrap(x));
    } else {
        return -x;
    }
}

inline __device__ bool negative(bool x)
{
    return x;
}

template <class R>
__device__ complex<R> negative(complex<R> x)
{
    return {-x.real, -x.imag};
}

/* The lowest integer is its own. */
template <class T>
__device__ T absolute(T x)
{
    if constexpr (!number<T>::is_integer) {
        return fabs(x);
    } else if constexpr (number<T>::lowest == 0) {
        return x;
    } else {
        return x < 0 ? negative(x) : x;
    }
}

template <class R>
__device__ R absolute(complex<R> x)
{
    return hypot(x.real, x.imag);
}

template <class R>
__device__ R sign_of(R x)
{
    return x > 0 ? R(1) : x < 0 ? R(-1) : x == 0 ? R(0) : x;
}

/* x is fraction times 2 to the exponent; the fraction of what is not finite is itself. */
template <class R>
__device__ R fraction_of(R x)
{
    int exponent;
    return isfinite(x) ? frexp(x, &exponent) : x;
}

template <class R>
__device__ R exponent_of(R x)
{
    int exponent = 0;
    if (isfinite(x)) {
        frexp(x, &exponent);
    }
    return static_cast<R>(exponent);
}

template <class R>
__device__ bool is_infinite(R x)
{
    return isinf(x);
}

template <class R>
__device__ bool is_infinite(complex<R> x)
{
    return isinf(x.real) || isinf(x.imag);
}

template <class R>
__device__ bool is_nan(R x)
{
    return isnan(x);
}

template <class R>
__device__ bool is_nan(complex<R> x)
{
    return isnan(x.real) || isnan(x.imag);
}

template <class R>
__device__ bool is_finite(R x)
{
    return isfinite(x);
}

template <class R>
__device__ bool is_finite(complex<R> x)
{
    return isfinite(x.real) && isfinite(x.imag);
}

/* ---- Operators ---------------------------------------------------------------------------------------- */

#define TORC_UNARY(name, expression)                                                                         \
    template <class T>                                                                                       \
    struct name##_unary {                                                                                    \
        static __device__ auto apply(T x)                                                                    \
        {                                                                                                    \
            return expression;                                                                               \
        }                                                                                                    \
    };

TORC_UNARY(identity, x)
TORC_UNARY(one, static_cast<T>(1))
TORC_UNARY(ainv, negative(x))
TORC_UNARY(minv, quotient(static_cast<T>(1), x))
TORC_UNARY(abs, absolute(x))
TORC_UNARY(lnot, static_cast<T>(x == 0))
TORC_UNARY(bnot, static_cast<T>(~x))
TORC_UNARY(sqrt, ::sqrt(x))
TORC_UNARY(ceil, ::ceil(x))
TORC_UNARY(floor, ::floor(x))
TORC_UNARY(round, ::round(x))
TORC_UNARY(trunc, ::trunc(x))
TORC_UNARY(signum, sign_of(x))
TORC_UNARY(frexpx, fraction_of(x))
TORC_UNARY(frexpe, exponent_of(x))
TORC_UNARY(conj, (T{x.real, -x.imag}))
TORC_UNARY(creal, x.real)
TORC_UNARY(cimag, x.imag)
TORC_UNARY(isinf, is_infinite(x))
TORC_UNARY(isnan, is_nan(x))
TORC_UNARY(isfinite, is_finite(x))
#undef TORC_UNARY

template <>
struct minv_unary<bool> {
    static __device__ bool apply(bool)
    {
        return true;
    }
};

} // namespace torc

#endif
