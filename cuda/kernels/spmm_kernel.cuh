/* spmm_kernel.cuh: C = A (+).(x) B, the composition of a multiplication and a family. Read by nvcc and by
 * NVRTC; spmm_args.h says what the arguments hold.
 *
 * The caller may rely on: every element of C inside nrows x ncols has one writer, and is read before by that
 * one only, and only if the update asks for it; nothing outside is touched; rows without entries count as the
 * monoid's identity, absent; any ncols, aligned as torc_shape asks; a NaN or an infinity in B reaches only
 * results that use it; the same bits on every run. Rows that the mask leaves nothing of gather nothing.
 *
 * Product says what is multiplied, and what becomes of C: the types Monoid, Multiply, Sparse and Dense
 * (A and B), Presence, Update and Offset. Family says how: the threads of a BLOCK, the LANES and VECTOR of
 * its columns, multiply<Product>, whether it TAKES_MASKS and bitmaps, and where the parts of long rows are.
 * Each family is a template of lanes, vector and its own number, in a header of its own
 * (src/executor/family.c).
 */
#ifndef TORC_SPMM_KERNEL_CUH
#define TORC_SPMM_KERNEL_CUH

#include "combined_parts.cuh"
#include "instructions.cuh"
#include "operators.cuh"
#include "update.cuh"

namespace torc
{

template <class Product, class Family>
struct spmm_kernel {
    static constexpr int BLOCK = Family::BLOCK; /* threads of main */
    static_assert(
        Product::Sparse::is_present || !Product::Multiply::reads_a, "multiply reads A, and A has no values");
    static_assert(
        Product::Dense::is_present || !Product::Multiply::reads_b, "multiply reads B, and B has no values");
    static_assert(Family::TAKES_MASKS || (Product::Update::is_everywhere && !Product::Presence::is_array),
        "neither a mask nor a bitmap");

    static __device__ void main(const torc_spmm_args &args)
    {
        take_turn();
        Family::template multiply<Product>(args);
    }

    static __device__ void combine(const torc_spmm_args &args)
    {
        combined_parts<Product, Family::VECTOR, typename Family::parts>::combine(args);
    }
};

/* Threads of a block of main. */
template <class Kernel>
constexpr int block_of()
{
    return Kernel::BLOCK;
}

} // namespace torc

#endif
