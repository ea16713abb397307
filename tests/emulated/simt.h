/* simt.h: CUDA's words in C++, included before a kernel's text, so that a C++ compiler makes of it what
 * simt.cpp runs. A kernel's instructions.cuh is left out for the functions of that name below. */
#ifndef TORC_SIMT_H
#define TORC_SIMT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Instead of c_names.cuh: C's own names are there. */
#define TORC_C_NAMES_CUH
namespace torc_c
{
using GrB_Index = uint64_t;
}

#define __device__
#define __global__
#define __grid_constant__
#define __launch_bounds__(...)
#define __noinline__ __attribute__((noinline))
#define __shared__ static /* blocks run one after another */

struct torc_simt_place {
    unsigned x, y, z;
};
extern torc_simt_place threadIdx, blockIdx, gridDim;
extern unsigned char *torc_simt_shared;

/* What threads wait for each other in. */
enum torc_simt_kind {
    TORC_SIMT_SHUFFLE,
    TORC_SIMT_BALLOT,
    TORC_SIMT_SYNCWARP,
    TORC_SIMT_SYNCTHREADS,
    TORC_SIMT_PHASE /* each for itself, until a barrier in shared memory has ended phase number `from` */
};

/* 8 bytes of shared memory. */
struct torc_simt_barrier {
    uint16_t count, missing;
    uint32_t ended; /* phases */
};

struct torc_simt_call {
    torc_simt_kind kind;
    unsigned mask;
    uint64_t value;
    int from, width; /* of a shuffle */
    /* value, of a phase: the address of the barrier */
    const char *file;
    int line;
};

/* Returns once all threads that the call names have come to it: what the thread receives. */
uint64_t torc_simt_meet(const torc_simt_call &call);

void torc_simt_take_turn();
void torc_simt_need_turn();

#define TORC_SIMT_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <class T>
T __shfl_sync(unsigned mask, T x, int from, int width = 32, TORC_SIMT_HERE)
{
    static_assert(sizeof(T) <= sizeof(uint64_t), "CUDA shuffles numbers");
    uint64_t word = 0;
    memcpy(&word, &x, sizeof x);
    word = torc_simt_meet({TORC_SIMT_SHUFFLE, mask, word, from, width, file, line});
    memcpy(&x, &word, sizeof x);
    return x;
}

inline unsigned __ballot_sync(unsigned mask, bool x, TORC_SIMT_HERE)
{
    return static_cast<unsigned>(torc_simt_meet({TORC_SIMT_BALLOT, mask, x, 0, 0, file, line}));
}

inline bool __any_sync(unsigned mask, bool x, TORC_SIMT_HERE)
{
    return __ballot_sync(mask, x, file, line) != 0;
}

inline void __syncwarp(unsigned mask = ~0u, TORC_SIMT_HERE)
{
    torc_simt_meet({TORC_SIMT_SYNCWARP, mask, 0, 0, 0, file, line});
}

inline void __syncthreads(TORC_SIMT_HERE)
{
    torc_simt_meet({TORC_SIMT_SYNCTHREADS, 0, 0, 0, 0, file, line});
}

inline int __ffs(unsigned x)
{
    return __builtin_ffs(static_cast<int>(x));
}

inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}

inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}

inline int __clz(int x)
{
    return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}

inline float __int_as_float(int bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

struct uint2 {
    unsigned x, y;
};

template <class T>
T __ldg(const T *from)
{
    return *from;
}

inline unsigned __dp2a_lo(unsigned pair, unsigned factors, unsigned sum)
{
    return sum + (pair & 0xffff) * (factors & 0xff) + (pair >> 16) * (factors >> 8 & 0xff);
}

inline unsigned __dp2a_hi(unsigned pair, unsigned factors, unsigned sum)
{
    return __dp2a_lo(pair, factors >> 16, sum);
}

inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) >> shift % 32);
}

inline void __stcs(uint4 *to, uint4 x)
{
    *to = x;
}

