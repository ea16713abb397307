/* joined.h: several devices of one executor, its members, as one device. Every member has a block of memory
 * for each block of the joined device, of the same size, and content lies at the same offset in all; but what
 * was asked for on one member alone only that one has. What differs is who has content:
 *
 *     united    every member has the content: what nothing is said of
 *     spread    member m has bytes cuts[m] .. cuts[m+1]-1 of each of some lines
 *
 * Products and element-wise operations whose operands are spread leave their results spread alike, each
 * member its own columns, without exchange. What needs more than a member has is united first: members
 * receive from each other. All else every member does for itself.
 *
 * The joined device's address of a block is that of the first member that has one.
 */
#ifndef TORC_JOINED_H
#define TORC_JOINED_H

#include "backend.h"

enum {
    TORC_JOINED_MEMBERS = TORC_MOST_DEVICES,
    TORC_JOINED_SPREADS = 3 * TORC_JOINED_MEMBERS, /* of a block: of each buffer of a ring (src/host) */
    TORC_JOINED_VECTOR = 4 /* cuts are at multiples of so many columns: no vector of a kernel is cut */
};

/* Where lines are cut: member m has places at[m] .. at[m+1]-1. */
typedef struct torc_joined_cut {
    int64_t at[TORC_JOINED_MEMBERS + 1];
} torc_joined_cut;

/* Lines of an array, in device memory: `count` of `length` elements of `size` bytes, `ld` elements apart. */
typedef struct torc_joined_lines {
    const void *first; /* NULL: there is no such array */
    int64_t count, length, ld;
    size_t size;
    bool has_gaps; /* one line that several were taken for, and what lies between them is not theirs */
} torc_joined_lines;

/* Bytes from the first to the last. Where there is no array, ld may be anything. */
static inline size_t torc_joined_span_of(const torc_joined_lines *lines)
{
    return lines->first && lines->count > 0 && lines->length > 0
               ? (size_t)((lines->count - 1) * lines->ld + lines->length) * lines->size
               : 0;
}

/* All of the lines as one, which may be cut between them. Where there is no array, ld may be anything. */
static inline torc_joined_lines torc_joined_as_one(const torc_joined_lines *lines)
{
    torc_joined_lines one = *lines;
    if (!lines->first) {
        return one;
    }
    one.has_gaps = lines->count > 1 && lines->ld > lines->length;
    one.length = one.ld = (lines->count - 1) * lines->ld + lines->length;
    one.count = 1;
    return one;
}

typedef struct torc_joined_spread {
    size_t begin, end, pitch; /* bytes; lines begin at begin, begin + pitch, ... */
    torc_joined_cut cut; /* in bytes of a line; what lies beyond the first and the last every member has */
} torc_joined_spread;

typedef struct torc_joined_block {
    char *address;
    char *member[TORC_JOINED_MEMBERS]; /* its address there; NULL: that member has none */
    size_t size;
    /* Some members have written over what they read, and others could not: nobody may read these bytes
     * before they are written anew, all of them or from one end on. Equal: there are none. */
    size_t torn_begin, torn_end;
    int nspreads, most_spreads;
    torc_joined_spread *spread;
} torc_joined_block;

/* What is said of a block, as it was before a launch that writes to it. */
typedef struct torc_joined_state {
    const void *array; /* that lies in the block; NULL: there is none */
    size_t size;       /* its bytes, from the first to the last */
    bool is_read;      /* something in the block is, since */
    size_t torn_begin, torn_end;
    int nspreads;
    torc_joined_spread spread[TORC_JOINED_SPREADS];
} torc_joined_state;

typedef struct torc_joined {
    const torc_executor *each; /* of the members */
    int count;
    torc_device *members[TORC_JOINED_MEMBERS];
    torc_joined_block *blocks; /* ascending by address */
    size_t nblocks, most_blocks;
    int64_t least_columns; /* for each member: with fewer all have all */
    int64_t least_work;    /* entries times columns from which on a product of fewer is shared out by rows */
    size_t least_copy;     /* bytes from which on a copy is shared out among the members' buses */
    int64_t least_line;    /* bytes of lines in host memory that a member moves by itself */
    torc_joined_state before[2]; /* the launch that is prepared: of C, and of its bitmap */
    int only;                    /* member that has what is allocated; -1: all have it */
    uint64_t exchanges;          /* so far */
    /* Of them, those that what is queued now waits for: */
    uint64_t awaited_by_sends, awaited_by_fetches;
    bool defers_kernels;
    char text[160];
} torc_joined;

static inline torc_joined *torc_joined_of(torc_device *device)
{
    return (torc_joined *)(void *)device;
}

/* ---- Blocks (blocks.c) -------------------------------------------------------------------------------- */

