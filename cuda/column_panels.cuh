/* column_panels.cuh: the partition and reduction of a row split for a narrow B that is read often: a block
 * keeps a panel of B in shared memory while its rows pass by. Read by nvcc and by NVRTC.
 *
 *              panel 0      panel 1      panel 2            columns of A, rows of B
 *     row r    x  x xx    |  xx  x    | x  x   x x          each panel takes up where the one before left off
 *     row r+1    x  x     |           |    x x
 *
 * A block has about as many entries as every other, in whole rows. Of these it takes as many at once as have
 * room for their sums, and for each panel of columns it copies that panel's rows of B into shared memory and
 * visits the rows: a team of Lanes x Ways threads combines the next entries of a row, up to the first whose
 * column lies beyond the panel, Ways at once, and adds them to the row's sum. What a long row has left after
 * that the whole warp combines. Thus B is read from L2 once a block, instead of once an entry in sectors of
 * 32 bytes.
 *
 * Where columns do not ascend within a row, an entry may come after its panel: its row of B is then read from
 * where it lies. Terms are added in an order that depends on A and on the panels' widths only.
 */
#ifndef TORC_COLUMN_PANELS_CUH
#define TORC_COLUMN_PANELS_CUH

#include "operators.cuh"
#include "sparse_row_access.cuh"
#include "update.cuh"

namespace torc
{

constexpr __device__ int log2_of(int x)
{
    return x > 1 ? 1 + log2_of(x / 2) : 0;
}

template <class Monoid, class Multiply, class A, class B, class Update, class Offset, int Lanes, int Vector,
    int Ways>
struct column_panels {
    using T = typename Monoid::type;
    using X = typename A::type;
    using Y = typename B::type;
    using sums = fragment<T, Vector>;
    static constexpr int WARP = 32;
    static constexpr int FLIGHT = 4; /* entries a way loads at once */
    static constexpr int ROUNDS = 1; /* flights of a row in a panel, about */

    /* Rows of different lengths are taken by Ways, 2 Ways .. all ways of a warp. */
    static constexpr int CLASSES = 1 + log2_of(WARP / Lanes / Ways);
    static_assert(B::is_array && !Monoid::takes_one && !Multiply::is_positional, "all entries read B");

    /* What a block shares. */
    struct room {
        T *sums;                  /* `width` a row */
        uint32_t *bounds;         /* where rows of A begin, and the last one ends */
        uint32_t *next;           /* the first entry of each that has not been taken */
        uint16_t *order;          /* the rows that have entries, class by class */
        uint32_t *begins, *taken; /* of each class: its place in `order`; the next number to take */
        typename B::stored *panel;
    };

    const torc_spmm_args &args;
    int64_t first_column; /* of C, the block's */
    int width;            /* columns of C that the block has */
    lane_group<WARP> warp;

    __device__ explicit column_panels(const torc_spmm_args &args)
        : args(args),
          first_column((static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y) * (Lanes * Vector)),
          warp(threadIdx.x)
    {
        const int64_t left = args.ncols - first_column;
        width = static_cast<int>(left < Lanes * Vector ? left : Lanes * Vector);
    }

    /* The thread's first column of the block's; a lane beyond the last one reads what the last one does. */
    __device__ int column() const
    {
        const int own = warp.lane % Lanes * Vector;
        return own < width ? own : width - Vector;
    }

    __device__ room divide(unsigned char *memory) const
    {
        room own;
        own.sums = reinterpret_cast<T *>(memory);
        memory += (args.round_rows * width * sizeof(T) + 15) / 16 * 16;
        own.panel = reinterpret_cast<typename B::stored *>(memory);
        memory += (args.panel_columns * width * sizeof(typename B::stored) + 15) / 16 * 16;
        own.bounds = reinterpret_cast<uint32_t *>(memory);
        own.next = own.bounds + args.round_rows + 1;
        own.begins = own.next + args.round_rows;
        own.taken = own.begins + CLASSES + 1;
        own.order = reinterpret_cast<uint16_t *>(own.taken + CLASSES);
        return own;
    }

    /* The first row of block `block`: that many shares of entries and rows come before it. */
    __device__ int64_t first_row(unsigned block) const
    {
        const Offset *row_ptr = static_cast<const Offset *>(args.row_ptr);
        const int64_t all = static_cast<int64_t>(row_ptr[args.nrows]) + args.nrows;
        const int64_t before = all / gridDim.x * block + all % gridDim.x * block / gridDim.x;
        int64_t low = 0, high = block < gridDim.x ? args.nrows : 0;
        if (block == gridDim.x) {
            return args.nrows;
        }
        while (low < high) { /* rows below `low` begin before, `high` does not */
            const int64_t step = (high - low + WARP - 1) / WARP, probe = low + warp.lane * step;
            const bool is_before = probe < high && static_cast<int64_t>(row_ptr[probe]) + probe < before;
            const int64_t count = __popc(__ballot_sync(warp.mask, is_before));
            high = count < WARP && low + count * step < high ? low + count * step : high;
            low = count > 0 ? low + (count - 1) * step + 1 : low;
        }
        return low;
    }

