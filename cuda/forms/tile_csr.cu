/* tile_csr.cu: the plan of shared_tiles.cuh made on the device, as spmm_args.h draws it.
 *
 * Parts of A's rows, and pieces of long ones, are cut into blocks, whose shared columns are ranked
 * (tile_blocks.cuh). A rank says the tile and the place in it. A block's pieces go to slots, those of most
 * shared entries first, groups by turns there and back, so that a warp's four pieces of a slot are of similar
 * length and all warps have similar work. Then each entry's place in its steps is known.
 *
 * A long part's pieces take every n-th entry each, so that they are alike.
 *
 * Counts alone are added up atomically, in integers; every order comes from scans and ballots: the same plan
 * on each run.
 */
#include "tile_blocks.cuh"
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <vector>

namespace
{

using namespace torc;

constexpr int GROUPS = TORC_TILE_WARPS * TORC_TILE_GROUPS, SLOTS = TORC_TILE_SLOTS;
constexpr int PIECE_WARPS = THREADS / WARP;
/* Tiles of a block: what the counters of a warp have room for. */
constexpr int MOST_TILES = (48 << 10) / (PIECE_WARPS * static_cast<int>(sizeof(uint32_t)));

/* ---- Entries ------------------------------------------------------------------------------------------ */

/* Of a piece: how many entries it has in each tile, `most` numbers; in all; and outside. A warp a piece. */
__global__ void __launch_bounds__(THREADS)
    count_entries(shape s, int most, uint16_t *in_tiles, uint32_t *inside, uint32_t *outside)
{
    extern __shared__ uint32_t counters[];
    const int64_t p = static_cast<int64_t>(blockIdx.x) * PIECE_WARPS + threadIdx.x / WARP;
    const int lane = threadIdx.x % WARP;
    uint32_t *counts = counters + threadIdx.x / WARP * most, sum = 0;
    if (p >= s.npieces) {
        return;
    }
    for (int t = lane; t < most; t += WARP) {
        counts[t] = 0;
    }
    __syncwarp();
    const piece own = s.pieces[p];
    const uint32_t *ranks = s.ranks_of(own.block);
    for (uint32_t n = lane; n < own.count(); n += WARP) {
        const uint32_t rank = ranks[s.col_idx[own.begin + n * own.step]];
        if (rank > 0) {
            atomicAdd(&counts[(rank - 1) / TORC_TILE_COLUMNS], 1u);
        }
    }
    __syncwarp();
    for (int t = lane; t < most; t += WARP) {
        in_tiles[p * most + t] = static_cast<uint16_t>(counts[t]);
        sum += counts[t];
    }
    for (int step = WARP / 2; step > 0; step /= 2) { /* one instruction on Ampere, none on Turing */
        sum += __shfl_xor_sync(~0u, sum, step);
    }
    if (lane == 0) {
        inside[p] = sum;
        outside[own.number] = own.count() - sum;
    }
}

/* Where slot j of group g is among a block's. */
__device__ int64_t slot_number(int64_t block, int g, int j)
{
    return block * TORC_TILE_ROWS + g * SLOTS + j;
}

/* Pieces to slots; in_slot: the piece of each, or TORC_TILE_NOBODY. */
__global__ void __launch_bounds__(BLOCK)
    fill_slots(shape s, const uint32_t *inside, uint32_t *in_slot, uint32_t *slot_of, uint32_t *owners)
{
    __shared__ uint64_t keys[BLOCK];
    const int64_t first = s.first_piece(blockIdx.x), count = s.end_piece(blockIdx.x) - first;
    const int k = threadIdx.x;
    keys[k] = k < count ? static_cast<uint64_t>(~inside[first + k]) << 32 | k : ~uint64_t{0};
    for (int size = 2; size <= BLOCK; size *= 2) { /* a bitonic sort */
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            const int other = k ^ stride;
            if (other > k) {
                const uint64_t low = keys[k], high = keys[other];
                if ((low > high) == ((k & size) == 0)) {
                    keys[k] = high;
                    keys[other] = low;
                }
            }
        }
    }
    __syncthreads();
    if (k >= TORC_TILE_ROWS) {
        return;
    }
    const int j = k / GROUPS, g = j % 2 ? GROUPS - 1 - k % GROUPS : k % GROUPS;
    const int64_t slot = slot_number(blockIdx.x, g, j);
    const auto chosen = static_cast<uint32_t>(first + static_cast<uint32_t>(keys[k]));
    in_slot[slot] = k < count ? chosen : TORC_TILE_NOBODY;
    owners[slot] = k < count ? s.pieces[chosen].owner : TORC_TILE_NOBODY;
    if (k < count) {
        slot_of[chosen] = static_cast<uint32_t>(slot);
    }
}

