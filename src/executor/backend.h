/* backend.h: the narrow border between the engine's host side (src/, C) and what executes (cuda/, C++; or the
 * reference executor in src/). Plain C: sizes, enums, pointers, opaque handles. No exception and no CUDA type
 * crosses it. Types and operators cross as values, which the CUDA side turns into templates.
 *
 * An executor is a table of functions. The engine has checked every argument before it calls; an executor
 * reports only what it alone can know: no device, no memory, a failed copy, compilation or launch.
 * Work is queued in order, unless it says otherwise; wait() returns when all of it is done.
 */
#ifndef TORC_BACKEND_H
#define TORC_BACKEND_H

#include "constant_kernel.h"
#include "dense_kernels.h"
#include "product_kernel.h"
#include "spmm_args.h"
#include <torc/exchange.h>
#include <torc/torc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct torc_device torc_device;
typedef struct torc_device_exchange torc_device_exchange;

typedef struct torc_device_csr {
    int64_t nrows, ncols, nnz;
    bool wide_offsets;
    size_t value_size; /* bytes of a value; 0: no value array to move (a pattern, or iso) */
    void *row_ptr;
    uint32_t *col_idx;
    void *values;
} torc_device_csr;

/* Lines of `width` bytes that go from one memory to another; each side has its own pitch, in bytes. */
typedef struct torc_lines {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
    const uint32_t *chosen; /* the numbers of those lines that matter, ascending, in device memory; the others
                               may go as well. NULL: all matter */
    size_t nchosen;
    /* What executors of several devices look at: */
    size_t element; /* bytes of an element of rows, between which lines may be cut; 0: they are columns */
    int64_t whole, skipped; /* of a matrix of `whole` columns, these behind so many; 0: nothing is known */
    bool is_in_buffer;      /* sent to a buffer, where nobody needs what is around them */
} torc_lines;

/* The rows of a CSR matrix: how long they are, and how they are cut for the groups that own them, as
 * spmm_args.h draws it. The cuts depend on the matrix only, never on the device, so that results have the
 * same bits wherever they are computed. Arrays that are NULL are not there, or not asked for. */
typedef struct torc_partition {
    torc_statistics statistics;
    int64_t nsegments, nlong_rows, npieces, nsplit_pieces, npieced_rows, nslices, nspanning_rows, nheavy_rows;
    uint8_t *present; /* nrows: 1 where a row has entries */
    torc_segment *segments;
    torc_split_row *long_rows;
    torc_segment *pieces;          /* npieces: segments of rows that blocks own; of them nsplit_pieces */
    torc_split_row *pieced_rows;   /* npieced_rows: in several of these */
    uint32_t *row_ends;            /* TORC_SLICE_NNZ bits a slice */
    uint32_t *rows;                /* nrows; NULL if all rows have entries */
    uint32_t *slice_rows;          /* nslices */
    torc_split_row *spanning_rows; /* nspanning_rows: in several slices; nheavy_rows of them first */
} torc_partition;

/* Entries that go to their positions in an array of `cells` values, and one of as many bytes. All of it is
 * device memory. */
typedef struct torc_build_args {
    uint8_t *bitmap;
    void *to; /* NULL: the bytes alone */
    const uint64_t *positions;
    const void *values; /* of `value_size` bytes, one for each position; if iso, one for all */
    bool iso;
    size_t value_size;
    int64_t count, cells;
} torc_build_args;

/* The columns that windows of A's entries name: TORC_WINDOWS of TORC_FAR_WINDOW entries each, at equal
 * distances, the first at entry 0 and the last ending with A: window w begins at (nnz - TORC_FAR_WINDOW) · w
 * / (TORC_WINDOWS - 1), rounded down. Where A has fewer entries all windows are A. A column sets one of
 * TORC_WINDOW_BITS bits: its own, where A has no more columns; else that of the upper bits of its hash, the
 * finaliser of MurmurHash3 (Appleby): shifts of 16, 13 and 16, factors of 0x85ebca6b and 0xc2b2ae35. */
enum {
    TORC_WINDOWS = 64,
    TORC_NEAR_WINDOW = 1 << 12,
    TORC_FAR_WINDOW = 1 << 16,
    TORC_RUN = 32,
    TORC_SECTOR_COLUMNS = 8,
    TORC_WINDOW_BITS_LOG = 18,
    TORC_WINDOW_BITS = 1 << TORC_WINDOW_BITS_LOG,
    TORC_WINDOW_ENDS = 4
};

