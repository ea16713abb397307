/* user_operators.cuh: user-defined functions as a monoid, a multiply, a unary and an index operator. Read by
 * NVRTC.
 *
 * Add, Multiply and Function call the user's function, void f (Z *z, const X *x, const Y *y); of one value
 * void f (Z *z, const X *x), and with its place void f (Z *z, const X *x, GrB_Index i, GrB_Index j, const Y
 * *thunk). Identity has a value ().
 */
#ifndef TORC_USER_OPERATORS_CUH
#define TORC_USER_OPERATORS_CUH

#include "c_names.cuh"
#include "operators.cuh"

namespace torc
{

template <class Z, class Add, class Identity>
struct user_monoid {
    using type = Z;
    static constexpr bool has_start = false, takes_one = false;
    static __device__ Z add(Z x, Z y)
    {
        Z z;
        Add::call(&z, &x, &y);
        return z;
    }
    static __device__ Z start()
    {
        return Z();
    }
    static __device__ Z identity()
    {
        return Identity::value();
    }
};

/* X and Y are the types of A's and B's values, which the function takes in this order unless IsFlipped. */
template <class X, class Y, class Z, class Multiply, bool IsFlipped>
struct user_multiply : reads<true, true> {
    static __device__ Z multiply(X x, Y y)
    {
        Z z;
        if constexpr (IsFlipped) {
            Multiply::call(&z, &y, &x);
        } else {
            Multiply::call(&z, &x, &y);
        }
        return z;
    }
};

template <class X, class Z, class Function>
struct user_unary {
    static __device__ Z apply(X x)
    {
        Z z;
        Function::call(&z, &x);
        return z;
    }
};

/* Y: the thunk's type. */
template <class X, class Y, class Z, class Function>
struct user_index {
    using thunk = Y;
    static constexpr bool reads_x = true;
    static __device__ Z at(X x, int64_t i, int64_t j, Y s)
    {
        Z z;
        Function::call(&z, &x, static_cast<uint64_t>(i), static_cast<uint64_t>(j), &s);
        return z;
    }
};

} // namespace torc

#endif
