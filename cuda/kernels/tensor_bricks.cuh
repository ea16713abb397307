/* tensor_bricks.cuh: the partition and reduction of a row split whose rows go 8 or 16 at a time through
 * tensor cores. Read by nvcc and by NVRTC. After Zhao et al., Acc-SpMM: Accelerating General-purpose Sparse
 * Matrix-Matrix Multiplication with GPU Tensor Cores (PPoPP 2025), sections 3.3 to 3.5.
 *
 * A warp has a piece of a window of Height blocks of 8 rows, and Lanes * Vector columns of C. For each brick
 * and block it multiplies
 *
 *     columns of B (16 x 8)    by    the block, transposed (8 x 8)    into    columns of C (16 x 8)
 *
 * so that the sparse operand is the side of 8: fewer zeros. Thread 4 g + t of the warp (0 <= t < 4) loads the
 * rows of B that the brick's columns 2 t and 2 t + 1 name, and the values of A in these columns and each
 * block's row g; it has the sums of each block's rows 2 t and 2 t + 1. Which columns of C are its own follows
 * from g alone, so B is loaded and C stored by whole vectors, 8 a chunk. Neighbouring threads load from four
 * rows of B, whose vectors would lie in the same banks of L1. So g has another vector in each chunk, and t
 * another chunk first:
 *
 *     g = 0, of chunks   0       1       2       3          the i-th that t loads is chunk i ^ t; before they
 *                        x...... ..x.... ....x.. ......x    are multiplied they are put in order
 *
 * What a brick needs goes to registers: a warp shares nothing with others, and the paper's copies to shared
 * memory would be loads more. What says which rows of B to load is itself loaded one brick ahead, so that
 * their ways from memory do not come one after the other: where values are multiplied once that takes 16 to
 * 23 % less, but for roads (tf32, vectors of 16 bytes; bench/results/2026-11-24-h200-brick-plans.txt). Rows
 * of B are not loaded ahead there: warps that have fewer registers are more, and wait for each other's loads
 * to better effect. Where values are multiplied three times, or for two blocks, which takes long enough to
 * cover a load, they are: what was loaded is put in order in other registers, and the next brick takes its
 * place. Sums of a piece of a window go to the partials, which another kernel folds in order: the same bits
 * on each run.
 *
 * Of a window of 16 rows a row of B is loaded, put in order and split once for both blocks: with vectors of
 * 16 bytes, fp32 by three products, a warp and brick takes 314 instructions instead of 270, of which 48
 * instead of 24 multiply. Sums of two blocks leave registers for 12 warps on a multiprocessor instead of 16.
 * So operands/brick_height.h chooses by the columns that neighbouring rows share. A block of zeros is
 * multiplied too: to ask for it would be a branch in each of the places where ptxas has multiplications of
 * both blocks side by side. Windows of 32 rows are no faster, in fp64 not even those of 16
 * (2026-11-26-h200-brick-windows.txt).
 *
 * Products is 3 (fp32): x = high + low, high of 11 bits, and high high' + high low' + low high' is summed; 1
 * (fp32): values of A are rounded, of B cut to 11 bits; 1 (fp64): all of it is IEEE's, fused.
 * docs/precision.md states the bounds.
 *
 * Blocks have zeros where A has no entry, and 0 times infinity is NaN; and tensor cores may hide that a
 * product overflows. So a warp whose sums are not all finite, or that loaded values of B so large that a
 * product might overflow, computes its piece anew, entry by entry.
 */
#ifndef TORC_TENSOR_BRICKS_CUH
#define TORC_TENSOR_BRICKS_CUH

#include "instructions.cuh"
#include "operand_access.cuh"
#include "operators.cuh"
#include "segment_partition.cuh"

namespace torc
{

/* Sums of a thread in a block of 8 rows: of its columns, and rows 2 t and 2 t + 1. */
template <class T, int Columns>
struct brick_sums {
    T of[Columns][2];
};

/* Multiply and add a brick: b[k][f] of the thread's columns, a[h][k] of block h and the brick's columns
 * 2 t + k. */
template <class T, int Products, int Columns>
struct brick_arithmetic;

template <int Products, int Columns>
struct brick_arithmetic<float, Products, Columns> {
    static_assert(Products == 1 || Products == 3, "TF32 has a third of the bits of fp32");
    static_assert(Columns % 2 == 0, "16 columns at once");
    static constexpr uint32_t KEPT = 0xffffe000, HALF = 0x1000; /* bits of TF32; half of the last of them */

    static __device__ uint32_t bits(float x)
    {
        uint32_t word;
        memcpy(&word, &x, sizeof word);
        return word;
    }

    static __device__ float number(uint32_t word)
    {
        float x;
        memcpy(&x, &word, sizeof x);
        return x;
    }