typedef struct torc_window {
    uint32_t columns[TORC_WINDOW_ENDS]; /* bits set by the entries up to each of torc_window_ends_of() */
    uint32_t sectors; /* groups of TORC_SECTOR_COLUMNS columns that the first TORC_NEAR_WINDOW entries name,
                       * TORC_RUN at a time, the last ones fewer */
} torc_window;

/* As many as a window of bricks has in the mean, `height` near windows at most. */
static inline int64_t torc_few_entries(int64_t nnz, int64_t nrows, int height)
{
    int64_t of_block = nrows > 0 ? (nnz * TORC_BRICK_ROWS + nrows - 1) / nrows : 0;
    int64_t few = height * (of_block < TORC_NEAR_WINDOW ? of_block : TORC_NEAR_WINDOW);
    return few < nnz ? few : nnz;
}

typedef struct torc_window_ends {
    int64_t entries[TORC_WINDOW_ENDS];
} torc_window_ends;

/* Ascending: torc_few_entries() of height 1; of height 2 and the near window, the lesser first; and the far
 * window. Windows end with A. */
static inline torc_window_ends torc_window_ends_of(int64_t nnz, int64_t nrows)
{
    int64_t few = torc_few_entries(nnz, nrows, 1), tall = torc_few_entries(nnz, nrows, 2);
    int64_t near = nnz < TORC_NEAR_WINDOW ? nnz : TORC_NEAR_WINDOW;
    int64_t far = nnz < TORC_FAR_WINDOW ? nnz : TORC_FAR_WINDOW;
    return (torc_window_ends){{few, tall < near ? tall : near, tall < near ? near : tall, far}};
}

/* Blocks of tiles that each of `parts` parts of the rows is cut into, where the largest has so many pieces.
 */
static inline int64_t torc_tile_part_blocks(int64_t pieces, int parts)
{
    int64_t together = TORC_TILE_BLOCKS(parts) / parts;
    int64_t full = (pieces + TORC_TILE_ROWS - 1) / TORC_TILE_ROWS;
    int64_t most = (full + together - 1) / together * together, height = (pieces + most - 1) / most;
    return height > 0 ? (pieces + height - 1) / height : 0;
}

enum { TORC_MOST_DEVICES = 16 }; /* that an executor has */

/* One of the shares of a product's rows, each for a device of its own: rows cuts[number] .. cuts[number+1]-1
 * of C. */
typedef struct torc_share {
    int number;
    const int64_t *cuts; /* of all shares */
} torc_share;

