/* dense_row_access.cuh: the access policy of rows of B: those that Flight entries name are on their way at
 * once, with the presence of their elements where B is a bitmap; or after it, only those that are there. Read
 * by nvcc and by NVRTC.
 */
#ifndef TORC_DENSE_ROW_ACCESS_CUH
#define TORC_DENSE_ROW_ACCESS_CUH

#include "operand_access.cuh"

namespace torc
{

/* Presence: an operand of B's bitmap; not an array where every element of B is present. IsSelective: some
 * rows may not be wanted. AwaitsPresence: values are loaded once it is known which are there. Here: all are
 * under way before the first is used (load_here of instructions.cuh). */
template <class B, class Presence, int Vector, int Flight, bool IsSelective, bool AwaitsPresence,
    bool Here = false>
struct dense_rows {
    using Y = typename B::type;
    static_assert(Vector <= 4, "the bytes of a vector are a word");
    fragment<Y, Vector> y[Flight];
    uint32_t bytes[Flight]; /* of presence */

    /* wanted: bit u: row u is, of those that the entries name. Mostly all are. */
    __device__ void load(
        const B &b, const Presence &presence, const fragment<uint32_t, Flight> &k, uint32_t wanted)
    {
        constexpr uint32_t ALL = (1u << Flight) - 1;
        if (!IsSelective || (wanted & ALL) == ALL) {
            load_wanted<false>(b, presence, k, ALL);
        } else {
            load_wanted<true>(b, presence, k, wanted);
        }
    }

    template <bool Selects>
    __device__ void load_wanted(
        const B &b, const Presence &presence, const fragment<uint32_t, Flight> &k, uint32_t wanted)
    {
#pragma unroll
        for (int u = 0; u < Flight; u++) {
            const bool is_wanted = !Selects || (wanted >> u & 1);
            bytes[u] = 0;
            if constexpr (Presence::is_array) {
                if (is_wanted) {
                    using vector = fragment<uint8_t, Vector>;
                    const vector loaded = *reinterpret_cast<const vector *>(presence.row(k.value[u]));
                    memcpy(&bytes[u], &loaded, Vector);
                }
            }
            if constexpr (!AwaitsPresence) {
                load_values<Selects>(u, b, k.value[u], is_wanted);
            }
        }
        if constexpr (AwaitsPresence) {
#pragma unroll
            for (int u = 0; u < Flight; u++) {
                load_values<true>(u, b, k.value[u], bytes[u] != 0);
            }
        }
    }

    template <bool Selects>
    __device__ void load_values(int u, const B &b, uint32_t k, bool is_wanted)
    {
        if constexpr (!B::is_array || !Selects) {
            y[u] = Here ? b.load_row_here(k) : b.load_row(k);
        } else {
            if constexpr (!Presence::is_array) {
                y[u].fill(Y());
            }
            if (is_wanted) {
                y[u] = Here ? b.load_row_here(k) : b.load_row(k);
            }
        }
    }

    /* Row u has column v. */
    __device__ bool has(int u, int v) const
    {
        return !Presence::is_array || (bytes[u] & 0xffu << 8 * v) != 0;
    }
};

} // namespace torc

#endif
