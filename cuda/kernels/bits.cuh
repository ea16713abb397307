/* bits.cuh: 64 booleans in a word, for semirings on bool: a word holds 64 adjacent columns of a row, and the
 * operators act on all of them at once, so that operators.cuh serves bool and bits with one text. Comparisons
 * of bits are bits. Read by NVRTC.
 */
#ifndef TORC_BITS_CUH
#define TORC_BITS_CUH

#include "casts.cuh"

namespace torc
{

struct bits {
    uint64_t word;

    bits() = default;
    /* 64 times the same. */
    __device__ bits(bool all) : word(all ? ~uint64_t(0) : 0)
    {
    }

    static __device__ bits of(uint64_t word)
    {
        bits x;
        x.word = word;
        return x;
    }
};

#define TORC_BITWISE(op, expression)                                                                         \
    inline __device__ bits operator op(bits x, bits y)                                                       \
    {                                                                                                        \
        return bits::of(expression);                                                                         \
    }

TORC_BITWISE(|, x.word | y.word)
TORC_BITWISE(&, x.word &y.word)
TORC_BITWISE(==, ~(x.word ^ y.word))
TORC_BITWISE(!=, x.word ^ y.word)
TORC_BITWISE(>, x.word & ~y.word)
TORC_BITWISE(<, ~x.word &y.word)
TORC_BITWISE(>=, x.word | ~y.word)
TORC_BITWISE(<=, ~x.word | y.word)
#undef TORC_BITWISE

/* What a comparison of values of T gives. */
template <class T>
struct truth {
    using type = bool;
};
template <>
struct truth<bits> {
    using type = bits;
};

template <>
struct caster<bits> {
    template <class From>
    static __device__ bits cast(From x)
    {
        return caster<bool>::cast(x);
    }

    static __device__ bits cast(bits x)
    {
        return x;
    }
};

} // namespace torc

#endif