/* Make room for so many more blocks. Then, one at these addresses is known from now on. */
torc_status torc_joined_reserve(torc_joined *joined, size_t more);
void torc_joined_know(torc_joined *joined, void *const *addresses, size_t size);

/* The block that an address lies in; NULL: none. */
torc_joined_block *torc_joined_find(torc_joined *joined, const void *address);

/* A member's address for one of the joined device. NULL stays NULL, and is what a member does not have. */
void *torc_joined_at(torc_joined *joined, int member, const void *address);

/* The same, so many elements of that size behind it. */
void *torc_joined_behind(torc_joined *joined, int member, const void *address, int64_t elements, size_t size);

/* The first member that has what lies there. */
int torc_joined_first(torc_joined *joined, const void *address);

void torc_joined_keep_on(torc_device *device, int number);
torc_status torc_joined_allocate(void **memory, torc_device *device, size_t size);
void torc_joined_release(torc_device *device, void *memory);
void torc_joined_renew(torc_device *device, void *memory);

/* ---- Who has what (spread.c) -------------------------------------------------------------------------- */

/* Lines, or bytes in a row, will be written without being read: from now on nothing of them counts as torn.
 * TORC_INVALID_VALUE, and a text, if they are not in a block: members have no memory for them. What returns a
 * status below refuses them too. */
torc_status torc_joined_begin_write(torc_joined *joined, const torc_joined_lines *lines);
torc_status torc_joined_begin_write_bytes(torc_joined *joined, const void *address, size_t size);

/* The same of bytes that will be read: TORC_DEVICE_ERROR if one of them is torn. */
torc_status torc_joined_begin_read(torc_joined *joined, const void *address, size_t size);

/* What each member queues from now on waits for what the others have queued. */
torc_status torc_joined_barrier(torc_joined *joined);

/* Every member has these lines. */
torc_status torc_joined_unite(torc_joined *joined, const torc_joined_lines *lines);

/* The same of bytes in a row, and of the whole block that an address lies in. */
torc_status torc_joined_unite_bytes(torc_joined *joined, const void *address, size_t size);
torc_status torc_joined_unite_block(torc_joined *joined, const void *address);

/* Are all of the lines spread, between elements? Then cut says how. */
bool torc_joined_cut_of(torc_joined_cut *cut, torc_joined *joined, const torc_joined_lines *lines);

/* Each member has its part of the lines, or more, to be read. */
torc_status torc_joined_align(
    torc_joined *joined, const torc_joined_lines *lines, const torc_joined_cut *cut);

/* Each member will have its part of the lines: before it is written to. */
torc_status torc_joined_spread_out(
    torc_joined *joined, const torc_joined_lines *lines, const torc_joined_cut *cut);

/* All members will have all of these bytes, which are written to without being read before. */
void torc_joined_overwrite(torc_joined *joined, const void *address, size_t size);

/* Nobody needs what is there, and what is spread with it. */
void torc_joined_abandon(torc_joined *joined, const void *address, size_t size);

/* `length` places shared out, at multiples of `unit`. */
torc_joined_cut torc_joined_even_cut(const torc_joined *joined, int64_t length, int64_t unit);

/* Nothing is spread before the cut of the first line, which may begin in an array before. */
static inline size_t torc_joined_first_byte(const torc_joined_spread *s)
{
    return s->begin + (size_t)s->cut.at[0];
}

/* A cut between lines, which lie ld elements apart, as a cut of all of their elements: `length` from the
 * first to the last. And back: false if some line is cut. */
torc_joined_cut torc_joined_cut_between(
    const torc_joined *joined, const torc_joined_cut *lines, int64_t ld, int64_t length);
bool torc_joined_cut_into_lines(
    torc_joined_cut *cut, const torc_joined *joined, int64_t ld, int64_t count, int64_t length);

/* Are lines of that length worth cutting? */
static inline bool torc_joined_is_wide(const torc_joined *joined, int64_t length)
{
    return length >= joined->least_columns * joined->count;
}

/* ---- A launch that may fail (snapshot.c) -------------------------------------------------------------- */

/* Keep what is said of the blocks of C and its bitmap. */
void torc_joined_snapshot(torc_joined *joined, const torc_joined_lines *c, const torc_joined_lines *c_bitmap);

/* If what was done since failed, that is true again: nothing was written then, and what members received they
 * have beside it. Returns the status. */
torc_status torc_joined_restore_on_error(torc_joined *joined, torc_status status);

/* The launch that is prepared reads something in the block. */
void torc_joined_note_read(torc_joined *joined, const torc_joined_block *block);

/* A launch that was prepared so is done in part: arrays that it both reads and writes are torn. */
void torc_joined_tear(torc_joined *joined);