    /* Of columns f and f + 1. One block after the other: neither waits for the sums that it adds to. */
    template <int Height>
    static __device__ void add_products(brick_sums<float, Columns> (&sums)[Height], int f,
        const uint32_t (&b)[4], const uint32_t (&a)[Height][2])
    {
#pragma unroll
        for (int h = 0; h < Height; h++) {
            multiply_add_tf32(sums[h].of[f], sums[h].of[f + 1], b, a[h]);
        }
    }

    /* Each value of B is split once, for all blocks. */
    template <int Height>
    static __device__ void add(
        brick_sums<float, Columns> (&sums)[Height], const float (&b)[2][Columns], const float (&a)[Height][2])
    {
        uint32_t a_high[Height][2], a_low[Height][2];
#pragma unroll
        for (int h = 0; h < Height; h++) {
#pragma unroll
            for (int k = 0; k < 2; k++) {
                a_high[h][k] = (bits(a[h][k]) + HALF) & KEPT;
                a_low[h][k] = bits(a[h][k] - number(a_high[h][k])) + HALF;
            }
        }
#pragma unroll
        for (int f = 0; f < Columns; f += 2) {
            const float x[4] = {b[0][f], b[0][f + 1], b[1][f], b[1][f + 1]};
            uint32_t high[4];
#pragma unroll
            for (int n = 0; n < 4; n++) {
                high[n] = bits(x[n]) & KEPT;
            }
            if constexpr (Products == 3) {
                uint32_t low[4];
#pragma unroll
                for (int n = 0; n < 4; n++) {
                    low[n] = bits(x[n] - number(high[n]));
                }
                add_products(sums, f, low, a_high);
                add_products(sums, f, high, a_low);
            }
            add_products(sums, f, high, a_high);
        }
    }
};

template <int Columns>
struct brick_arithmetic<double, 1, Columns> {
    static __device__ void add(
        brick_sums<double, Columns> (&sums)[1], const double (&b)[2][Columns], const double (&a)[1][2])
    {
#pragma unroll
        for (int k = 0; k < 2; k++) {
#pragma unroll
            for (int f = 0; f < Columns; f++) {
                multiply_add_fp64(sums[0].of[f], b[k][f], a[0][k]);
            }
        }
    }
};

template <class Monoid, class Multiply, class A, class B, class Update, int Lanes, int Vector, int Products,
    int Height>
struct tensor_bricks {
    using T = typename Monoid::type;
    static constexpr int WARP = 32, ROWS = TORC_BRICK_ROWS, WINDOW_ROWS = Height * ROWS, GROUPS = 8;
    static constexpr int SPAN = Lanes * Vector, OWN = SPAN / GROUPS, CHUNKS = OWN / Vector;
    static constexpr int SECTOR = 32, VECTOR_BYTES = Vector * sizeof(T), BANKS = 128; /* all in bytes */
    static_assert(Lanes == TORC_BRICK_LANES && CHUNKS == 4, "a chunk for each t");
    static_assert(B::is_array, "all entries read B");
    static_assert(Height == 1 || (Height == 2 && sizeof(T) == 4), "fp64 takes longer with 16 rows");
    static constexpr bool LOOKS_AHEAD = Products == 3 || Height > 1;
    using vector = fragment<T, Vector>;
    using pitch_type = decltype(B::pitch);
    using arithmetic = brick_arithmetic<T, Products, OWN>;
    using sums = brick_sums<T, OWN>;

    /* b: chunks in the order in which they were loaded. */
    struct brick {
        vector b[2][CHUNKS];
        T a[Height][2];
    };

    const torc_spmm_args &args;
    const torc_brick_piece *piece;
    int lane, g, t;
    pitch_type pitch; /* of B */

    __device__ tensor_bricks(const torc_spmm_args &given, int64_t number)
        : args(given), piece(args.bricks.pieces + number), lane(threadIdx.x % WARP), g(lane / 4), t(lane % 4),
          pitch(static_cast<pitch_type>(args.ldb * sizeof(T)))
    {
    }

    /* From which on columns of C are the warp's. */
    __device__ int64_t own_column() const
    {
        return (static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y) * SPAN;
    }

    /* The same, or an earlier one, from which on there is a whole span: others have some of it too. */
    __device__ int64_t first_column() const
    {
        return own_column() < args.ncols - SPAN ? own_column() : args.ncols - SPAN;
    }

    /* Where g's vector of a chunk begins, from the first column on. */
    __device__ int place(int chunk) const
    {
        const int sectors = chunk * (GROUPS * VECTOR_BYTES) / BANKS;
        return (chunk * GROUPS + (g ^ sectors * (SECTOR / VECTOR_BYTES))) * Vector;
    }

    /* ---- Bricks ------------------------------------------------------------------------------------- */

