/* column_panels.cuh: the partition and reduction of a row split for the narrowest C and long rows: a block
 * keeps a panel of B in shared memory while its rows pass by. Read by nvcc and by NVRTC.
 *
 *              panel 0      panel 1      panel 2            columns of A, rows of B
 *     row r    x  x xx    |  xx  x    | x  x   x x          each panel takes up where the one before left off
 *     row r+1    x  x     |           |    x x
 *
 * A block has about as many entries as every other, in whole rows. It takes as many of these at once as have
 * room for their sums; and for each panel of columns it copies that panel's rows of B into shared memory and
 * visits the rows. A team of threads combines the next entries of a row, up to the first whose column lies
 * beyond the panel, and adds them to the row's sum. Teams have Ways threads, or as many times that as suit
 * the row's length; the teams of a warp visit rows of like length. B comes from L2 once a block, and not once
 * an entry in sectors of 32 bytes.
 *
 * Measured on an H200: 230,000 rows of 490 take .42 ms instead of .75 at N = 1, fp32; 200,000 rows of 500 in
 * 50,000 columns .35 instead of .59, fp64. Rows of B of 16 bytes and more are read faster from L2: panels are
 * narrow then, and A comes in pieces. Fewer threads, and the next rows' entries on their way meanwhile, take
 * up to 28 % longer (bench/results/2026-11-21-h200-panels.txt).
 *
 * Where columns do not ascend within a row, an entry may come after its panel: its row of B is then read from
 * where it lies. The order of terms depends on A and on the widths of panels only.
 */
#ifndef TORC_COLUMN_PANELS_CUH
#define TORC_COLUMN_PANELS_CUH

#include "lane_group.cuh"
#include "operand_access.cuh"
#include "operators.cuh"
#include "segment_partition.cuh"
#include "update.cuh"

namespace torc
{

constexpr __device__ int log2_of(int x)
{
    return x > 1 ? 1 + log2_of(x / 2) : 0;
}

template <class Monoid, class Multiply, class A, class B, class Update, class Offset, int Vector, int Ways>
struct column_panels {
    using T = typename Monoid::type;
    using X = typename A::type;
    using Y = typename B::type;
    using sums = fragment<T, Vector>;
    using row_of_b = fragment<typename B::stored, Vector>;
    static constexpr int WARP = 32, THREADS = TORC_PANEL_THREADS;
    static constexpr int FLIGHT = 4;                         /* entries a thread loads at once */
    static constexpr int CLASSES = 1 + log2_of(WARP / Ways); /* of rows, by the ways that visit them */
    static_assert(sizeof(Offset) == sizeof(uint32_t), "places in A are kept in 32 bits");
    static_assert(B::is_array && !Monoid::takes_one && !Multiply::is_positional, "all entries read B");

    /* What a block shares. */
    struct room {
        sums *sum; /* of each row */
        row_of_b *panel;
        uint32_t *bounds; /* where rows of A begin, and the last one ends */
        uint32_t *next;   /* of each row, the first entry that has not been taken */
        uint32_t *begins; /* of each class, in `order`; and the end */
        uint32_t *taken;  /* of each class, by warps: as many rows as they visit at once */
        uint16_t *order;  /* the rows that have entries, class by class */
    };

    /* What the entries are looked up in. */
    struct panel {
        B rows, all;               /* of the panel, and of B */
        uint32_t begin, end, last; /* columns; and the panel's last row */
    };

    /* Entries of a row on their way to a team. */
    struct flight {
        fragment<uint32_t, FLIGHT> column; /* beyond all panels where there is none */
        fragment<X, FLIGHT> x;
    };

    /* Terms of a thread, or of a team. */
    struct partial {
        sums sum;
        bool is_there; /* or there is none; known where the monoid has no start */

        __device__ partial() : is_there(false)
        {
            sum.fill(Monoid::start());
        }

        __device__ void add(const sums &more, bool is_more)
        {
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                if (is_more) {
                    sum.value[v] = Monoid::has_start || is_there ? Monoid::add(sum.value[v], more.value[v])
                                                                 : more.value[v];
                }
            }
            is_there = is_there || is_more;
        }
    };

