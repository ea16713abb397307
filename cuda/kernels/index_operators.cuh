/* index_operators.cuh: the index operators of elementwise.h: z = at (x, i, j, thunk). Those that compare
 * values do so on T, the thunk's type; the others look at positions alone, add with wrapping, and give T or
 * bool. Read by NVRTC.
 */
#ifndef TORC_INDEX_OPERATORS_CUH
#define TORC_INDEX_OPERATORS_CUH

#include "operators.cuh"

namespace torc
{

inline __device__ int64_t sum_of(int64_t x, int64_t y)
{
    return static_cast<int64_t>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
}

inline __device__ int64_t difference_of(int64_t x, int64_t y)
{
    return static_cast<int64_t>(static_cast<uint64_t>(x) - static_cast<uint64_t>(y));
}

#define TORC_INDEX(name, result, expression)                                                                 \
    template <class T>                                                                                       \
    struct name##_index {                                                                                    \
        using thunk = int64_t;                                                                               \
        static constexpr bool reads_x = false;                                                               \
        static __device__ result at(T, int64_t i, int64_t j, int64_t s)                                      \
        {                                                                                                    \
            return static_cast<result>(expression);                                                          \
        }                                                                                                    \
    };

TORC_INDEX(rowindex, T, sum_of(i, s))
TORC_INDEX(colindex, T, sum_of(j, s))
TORC_INDEX(diagindex, T, difference_of(j, sum_of(i, s)))
TORC_INDEX(tril, bool, j - i <= s)
TORC_INDEX(triu, bool, j - i >= s)
TORC_INDEX(diag, bool, j - i == s)
TORC_INDEX(offdiag, bool, j - i != s)
TORC_INDEX(colle, bool, j <= s)
TORC_INDEX(colgt, bool, j > s)
TORC_INDEX(rowle, bool, i <= s)
TORC_INDEX(rowgt, bool, i > s)
#undef TORC_INDEX

#define TORC_VALUE(name, comparison)                                                                         \
    template <class T>                                                                                       \
    struct name##_index {                                                                                    \
        using thunk = T;                                                                                     \
        static constexpr bool reads_x = true;                                                                \
        static __device__ bool at(T x, int64_t, int64_t, T s)                                                \
        {                                                                                                    \
            return x comparison s;                                                                           \
        }                                                                                                    \
    };

TORC_VALUE(valueeq, ==)
TORC_VALUE(valuene, !=)
TORC_VALUE(valuelt, <)
TORC_VALUE(valuele, <=)
TORC_VALUE(valuegt, >)
TORC_VALUE(valuege, >=)
#undef TORC_VALUE

} // namespace torc

#endif