/* Of each warp: the steps of its slots in each tile; the number of the first of them; and batches of all. */
__global__ void __launch_bounds__(THREADS) count_steps(int64_t nblocks, torc_tiles plan,
    const uint32_t *in_slot, const uint16_t *in_tiles, int most, uint32_t *first_steps, uint32_t *batches)
{
    constexpr int TILES = WARP / SLOTS; /* at once, lane by lane in the order of steps */
    const int64_t unit = thread_number() / WARP, block = unit / TORC_TILE_WARPS;
    const int lane = threadIdx.x % WARP, j = lane % SLOTS;
    if (unit >= nblocks * TORC_TILE_WARPS) {
        return;
    }
    const int w = static_cast<int>(unit % TORC_TILE_WARPS);
    const uint32_t first_tile = plan.tile_begin[block], ntiles = plan.tile_begin[block + 1] - first_tile;
    uint32_t sum = 0;
    for (uint32_t base = 0; base < ntiles; base += TILES) {
        const uint32_t t = base + lane / SLOTS;
        uint32_t longest = 0;
        for (int sub = 0; t < ntiles && sub < TORC_TILE_GROUPS; sub++) {
            const uint32_t p = in_slot[slot_number(block, w * TORC_TILE_GROUPS + sub, j)];
            if (p != TORC_TILE_NOBODY) {
                longest = max(longest, static_cast<uint32_t>(in_tiles[static_cast<int64_t>(p) * most + t]));
            }
        }
        const uint32_t own = (longest + TORC_TILE_STEP - 1) / TORC_TILE_STEP;
        uint32_t through = own;
        for (int d = 1; d < WARP; d *= 2) {
            const uint32_t lower = __shfl_up_sync(~0u, through, d);
            through += lane >= d ? lower : 0;
        }
        if (t < ntiles) {
            const int64_t to =
                (static_cast<int64_t>(first_tile) * TORC_TILE_WARPS + static_cast<int64_t>(w) * ntiles + t) *
                    SLOTS +
                j;
            plan.steps[to] = static_cast<uint8_t>(own);
            first_steps[to] = sum + through - own;
        }
        sum += __shfl_sync(~0u, through, WARP - 1);
    }
    if (lane == 0) {
        batches[unit] = (sum + TORC_TILE_BATCH - 1) / TORC_TILE_BATCH;
    }
}

/* Value: an integer of the size of A's, or char where there are none. */
template <class Value>
struct placing {
    static constexpr bool HAS_VALUES = sizeof(Value) > 1;
    const Value *values;
    const uint32_t *slot_of, *first_steps, *rest_begin; /* rest_begin: of each piece, row by row */
    uint32_t *rest_columns;
    Value *rest_values;
};

