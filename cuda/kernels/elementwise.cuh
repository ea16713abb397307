/* elementwise.cuh: an element-wise operation: C⟨mask⟩ = accum (C, T), T(i,j) = operation (A(i,j), B(i,j)), in
 * one pass.
 *
 * Every array is read and written once: the floor is its bytes over the device's bandwidth. A block owns
 * TORC_BLOCK_THREADS x Vectors vectors of C, one after another; a thread loads what its vectors need, all of
 * them, before it computes the first, so that enough is on its way. Vectors are cut from lines: the last of a
 * line may have fewer elements, which are computed one by one. What is named by lists is read one element
 * after another. Read by NVRTC.
 */
#ifndef TORC_ELEMENTWISE_CUH
#define TORC_ELEMENTWISE_CUH

#include "element_operations.cuh"
#include "spmm_args.h" /* TORC_BLOCK_THREADS */
#include "update.cuh"

namespace torc
{

template <class Stored, access Access, bool IsBitmap, bool HasLists>
struct dense_operand {
    using stored = Stored;

    const torc_elementwise_operand &from;
    Stored same; /* of an iso operand */

    __device__ explicit dense_operand(const torc_elementwise_operand &operand) : from(operand), same()
    {
        if constexpr (Access == access_iso) {
            same =
                from.values ? *static_cast<const Stored *>(from.values) : value_in_words<Stored>(from.value);
        }
    }

    __device__ int64_t position(int64_t line, int64_t place) const
    {
        if constexpr (HasLists) {
            line = from.lines ? static_cast<int64_t>(from.lines[line]) : line;
            place = from.places ? static_cast<int64_t>(from.places[place]) : place;
            return line * from.ld + place * from.step;
        } else {
            return line * from.ld + place;
        }
    }

    template <int Vector>
    __device__ void load(
        fragment<Stored, Vector> &values, fragment<bool, Vector> &is_there, int64_t line, int64_t place) const
    {
        values.fill(same);
        is_there.fill(true);
        if constexpr (HasLists && (Access == access_array || IsBitmap)) {
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                const int64_t at = position(line, place + v);
                if constexpr (Access == access_array) {
                    values.value[v] = static_cast<const Stored *>(from.values)[at];
                }
                if constexpr (IsBitmap) {
                    is_there.value[v] = from.bitmap[at] != 0;
                }
            }
        } else {
            const int64_t at = position(line, place);
            if constexpr (Access == access_array) {
                const Stored *stored = static_cast<const Stored *>(from.values) + at;
                values = *reinterpret_cast<const fragment<Stored, Vector> *>(stored);
            }
            if constexpr (IsBitmap) {
                is_there = operand<bool, boolean, access_array, Vector>(from.bitmap, at).load(0);
            }
        }
    }
};

/* C: the type of C. */
template <class Operation, class A, class B, class C, class Update, bool IsFlat, int Vector, int Vectors>
struct elementwise_kernel {
    /* Size adjacent elements, from what is loaded to what is stored. */
    template <int Size>
    struct part {
        fragment<typename A::stored, Size> a;
        fragment<typename B::stored, Size> b;
        fragment<bool, Size> has_a, has_b, allowed;
        typename Update::template before<Size> before;

        __device__ void load(
            const torc_elementwise_args &args, const A &from_a, const B &from_b, int64_t line, int64_t place)
        {
            const int64_t at = line * args.ldc + place;
            allowed = Update::template allowed<Size>(args, at);
            from_a.load(a, has_a, line, place);
            from_b.load(b, has_b, line, place);
            before = Update::template read<Size>(args, at);
        }

        __device__ void store(const torc_elementwise_args &args, int64_t line, int64_t place) const
        {
            fragment<C, Size> t;
            fragment<bool, Size> present;
            t.fill(C());
#pragma unroll
            for (int v = 0; v < Size; v++) {
                const element<typename A::stored> of_a{a.value[v], has_a.value[v]};
                const element<typename B::stored> of_b{b.value[v], has_b.value[v]};
                const element_place at{args, line, place + v};
                present.value[v] = Operation::give(t.value[v], of_a, of_b, at);
            }
            Update::store(args, line * args.ldc + place, t, present, allowed, before);
        }
    };

    struct position {
        int64_t line, place;
    };

    /* Where the vector begins that comes `more` after vector number first.place of its line. Divides 32 bits
     * only: a line has as many vectors as a block or more, or is short. */
    static __device__ position beyond(position first, int64_t vectors_a_line, uint32_t more)
    {
        if constexpr (IsFlat) {
            return {0, (first.place + more) * Vector};
        } else {
            constexpr int64_t most = TORC_BLOCK_THREADS * Vectors;
            int64_t vector = first.place + more, lines = 0;
            if (vector >= vectors_a_line) {
                lines = vectors_a_line > most
                            ? 1
                            : static_cast<uint32_t>(vector) / static_cast<uint32_t>(vectors_a_line);
                vector -= lines * vectors_a_line;
            }
            return {first.line + lines, vector * Vector};
        }
    }

    static __device__ bool is_whole(const torc_elementwise_args &args, position at)
    {
        return at.line < args.nlines && at.place + Vector <= args.length;
    }

    template <int Size>
    static __device__ void compute(
        const torc_elementwise_args &args, const A &from_a, const B &from_b, position at)
    {
        part<Size> elements;
        elements.load(args, from_a, from_b, at.line, at.place);
        elements.store(args, at.line, at.place);
    }

    static __device__ void main(const torc_elementwise_args &args)
    {
        take_turn();
        const A from_a(args.a);
        const B from_b(args.b);
        const int64_t vectors_a_line = (args.length + Vector - 1) / Vector;
        const int64_t first = static_cast<int64_t>(blockIdx.x) * (TORC_BLOCK_THREADS * Vectors);
        position begin{0, first};
        if constexpr (!IsFlat) {
            begin = {first / vectors_a_line, first % vectors_a_line};
        }
        position at[Vectors];
        bool are_whole = true;
#pragma unroll
        for (int u = 0; u < Vectors; u++) {
            at[u] = beyond(begin, vectors_a_line, u * TORC_BLOCK_THREADS + threadIdx.x);
            are_whole = are_whole && is_whole(args, at[u]);
        }
        if (are_whole) { /* no branch from the first load to the last */
            part<Vector> parts[Vectors];
#pragma unroll
            for (int u = 0; u < Vectors; u++) {
                parts[u].load(args, from_a, from_b, at[u].line, at[u].place);
            }
#pragma unroll
            for (int u = 0; u < Vectors; u++) {
                parts[u].store(args, at[u].line, at[u].place);
            }
            return;
        }
#pragma unroll 1
        for (int u = 0; u < Vectors; u++) {
            const position here = beyond(begin, vectors_a_line, u * TORC_BLOCK_THREADS + threadIdx.x);
            if (is_whole(args, here)) {
                compute<Vector>(args, from_a, from_b, here);
            } else if (here.line < args.nlines) {
                for (position last = here; last.place < args.length; last.place++) {
                    compute<1>(args, from_a, from_b, last);
                }
            }
        }
    }
};

} // namespace torc

#endif
