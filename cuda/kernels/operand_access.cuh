/* operand_access.cuh: the access policy: how the values of an operand reach registers, `Vector` adjacent ones
 * at a time (vector-type dense-row loading of Huang et al.), cast from the type they are stored in. Read by
 * nvcc and by NVRTC.
 */
#ifndef TORC_OPERAND_ACCESS_CUH
#define TORC_OPERAND_ACCESS_CUH

#include "casts.cuh"
#include "instructions.cuh"

namespace torc
{

enum access { access_none, access_iso, access_array };

/* The largest power of two, 16 at most, that divides a size. */
constexpr int alignment_of(int size)
{
    return size % 16 == 0 ? 16 : size & -size;
}

/* Adjacent values, moved by as few instructions as their alignment allows. */
template <class T, int Vector>
struct alignas(alignment_of(sizeof(T) * Vector)) fragment {
    T value[Vector];

    __device__ void fill(T x)
    {
#pragma unroll
        for (int v = 0; v < Vector; v++) {
            value[v] = x;
        }
    }
};

template <int Vector>
__device__ bool any(const fragment<bool, Vector> &flags)
{
    bool any = false;
#pragma unroll
    for (int v = 0; v < Vector; v++) {
        any = any || flags.value[v];
    }
    return any;
}

/* A fragment of 4, 8 or 16 bytes, of memory that is only read. */
template <class Fragment>
__device__ Fragment load_global(const void *from)
{
    Fragment loaded;
    if constexpr (sizeof loaded == 16) {
        const uint4 words = __ldg(static_cast<const uint4 *>(from));
        memcpy(&loaded, &words, sizeof loaded);
    } else if constexpr (sizeof loaded == 8) {
        const uint2 words = __ldg(static_cast<const uint2 *>(from));
        memcpy(&loaded, &words, sizeof loaded);
    } else {
        static_assert(sizeof loaded == 4, "a word, or two, or four");
        const uint32_t word = __ldg(static_cast<const uint32_t *>(from));
        memcpy(&loaded, &word, sizeof loaded);
    }
    return loaded;
}

/* Store what is not read again soon, so that B stays in L2. Measured: rows of 2 at N = 128, fp32, 4 % less.
 */
template <class T, int Vector>
__device__ void store_once(T *to, const fragment<T, Vector> &x)
{
    if constexpr (sizeof x == 16) {
        uint4 words;
        memcpy(&words, &x, sizeof x);
        __stcs(reinterpret_cast<uint4 *>(to), words);
    } else {
        *reinterpret_cast<fragment<T, Vector> *>(to) = x;
    }
}

/* Pitch: holds the bytes from a row of a matrix to the next; with 32 bits a row is found in one instruction.
 */
template <class T, class Stored, access Access, int Vector, class Pitch = uint32_t>
struct operand {
    using type = T;
    using stored = Stored;
    using vector = fragment<Stored, Vector>;
    static constexpr bool is_present = Access != access_none;
    static constexpr bool is_array = Access == access_array;
    template <int Count>
    using wide = operand<T, Stored, Access, Count>;
    const Stored *values;
    Pitch pitch;

    /* The operand that starts at value `begin` of an array, or of a matrix of rows `ld` values apart. */
    __device__ operand(const void *memory, int64_t begin, int64_t ld = 0)
        : values(static_cast<const Stored *>(memory)), pitch(0)
    {
        if constexpr (Access == access_array) {
            values += begin;
            pitch = static_cast<Pitch>(ld * sizeof(Stored));
        }
    }

    /* By value: through a reference to memory each element would be loaded by itself. */
    static __device__ fragment<T, Vector> cast(const vector stored)
    {
        fragment<T, Vector> loaded;
#pragma unroll
        for (int v = 0; v < Vector; v++) {
            loaded.value[v] = caster<T>::cast(stored.value[v]);
        }
        return loaded;
    }

    /* Values at .. at+Vector-1, of an array aligned to Vector values; zeros if the operand is not read. */
    __device__ fragment<T, Vector> load(int64_t at) const
    {
        fragment<T, Vector> loaded;
        if constexpr (Access == access_array) {
            loaded = cast(*reinterpret_cast<const vector *>(values + at));
        } else if constexpr (Access == access_iso) {
            loaded.fill(caster<T>::cast(*values));
        } else {
            loaded.fill(T());
        }
        return loaded;
    }

    /* Value `at`, which is not read again. */
    __device__ T load_value_once(int64_t at) const
    {
        if constexpr (Access == access_array) {
            return caster<T>::cast(load_once(values + at));
        } else {
            return load(at).value[0];
        }
    }

    /* Row k of a matrix, an array, from the place in it that the operand starts at. */
    __device__ const Stored *row(uint32_t k) const
    {
        return reinterpret_cast<const Stored *>(reinterpret_cast<const char *>(values) + product(k, pitch));
    }

    /* What load() says, of that row. */
    __device__ fragment<T, Vector> load_row(uint32_t k) const
    {
        operand at_row = *this;
        if constexpr (Access == access_array) {
            at_row.values = row(k);
        }
        return at_row.load(0);
    }

    /* The same; a vector of 4, 8 or 16 bytes by load_here of instructions.cuh. */
    __device__ fragment<T, Vector> load_row_here(uint32_t k) const
    {
        constexpr size_t size = sizeof(vector);
        if constexpr (is_array && (size == 4 || size == 8 || size == 16)) {
            return cast(load_here(reinterpret_cast<const vector *>(row(k))));
        } else {
            return load_row(k);
        }
    }
};

} // namespace torc

#endif