/* Entries to their places, or to the rest. A warp a piece. */
template <class Value>
__global__ void __launch_bounds__(THREADS) place(shape s, int most, torc_tiles plan, placing<Value> to)
{
    extern __shared__ uint32_t counters[];
    const int64_t p = static_cast<int64_t>(blockIdx.x) * PIECE_WARPS + threadIdx.x / WARP;
    const int lane = threadIdx.x % WARP;
    uint32_t *placed = counters + threadIdx.x / WARP * most; /* in each tile */
    if (p >= s.npieces) {
        return;
    }
    for (int t = lane; t < most; t += WARP) {
        placed[t] = 0;
    }
    __syncwarp();
    const piece own = s.pieces[p];
    const int64_t block = own.block;
    const auto slot = static_cast<int>(to.slot_of[p] - block * TORC_TILE_ROWS);
    const int g = slot / SLOTS, j = slot % SLOTS, w = g / TORC_TILE_GROUPS, sub = g % TORC_TILE_GROUPS;
    const uint32_t first_tile = plan.tile_begin[block], ntiles = plan.tile_begin[block + 1] - first_tile;
    const uint32_t *ranks = s.ranks_of(block);
    const uint32_t *first_steps =
        to.first_steps +
        (static_cast<int64_t>(first_tile) * TORC_TILE_WARPS + static_cast<int64_t>(w) * ntiles) * SLOTS + j;
    unsigned char *batches = plan.batches + plan.batch_begin[block * TORC_TILE_WARPS + w] * plan.batch_size;
    const unsigned lower = (1u << lane) - 1;
    uint32_t rest = to.rest_begin[own.number];
    for (uint32_t n0 = 0; n0 < own.count(); n0 += WARP) {
        const bool is = n0 + lane < own.count();
        const uint32_t e = own.begin + (is ? n0 + lane : 0) * own.step;
        const uint32_t k = s.col_idx[e], rank = is ? ranks[k] : 0;
        const uint32_t t = rank > 0 ? (rank - 1) / TORC_TILE_COLUMNS : ~0u;
        const unsigned others = __ballot_sync(~0u, is && rank == 0), same = __match_any_sync(~0u, t);
        if (is && rank == 0) {
            const uint32_t at = rest + __popc(others & lower);
            to.rest_columns[at] = k;
            if constexpr (placing<Value>::HAS_VALUES) {
                to.rest_values[at] = to.values[e];
            }
        }
        rest += __popc(others);
        if (rank > 0) {
            const uint32_t number = placed[t] + __popc(same & lower);
            const uint32_t step = first_steps[t * SLOTS] + number / TORC_TILE_STEP;
            const uint32_t place =
                (step % TORC_TILE_BATCH * TORC_TILE_GROUPS + sub) * TORC_TILE_STEP + number % TORC_TILE_STEP;
            unsigned char *batch = batches + step / TORC_TILE_BATCH * plan.batch_size;
            reinterpret_cast<uint16_t *>(batch)[place] =
                static_cast<uint16_t>((rank - 1) % TORC_TILE_COLUMNS | TORC_TILE_IS_ENTRY);
            if constexpr (placing<Value>::HAS_VALUES) {
                reinterpret_cast<Value *>(batch + TORC_TILE_POSITIONS)[place] = to.values[e];
            }
        }
        __syncwarp();
        if (rank > 0 && lane == __ffs(same) - 1) {
            placed[t] += __popc(same);
        }
        __syncwarp();
    }
}

__global__ void __launch_bounds__(THREADS)
    list_rest_rows(uint32_t *row_ptr, const uint32_t *rest_begin, const uint32_t *first_piece, int64_t nrows)
{
    const int64_t i = thread_number();
    if (i <= nrows) {
        row_ptr[i] = rest_begin[first_piece[i]];
    }
}

/* ---- The plan ----------------------------------------------------------------------------------------- */

/* Sums of all before each of `count` numbers, in place. */
torc_status scan(torc_device *device, uint32_t *numbers, int64_t count)
{
    scratch workspace(device);
    size_t size = 0;
    TORC_TRY_CUDA(
        device, cub::DeviceScan::ExclusiveSum(nullptr, size, numbers, numbers, count, device->stream));
    TORC_TRY(workspace.allocate(size));
    TORC_TRY_CUDA(device,
        cub::DeviceScan::ExclusiveSum(workspace.as<void>(), size, numbers, numbers, count, device->stream));
    return TORC_SUCCESS;
}

template <class T>
torc_status allocate(T **array, torc_device *device, int64_t count)
{
    void *memory;
    const torc_status status = torc_cuda_allocate(&memory, device, static_cast<size_t>(count) * sizeof(T));
    *array = static_cast<T *>(memory);
    return status;
}

torc_status allocate(scratch &memory, int64_t count, size_t size)
{
    return memory.allocate(static_cast<size_t>(count) * size);
}