/* ---- What members do (members.c) ---------------------------------------------------------------------- */

/* What a member's executor returned: its text is kept. */
torc_status torc_joined_note(torc_joined *joined, int member, torc_status status);

/* A member's launch, which needs a kernel that may have to be compiled. */
typedef torc_status torc_joined_launch(torc_joined *joined, int member, const void *argument);

/* Launch on all members that have a part, by the cut, or all. The first of them may refuse, before anything
 * was launched: by any status but TORC_DEVICE_ERROR. Then the snapshot is true again. */
torc_status torc_joined_launch_all(
    torc_joined *joined, const torc_joined_cut *cut, torc_joined_launch *launch, const void *argument);

/* One member's, before others launch theirs. */
torc_status torc_joined_launch_first(
    torc_joined *joined, int member, torc_joined_launch *launch, const void *argument);

/* One member's, after others have launched theirs: if it fails, what they wrote over is lost. */
torc_status torc_joined_launch_late(
    torc_joined *joined, int member, torc_joined_launch *launch, const void *argument);

/* Wait for all members. */
torc_status torc_joined_wait(torc_device *device);

/* ---- The executor's functions, by the file that has them ------------------------------------------------
 */

/* copies.c */
torc_status torc_joined_upload(torc_device *device, void *to, const void *from, size_t size);
torc_status torc_joined_download(torc_device *device, void *to, const void *from, size_t size);
torc_status torc_joined_upload_narrow(torc_device *device, uint32_t *to, const int64_t *from, int64_t count);
torc_status torc_joined_gather(
    torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size);
torc_status torc_joined_scatter(
    torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size);
torc_status torc_joined_send(torc_device *device, const torc_lines *lines);
torc_status torc_joined_set(torc_device *device, const torc_lines *lines, int byte);
torc_status torc_joined_fetch(torc_device *device, const torc_lines *lines);
torc_status torc_joined_fence(torc_device *device, bool sends_wait);

/* forms.c */
torc_status torc_joined_measure(
    torc_device *device, torc_partition *rows, torc_window *windows, const torc_device_csr *A);
torc_status torc_joined_cut_rows(torc_device *device, const torc_partition *rows, const torc_device_csr *A);
torc_status torc_joined_list_columns(
    torc_device *device, uint32_t *columns, int64_t *count, const torc_device_csr *A);
torc_status torc_joined_transpose_csr(
    torc_device *device, const torc_device_csr *T, const torc_device_csr *A);
torc_status torc_joined_transpose_dense(torc_device *device, void *to, int64_t ldto, const void *from,
    int64_t ldfrom, int64_t nrows, int64_t ncols, size_t size);
torc_status torc_joined_pack_bits(torc_device *device, uint64_t *words, const torc_dense *X);
torc_status torc_joined_unpack_bits(torc_device *device, const torc_dense *X, const uint64_t *words);
torc_status torc_joined_mask_bits(
    torc_device *device, uint64_t *words, const uint64_t *mask, int64_t count, bool complement);
torc_status torc_joined_build(torc_device *device, const torc_build_args *build);
torc_status torc_joined_count(torc_device *device, int64_t *count, const uint8_t *bytes, size_t size);

/* plans.c */
torc_status torc_joined_plan_tiles(
    torc_device *device, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts);
torc_status torc_joined_plan_bricks(
    torc_device *device, torc_bricks *bricks, const torc_device_csr *A, torc_type type, int height);

/* A's arrays, as a member has them; all have all of them. */
torc_status torc_joined_csr(torc_joined *joined, const torc_device_csr *A);
torc_device_csr torc_joined_csr_at(torc_joined *joined, int member, const torc_device_csr *A);

/* products.c, constants.c, elementwise.c, reductions.c */
torc_status torc_joined_load(torc_device *device, const torc_spmm_kernel *kernel);
torc_status torc_joined_spmm(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args);
int torc_joined_devices(torc_device *device);
int torc_joined_shares(torc_device *device, int64_t nnz, int64_t ncols);
torc_status torc_joined_spmm_share(
    torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args, const torc_share *share);
torc_status torc_joined_constant_load(
    torc_constant_program **program, torc_device *device, const torc_constant_kernel *kernel);
torc_status torc_joined_constant_multiply(
    torc_device *device, const torc_constant_program *program, const torc_constant_args *args);
void torc_joined_constant_unload(torc_device *device, torc_constant_program *program);
torc_status torc_joined_elementwise(
    torc_device *device, const torc_elementwise_kernel *kernel, const torc_elementwise_args *args);
torc_status torc_joined_reduce(
    torc_device *device, const torc_reduce_kernel *kernel, const torc_reduce_args *args);

#endif
