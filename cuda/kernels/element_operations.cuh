/* element_operations.cuh: the operation policy of an element-wise kernel: T(i,j) from A(i,j) and B(i,j).
 *
 * An operation has give (t, a, b, at): a and b are values as they are stored, `there` or not; t receives T's
 * value, cast to its type, where it returns true; else T is absent and t stays. Read by NVRTC.
 */
#ifndef TORC_ELEMENT_OPERATIONS_CUH
#define TORC_ELEMENT_OPERATIONS_CUH

#include "elementwise_args.h"
#include "index_operators.cuh"
#include "operand_access.cuh"
#include "unary_operators.cuh"

namespace torc
{

/* A value of an operand, and whether there is one. */
template <class Stored>
struct element {
    Stored value;
    bool is_there;
};

/* An element's place, and what else came with the launch. */
struct element_place {
    const torc_elementwise_args &args;
    int64_t line, place;

    __device__ int64_t i() const
    {
        return args.by_column ? place : line;
    }
    __device__ int64_t j() const
    {
        return args.by_column ? line : place;
    }
};

/* The value whose bytes begin these words. */
template <class T>
__device__ T value_in_words(const uint64_t *words)
{
    T value;
    memcpy(&value, words, sizeof value);
    return value;
}

/* A thunk, alpha or beta of type T, and a bool, of which any byte but 0 is true. */
template <class T>
struct scalar {
    static __device__ T of(const uint64_t *words)
    {
        return value_in_words<T>(words);
    }
};
template <>
struct scalar<bool> {
    static __device__ bool of(const uint64_t *words)
    {
        return caster<bool>::cast(value_in_words<boolean>(words));
    }
};

template <class Function, class X>
struct apply {
    template <class C, class A, class B>
    static __device__ bool give(C &t, const element<A> &a, const element<B> &, const element_place &)
    {
        if (a.is_there) {
            t = caster<C>::cast(Function::apply(caster<X>::cast(a.value)));
        }
        return a.is_there;
    }
};

/* An index operator of A's value, cast to X where it is read: what is opaque cannot be cast. */
template <class Function, class X, class A>
__device__ auto call_index(const element<A> &a, const element_place &at)
{
    const auto thunk = scalar<typename Function::thunk>::of(at.args.thunk);
    if constexpr (Function::reads_x) {
        return Function::at(caster<X>::cast(a.value), at.i(), at.j(), thunk);
    } else {
        return Function::at(X(), at.i(), at.j(), thunk);
    }
}

template <class Function, class X>
struct apply_index {
    template <class C, class A, class B>
    static __device__ bool give(C &t, const element<A> &a, const element<B> &, const element_place &at)
    {
        if (a.is_there) {
            t = caster<C>::cast(call_index<Function, X>(a, at));
        }
        return a.is_there;
    }
};

template <class Function, class X>
struct select {
    template <class C, class A, class B>
    static __device__ bool give(C &t, const element<A> &a, const element<B> &, const element_place &at)
    {
        if (!a.is_there) {
            return false;
        }
        const bool stays = call_index<Function, X>(a, at);
        if (stays) {
            t = caster<C>::cast(a.value);
        }
        return stays;
    }
};

/* multiply (x, y), cast. */
template <class Multiply, class C, class X, class Y>
__device__ C combine(X x, Y y, const element_place &at)
{
    if constexpr (Multiply::is_positional) {
        return caster<C>::cast(Multiply::at(at.i(), 0, at.j()));
    } else {
        return caster<C>::cast(Multiply::multiply(x, y));
    }
}

template <class Multiply, class X, class Y>
struct ewise_mult {
    template <class C, class A, class B>
    static __device__ bool give(C &t, const element<A> &a, const element<B> &b, const element_place &at)
    {
        if (a.is_there && b.is_there) {
            t = combine<Multiply, C>(caster<X>::cast(a.value), caster<Y>::cast(b.value), at);
        }
        return a.is_there && b.is_there;
    }
};

/* Z: the type of multiply's results. */
template <class Multiply, class X, class Y, class Z>
struct ewise_add {
    template <class C, class A, class B>
    static __device__ bool give(C &t, const element<A> &a, const element<B> &b, const element_place &at)
    {
        if (a.is_there && b.is_there) {
            t = combine<Multiply, C>(caster<X>::cast(a.value), caster<Y>::cast(b.value), at);
        } else if (a.is_there) {
            t = caster<C>::cast(caster<Z>::cast(a.value));
        } else if (b.is_there) {
            t = caster<C>::cast(caster<Z>::cast(b.value));
        }
        return a.is_there || b.is_there;
    }
};

template <class Multiply, class X, class Y>
struct ewise_union {
    template <class C, class A, class B>
    static __device__ bool give(C &t, const element<A> &a, const element<B> &b, const element_place &at)
    {
        if (a.is_there || b.is_there) {
            const X x = a.is_there ? caster<X>::cast(a.value) : scalar<X>::of(at.args.alpha);
            const Y y = b.is_there ? caster<Y>::cast(b.value) : scalar<Y>::of(at.args.beta);
            t = combine<Multiply, C>(x, y, at);
        }
        return a.is_there || b.is_there;
    }
};

} // namespace torc

#endif
