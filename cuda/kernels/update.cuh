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

    /* Where C may change. at: of the first element, in C. Args: of either kind of launch. */
    template <int Vector, class Args>
    static __device__ fragment<bool, Vector> allowed(const Args &args, int64_t at)
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

    /* Elements of C before, as far as they matter. What is neither added to nor the same everywhere stays
     * where it is, unread. */
    template <int Vector>
    struct before {
        fragment<T, Vector> values;
        fragment<bool, Vector> is_there;
    };

    template <int Vector, class Args>
    static __device__ before<Vector> read(const Args &args, int64_t at)
    {
        constexpr access values = HasAccum || Old == access_iso ? Old : access_none;
        constexpr access bitmap = IsBitmap && Old != access_none ? access_array : access_none;
        before<Vector> old;
        old.values = operand<T, Stored, values, Vector>(args.old_c, at).load(0);
        old.is_there = operand<bool, boolean, bitmap, Vector>(args.c_bitmap, at).load(0);
        if constexpr (!IsBitmap) {
            old.is_there.fill(true);
        }
        return old;
    }

    template <int Vector, class Args>
    static __device__ void store(const Args &args, int64_t at, const fragment<T, Vector> &t,
        const fragment<bool, Vector> &present, const fragment<bool, Vector> &allowed)
    {
        store(args, at, t, present, allowed, read<Vector>(args, at));
    }

    /* t where present, else what a C without bitmap receives. */
    template <int Vector, class Args>
    static __device__ void store(const Args &args, int64_t at, fragment<T, Vector> t,
        fragment<bool, Vector> present, const fragment<bool, Vector> &allowed, const before<Vector> &old)
    {
        T *c = static_cast<T *>(args.c) + at;
        if constexpr (is_plain) {
            *reinterpret_cast<fragment<T, Vector> *>(c) = t;
        } else {
            fragment<bool, Vector> writes;
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                writes.value[v] = present.value[v] || !IsBitmap;
                const bool has_old = HasAccum && old.is_there.value[v];
                if (!allowed.value[v] || (has_old && !present.value[v])) {
                    writes.value[v] = Old == access_iso;
                    t.value[v] = old.values.value[v];
                    present.value[v] = old.is_there.value[v] && (allowed.value[v] || !args.mask_replace);
                } else if constexpr (HasAccum) {
                    if (has_old) {
                        t.value[v] = Accum::multiply(old.values.value[v], t.value[v]);
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
