/* packed_layout.cuh: what the kernels that pack and unpack booleans share: a dense X of nrows x ncols values,
 * and words of 64 of its columns, row by row without gaps. */
#ifndef TORC_PACKED_LAYOUT_CUH
#define TORC_PACKED_LAYOUT_CUH

#include "operand_access.cuh"
#include "scratch.cuh"

namespace torc
{

constexpr int WORD = TORC_WORD_COLUMNS;

/* words: a row. alignment: X and all of its rows, or columns, start at multiples of 16, 4 or 1 bytes. */
struct packed_layout {
    int64_t nrows, ncols, ld, words;
    int alignment;
};

/* Adjacent booleans in a word of memory. */
constexpr int QUAD = 4, BYTE = 8;

/* Of four bytes: 1 where it is not 0. */
inline __device__ uint32_t truth_of(uint32_t bytes)
{
    return (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) >> 7 & 0x01010101u;
}

} // namespace torc

#endif