/* A plan in the making: what is given, what is found out step by step, and memory for the time of it. */
struct planning {
    torc_device *device;
    const torc_device_csr *A;
    int parts;
    torc_tiles *tiles;
    torc_device_csr *rest;
    shape s{};
    int most = 1; /* tiles of a block */
    int64_t ntiles = 0;
    scratch in_parts, first_piece, is_split, pieces, ranks, in_tiles, inside, rest_begin, in_slot, slot_of,
        first_steps;

    planning(torc_device *on, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts)
        : device(on), A(A), parts(parts), tiles(tiles), rest(rest), in_parts(on), first_piece(on),
          is_split(on), pieces(on), ranks(on), in_tiles(on), inside(on), rest_begin(on), in_slot(on),
          slot_of(on), first_steps(on)
    {
    }

    torc_status cut_rows();
    torc_status share_columns();
    torc_status order_steps();
    torc_status place_entries();
    template <class Value>
    torc_status place_entries_of();
};

/* Pieces, and blocks of them, as many of each part. */
torc_status planning::cut_rows()
{
    const cudaStream_t stream = device->stream;
    const auto *row_ptr = static_cast<const uint32_t *>(A->row_ptr);
    TORC_TRY(allocate(in_parts, A->nrows * parts + 1, sizeof(uint32_t)));
    TORC_TRY(allocate(first_piece, A->nrows + 1, sizeof(uint32_t)));
    TORC_TRY(allocate(is_split, A->nrows + 1, sizeof(uint32_t)));
    const row_parts rows{row_ptr, A->nrows, parts};
    count_pieces<<<blocks_for(A->nrows + 1), THREADS, 0, stream>>>(
        rows, in_parts.as<uint32_t>(), first_piece.as<uint32_t>(), is_split.as<uint32_t>());
    TORC_TRY_CUDA(device, cudaGetLastError());
    TORC_TRY(scan(device, in_parts.as<uint32_t>(), A->nrows * parts + 1));
    TORC_TRY(scan(device, first_piece.as<uint32_t>(), A->nrows + 1));
    TORC_TRY(scan(device, is_split.as<uint32_t>(), A->nrows + 1));

    uint32_t nsplit_rows, npieces, before = 0, of_part = 0;
    TORC_TRY(
        torc_cuda_download(device, &nsplit_rows, is_split.as<uint32_t>() + A->nrows, sizeof nsplit_rows));
    for (int p = 1; p <= parts; p++) {
        TORC_TRY(
            torc_cuda_download(device, &npieces, in_parts.as<uint32_t>() + p * A->nrows, sizeof npieces));
        of_part = std::max(of_part, npieces - before);
        before = npieces;
    }
    s = shape{row_ptr, A->col_idx, nullptr, in_parts.as<uint32_t>(), nullptr, A->nrows, A->ncols, npieces};
    s.part_blocks = torc_tile_part_blocks(of_part, parts);
    s.height = (of_part + s.part_blocks - 1) / s.part_blocks;
    s.nblocks = s.part_blocks * parts;
    tiles->npieces = npieces;
    tiles->nblocks = s.nblocks;
    tiles->nsplit_rows = nsplit_rows;
    TORC_TRY(allocate(pieces, npieces, sizeof(piece)));
    s.pieces = pieces.as<piece>();
    TORC_TRY(allocate(&tiles->split_rows, device, nsplit_rows));
    list_pieces<<<blocks_for(A->nrows), THREADS, 0, stream>>>(
        rows, s, pieces.as<piece>(), first_piece.as<uint32_t>(), is_split.as<uint32_t>(), tiles->split_rows);
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}