    /* Rows first .. first+count-1 of B into the panel. */
    __device__ void fill(const room &own, int64_t first, int count) const
    {
        const int lane = threadIdx.x % Lanes;
        const B from(args.b, first_column + lane * Vector, args.ldb);
        if (lane * Vector < width) {
#pragma unroll 4
            for (int row = threadIdx.x / Lanes; row < count; row += TORC_PANEL_THREADS / Lanes) {
                copy_async(reinterpret_cast<fragment<typename B::stored, Vector> *>(
                               own.panel + row * width + lane * Vector),
                    reinterpret_cast<const fragment<typename B::stored, Vector> *>(
                        from.row(static_cast<uint32_t>(first + row))));
            }
        }
        wait_for_copies();
    }

    /* What the entries are looked up in. */
    struct panel {
        B rows, all;               /* from the thread's first column on: of the panel, and of B */
        uint32_t begin, end, last; /* columns; and the panel's last row */
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

    /* Fold the next entries of a row of A, W at once, `left` of them at most: how many come before the
     * panel's end. They are read aligned to W, from up to W-1 entries before, so that a sector is asked for
     * once. All lanes of a warp call it together, each of a team of Lanes x W for that team's row. */
    template <int W>
    __device__ int take(partial &own, uint32_t next, uint32_t left, const panel &from) const
    {
        const int team_lane = warp.lane % (Lanes * W), way = team_lane / Lanes, skipped = next % W;
        const unsigned team = (Lanes * W == WARP ? ~0u : (1u << Lanes * W % WARP) - 1)
                              << (warp.lane - team_lane);
        const uint32_t first = next - skipped + way;
        A a(args.a, first);
        a.values = keep(a.values);
        const uint32_t *columns = keep(args.col_idx + first);
        fragment<uint32_t, FLIGHT> column;
        fragment<X, FLIGHT> x;
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            const bool is_before = u == 0 && way < skipped;
            const bool is_in = !is_before && u * W + way - skipped < left;
            column.value[u] = is_in ? load_once(columns + u * W) : is_before ? from.begin : ~0u;
            x.value[u] = is_in ? a.load_value_once(u * W) : X();
        }
        int slots = FLIGHT * W;
        bool is_late = false;
#pragma unroll
        for (int u = FLIGHT - 1; u >= 0; u--) {
            const unsigned beyond = __ballot_sync(warp.mask, column.value[u] >= from.end) & team;
            slots = beyond ? u * W + (__ffs(beyond) - 1 - (warp.lane - team_lane)) / Lanes : slots;
            is_late = is_late || column.value[u] < from.begin;
        }
        fragment<Y, Vector> y[FLIGHT];
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            const uint32_t row = column.value[u] - from.begin;
            y[u] = from.rows.load_row(row < from.last ? row : from.last);
        }
        if (warp.any(is_late)) {
#pragma unroll
            for (int u = 0; u < FLIGHT; u++) {
                if (column.value[u] < from.begin) {
                    y[u] = from.all.load_row(column.value[u]);
                }
            }
        }
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            sums terms;
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                terms.value[v] = Multiply::multiply(x.value[u], y[u].value[v]);
            }
            own.add(terms, u * W + way < slots && (u > 0 || way >= skipped));
        }
        return slots - skipped;
    }

    /* Of W ways, in the threads of way 0. */
    template <int W>
    __device__ void add_ways(partial &own) const
    {
#pragma unroll
        for (int step = Lanes; step < Lanes * W; step *= 2) {
            sums other;
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                other.value[v] = warp.broadcast(own.sum.value[v], warp.lane ^ step);
            }
            own.add(other, Monoid::has_start || warp.broadcast(own.is_there, warp.lane ^ step));
        }
    }

    /* The entries that rows order[place], .. have in the panel, a row a team of Lanes x W threads; `end` is
     * where these rows end. */
    template <int W>
    __device__ void visit(const room &shared, int place, int end, const panel &from) const
    {
        const int team_lane = warp.lane % (Lanes * W);
        place += warp.lane / (Lanes * W);
        int row = 0;
        uint32_t next = 0, last = 0;
        if (place < end) {
            row = shared.order[place];
            next = shared.next[row];
            last = shared.bounds[row + 1];
        }
        const uint32_t before = next;
        partial own;
        bool goes_on = next < last;
        do {
            const int skipped = next % W, count = take<W>(own, next, goes_on ? last - next : 0, from);
            if (goes_on) {
                next += count;
                goes_on = count + skipped == FLIGHT * W && next < last;
            }
        } while (warp.any(goes_on));
        add_ways<W>(own);
        if (next > before && team_lane < Lanes && team_lane * Vector < width) {
            sums *to = reinterpret_cast<sums *>(shared.sums + row * width + team_lane * Vector);
            partial sum;
            sum.sum = *to;
            sum.is_there = before > shared.bounds[row];
            sum.add(own.sum, true);
            *to = sum.sum;
            if (team_lane == 0) {
                shared.next[row] = next;
            }
        }
    }

    /* As many rows as a warp visits at once, of those that W ways take, until none is left. */
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
            const int place = begin + warp.broadcast(number, 0) * (WARP / (Lanes * W));
            if (place >= end) {
                break;
            }
            visit<W>(shared, place, end, from);
        }
        if constexpr (W > Ways) {
            visit_all<W / 2>(shared, from);
        }
    }

    /* How many ways suit so many entries: about ROUNDS flights in each panel, were they spread evenly. */
    __device__ int class_of(uint32_t entries, uint32_t panels) const
    {
        int number = 0;
        while (number + 1 < CLASSES && (FLIGHT * ROUNDS * Ways << number) * panels < entries) {
            number++;
        }
        return number;
    }

    /* The rows that have entries, in the order of their classes. */
    __device__ void sort_rows(const room &shared, int rows) const
    {
        const uint32_t panels =
            static_cast<uint32_t>((args.b_rows + args.panel_columns - 1) / args.panel_columns);
        if (threadIdx.x < CLASSES) {
            shared.taken[threadIdx.x] = 0;
        }
        __syncthreads();
        for (int row = threadIdx.x; row < rows; row += TORC_PANEL_THREADS) {
            const uint32_t entries = shared.bounds[row + 1] - shared.bounds[row];
            if (entries > 0) {
                take_number(&shared.taken[class_of(entries, panels)]);
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
        for (int row = threadIdx.x; row < rows; row += TORC_PANEL_THREADS) {
            const uint32_t entries = shared.bounds[row + 1] - shared.bounds[row];
            if (entries > 0) {
                shared.order[take_number(&shared.taken[class_of(entries, panels)])] =
                    static_cast<uint16_t>(row);
            }
        }
    }

    /* Rows first .. first+rows-1 of C. */
    __device__ void multiply_rows(const room &shared, int64_t first, int rows) const
    {
        const Offset *row_ptr = static_cast<const Offset *>(args.row_ptr) + first;
        for (int row = threadIdx.x; row <= rows; row += TORC_PANEL_THREADS) {
            shared.bounds[row] = static_cast<uint32_t>(row_ptr[row]);
            if (row < rows) {
                shared.next[row] = static_cast<uint32_t>(row_ptr[row]);
            }
        }
        for (int i = threadIdx.x; i < rows * width; i += TORC_PANEL_THREADS) {
            shared.sums[i] = Monoid::start();
        }
        const bool has_entries = row_ptr[rows] > row_ptr[0];
        __syncthreads();
        if (has_entries) {
            sort_rows(shared, rows);
        }
        const B all(args.b, first_column + column(), args.ldb), in_panel(shared.panel, column(), width);
        for (int64_t begin = 0; has_entries && begin < args.b_rows; begin += args.panel_columns) {
            const int64_t end =
                begin + args.panel_columns < args.b_rows ? begin + args.panel_columns : args.b_rows;
            __syncthreads();
            fill(shared, begin, static_cast<int>(end - begin));
            if (threadIdx.x < CLASSES) {
                shared.taken[threadIdx.x] = 0;
            }
            __syncthreads();
            const panel from{in_panel, all, static_cast<uint32_t>(begin), static_cast<uint32_t>(end),
                static_cast<uint32_t>(end - begin - 1)};
            visit_all<WARP / Lanes>(shared, from);
        }
        __syncthreads();
        fragment<bool, Vector> is_there, all_columns;
        all_columns.fill(true);
        for (int i = threadIdx.x; i < rows * (width / Vector); i += TORC_PANEL_THREADS) {
            const int row = i / (width / Vector), at = i % (width / Vector) * Vector;
            sums sum = *reinterpret_cast<const sums *>(shared.sums + row * width + at);
            is_there.fill(shared.bounds[row] < shared.bounds[row + 1]);
            if (!is_there.value[0]) {
                sum.fill(Monoid::identity());
            }
            const int64_t place = (first + row) * args.ldc + first_column + at;
            if constexpr (Update::is_plain) {
                store_once(static_cast<T *>(args.c) + place, sum);
            } else {
                Update::store(args, place, sum, is_there, all_columns);
            }
        }
        __syncthreads();
    }

    __device__ void multiply() const
    {
        const room shared = divide(dynamic_shared());
        const int64_t end = first_row(blockIdx.x + 1);
        for (int64_t first = first_row(blockIdx.x); first < end; first += args.round_rows) {
            multiply_rows(shared, first,
                static_cast<int>(end - first < args.round_rows ? end - first : args.round_rows));
        }
    }
};

} // namespace torc

#endif