    const torc_spmm_args &args;
    int64_t column; /* of C, the block's first */
    lane_group<WARP> warp;

    __device__ explicit column_panels(const torc_spmm_args &given)
        : args(given), column((static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y) * Vector),
          warp(threadIdx.x)
    {
    }

    template <class Item>
    static __device__ Item *take_room(unsigned char *&memory, int64_t count)
    {
        Item *taken = reinterpret_cast<Item *>(memory);
        memory += (count * sizeof(Item) + 15) / 16 * 16;
        return taken;
    }

    __device__ room divide(unsigned char *memory) const
    {
        room own;
        own.sum = take_room<sums>(memory, args.round_rows);
        own.panel = take_room<row_of_b>(memory, args.panel_columns);
        own.bounds = take_room<uint32_t>(memory, args.round_rows + 1);
        own.next = take_room<uint32_t>(memory, args.round_rows);
        own.begins = take_room<uint32_t>(memory, CLASSES + 1);
        own.taken = take_room<uint32_t>(memory, CLASSES);
        own.order = take_room<uint16_t>(memory, args.round_rows);
        return own;
    }

    /* ---- Rows --------------------------------------------------------------------------------------- */

    /* The first row of block `block`: that many shares of entries and rows come before it. */
    __device__ int64_t first_row(unsigned block) const
    {
        const Offset *row_ptr = static_cast<const Offset *>(args.row_ptr);
        const int64_t all = static_cast<int64_t>(row_ptr[args.nrows]) + args.nrows;
        const int64_t before = all / gridDim.x * block + all % gridDim.x * block / gridDim.x;
        int64_t low = 0, high = args.nrows;
        while (low < high) { /* rows below `low` begin before, `high` does not */
            const int64_t step = (high - low + WARP - 1) / WARP, probe = low + warp.lane * step;
            const bool is_before = probe < high && static_cast<int64_t>(row_ptr[probe]) + probe < before;
            const int64_t count = __popc(__ballot_sync(warp.mask, is_before));
            high = low + count * step < high ? low + count * step : high;
            low = count > 0 ? low + (count - 1) * step + 1 : low;
        }
        return low;
    }

    /* Ways for a flight of all the entries that the row has in a panel, were they spread evenly. */
    __device__ int class_of(const room &shared, int row, uint32_t panels) const
    {
        const uint32_t entries = shared.bounds[row + 1] - shared.bounds[row];
        int number = 0;
        while (number + 1 < CLASSES && (FLIGHT * Ways << number) * panels < entries) {
            number++;
        }
        return number;
    }

    /* In any order within a class. */
    __device__ void sort_rows(const room &shared, int rows) const
    {
        const auto panels =
            static_cast<uint32_t>((args.b_rows + args.panel_columns - 1) / args.panel_columns);
        if (threadIdx.x < CLASSES) {
            shared.taken[threadIdx.x] = 0;
        }
        __syncthreads();
        for (int row = threadIdx.x; row < rows; row += THREADS) {
            if (shared.bounds[row] < shared.bounds[row + 1]) {
                take_number(&shared.taken[class_of(shared, row, panels)]);
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            uint32_t before = 0;
            for (int c = 0; c < CLASSES; c++) {
                const uint32_t count = shared.taken[c];
                shared.taken[c] = shared.begins[c] = before;
                before += count;
            }
            shared.begins[CLASSES] = before;
        }
        __syncthreads();
        for (int row = threadIdx.x; row < rows; row += THREADS) {
            if (shared.bounds[row] < shared.bounds[row + 1]) {
                const uint32_t place = take_number(&shared.taken[class_of(shared, row, panels)]);
                shared.order[place] = static_cast<uint16_t>(row);
            }
        }
    }

    /* ---- Entries ------------------------------------------------------------------------------------ */

    /* The next entries of a row, `left` of them at most. They are read aligned to W, from up to W-1 entries
     * before, so that a sector is asked for once. */
    template <int W>
    __device__ flight load(uint32_t next, uint32_t left) const
    {
        const int way = warp.lane % W, skipped = next % W;
        const uint32_t first = next - skipped + way;
        A a(args.a, first);
        a.values = keep(a.values);
        const uint32_t *columns = keep(args.col_idx + first);
        flight entries;
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            const bool is_in = (u > 0 || way >= skipped) && u * W + way - skipped < left;
            entries.column.value[u] = is_in ? load_once(columns + u * W) : ~0u;
            entries.x.value[u] = is_in ? a.load_value_once(u * W) : X();
        }
        return entries;
    }