typedef struct torc_executor {
    const char *name;

    torc_status (*open)(torc_device **device, const torc_options *options);
    void (*close)(torc_device *device);
    torc_status (*wait)(torc_device *device);
    torc_status (*info)(torc_device_info *info, torc_device *device);
    const char *(*error)(torc_device *device);
    /* Keep a line of text as what error() says. */
    void (*explain)(torc_device *device, const char *text);

    /* Shall spmm, elementwise and reduce fail with TORC_NOT_COMPILED where they lack a kernel, rather than
     * wait for it? Compile that: in any thread, also while another uses the device. */
    void (*defer_kernels)(torc_device *device, bool defers);
    torc_status (*compile)(torc_device *device);

    torc_status (*allocate)(void **memory, torc_device *device, size_t size);
    void (*release)(torc_device *device, void *memory);
    /* Nobody reads what is there now: if some of it was lost in a launch that was done in part, that is no
     * error from now on. NULL: no launch is done in part. */
    void (*renew)(torc_device *device, void *memory);
    torc_status (*upload)(torc_device *device, void *to, const void *from, size_t size);
    torc_status (*download)(torc_device *device, void *to, const void *from, size_t size);
    /* Work that is queued from now on waits for all that is queued on another device of this executor, its
     * traffic beside the work too. */
    torc_status (*follow)(torc_device *device, torc_device *other);
    /* Lines, all of them, from that device's memory, in order with other work. This device follows the
     * other's work on it, and the other follows this one before it changes it. */
    torc_status (*receive)(torc_device *device, torc_device *other, const torc_lines *lines);
    /* Between devices of several processes, as torc/exchange.h says. NULL: this executor knows no way. */
    torc_status (*exchange_identity)(torc_exchange_identity *identity, torc_device *device);
    torc_status (*exchange_unique_id)(torc_exchange_unique_id *id, torc_device *device);
    torc_status (*exchange_open)(torc_device_exchange **exchange, torc_device *device,
        const torc_exchange_unique_id *id, int number, int count);
    void (*exchange_close)(torc_device *device, torc_device_exchange *exchange, bool aborts);
    torc_status (*exchange_progress)(
        torc_exchange_stage *stage, torc_device *device, torc_device_exchange *exchange);
    torc_status (*exchange_move)(torc_device *device, torc_device_exchange *exchange, int turn,
        const torc_exchange_piece *pieces, int count);
    torc_status (*exchange_await)(torc_device *device, torc_device_exchange *exchange, int turn);
    torc_status (*exchange_export_events)(
        torc_exchange_events *events, torc_device *device, torc_device_exchange *exchange);
    torc_status (*exchange_import_events)(
        torc_device *device, torc_device_exchange *exchange, int other, const torc_exchange_events *events);
    torc_status (*exchange_allocate)(
        void **memory, torc_exchange_memory_handle *handle, torc_device *device, size_t size);
    torc_status (*exchange_map)(
        void **mapped, torc_device *device, const torc_exchange_memory_handle *handle);
    void (*exchange_unmap)(torc_device *device, void *mapped);
    torc_status (*exchange_ready)(torc_device *device, torc_device_exchange *exchange);
    torc_status (*exchange_write)(torc_device *device, torc_device_exchange *exchange, int turn,
        const torc_exchange_rows *rows, int count);
    size_t exchange_turn_bytes, exchange_written_bytes;
    /* `count` elements of `size` bytes between host memory, where they lie one after another, and places in
     * device memory at `offsets` in bytes, which do not overlap: out, and in. */
    torc_status (*gather)(
        torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size);
    torc_status (*scatter)(
        torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size);
    /* Page-lock host memory, and undo that: in any thread, also while another uses the device. */
    torc_status (*pin)(torc_device *device, void *host, size_t size);
    void (*unpin)(torc_device *device, void *host, size_t size);
    /* Narrow `count` 64-bit integers to 32 bits on the way. */
    torc_status (*upload_narrow)(torc_device *device, uint32_t *to, const int64_t *from, int64_t count);

    /* Traffic beside the work in order: lines sent to the device, or set there to one byte (`from` is
     * unread), form a queue of their own, lines fetched from it another. The three run at once between
     * fences. After a fence, work waits for all that was queued before it, what is fetched for the work, and
     * what is sent, if sends_wait, for all of it. Host memory that is sent must stay as it is, and what is
     * fetched is there, when wait() returns; a call may also take until then itself. */
    torc_status (*send)(torc_device *device, const torc_lines *lines);
    torc_status (*set)(torc_device *device, const torc_lines *lines, int byte);
    torc_status (*fetch)(torc_device *device, const torc_lines *lines);
    torc_status (*fence)(torc_device *device, bool sends_wait);

    /* Fill in the statistics and counts of A's rows, but no footprints, and the windows of its columns, in
     * host memory; the arrays become NULL. */
    torc_status (*measure)(torc_device *device, torc_partition *rows, torc_window windows[TORC_WINDOWS],
        const torc_device_csr *A);
    /* Fill in the arrays that are not NULL, in device memory; the rest of `rows` is as measured. */
    torc_status (*cut_rows)(torc_device *device, const torc_partition *rows, const torc_device_csr *A);
    /* The columns of A that have entries, ascending; `columns` is device memory for all of them. */
    torc_status (*list_columns)(
        torc_device *device, uint32_t *columns, int64_t *count, const torc_device_csr *A);
    /* T = Aᵀ in CSR, columns ascending within each row. The arrays of T are allocated by the caller. */
    torc_status (*transpose_csr)(torc_device *device, const torc_device_csr *T, const torc_device_csr *A);
    /* to (ncols × nrows, row-major) = transpose of from (nrows × ncols, row-major), values of `size` bytes.
     */
    torc_status (*transpose_dense)(torc_device *device, void *to, int64_t ldto, const void *from,
        int64_t ldfrom, int64_t nrows, int64_t ncols, size_t size);
    /* Values as booleans, TORC_WORD_COLUMNS columns a word, row-major without gaps: bit j % 64 of word
     * j / 64 of a row is X(i,j) ≠ 0, bits beyond the last column are 0. X is not iso; unpack: of TORC_BOOL.
     */
    torc_status (*pack_bits)(torc_device *device, uint64_t *words, const torc_dense *X);
    torc_status (*unpack_bits)(torc_device *device, const torc_dense *X, const uint64_t *words);
    /* Of `count` words, what the mask's, or with complement their complements, have too. */
    torc_status (*mask_bits)(
        torc_device *device, uint64_t *words, const uint64_t *mask, int64_t count, bool complement);
    /* Plan tiles for A, whose rows are cut into so many parts: `tiles`, and `rest`, a CSR matrix of the shape
     * of A with the entries that no tile has, unless there are none. Their arrays, but for an iso value, are
     * allocated here and released by the caller, also on error. TORC_UNSUPPORTED: not by this device, or not
     * this A. */
    torc_status (*plan_tiles)(
        torc_device *device, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts);
    /* Plan bricks for A, whose values, if it has some, are of that type, with windows of that height. Its
     * arrays are allocated here and released by the caller, also on error. TORC_UNSUPPORTED: not by this
     * device, or not this A. */
    torc_status (*plan_bricks)(
        torc_device *device, torc_bricks *bricks, const torc_device_csr *A, torc_type type, int height);
    /* Have a kernel at hand: spmm fails for want of one where this does. */
    torc_status (*load)(torc_device *device, const torc_spmm_kernel *kernel);
    torc_status (*spmm)(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args);
    /* How many devices it has; NULL: one. */
    int (*devices)(torc_device *device);
    /* From now on what is allocated lies on that device alone, or, with a negative number, on all of them.
     * What is made of a sparse operand there is there too; only spmm_share of that number takes it. NULL: one
     * device. */
    void (*keep_on)(torc_device *device, int number);
    /* How many shares of rows a product of so many entries and columns should have, 1 if none; and one of
     * them: the arguments are of its rows alone. Where the first share fails nothing was written to. NULL:
     * this executor has one device. */
    int (*shares)(torc_device *device, int64_t nnz, int64_t ncols);
    torc_status (*spmm_share)(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args,
        const torc_share *share);
    /* Has it several kernels to choose among? NULL: one, whatever is asked for. */
    bool (*has_choice)(torc_device *device);
    /* A product with its sparse matrix compiled in: have it at hand, which compiles or finds it on disk;
     * queue it; and give it back once nothing of it is queued. Only where there are kernels to choose among.
     * TORC_UNSUPPORTED: not this semiring, or not these values. */
    torc_status (*constant_load)(
        torc_constant_program **program, torc_device *device, const torc_constant_kernel *kernel);
    torc_status (*constant_multiply)(
        torc_device *device, const torc_constant_program *program, const torc_constant_args *args);
    void (*constant_unload)(torc_device *device, torc_constant_program *program);
    /* A line of text about something, kept for later processes, and found again: in `text`, of `size` bytes.
     * It may be forgotten any time. */
    void (*remember)(torc_device *device, const char *about, const char *text);
    bool (*recall)(char *text, size_t size, torc_device *device, const char *about);
    torc_status (*elementwise)(
        torc_device *device, const torc_elementwise_kernel *kernel, const torc_elementwise_args *args);
    torc_status (*reduce)(
        torc_device *device, const torc_reduce_kernel *kernel, const torc_reduce_args *args);
    /* Values and bytes of ones at positions, zero bytes everywhere else: `size` bytes a value. */
    torc_status (*build)(torc_device *device, const torc_build_args *build);
    /* How many of `size` bytes are not zero, in host memory: waits. */
    torc_status (*count)(torc_device *device, int64_t *count, const uint8_t *bytes, size_t size);
} torc_executor;

/* NULL in a build without CUDA, or where libtorc_cuda cannot be loaded. */
const torc_executor *torc_executor_cuda(void);
const torc_executor *torc_executor_reference(void);

#ifdef __cplusplus
}
#endif

#endif
