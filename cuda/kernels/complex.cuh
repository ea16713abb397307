/* complex.cuh: complex values as GraphBLAS multiplies and divides them: the plain formula, no repair of
 * infinities; Smith's method. Read by nvcc and by NVRTC.
 *
 * R. L. Smith, Algorithm 116: Complex division, Communications of the ACM 5 (1962).
 */
#ifndef TORC_COMPLEX_CUH
#define TORC_COMPLEX_CUH

namespace torc
{

template <class R>
struct alignas(2 * sizeof(R)) complex {
    R real, imag;

    complex() = default;
    __device__ complex(R r, R i = 0) : real(r), imag(i)
    {
    }
};

template <class R>
__device__ bool operator==(complex<R> x, complex<R> y)
{
    return x.real == y.real && x.imag == y.imag;
}

template <class R>
__device__ bool operator!=(complex<R> x, complex<R> y)
{
    return !(x == y);
}

template <class R>
__device__ complex<R> operator+(complex<R> x, complex<R> y)
{
    return {x.real + y.real, x.imag + y.imag};
}

template <class R>
__device__ complex<R> operator-(complex<R> x, complex<R> y)
{
    return {x.real - y.real, x.imag - y.imag};
}

template <class R>
__device__ complex<R> operator*(complex<R> x, complex<R> y)
{
    return {x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real};
}

/* With the cases that GraphBLAS sets apart. */
inline __device__ complex<double> operator/(complex<double> x, complex<double> y)
{
    if (y.imag == 0) {
        return {x.real == 0 && x.imag != 0 ? 0 : x.real / y.real, x.imag == 0 ? 0 : x.imag / y.real};
    }
    if (y.real == 0) {
        return {x.imag == 0 && x.real != 0 ? 0 : x.imag / y.imag, x.real == 0 ? 0 : -x.real / y.imag};
    }
    if (isinf(y.real) && isinf(y.imag)) {
        const double sign = signbit(y.real) == signbit(y.imag) ? 1 : -1, scale = y.real + sign * y.imag;
        return {(x.real + sign * x.imag) / scale, (x.imag - sign * x.real) / scale};
    }
    if (fabs(y.real) < fabs(y.imag)) {
        const double ratio = y.real / y.imag, scale = ratio * y.real + y.imag;
        return {(x.real * ratio + x.imag) / scale, (x.imag * ratio - x.real) / scale};
    }
    const double ratio = y.imag / y.real, scale = ratio * y.imag + y.real;
    return {(x.imag * ratio + x.real) / scale, (x.imag - x.real * ratio) / scale};
}

/* In double, then rounded. */
inline __device__ complex<float> operator/(complex<float> x, complex<float> y)
{
    const complex<double> z = complex<double>(x.real, x.imag) / complex<double>(y.real, y.imag);
    return {static_cast<float>(z.real), static_cast<float>(z.imag)};
}

} // namespace torc

#endif
