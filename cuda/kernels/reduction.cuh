/* reduction.cuh: one round of a reduction: sums of chunks along lines, or of strips across them, in the order
 * that reduce_args.h writes down, whatever the number of threads.
 *
 * A chunk belongs to a block, or, where lines are short, to as many lanes as have elements: then these have
 * several, one after another. A lane loads all its elements before it adds the first, TORC_REDUCE_ADJACENT at
 * a time where they are aligned. A strip's place belongs to a thread, its neighbours' are adjacent. Read by
 * NVRTC.
 */
#ifndef TORC_REDUCTION_CUH
#define TORC_REDUCTION_CUH

#include "maybe.cuh"
#include "operators.cuh"
#include "reduce_args.h"

namespace torc
{

template <class Monoid, class Stored, access Access, bool IsBitmap, bool KeepsPresence>
struct reduce_kernel {
    using T = typename Monoid::type;
    static constexpr int ADJACENT = TORC_REDUCE_ADJACENT;
    static constexpr int ROUNDS = TORC_REDUCE_CHUNK / (TORC_REDUCE_LANES * ADJACENT);
    static constexpr int FLIGHT = 8; /* elements of a strip on their way */
    /* A lane may have nothing to add: a sum without terms is neutral, or has to be absent. */
    using all = typename monoid_of_sums<Monoid, IsBitmap || !Monoid::has_start || Monoid::takes_one>::type;
    using sum = typename all::type;

    /* Of those of any the first. */
    static __device__ sum plus(const sum &x, const sum &y)
    {
        if constexpr (Monoid::takes_one) {
            return x.is_there ? x : y;
        } else {
            return all::add(x, y);
        }
    }

    template <int Size>
    struct elements {
        fragment<Stored, Size> values;
        fragment<bool, Size> are_there;

        __device__ void load(const torc_reduce_args &args, int64_t at)
        {
            values = operand_of<Size>(args, at);
            are_there.fill(true);
            if constexpr (IsBitmap) {
                are_there = operand<bool, boolean, access_array, Size>(args.a_bitmap, at).load(0);
            }
        }

        __device__ void add_to(sum &total) const
        {
#pragma unroll
            for (int v = 0; v < Size; v++) {
                if (are_there.value[v]) {
                    total = plus(total, sum(caster<T>::cast(values.value[v])));
                }
            }
        }
    };

    template <int Size>
    static __device__ fragment<Stored, Size> operand_of(const torc_reduce_args &args, int64_t at)
    {
        fragment<Stored, Size> values;
        if constexpr (Access == access_array) {
            values =
                *reinterpret_cast<const fragment<Stored, Size> *>(static_cast<const Stored *>(args.a) + at);
        } else {
            values.fill(*static_cast<const Stored *>(args.a));
        }
        return values;
    }

    static __device__ bool is_aligned(const torc_reduce_args &args, int64_t at)
    {
        const auto values = reinterpret_cast<uint64_t>(static_cast<const Stored *>(args.a) + at);
        const auto bitmap = reinterpret_cast<uint64_t>(args.a_bitmap + at);
        return (Access != access_array || values % alignof(fragment<Stored, ADJACENT>) == 0) &&
               (!IsBitmap || bitmap % ADJACENT == 0);
    }

    static __device__ void store(const torc_reduce_args &args, int64_t at, const sum &total, bool has_terms)
    {
        fragment<sum, 1> one;
        fragment<bool, 1> is_there;
        one.value[0] = total;
        const T value = values_of<Monoid>(one, is_there).value[0];
        const bool has_sum = has_terms && is_there.value[0];
        static_cast<T *>(args.c)[at] = has_sum ? value : Monoid::identity();
        if constexpr (KeepsPresence) {
            args.c_bitmap[at] = has_sum;
        }
    }