/* instructions.cuh */
#define TORC_INSTRUCTIONS_CUH
namespace torc
{

template <class T>
T load_once(const T *from)
{
    torc_simt_need_turn();
    return *from;
}

template <class T>
T load_here(const T *from)
{
    torc_simt_need_turn();
    return *from;
}

inline unsigned char *dynamic_shared()
{
    return torc_simt_shared;
}

template <class T>
void copy_async(T *to, const T *from)
{
    *to = *from;
}

inline void wait_for_copies()
{
}

/* Addresses are counted from the first byte of shared memory. */
inline uint32_t shared_address(const void *memory)
{
    return static_cast<uint32_t>(static_cast<const unsigned char *>(memory) - torc_simt_shared);
}

template <class T>
T load_shared(uint32_t from)
{
    T value;
    memcpy(&value, torc_simt_shared + from, sizeof value);
    return value;
}

template <class T>
void store_shared(uint32_t to, const T &value)
{
    memcpy(torc_simt_shared + to, &value, sizeof value);
}

inline double double_of_bit(uint32_t bit)
{
    return bit;
}

template <uint32_t Bits>
uint32_t bits_of(uint32_t word)
{
    return word & Bits;
}

template <uint32_t Bits>
void load_shared_if(uint4 &line, uint32_t from, uint32_t word)
{
    if (word & Bits) {
        line = load_shared<uint4>(from);
    }
}

inline void prefetch(const void *)
{
}

inline void copy_async_16(uint32_t to, const void *from)
{
    memcpy(torc_simt_shared + to, from, 16);
}

inline torc_simt_barrier &barrier_at(uint32_t place)
{
    return *reinterpret_cast<torc_simt_barrier *>(torc_simt_shared + place);
}

inline void begin_barrier(uint32_t barrier, int count)
{
    const auto all = static_cast<uint16_t>(count);
    barrier_at(barrier) = {all, all, 0};
}

inline void arrive(uint32_t barrier)
{
    torc_simt_barrier &b = barrier_at(barrier);
    if (--b.missing == 0) {
        b.missing = b.count;
        b.ended++;
    }
}

inline void arrive_with_copies(uint32_t barrier)
{
    arrive(barrier);
}

inline void wait_for_phase(uint32_t barrier, uint32_t phase, TORC_SIMT_HERE)
{
    torc_simt_meet({TORC_SIMT_PHASE, 1u << threadIdx.x % 32,
        reinterpret_cast<uintptr_t>(torc_simt_shared + barrier), static_cast<int>(phase), 0, file, line});
}

/* Words of all lanes of the warp: what one lane writes the others read, before the next ones are written. */
template <int Words>
struct torc_simt_exchange {
    uint64_t of[32][32][Words]; /* by warp and lane */

    uint64_t (&own())[Words]
    {
        return of[threadIdx.x / 32][threadIdx.x % 32];
    }
    uint64_t (&lane(unsigned n))[Words]
    {
        return of[threadIdx.x / 32][n];
    }
};

/* As a loop over what the lanes have: TF32 cut off, terms added in double. */
inline float torc_simt_tf32(uint64_t word)
{
    return __int_as_float(static_cast<int>(word & 0xffffe000));
}

inline void multiply_add_tf32(
    float (&first)[2], float (&second)[2], const uint32_t (&x)[4], const uint32_t (&y)[2], TORC_SIMT_HERE)
{
    static torc_simt_exchange<6> words;
    const unsigned g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    for (int n = 0; n < 4; n++) {
        words.own()[n] = x[n];
    }
    words.own()[4] = y[0];
    words.own()[5] = y[1];
    __syncwarp(~0u, file, line);
    for (int half = 0; half < 2; half++) {
        for (unsigned column = 0; column < 2; column++) {
            float &sum = half == 0 ? first[column] : second[column];
            double exact = sum;
            for (unsigned k = 0; k < 8; k++) {
                exact += static_cast<double>(torc_simt_tf32(words.lane(4 * g + k % 4)[k / 4 * 2 + half])) *
                         torc_simt_tf32(words.lane(4 * (2 * t + column) + k % 4)[4 + k / 4]);
            }
            sum = static_cast<float>(exact);
        }
    }
    __syncwarp(~0u, file, line);
}

inline void multiply_add_fp64(double (&d)[2], double x, double y, TORC_SIMT_HERE)
{
    static torc_simt_exchange<2> words;
    const unsigned g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    memcpy(&words.own()[0], &x, sizeof x);
    memcpy(&words.own()[1], &y, sizeof y);
    __syncwarp(~0u, file, line);
    for (unsigned column = 0; column < 2; column++) {
        for (unsigned k = 0; k < 4; k++) {
            double own, other;
            memcpy(&own, &words.lane(4 * g + k)[0], sizeof own);
            memcpy(&other, &words.lane(4 * (2 * t + column) + k)[1], sizeof other);
            d[column] = fma(own, other, d[column]);
        }
    }
    __syncwarp(~0u, file, line);
}

inline uint32_t take_number(uint32_t *counter)
{
    return (*counter)++;
}

template <class T>
T keep(T x)
{
    return x;
}

template <class T>
T *keep_global(T *x)
{
    return x;
}

template <class T>
T computed_here(T x)
{
    return x;
}

inline uint32_t asked_anew(uint32_t bits)
{
    return bits;
}

inline void predicated()
{
}

inline uint64_t product(uint32_t x, uint64_t y)
{
    return x * y;
}

template <class T>
const T *row_at(const T *first, uint32_t k, uint64_t pitch)
{
    return reinterpret_cast<const T *>(reinterpret_cast<const char *>(first) + k * pitch);
}

inline void take_turn()
{
    torc_simt_take_turn();
}

} // namespace torc

#endif