/* The columns that a block's pieces share, and tiles of them. */
torc_status planning::share_columns()
{
    const cudaStream_t stream = device->stream;
    const auto nblocks = static_cast<unsigned>(s.nblocks);
    const size_t counters = static_cast<size_t>(s.nblocks * A->ncols) * sizeof(uint32_t);
    TORC_TRY(ranks.allocate(counters));
    s.ranks = ranks.as<uint32_t>();
    if (counters > 0) {
        TORC_TRY_CUDA(device, cudaMemsetAsync(s.ranks, 0, counters, stream));
    }
    count_columns<<<nblocks, BLOCK, 0, stream>>>(s);
    TORC_TRY_CUDA(device, cudaGetLastError());
    TORC_TRY(allocate(&tiles->ncolumns, device, s.nblocks));
    rank_columns<<<nblocks, BLOCK, 0, stream>>>(s, tiles->ncolumns);
    TORC_TRY_CUDA(device, cudaGetLastError());

    std::vector<uint32_t> ncolumns(s.nblocks), tile_begin(1, 0);
    TORC_TRY(torc_cuda_download(device, ncolumns.data(), tiles->ncolumns, s.nblocks * sizeof(uint32_t)));
    for (const uint32_t count : ncolumns) {
        const uint32_t own = (count + TORC_TILE_COLUMNS - 1) / TORC_TILE_COLUMNS;
        most = std::max(most, static_cast<int>(own));
        tile_begin.push_back(tile_begin.back() + own);
    }
    if (most > MOST_TILES) {
        return TORC_UNSUPPORTED;
    }
    ntiles = tile_begin.back();
    TORC_TRY(allocate(&tiles->tile_begin, device, s.nblocks + 1));
    TORC_TRY(
        torc_cuda_upload(device, tiles->tile_begin, tile_begin.data(), tile_begin.size() * sizeof(uint32_t)));
    TORC_TRY(allocate(&tiles->columns, device, ntiles * TORC_TILE_COLUMNS));
    if (ntiles > 0) {
        TORC_TRY_CUDA(device,
            cudaMemsetAsync(tiles->columns, 0, ntiles * TORC_TILE_COLUMNS * sizeof(uint32_t), stream));
        list_columns<<<nblocks, BLOCK, 0, stream>>>(s, *tiles);
        TORC_TRY_CUDA(device, cudaGetLastError());
    }
    return TORC_SUCCESS;
}

/* Which slot has which piece, and where the steps of each slot begin. */
torc_status planning::order_steps()
{
    const cudaStream_t stream = device->stream;
    const int64_t nwarps = s.nblocks * TORC_TILE_WARPS, nslots = s.nblocks * TORC_TILE_ROWS,
                  nsteps = ntiles * TORC_TILE_WARPS * SLOTS;
    TORC_TRY(allocate(in_tiles, s.npieces * most, sizeof(uint16_t)));
    TORC_TRY(allocate(inside, s.npieces, sizeof(uint32_t)));
    TORC_TRY(allocate(rest_begin, s.npieces + 1, sizeof(uint32_t)));
    TORC_TRY(allocate(in_slot, nslots, sizeof(uint32_t)));
    TORC_TRY(allocate(slot_of, s.npieces, sizeof(uint32_t)));
    TORC_TRY(allocate(first_steps, nsteps, sizeof(uint32_t)));
    TORC_TRY(allocate(&tiles->owners, device, nslots));
    TORC_TRY(allocate(&tiles->steps, device, nsteps));
    TORC_TRY(allocate(&tiles->batch_begin, device, nwarps + 1));
    TORC_TRY_CUDA(
        device, cudaMemsetAsync(rest_begin.as<uint32_t>() + s.npieces, 0, sizeof(uint32_t), stream));
    TORC_TRY_CUDA(device, cudaMemsetAsync(tiles->batch_begin + nwarps, 0, sizeof(uint32_t), stream));
    count_entries<<<blocks_for(s.npieces * WARP), THREADS, PIECE_WARPS * most * sizeof(uint32_t), stream>>>(
        s, most, in_tiles.as<uint16_t>(), inside.as<uint32_t>(), rest_begin.as<uint32_t>());
    TORC_TRY_CUDA(device, cudaGetLastError());
    TORC_TRY(scan(device, rest_begin.as<uint32_t>(), s.npieces + 1));
    fill_slots<<<static_cast<unsigned>(s.nblocks), BLOCK, 0, stream>>>(
        s, inside.as<uint32_t>(), in_slot.as<uint32_t>(), slot_of.as<uint32_t>(), tiles->owners);
    TORC_TRY_CUDA(device, cudaGetLastError());
    count_steps<<<blocks_for(nwarps * WARP), THREADS, 0, stream>>>(s.nblocks, *tiles, in_slot.as<uint32_t>(),
        in_tiles.as<uint16_t>(), most, first_steps.as<uint32_t>(), tiles->batch_begin);
    TORC_TRY_CUDA(device, cudaGetLastError());
    return scan(device, tiles->batch_begin, nwarps + 1);
}