    /* The thread's pair of a brick that is `ahead` of another. */
    static __device__ uint4 read(const uint4 *pairs, int ahead = 0)
    {
        return __ldg(pairs + ahead * TORC_BRICK_PAIRS);
    }

    /* The value of A that comes `place` values after others. */
    __device__ T value(uint32_t place) const
    {
        if constexpr (A::is_array) {
            return __ldg(static_cast<const T *>(args.bricks.values) + place);
        } else if constexpr (A::is_present) {
            return *static_cast<const T *>(args.a);
        } else {
            return T(1); /* multiply does not read A, and gives what it reads of B */
        }
    }

    /* b: the first row, where each chunk's vector begins. pair: as torc_brick_pair. */
    __device__ void fetch(brick &to, const uint4 &pair, const T *const (&b)[CHUNKS]) const
    {
#pragma unroll
        for (int k = 0; k < 2; k++) {
#pragma unroll
            for (int h = 0; h < Height; h++) {
                const uint32_t own = 1u << (k * WINDOW_ROWS + h * ROWS + g);
                to.a[h][k] = T(0);
                if (pair.z & own) {
                    to.a[h][k] = value(pair.w + __popc(pair.z & (own - 1)));
                }
            }
#pragma unroll
            for (int i = 0; i < CHUNKS; i++) {
                to.b[k][i] = load_global<vector>(row_at(b[i], k == 0 ? pair.x : pair.y, pitch));
            }
        }
    }

    /* Values of B by the thread's columns. size: grows by their absolute values. */
    __device__ void arrange(T (&b)[2][OWN], T (&size)[2], const brick &loaded) const
    {
#pragma unroll
        for (int k = 0; k < 2; k++) {
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                T first[CHUNKS];
#pragma unroll
                for (int i = 0; i < CHUNKS; i++) {
                    size[k] += fabs(loaded.b[k][i].value[v]);
                    first[i] = t & 1 ? loaded.b[k][i ^ 1].value[v] : loaded.b[k][i].value[v];
                }
#pragma unroll
                for (int i = 0; i < CHUNKS; i++) {
                    b[k][i * Vector + v] = t & 2 ? first[i ^ 2] : first[i];
                }
            }
        }
    }

    /* Sizes of what was loaded and summed tell whether every thread's sums are as they have to be. */
    __device__ bool is_sure(const sums (&sum)[Height], const T (&size)[2]) const
    {
        T all = T(0);
#pragma unroll
        for (int h = 0; h < Height; h++) {
#pragma unroll
            for (int f = 0; f < OWN; f++) {
                all += fabs(sum[h].of[f][0]) + fabs(sum[h].of[f][1]);
            }
        }
        const bool is_finite = all - all == T(0);
        return !__any_sync(~0u, !is_finite || !(size[0] + size[1] <= static_cast<T>(args.most_b)));
    }

    /* `left` bricks from `pairs` on, each loaded while the one before it is multiplied: as soon as that is in
     * order it has registers to go to, and nothing else is on its way then. ptxas counts all loads that are
     * on their way from one round to the next by one scoreboard, and waiting for that is waiting for the last
     * of them: with two bricks' registers, in turn, each second brick waited for what had just been asked
     * for. */
    __device__ void fold_ahead(
        sums (&sum)[Height], T (&size)[2], const uint4 *pairs, const T *const (&b)[CHUNKS], int left) const
    {
        if (left <= 0) {
            return;
        }
        brick loaded;
        fetch(loaded, read(pairs), b);
        uint4 next = read(pairs, 1); /* of the piece, or one that nobody needs */
#pragma unroll 1
        for (; left > 0; left--, pairs += TORC_BRICK_PAIRS) {
            T own_b[2][OWN];
            arrange(own_b, size, loaded);
#pragma unroll
            for (int f = 0; f < OWN; f++) {
                own_b[0][f] = computed_here(own_b[0][f]);
                own_b[1][f] = computed_here(own_b[1][f]);
            }
            T own_a[Height][2];
#pragma unroll
            for (int h = 0; h < Height; h++) {
                own_a[h][0] = loaded.a[h][0];
                own_a[h][1] = loaded.a[h][1];
            }
            if (left > 1) {
                fetch(loaded, next, b);
                next = read(pairs, 2);
            }
            arithmetic::add(sum, own_b, own_a);
        }
    }

