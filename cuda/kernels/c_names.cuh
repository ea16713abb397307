/* c_names.cuh: what user-defined source may expect of C, of its standard headers, which are empty here, and
 * of GraphBLAS. Read by NVRTC. */
#ifndef TORC_C_NAMES_CUH
#define TORC_C_NAMES_CUH

/* Errors where they are only warned of: long double, which is double here; an extern variable, which would be
 * another one; a function without the return that C does not miss; trigraphs. */
#pragma nv_diag_error 20208, 20044, 940, 1406

#undef assert /* which would end the context */
#define _Bool bool
#define restrict __restrict__
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define INT8_MIN (-128)
#define INT8_MAX 127
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT64_MAX 9223372036854775807LL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
#define INT_MIN INT32_MIN
#define INT_MAX INT32_MAX
#define UINT_MAX UINT32_MAX

/* C's functions take and give double, where C++ would overload them on float. User-defined source stands in
 * namespace torc_c::user, so that its own names come first, these next, those of CUDA and torc last. Those of
 * CUDA that C does not have, or that do something else here, are hidden: they are compile errors unless the
 * source defines them. The program may have a function or macro of that name outside of the source. */
namespace torc_c
{

using GrB_Index = uint64_t;

struct torc_not_of_c;
__device__ torc_not_of_c max(), min(), umax(), umin(), llmax(), llmin(), ullmax(), ullmin(), norm(), norm3d(),
    norm4d(), rnorm(), rnorm3d(), rnorm4d(), rhypot(), rsqrt(), rcbrt(), sincos(), sincospi(), sinpi(),
    cospi(), exp10(), erfinv(), erfcinv(), erfcx(), normcdf(), normcdfinv(), cyl_bessel_i0(), cyl_bessel_i1(),
    fdivide();
__device__ torc_not_of_c normf(), norm3df(), norm4df(), rnormf(), rnorm3df(), rnorm4df(), rhypotf(), rsqrtf(),
    rcbrtf(), sincosf(), sincospif(), sinpif(), cospif(), exp10f(), erfinvf(), erfcinvf(), erfcxf(),
    normcdff(), normcdfinvf(), cyl_bessel_i0f(), cyl_bessel_i1f(), fdividef();
__device__ torc_not_of_c malloc(), free(), printf(), clock(), clock64(), all(), any(), ballot(), dadd(),
    dsub(), dmul(), double2int(), double2uint(), double2ll(), double2ull(), int2double(), uint2double(),
    ll2double(), ull2double(), float2double();
__device__ torc_not_of_c threadIdx(), blockIdx(), blockDim(), gridDim(), warpSize(), syncthreads_and(),
    syncthreads_or(), syncthreads_count(), MAJOR_VERSION(), MINOR_VERSION(), PATCH_LEVEL(),
    libraryPropertyType(), libraryPropertyType_t();

#define TORC_NOT_ATOMIC(f) __device__ torc_not_of_c f(), f##_block(), f##_system();
TORC_NOT_ATOMIC(atomicAdd)
TORC_NOT_ATOMIC(atomicSub)
TORC_NOT_ATOMIC(atomicExch)
TORC_NOT_ATOMIC(atomicMin)
TORC_NOT_ATOMIC(atomicMax)
TORC_NOT_ATOMIC(atomicInc)
TORC_NOT_ATOMIC(atomicDec)
TORC_NOT_ATOMIC(atomicCAS)
TORC_NOT_ATOMIC(atomicAnd)
TORC_NOT_ATOMIC(atomicOr)
TORC_NOT_ATOMIC(atomicXor)
#undef TORC_NOT_ATOMIC

/* Types without members. A name that CUDA deprecates, as make_double4, may not be mentioned. */
#define TORC_NOT_TYPE(type)                                                                                  \
    struct type;                                                                                             \
    __device__ torc_not_of_c make_##type();
#define TORC_NOT_TYPES(type) TORC_NOT_TYPE(type##1) TORC_NOT_TYPE(type##2) TORC_NOT_TYPE(type##3)
#define TORC_NOT_VECTOR(type) TORC_NOT_TYPES(type) TORC_NOT_TYPE(type##4)
#define TORC_NOT_LONG_VECTOR(type)                                                                           \
    TORC_NOT_TYPES(type)                                                                                     \
    struct type##4;                                                                                          \
    TORC_NOT_TYPE(type##4_16a)                                                                               \
    TORC_NOT_TYPE(type##4_32a)
TORC_NOT_VECTOR(char)
TORC_NOT_VECTOR(uchar)
TORC_NOT_VECTOR(short)
TORC_NOT_VECTOR(ushort)
TORC_NOT_VECTOR(int)
TORC_NOT_VECTOR(uint)
TORC_NOT_VECTOR(float)
TORC_NOT_LONG_VECTOR(long)
TORC_NOT_LONG_VECTOR(ulong)
TORC_NOT_LONG_VECTOR(longlong)
TORC_NOT_LONG_VECTOR(ulonglong)
TORC_NOT_LONG_VECTOR(double)
#undef TORC_NOT_LONG_VECTOR
#undef TORC_NOT_VECTOR
#undef TORC_NOT_TYPES
#undef TORC_NOT_TYPE
struct dim3;

#define TORC_NOT_TEXTURE(f)                                                                                  \
    __device__ torc_not_of_c f(), f##Grad(), f##Lod(), f##Layered(), f##LayeredGrad(), f##LayeredLod();
TORC_NOT_TEXTURE(tex1D)
TORC_NOT_TEXTURE(tex2D)
TORC_NOT_TEXTURE(tex3D)
TORC_NOT_TEXTURE(texCubemap)
#undef TORC_NOT_TEXTURE
__device__ torc_not_of_c tex1Dfetch(), tex2Dgather();

#define TORC_NOT_SURFACE(f)                                                                                  \
    __device__ torc_not_of_c f##read(), f##write(), f##Layeredread(), f##Layeredwrite();
TORC_NOT_SURFACE(surf1D)
TORC_NOT_SURFACE(surf2D)
TORC_NOT_SURFACE(surf3D)
TORC_NOT_SURFACE(surfCubemap)
#undef TORC_NOT_SURFACE

#define TORC_C_FUNCTION(type, f, parameters, ...)                                                            \
    inline __device__ type f parameters                                                                      \
    {                                                                                                        \
        return ::f(__VA_ARGS__);                                                                             \
    }
#define TORC_C_FUNCTION_1(f) TORC_C_FUNCTION(double, f, (double x), x)
#define TORC_C_FUNCTION_2(f) TORC_C_FUNCTION(double, f, (double x, double y), x, y)

TORC_C_FUNCTION_1(fabs)
TORC_C_FUNCTION_1(sqrt)
TORC_C_FUNCTION_1(cbrt)
TORC_C_FUNCTION_1(logb)
TORC_C_FUNCTION_1(exp)
TORC_C_FUNCTION_1(exp2)
TORC_C_FUNCTION_1(expm1)
TORC_C_FUNCTION_1(log)
TORC_C_FUNCTION_1(log2)
TORC_C_FUNCTION_1(log10)
TORC_C_FUNCTION_1(log1p)
TORC_C_FUNCTION_1(sin)
TORC_C_FUNCTION_1(cos)
TORC_C_FUNCTION_1(tan)
TORC_C_FUNCTION_1(asin)
TORC_C_FUNCTION_1(acos)
TORC_C_FUNCTION_1(atan)
TORC_C_FUNCTION_1(sinh)
TORC_C_FUNCTION_1(cosh)
TORC_C_FUNCTION_1(tanh)
TORC_C_FUNCTION_1(asinh)
TORC_C_FUNCTION_1(acosh)
TORC_C_FUNCTION_1(atanh)
TORC_C_FUNCTION_1(erf)
TORC_C_FUNCTION_1(erfc)
TORC_C_FUNCTION_1(lgamma)
TORC_C_FUNCTION_1(tgamma)
TORC_C_FUNCTION_1(floor)
TORC_C_FUNCTION_1(ceil)
TORC_C_FUNCTION_1(trunc)
TORC_C_FUNCTION_1(round)
TORC_C_FUNCTION_1(rint)
TORC_C_FUNCTION_1(nearbyint)
TORC_C_FUNCTION_2(fmin)
TORC_C_FUNCTION_2(fmax)
TORC_C_FUNCTION_2(fmod)
TORC_C_FUNCTION_2(fdim)
TORC_C_FUNCTION_2(remainder)
TORC_C_FUNCTION_2(pow)
TORC_C_FUNCTION_2(hypot)
TORC_C_FUNCTION_2(atan2)
TORC_C_FUNCTION_2(copysign)
TORC_C_FUNCTION_2(nextafter)
TORC_C_FUNCTION(double, fma, (double x, double y, double z), x, y, z)
TORC_C_FUNCTION(double, ldexp, (double x, int n), x, n)
TORC_C_FUNCTION(double, scalbn, (double x, int n), x, n)
TORC_C_FUNCTION(double, scalbln, (double x, long n), x, n)
TORC_C_FUNCTION(double, frexp, (double x, int *n), x, n)
TORC_C_FUNCTION(double, modf, (double x, double *whole), x, whole)
TORC_C_FUNCTION(double, remquo, (double x, double y, int *quotient), x, y, quotient)
TORC_C_FUNCTION(int, ilogb, (double x), x)
TORC_C_FUNCTION(long, lround, (double x), x)
TORC_C_FUNCTION(long, lrint, (double x), x)
TORC_C_FUNCTION(long long, llround, (double x), x)
TORC_C_FUNCTION(long long, llrint, (double x), x)
TORC_C_FUNCTION(int, isnan, (double x), x)
TORC_C_FUNCTION(int, isfinite, (double x), x)
#undef TORC_C_FUNCTION
#undef TORC_C_FUNCTION_1
#undef TORC_C_FUNCTION_2

inline __device__ int abs(int x)
{
    return x < 0 ? -x : x;
}

/* As glibc's macro. */
constexpr __device__ int isinf(double x)
{
    return x > DBL_MAX ? 1 : x < -DBL_MAX ? -1 : 0;
}

/* Not zero where the sign is set: C does not say which number. */
struct torc_truth {
    bool is;
    explicit __device__ operator bool() const
    {
        return is;
    }
};
inline __device__ torc_truth signbit(double x)
{
    return {::signbit(x) != 0};
}

} // namespace torc_c

#endif