    /* Fold them as far as they come before the panel's end: how many slots of the flight that are, the first
     * `skipped` of them empty. All lanes of a warp call it together. */
    template <int W>
    __device__ int fold(partial &own, const flight &entries, int skipped, const panel &from) const
    {
        const int way = warp.lane % W, first = warp.lane - way;
        const unsigned team = (W == WARP ? ~0u : (1u << W % WARP) - 1) << first;
        const auto &k = entries.column.value;
        int slots = FLIGHT * W;
        bool is_late = false;
#pragma unroll
        for (int u = FLIGHT - 1; u >= 0; u--) {
            const bool is_beyond = k[u] >= from.end && (u > 0 || way >= skipped);
            const unsigned beyond = __ballot_sync(warp.mask, is_beyond) & team;
            slots = beyond ? u * W + __ffs(beyond) - 1 - first : slots;
            is_late = is_late || k[u] < from.begin;
        }
        fragment<Y, Vector> y[FLIGHT];
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            const uint32_t row = k[u] - from.begin;
            y[u] = from.rows.load_row(row < from.last ? row : from.last);
        }
        if (warp.any(is_late)) {
#pragma unroll
            for (int u = 0; u < FLIGHT; u++) {
                if (k[u] < from.begin) {
                    y[u] = from.all.load_row(k[u]);
                }
            }
        }
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            sums terms;
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                terms.value[v] = Multiply::multiply(entries.x.value[u], y[u].value[v]);
            }
            own.add(terms, u * W + way < slots && (u > 0 || way >= skipped));
        }
        return slots;
    }

    /* Of a team, in its first thread. */
    template <int W>
    __device__ void add_ways(partial &own) const
    {
#pragma unroll
        for (int step = 1; step < W; step *= 2) {
            sums other;
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                other.value[v] = warp.broadcast(own.sum.value[v], warp.lane ^ step);
            }
            own.add(other, Monoid::has_start || warp.broadcast(own.is_there, warp.lane ^ step));
        }
    }

    /* ---- Visits ------------------------------------------------------------------------------------- */

    /* The entries that rows order[place], .. have in the panel, a row a team of W; `end` is where the rows
     * for W ways end. */
    template <int W>
    __device__ void visit(const room &shared, int place, int end, const panel &from) const
    {
        int row = 0;
        uint32_t next = 0, row_end = 0;
        if (place + warp.lane / W < end) {
            row = shared.order[place + warp.lane / W];
            next = shared.next[row];
            row_end = shared.bounds[row + 1];
        }
        const uint32_t before = next;
        partial own;
        bool goes_on = next < row_end;
        do {
            const int skipped = next % W;
            const flight entries = load<W>(next, goes_on ? row_end - next : 0);
            const int slots = fold<W>(own, entries, skipped, from);
            if (goes_on) {
                next += slots - skipped;
                goes_on = slots == FLIGHT * W && next < row_end;
            }
        } while (warp.any(goes_on));
        add_ways<W>(own);
        if (next > before && warp.lane % W == 0) {
            partial sum;
            sum.sum = shared.sum[row];
            sum.is_there = before > shared.bounds[row];
            sum.add(own.sum, true);
            shared.sum[row] = sum.sum;
            shared.next[row] = next;
        }
    }

    /* All rows for W ways, as many at once as a warp has teams, then those for fewer. */
    template <int W>
    __device__ void visit_all(const room &shared, const panel &from) const
    {
        constexpr int CLASS = log2_of(W / Ways);
        const int begin = shared.begins[CLASS], end = shared.begins[CLASS + 1];
        for (;;) {
            int number = 0;
            if (warp.lane == 0) {
                number = static_cast<int>(take_number(&shared.taken[CLASS]));
            }
            const int place = begin + warp.broadcast(number, 0) * (WARP / W);
            if (place >= end) {
                break;
            }
            visit<W>(shared, place, end, from);
        }
        if constexpr (W > Ways) {
            visit_all<W / 2>(shared, from);
        }
    }

    /* ---- Blocks ------------------------------------------------------------------------------------- */

    __device__ void begin_rows(const room &shared, int64_t first, int rows) const
    {
        const Offset *row_ptr = static_cast<const Offset *>(args.row_ptr) + first;
        for (int row = threadIdx.x; row <= rows; row += THREADS) {
            const auto begin = static_cast<uint32_t>(row_ptr[row]);
            shared.bounds[row] = begin;
            if (row < rows) {
                shared.next[row] = begin;
                shared.sum[row].fill(Monoid::start());
            }
        }
        __syncthreads();
    }

    __device__ void fill_panel(const room &shared, const panel &from) const
    {
        for (uint32_t row = threadIdx.x; row <= from.last; row += THREADS) {
            copy_async(
                &shared.panel[row], reinterpret_cast<const row_of_b *>(from.all.row(from.begin + row)));
        }
        if (threadIdx.x < CLASSES) {
            shared.taken[threadIdx.x] = 0;
        }
        wait_for_copies();
        __syncthreads();
    }

    __device__ void store_rows(const room &shared, int64_t first, int rows) const
    {
        fragment<bool, Vector> is_there, all;
        all.fill(true);
        for (int row = threadIdx.x; row < rows; row += THREADS) {
            sums sum = shared.sum[row];
            is_there.fill(shared.bounds[row] < shared.bounds[row + 1]);
            if (shared.bounds[row] == shared.bounds[row + 1]) {
                sum.fill(Monoid::identity());
            }
            const int64_t at = row_of_c(args, first + row) * args.ldc + column;
            if constexpr (Update::is_plain) {
                store_once(static_cast<T *>(args.c) + at, sum);
            } else {
                Update::store(args, at, sum, is_there, all);
            }
        }
        __syncthreads();
    }

    __device__ void multiply() const
    {
        const room shared = divide(dynamic_shared());
        const B all(args.b, column, args.ldb), in_panel(shared.panel, 0, Vector);
        const int64_t end = first_row(blockIdx.x + 1);
        int rows;
        for (int64_t first = first_row(blockIdx.x); first < end; first += rows) {
            rows = static_cast<int>(end - first < args.round_rows ? end - first : args.round_rows);
            begin_rows(shared, first, rows);
            if (shared.bounds[0] < shared.bounds[rows]) {
                sort_rows(shared, rows);
                for (int64_t k = 0; k < args.b_rows; k += args.panel_columns) {
                    const int64_t left = args.b_rows - k;
                    const auto columns =
                        static_cast<uint32_t>(left < args.panel_columns ? left : args.panel_columns);
                    const auto begin = static_cast<uint32_t>(k);
                    const panel from{in_panel, all, begin, begin + columns, columns - 1};
                    __syncthreads();
                    fill_panel(shared, from);
                    visit_all<WARP>(shared, from);
                }
                __syncthreads();
            }
            store_rows(shared, first, rows);
        }
    }
};

template <int Lanes, int Vector, int Ways>
struct panels {
    static constexpr int BLOCK = TORC_PANEL_THREADS, LANES = Lanes, VECTOR = Vector;
    static constexpr bool TAKES_MASKS = false;
    using parts = segment_parts;
    static_assert(Lanes == 1, "for the narrowest C");

    template <class Product>
    static __device__ void multiply(const torc_spmm_args &args)
    {
        using P = Product;
        column_panels<typename P::Monoid, typename P::Multiply, typename P::Sparse, typename P::Dense,
            typename P::Update, typename P::Offset, Vector, Ways>(args)
            .multiply();
    }
};

} // namespace torc

#endif
