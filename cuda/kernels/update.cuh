/* update.cuh: the store policy: what becomes of C once T is known, C<mask> = accum (C, T) as torc_update of
 * torc.h has it. Read by nvcc and by NVRTC.
 *
 * Each element of C has one owner, which reads it before it writes it. Plain: T goes to C as it is; neither
 * old values nor a mask nor a bitmap are looked at.
 */
#ifndef TORC_UPDATE_CUH
#define TORC_UPDATE_CUH

#include "operand_access.cuh"

namespace torc
{

/* Vector adjacent elements, those chosen. */
template <class T, int Vector>
__device__ void store_where(T *to, const fragment<T, Vector> &x, const fragment<bool, Vector> &chosen)
{
    bool all = true;
#pragma unroll
    for (int v = 0; v < Vector; v++) {
        all = all && chosen.value[v];
    }
    if (all) {
        *reinterpret_cast<fragment<T, Vector> *>(to) = x;
        return;
    }
#pragma unroll
    for (int v = 0; v < Vector; v++) {
        if (chosen.value[v]) {
            to[v] = x.value[v];
        }
    }
}

/* Old: how C's values before are reached, Stored their type; none where they do not matter, nor the bitmap
 * before: then a mask comes with replace. */
template <class T, class Stored, class Accum, bool HasAccum, bool HasMask, bool IsBitmap, access Old>
struct update {
    static constexpr bool has_mask = HasMask;
    static constexpr bool is_plain = !HasAccum && !HasMask && !IsBitmap;
    static constexpr bool is_everywhere = !HasMask && !IsBitmap; /* all of C is written, or added to */
    static_assert(Old != access_none || !HasAccum, "an accumulator reads C");
    static_assert(Old != access_none || !HasMask || IsBitmap, "what is kept is read, or deleted");

    /* Where C may change. at: of the first element, in C. */
    template <int Vector>
    static __device__ fragment<bool, Vector> allowed(const torc_spmm_args &args, int64_t at)
    {
        fragment<bool, Vector> allowed;
        allowed.fill(true);
        if constexpr (HasMask) {
            allowed = operand<bool, boolean, access_array, Vector>(args.mask, at).load(0);
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                allowed.value[v] = allowed.value[v] != (args.mask_complement != 0);
            }
        }
        return allowed;
    }

    /* t where present, else the identity. */
    template <int Vector>
    static __device__ void store(const torc_spmm_args &args, int64_t at, fragment<T, Vector> t,
        fragment<bool, Vector> present, const fragment<bool, Vector> &allowed)
    {
        T *c = static_cast<T *>(args.c) + at;
        if constexpr (is_plain) {
            *reinterpret_cast<fragment<T, Vector> *>(c) = t;
        } else {
            constexpr access old_bitmap = IsBitmap && Old != access_none ? access_array : access_none;
            const auto old = operand<T, Stored, Old, Vector>(args.old_c, at).load(0);
            auto was = operand<bool, boolean, old_bitmap, Vector>(args.c_bitmap, at).load(0);
            if constexpr (!IsBitmap) {
                was.fill(true);
            }
            fragment<bool, Vector> writes;
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                writes.value[v] = present.value[v] || !IsBitmap;
                const bool has_old = HasAccum && was.value[v];
                if (!allowed.value[v] || (has_old && !present.value[v])) {
                    writes.value[v] = Old == access_iso;
                    t.value[v] = old.value[v];
                    present.value[v] = was.value[v] && (allowed.value[v] || !args.mask_replace);
                } else if constexpr (HasAccum) {
                    if (has_old) {
                        t.value[v] = Accum::multiply(old.value[v], t.value[v]);
                    }
                }
            }
            store_where(c, t, writes);
            if constexpr (IsBitmap) {
                *reinterpret_cast<fragment<bool, Vector> *>(args.c_bitmap + at) = present;
            }
        }
    }
};

} // namespace torc

#endif