    __device__ void multiply() const
    {
        const int64_t first = first_column();
        const T *b[CHUNKS];
#pragma unroll
        for (int i = 0; i < CHUNKS; i++) {
            b[i] = keep(static_cast<const T *>(args.b) + first + place(i ^ t));
        }
        sums sum[Height];
        T size[2] = {T(0), T(0)};
#pragma unroll
        for (int h = 0; h < Height; h++) {
#pragma unroll
            for (int f = 0; f < OWN; f++) {
                sum[h].of[f][0] = sum[h].of[f][1] = T(0);
            }
        }
        const uint32_t begin = piece->begin;
        int left = static_cast<int>(piece->end - begin); /* bricks that were not multiplied */
        const uint4 *pairs =
            reinterpret_cast<const uint4 *>(args.bricks.pairs) + int64_t{begin} * TORC_BRICK_PAIRS + t;
        if constexpr (LOOKS_AHEAD) {
            fold_ahead(sum, size, pairs, b, left);
        } else {
            uint4 next = read(pairs);
#pragma unroll 1
            for (; left > 0; left--, pairs += TORC_BRICK_PAIRS) {
                const uint4 now = next;
                next = read(pairs, 1); /* of the piece, or one that nobody needs */
                brick loaded;
                fetch(loaded, now, b);
                T own_b[2][OWN];
                arrange(own_b, size, loaded);
                arithmetic::add(sum, own_b, loaded.a);
            }
        }
        if (is_sure(sum, size)) {
            store_sums(sum);
        } else {
            multiply_entries();
        }
    }

    /* ---- Results ------------------------------------------------------------------------------------ */

    template <int Width>
    __device__ void store(int r, int64_t column, const fragment<T, Width> &result) const
    {
        const int64_t row = int64_t{piece->window} * WINDOW_ROWS + r;
        if (column < own_column() || row >= args.nrows) {
            return;
        }
        if (piece->partial != TORC_BRICK_WHOLE) {
            const int64_t partial = piece->partial + int64_t{piece->stride} * r;
            store_once(static_cast<T *>(args.partials) + partial * args.ncols + column, result);
        } else if constexpr (Update::is_plain) {
            store_once(static_cast<T *>(args.c) + row_of_c(args, row) * args.ldc + column, result);
        } else {
            fragment<bool, Width> all;
            all.fill(true);
            Update::store(args, row_of_c(args, row) * args.ldc + column, result, all, all);
        }
    }

    __device__ void store_sums(const sums (&sum)[Height]) const
    {
#pragma unroll
        for (int r = 0; r < 2 * Height; r++) {
#pragma unroll
            for (int c = 0; c < CHUNKS; c++) {
                vector result;
#pragma unroll
                for (int v = 0; v < Vector; v++) {
                    result.value[v] = sum[r / 2].of[c * Vector + v][r % 2];
                }
                store(r / 2 * ROWS + 2 * t + r % 2, first_column() + place(c), result);
            }
        }
    }

    /* Add the terms of row r in a brick. */
    __device__ void add_entries(T &sum, bool &is_empty, uint32_t number, int r, int64_t column) const
    {
        for (int c = 0; c < TORC_BRICK_COLUMNS; c++) {
            const torc_brick_pair pair = args.bricks.pairs[int64_t{number} * TORC_BRICK_PAIRS + c / 2];
            const uint32_t own = 1u << (c % 2 * WINDOW_ROWS + r);
            if (pair.bits & own) {
                const T x = value(pair.first_value + __popc(pair.bits & (own - 1)));
                const T y = static_cast<const T *>(args.b)[int64_t{pair.column[c % 2]} * args.ldb + column];
                sum = Monoid::add(sum, Multiply::multiply(x, y));
                is_empty = false;
            }
        }
    }

    /* Entry by entry: a thread has a column at a time. */
    __device__ void multiply_entries() const
    {
        for (int64_t column = first_column() + lane; column < first_column() + SPAN; column += WARP) {
            for (int r = 0; r < WINDOW_ROWS; r++) {
                fragment<T, 1> result;
                bool is_empty = true;
                result.fill(Monoid::start());
                for (uint32_t n = piece->begin; n < piece->end; n++) {
                    add_entries(result.value[0], is_empty, n, r, column);
                }
                if (is_empty) {
                    result.fill(Monoid::identity());
                }
                store(r, column, result);
            }
        }
    }
};

template <int Lanes, int Vector, int Products, int Height>
struct bricks {
    static constexpr int BLOCK = TORC_BRICK_THREADS, LANES = Lanes, VECTOR = Vector;
    static constexpr bool TAKES_MASKS = false;
    using parts = segment_parts;

    template <class Product>
    static __device__ void multiply(const torc_spmm_args &args)
    {
        using P = Product;
        const int64_t piece = static_cast<int64_t>(blockIdx.x) * TORC_BRICK_GROUP + threadIdx.x / 32;
        if (piece < args.bricks.npieces) { /* the whole warp */
            tensor_bricks<typename P::Monoid, typename P::Multiply, typename P::Sparse, typename P::Dense,
                typename P::Update, Lanes, Vector, Products, Height>(args, piece)
                .multiply();
        }
    }
};

} // namespace torc

#endif
