/* instructions.cuh: instructions that C++ has no words for. Read by nvcc and by NVRTC; tests/emulated/simt.h
 * has words of its own for them. */
#ifndef TORC_INSTRUCTIONS_CUH
#define TORC_INSTRUCTIONS_CUH

#include "spmm_args.h"

namespace torc
{

/* Blocks of so many threads on a multiprocessor: as many as are wanted, or as it has threads for. */
constexpr int blocks_that_fit(int threads, int wanted)
{
#if __CUDA_ARCH__ == 750
    constexpr int MOST = 1024;
#else
    constexpr int MOST = 1536; /* or 2048, which nobody asks for */
#endif
    return wanted * threads <= MOST ? wanted : MOST / threads;
}

/* A value that is read once: of what L1 and L2 hold, it goes first. Volatile: it is not read before the
 * kernel's turn. */
template <class T>
__device__ T load_once(const T *from)
{
    T value;
    if constexpr (sizeof(T) == 16) {
        uint64_t words[2];
        asm volatile("ld.global.cs.v2.u64 {%0, %1}, [%2];" : "=l"(words[0]), "=l"(words[1]) : "l"(from));
        memcpy(&value, words, sizeof value);
    } else if constexpr (sizeof(T) == 8) {
        uint64_t word;
        asm volatile("ld.global.cs.u64 %0, [%1];" : "=l"(word) : "l"(from));
        memcpy(&value, &word, sizeof value);
    } else if constexpr (sizeof(T) == 4) {
        uint32_t word;
        asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(word) : "l"(from));
        memcpy(&value, &word, sizeof value);
    } else {
        value = *from;
    }
    return value;
}

/* 4, 8 or 16 bytes, loaded where this is written: the compiler moves other loads towards their use, and fewer
 * are under way at once. */
template <class T>
__device__ T load_here(const T *from)
{
    T value;
    if constexpr (sizeof(T) == 16) {
        uint32_t words[4];
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                     : "l"(from));
        memcpy(&value, words, sizeof value);
    } else if constexpr (sizeof(T) == 8) {
        uint32_t words[2];
        asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(words[0]), "=r"(words[1]) : "l"(from));
        memcpy(&value, words, sizeof value);
    } else {
        static_assert(sizeof(T) == 4, "a word, or two, or four");
        uint32_t word;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(from));
        memcpy(&value, &word, sizeof value);
    }
    return value;
}

/* The shared memory that a launch asks for, aligned to 256 bytes. */
inline __device__ unsigned char *dynamic_shared()
{
    extern __shared__ __align__(256) uint4 memory[];
    return reinterpret_cast<unsigned char *>(memory);
}

/* To shared memory, where it is once the thread has waited for its copies. */
template <class T>
__device__ void copy_async(T *to, const T *from)
{
#if __CUDA_ARCH__ >= 800
    if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                         static_cast<uint32_t>(__cvta_generic_to_shared(to))),
                     "l"(from), "n"(sizeof(T))
                     : "memory");
        return;
    }
#endif
    *to = *from;
}

inline __device__ void wait_for_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/* ---- Shared memory by 32-bit addresses ---------------------------------------------------------------- */

inline __device__ uint32_t shared_address(const void *memory)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(memory));
}

/* T: of 8 or 16 bytes, aligned. */
template <class T>
__device__ T load_shared(uint32_t from)
{
    uint32_t words[sizeof(T) / 4];
    if constexpr (sizeof(T) == 16) {
        asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                     : "r"(from)
                     : "memory");
    } else {
        asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];"
                     : "=r"(words[0]), "=r"(words[1])
                     : "r"(from)
                     : "memory");
    }
    T value;
    memcpy(&value, words, sizeof value);
    return value;
}

template <class T>
__device__ void store_shared(uint32_t to, const T &value)
{
    uint32_t words[sizeof(T) / 4];
    memcpy(words, &value, sizeof value);
    if constexpr (sizeof(T) == 16) {
        asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(words[0]), "r"(words[1]),
                     "r"(words[2]), "r"(words[3])
                     : "memory");
    } else {
        asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(to), "r"(words[0]), "r"(words[1]) : "memory");
    }
}

/* 0 or 1. Said in PTX: where ptxas knows that a double is one of the two it may lose its conversion to int
 * (12.4 to 13.3, sm_90, a kernel with eight of them). */
inline __device__ double double_of_bit(uint32_t bit)
{
    double x;
    asm("cvt.rn.f64.u32 %0, %1;" : "=d"(x) : "r"(bit));
    return x;
}

/* Those bits, of which the compiler does not know what else they say. */
template <uint32_t Bits>
__device__ uint32_t bits_of(uint32_t word)
{
    uint32_t bits;
    asm("and.b32 %0, %1, %2;" : "=r"(bits) : "r"(word), "n"(Bits));
    return bits;
}

/* 16 bytes, where the word has one of those bits. Said in PTX: left to itself the compiler branches around
 * the load; and `line` is changed in place, for to ptxas a load that may not happen defines no register. */
template <uint32_t Bits>
__device__ void load_shared_if(uint4 &line, uint32_t from, uint32_t word)
{
    asm volatile("{\n"
                 ".reg .b32 bits;\n"
                 ".reg .pred is_there;\n"
                 "and.b32 bits, %5, %6;\n"
                 "setp.ne.s32 is_there, bits, 0;\n"
                 "@is_there ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];\n"
                 "}"
                 : "+r"(line.x), "+r"(line.y), "+r"(line.z), "+r"(line.w)
                 : "r"(from), "r"(word), "n"(Bits));
}