    /* The sum of a lane's own elements: of the chunk at `begin`, of `count` elements. */
    static __device__ sum sum_of_lane(const torc_reduce_args &args, int64_t begin, int64_t count, int lane)
    {
        sum total = all::start();
        const int64_t first = begin + static_cast<int64_t>(lane) * ADJACENT;
        constexpr int64_t step = TORC_REDUCE_LANES * ADJACENT;
        if (count == TORC_REDUCE_CHUNK && is_aligned(args, begin)) {
            elements<ADJACENT> loaded[ROUNDS];
#pragma unroll
            for (int round = 0; round < ROUNDS; round++) {
                loaded[round].load(args, first + round * step);
            }
#pragma unroll
            for (int round = 0; round < ROUNDS; round++) {
                loaded[round].add_to(total);
            }
            return total;
        }
        for (int64_t at = first; at < begin + count; at += step) {
            if (at + ADJACENT <= begin + count && is_aligned(args, begin)) {
                elements<ADJACENT> loaded;
                loaded.load(args, at);
                loaded.add_to(total);
                continue;
            }
            for (int64_t e = at; e < begin + count && e < at + ADJACENT; e++) {
                elements<1> loaded;
                loaded.load(args, e);
                loaded.add_to(total);
            }
        }
        return total;
    }

    /* The sum that the lane `stride` behind this one has, word by word. All of the block call it. */
    static __device__ sum sum_behind(const sum &mine, int stride)
    {
        constexpr int WORDS = (sizeof(sum) + sizeof(uint32_t) - 1) / sizeof(uint32_t);
        __shared__ uint32_t of_lanes[TORC_REDUCE_LANES];
        uint32_t words[WORDS] = {};
        memcpy(words, &mine, sizeof mine);
        for (int w = 0; w < WORDS; w++) {
            of_lanes[threadIdx.x] = words[w];
            __syncthreads();
            words[w] = of_lanes[(threadIdx.x + stride) % TORC_REDUCE_LANES];
            __syncthreads();
        }
        sum behind = mine;
        memcpy(&behind, words, sizeof behind);
        return behind;
    }

    /* Steps 2 and 3 of the order, of sums of which shared memory has no room for a block's. */
    static __device__ sum sum_of_large_lanes(sum total, int lanes)
    {
        const int me = threadIdx.x, lane = me & (lanes < 32 ? lanes - 1 : 31);
        for (int stride = lanes < 32 ? lanes / 2 : 16; stride > 0; stride /= 2) {
            const sum behind = sum_behind(total, stride);
            if (lane < stride) {
                total = plus(total, behind);
            }
        }
        for (int stride = lanes / 64; stride > 0; stride /= 2) {
            const sum behind = sum_behind(total, stride * 32);
            if (lane == 0 && me / 32 < stride) {
                total = plus(total, behind);
            }
        }
        return total;
    }

    /* Steps 2 and 3 of the order: of `lanes` neighbours, the first of which has the sum at last. */
    static __device__ sum sum_of_lanes(sum total, int lanes)
    {
        constexpr size_t MOST_SHARED = 48 << 10;
        if constexpr (TORC_REDUCE_LANES * sizeof(sum) > MOST_SHARED) {
            return sum_of_large_lanes(total, lanes);
        } else {
            return sum_of_small_lanes(total, lanes);
        }
    }

    static __device__ sum sum_of_small_lanes(sum total, int lanes)
    {
        alignas(16) __shared__ unsigned char memory[TORC_REDUCE_LANES * sizeof(sum)];
        auto *sums = reinterpret_cast<sum *>(memory);
        const int me = threadIdx.x, lane = me & (lanes < 32 ? lanes - 1 : 31);
        sums[me] = total;
        __syncwarp();
        for (int stride = lanes < 32 ? lanes / 2 : 16; stride > 0; stride /= 2) {
            if (lane < stride) {
                sums[me] = plus(sums[me], sums[me + stride]);
            }
            __syncwarp();
        }
        for (int stride = lanes / 64; stride > 0; stride /= 2) {
            __syncthreads();
            if (lane == 0 && me / 32 < stride) {
                sums[me] = plus(sums[me], sums[me + stride * 32]);
            }
        }
        return sums[me];
    }