/* Entries in batches of steps, and those that no tile has in `rest`. */
torc_status planning::place_entries()
{
    uint32_t nbatches, nrest;
    TORC_TRY(torc_cuda_download(
        device, &nbatches, tiles->batch_begin + s.nblocks * TORC_TILE_WARPS, sizeof nbatches));
    TORC_TRY(torc_cuda_download(device, &nrest, rest_begin.as<uint32_t>() + s.npieces, sizeof nrest));
    tiles->batch_size =
        TORC_TILE_POSITIONS + static_cast<int64_t>(A->value_size) * (TORC_TILE_POSITIONS / sizeof(uint16_t));
    const int64_t bytes = (static_cast<int64_t>(nbatches) + 2) * tiles->batch_size;
    TORC_TRY(allocate(&tiles->batches, device, bytes));
    TORC_TRY_CUDA(device, cudaMemsetAsync(tiles->batches, 0, bytes, device->stream));
    rest->nnz = nrest;
    if (nrest > 0) {
        uint32_t *offsets;
        unsigned char *values;
        TORC_TRY(allocate(&offsets, device, A->nrows + 1));
        rest->row_ptr = offsets;
        TORC_TRY(allocate(&rest->col_idx, device, nrest));
        TORC_TRY(allocate(&values, device, nrest * static_cast<int64_t>(A->value_size)));
        rest->values = values;
        list_rest_rows<<<blocks_for(A->nrows + 1), THREADS, 0, device->stream>>>(
            offsets, rest_begin.as<uint32_t>(), first_piece.as<uint32_t>(), A->nrows);
        TORC_TRY_CUDA(device, cudaGetLastError());
    }
    return A->value_size == 4   ? place_entries_of<uint32_t>()
           : A->value_size == 8 ? place_entries_of<uint64_t>()
                                : place_entries_of<char>();
}

template <class Value>
torc_status planning::place_entries_of()
{
    const placing<Value> to{static_cast<const Value *>(A->values), slot_of.as<uint32_t>(),
        first_steps.as<uint32_t>(), rest_begin.as<uint32_t>(), rest->col_idx,
        static_cast<Value *>(rest->values)};
    place<<<blocks_for(s.npieces * WARP), THREADS, PIECE_WARPS * most * sizeof(uint32_t), device->stream>>>(
        s, most, *tiles, to);
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}

torc_status plan(
    torc_device *device, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts)
{
    planning p(device, tiles, rest, A, parts);
    TORC_TRY(p.cut_rows());
    TORC_TRY(p.share_columns());
    TORC_TRY(p.order_steps());
    return p.place_entries();
}

/* Is it for this device and of sizes that the plan's numbers hold? */
bool is_possible(const torc_device *device, const torc_device_csr *A, int parts)
{
    const bool has_values = A->value_size == 0 || A->value_size == 4 || A->value_size == 8;
    return has_values && !A->wide_offsets && A->nnz < INT32_MAX &&
           A->nrows * parts < TORC_TILE_IS_EMPTY / 2 && device->info.compute_capability >= 90 &&
           TORC_TILE_SHARED_BYTES(A->value_size) <= device->info.block_shared;
}

} // namespace

torc_status torc_cuda_plan_tiles(
    torc_device *device, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts)
{
    TORC_ENTER(device);
    *tiles = torc_tiles{};
    *rest = torc_device_csr{A->nrows, A->ncols, 0, false, A->value_size, nullptr, nullptr, nullptr};
    if (!is_possible(device, A, parts)) {
        return TORC_UNSUPPORTED;
    }
    try {
        return plan(device, tiles, rest, A, parts);
    } catch (...) {
        torc_device_note(device, "plan_tiles", "an exception in CUB, or no host memory");
        return TORC_DEVICE_ERROR;
    }
}