/* The line of 128 bytes to L2. */
inline __device__ void prefetch(const void *from)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
}

/* To shared memory, 16 bytes, past L1; a barrier tells when they are there. */
inline __device__ void copy_async_16(uint32_t to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

/* ---- Barriers in shared memory, 8 bytes each, of Hopper and later ------------------------------------- */

/* A phase ends when `count` threads have arrived, and the next begins. */
inline __device__ void begin_barrier(uint32_t barrier, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

inline __device__ void arrive(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* Once the thread's copies are there. */
inline __device__ void arrive_with_copies(uint32_t barrier)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}

/* For the end of phase number `phase`, the only one that may not have ended or begun. */
inline __device__ void wait_for_phase(uint32_t barrier, uint32_t phase)
{
    asm volatile("{\n"
                 ".reg .pred is_over;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 is_over, [%0], %1;\n"
                 "@!is_over bra again;\n"
                 "}" ::"r"(barrier),
                 "r"(phase & 1)
                 : "memory");
}

/* ---- Tensor cores, of Ampere and later ---------------------------------------------------------------- */

/* A warp's D += X Y, X 16 x 8, Y 8 x 8, in TF32: of each word the upper 19 bits count. Thread 4 g + t has of
 * X (g, t), (g + 8, t), (g, t + 4) and (g + 8, t + 4), of Y (t, g) and (t + 4, g), of D (g, 2 t) and (g, 2 t
 * + 1) in `first`, (g + 8, 2 t) and (g + 8, 2 t + 1) in `second`. */
inline __device__ void multiply_add_tf32(
    float (&first)[2], float (&second)[2], const uint32_t (&x)[4], const uint32_t (&y)[2])
{
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(first[0]), "+f"(first[1]), "+f"(second[0]), "+f"(second[1])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
#endif
}

/* The same, X 8 x 4, Y 4 x 8, in fp64: of X (g, t), of Y (t, g), of D (g, 2 t) and (g, 2 t + 1). */
inline __device__ void multiply_add_fp64(double (&d)[2], double x, double y)
{
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(d[0]), "+d"(d[1])
        : "d"(x), "d"(y));
#endif
}

/* Count in shared memory: the number before. Said in PTX: where several lanes may come, the compiler lets one
 * count for all of them, which takes longer. */
inline __device__ uint32_t take_number(uint32_t *counter)
{
    uint32_t before;
    asm volatile("atom.shared.inc.u32 %0, [%1], 0xffffffff;"
                 : "=r"(before)
                 : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(counter)))
                 : "memory");
    return before;
}

/* What is the same in all rounds of a loop, in a register: left to itself the compiler computes it anew in
 * each. */
inline __device__ int64_t keep(int64_t x)
{
    asm("" : "+l"(x));
    return x;
}

template <class T>
__device__ T *keep(T *x)
{
    asm("" : "+l"(x));
    return x;
}

/* Likewise, and what is loaded from there is known to be in global memory. */
template <class T>
__device__ T *keep_global(T *x)
{
    size_t at = __cvta_generic_to_global(x);
    asm("" : "+l"(at));
    return static_cast<T *>(__cvta_global_to_generic(at));
}

inline __device__ uint32_t keep(uint32_t x)
{
    asm("" : "+r"(x));
    return x;
}

/* Bits that are looked at once more, where they were before. For Blackwell, ptxas of CUDA 13.0 would remember
 * what it saw in predicates, of which there are 7, and gives up where 16 are wanted. */
inline __device__ uint32_t asked_anew(uint32_t bits)
{
#if __CUDA_ARCH__ >= 1000
    asm("" : "+r"(bits));
#endif
    return bits;
}

/* Begins a branch that shall be a predicate: left to itself the compiler computes both sides and selects. */
inline __device__ void predicated()
{
    asm volatile("");
}

/* Left to itself the compiler computes what is needed behind a branch there, and operands wait for it. */
inline __device__ float computed_here(float x)
{
    asm volatile("" : "+f"(x));
    return x;
}

inline __device__ bool keep(bool x)
{
    int word = x;
    asm("" : "+r"(word));
    return word;
}

/* Said in so many words: the compiler makes two instructions of it where y comes from outside a loop. */
inline __device__ uint64_t product(uint32_t x, uint32_t y)
{
    uint64_t z;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(z) : "r"(x), "r"(y));
    return z;
}

inline __device__ uint64_t product(uint32_t x, uint64_t y)
{
    return x * y;
}

/* The address of row k, `pitch` bytes from one to the next; in one instruction, if that has 32 bits. */
template <class T>
__device__ const T *row_at(const T *first, uint32_t k, uint32_t pitch)
{
    uint64_t at;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(at) : "r"(k), "r"(pitch), "l"(first));
    return reinterpret_cast<const T *>(at);
}

template <class T>
__device__ const T *row_at(const T *first, uint32_t k, uint64_t pitch)
{
    return reinterpret_cast<const T *>(reinterpret_cast<const char *>(first) + k * pitch);
}

/* On Hopper and later a kernel begins as soon as all blocks of the one before it have taken their turn, which
 * hides the time of a launch. Every thread takes its turn: it waits until the kernel before is done, and all
 * that was queued before that. */
inline __device__ void take_turn()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

} // namespace torc

#endif
