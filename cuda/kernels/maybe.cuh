/* maybe.cuh: a value that may be absent, as a bitmap's, and the monoid over such values: what a reduction is
 * over where B has absent elements. A sum of no terms leaves C without an element, one that happens to be the
 * identity does not. Read by nvcc and by NVRTC.
 */
#ifndef TORC_MAYBE_CUH
#define TORC_MAYBE_CUH

#include "operand_access.cuh"

namespace torc
{

template <class T>
struct maybe {
    T value;
    uint32_t is_there; /* or not; a word, since bytes take the compiler more instructions */

    maybe() = default;
    __device__ explicit maybe(T x) : value(x), is_there(true)
    {
    }
};

/* T, of T or of maybe<T>. */
template <class T>
struct value_in {
    using type = T;
    static constexpr bool may_be_absent = false;
};
template <class T>
struct value_in<maybe<T>> {
    using type = T;
    static constexpr bool may_be_absent = true;
};

/* The monoid with one element more, absent, which is neutral: so it has a start, whatever the monoid has. */
template <class Monoid>
struct maybe_monoid {
    using type = maybe<typename Monoid::type>;
    static constexpr bool has_start = true, takes_one = Monoid::takes_one;

    /* x is a sum: where absent its value is start (). That of y is not looked at. */
    static __device__ type add(type x, type y)
    {
        if (y.is_there) {
            predicated();
            x.value = Monoid::has_start || x.is_there ? Monoid::add(x.value, y.value) : y.value;
            x.is_there = true;
        }
        return x;
    }

    static __device__ type start()
    {
        type absent(Monoid::start());
        absent.is_there = false;
        return absent;
    }

    static __device__ typename Monoid::type identity()
    {
        return Monoid::identity();
    }
};

template <class Monoid, bool MayBeAbsent>
struct monoid_of_sums {
    using type = Monoid;
};
template <class Monoid>
struct monoid_of_sums<Monoid, true> {
    using type = maybe_monoid<Monoid>;
};

/* Sums taken apart: values, the identity where there is none, and where there is one. */
template <class Monoid, class T, int Vector>
__device__ fragment<T, Vector> values_of(const fragment<T, Vector> &sums, fragment<bool, Vector> &is_there)
{
    is_there.fill(true);
    return sums;
}

template <class Monoid, class T, int Vector>
__device__ fragment<T, Vector> values_of(
    const fragment<maybe<T>, Vector> &sums, fragment<bool, Vector> &is_there)
{
    fragment<T, Vector> values;
#pragma unroll
    for (int v = 0; v < Vector; v++) {
        is_there.value[v] = sums.value[v].is_there;
        values.value[v] = is_there.value[v] ? sums.value[v].value : Monoid::identity();
    }
    return values;
}

} // namespace torc

#endif
