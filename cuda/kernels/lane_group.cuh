/* lane_group.cuh: threads of one warp that work together. Read by nvcc and by NVRTC. */
#ifndef TORC_LANE_GROUP_CUH
#define TORC_LANE_GROUP_CUH

#include "spmm_args.h"

namespace torc
{

/* Groups of a warp run on their own: each shuffle names only the
 * threads of its group. */
template <int Lanes>
struct lane_group {
    int lane;
    unsigned mask;

    __device__ explicit lane_group(unsigned thread) : lane(thread % Lanes)
    {
        const unsigned first = thread % 32 - lane;
        mask = (Lanes == 32 ? ~0u : (1u << Lanes % 32) - 1) << first;
    }

    template <class T>
    __device__ T broadcast(T x, int from) const
    {
        if constexpr (Lanes == 1) {
            return x;
        } else if constexpr (__is_class(T) || __is_union(T)) {
            uint32_t words[(sizeof(T) + 3) / 4];
            memcpy(words, &x, sizeof(T));
#pragma unroll
            for (uint32_t &word : words) {
                word = __shfl_sync(mask, word, from, Lanes);
            }
            memcpy(&x, words, sizeof(T));
            return x;
        } else {
            return static_cast<T>(__shfl_sync(mask, x, from, Lanes));
        }
    }

    __device__ bool any(bool x) const
    {
        return __any_sync(mask, x);
    }
};

} // namespace torc

#endif
