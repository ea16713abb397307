/* bit_packing.c: when booleans are packed, 64 columns a word, and where the words lie.
 *
 * Every built-in operator on bool is bitwise, so words of 64 columns make the same product with 1/64 of the
 * columns. What is saved is gathering: a row of B is fetched by sectors of 32 bytes for each entry of A, so
 * 256 packed columns cost what 32 bytes of plain ones do. What it costs is one pass over B to pack and one
 * over C to unpack. Both are counted in bytes; where a row of B is a sector anyway, plain bytes win. Bytes of
 * cached gathers and of streams count alike: reasoned, not tuned. */
#include "bit_packing.h"

enum { SECTOR = 32, WORD_BYTES = 8 };

static double sector_bytes(int64_t count, size_t size)
{
    return (double)(((uint64_t)count * size + SECTOR - 1) / SECTOR * SECTOR);
}

static int64_t words_of(int64_t ncols)
{
    return (ncols + TORC_WORD_COLUMNS - 1) / TORC_WORD_COLUMNS;
}

bool torc_packing_pays(
    const torc_dense *C, torc_semiring semiring, const torc_dense *B, const torc_statistics *rows)
{
    torc_traits traits = torc_semiring_traits(semiring);
    if (semiring.definition || semiring.type != TORC_BOOL || !traits.reads_b || B->iso) {
        return false;
    }
    bool takes_one = semiring.add == TORC_ANY_MONOID;
    double gathers = (double)(takes_one ? rows->nrows - rows->empty_rows : rows->nnz);
    double b_bytes = (double)B->nrows * (double)B->ncols * (double)torc_type_size(B->type);
    double words = (double)words_of(B->ncols) * WORD_BYTES;
    double plain = gathers * sector_bytes(B->ncols, torc_type_size(B->type));
    double packed = gathers * sector_bytes(words_of(B->ncols), WORD_BYTES);
    /* B read and its words written; C's words written and read again. C itself is written either way. */
    return packed + b_bytes + words * ((double)B->nrows + 2 * (double)C->nrows) < plain;
}

torc_status torc_packed_view(
    torc_dense *words, torc_context *context, const torc_dense *X, torc_workspace workspace)
{
    int64_t width = words_of(X->ncols);
    *words = (torc_dense){X->nrows, width, width, TORC_ROW_MAJOR, TORC_UINT64, false, NULL, NULL};
    size_t size = (size_t)X->nrows * (size_t)width * WORD_BYTES;
    return torc_context_workspace(&words->data, context, workspace, size);
}
