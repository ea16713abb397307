/* selection.c: the shape of a thread group from the width of C.
 *
 * A group covers the columns of C with as few threads as 16-byte accesses allow, so that a warp holds many
 * rows when C is narrow: the largest vector that divides the width and fits the alignment, then the fewest
 * lanes, at most a warp, that reach across. Reasoned, not tuned: wider loads and more rows in flight a warp
 * both raise the bytes in flight, which is what a gather of rows of B is short of. */
#include "selection.h"

enum { WARP = 32, MAX_VECTOR = 4, VECTOR_BYTES = 16 };

static bool vector_fits(int vector, size_t size, uint64_t alignment)
{
    size_t bytes = (size_t)vector * size;
    bool is_power_of_two = (bytes & (bytes - 1)) == 0; /* of an opaque type it need not be */
    return bytes <= VECTOR_BYTES && is_power_of_two && alignment % bytes == 0;
}

torc_shape torc_select_shape(
    int64_t ncols, size_t b_size, size_t c_size, uint64_t b_alignment, uint64_t c_alignment)
{
    int vector = MAX_VECTOR;
    while (vector > 1 && (ncols % vector != 0 || !vector_fits(vector, c_size, c_alignment) ||
                             (b_size > 0 && !vector_fits(vector, b_size, b_alignment)))) {
        vector /= 2;
    }
    int lanes = 1;
    while (lanes < WARP && (int64_t)lanes * vector < ncols) {
        lanes *= 2;
    }
    return (torc_shape){lanes, vector};
}