    /* Lines of no more elements than a warp's lanes have. */
    static __device__ void along_short(const torc_reduce_args &args, int lanes)
    {
        constexpr int LINES = TORC_REDUCE_SHORT_LINES;
        const int lane = threadIdx.x % lanes, groups = TORC_REDUCE_LANES / lanes;
        const int64_t first =
            static_cast<int64_t>(blockIdx.x) * (groups * LINES) + static_cast<int>(threadIdx.x) / lanes;
        sum totals[LINES];
        bool are_whole = (lane + 1) * ADJACENT <= args.length;
#pragma unroll
        for (int u = 0; u < LINES; u++) {
            const int64_t line = first + u * groups;
            totals[u] = all::start();
            are_whole = are_whole && line < args.nlines && is_aligned(args, line * args.ld);
        }
        if (are_whole) { /* no branch from the first load to the last */
            elements<ADJACENT> loaded[LINES];
#pragma unroll
            for (int u = 0; u < LINES; u++) {
                loaded[u].load(args, (first + u * groups) * args.ld + lane * ADJACENT);
            }
#pragma unroll
            for (int u = 0; u < LINES; u++) {
                loaded[u].add_to(totals[u]);
            }
        } else {
#pragma unroll
            for (int u = 0; u < LINES; u++) {
                const int64_t line = first + u * groups;
                if (line < args.nlines) {
                    totals[u] = sum_of_lane(args, line * args.ld, args.length, lane);
                }
            }
        }
#pragma unroll
        for (int u = 0; u < LINES; u++) {
            const int64_t line = first + u * groups;
            const sum total = sum_of_lanes(totals[u], lanes);
            if (line < args.nlines && lane == 0) {
                store(args, line * args.ldc, total, args.length > 0);
            }
        }
    }

    static __device__ void along(const torc_reduce_args &args)
    {
        take_turn();
        const int lanes = torc_reduce_lanes(args.length);
        if (lanes < TORC_REDUCE_LANES) {
            along_short(args, lanes);
            return;
        }
        const int64_t chunks = torc_reduce_parts(args.length, TORC_REDUCE_CHUNK);
        const int64_t line = blockIdx.x / chunks, chunk = blockIdx.x % chunks;
        const int64_t before = chunk * TORC_REDUCE_CHUNK, left = args.length - before;
        const int64_t count = left < TORC_REDUCE_CHUNK ? left : TORC_REDUCE_CHUNK;
        const int lane = threadIdx.x;
        const sum total = sum_of_lanes(sum_of_lane(args, line * args.ld + before, count, lane), lanes);
        if (lane == 0) {
            store(args, line * args.ldc + chunk, total, count > 0);
        }
    }

    static __device__ void across(const torc_reduce_args &args)
    {
        take_turn();
        const int64_t number = static_cast<int64_t>(blockIdx.x) * TORC_REDUCE_LANES + threadIdx.x;
        const int64_t strip = number / args.length, place = number % args.length;
        const int64_t first = strip * TORC_REDUCE_STRIP, left = args.nlines - first;
        const int64_t count = left < TORC_REDUCE_STRIP ? left : TORC_REDUCE_STRIP;
        if (strip > 0 && count <= 0) {
            return;
        }
        sum total = all::start();
        int64_t line = 0;
        for (; line + FLIGHT <= count; line += FLIGHT) {
            elements<1> loaded[FLIGHT];
#pragma unroll
            for (int u = 0; u < FLIGHT; u++) {
                loaded[u].load(args, (first + line + u) * args.ld + place);
            }
#pragma unroll
            for (int u = 0; u < FLIGHT; u++) {
                loaded[u].add_to(total);
            }
        }
        for (; line < count; line++) {
            elements<1> loaded;
            loaded.load(args, (first + line) * args.ld + place);
            loaded.add_to(total);
        }
        store(args, strip * args.ldc + place, total, count > 0);
    }
};

} // namespace torc

#endif
