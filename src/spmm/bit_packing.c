/* bit_packing.c: when booleans, or presence, are packed 64 columns a word, and where the words lie.
 *
 * Every built-in operator on bool is bitwise. So a product over words of 64 columns is the same product with
 * 1/64 of the columns: a thread takes a word as it would take one column, even if few of its bits are used.
 * The price is packing B and unpacking C. A column-major B or C, which would be transposed otherwise, is
 * packed as it lies. Both ways are predicted, as every kernel is. */
#include "bit_packing.h"
#include "dense.h"
#include "selected.h"

enum { WORD_BYTES = 8 };

static const torc_update overwrite;

/* Rates of a kernel that moves all elements of an array: bytes per second, and seconds to begin. They lie
 * between those of packing and of unpacking 2^20 rows of 4 to 256 booleans on an H200
 * (bench/results/2026-11-21-h200-packing.txt). */
static const double MOVED_BYTES = 3.8e12, START = 4e-6;

static int64_t words_of(int64_t ncols)
{
    return (ncols + TORC_WORD_COLUMNS - 1) / TORC_WORD_COLUMNS;
}

/* X itself; or, if X is column-major, the row-major array that would be made of it. */
static torc_dense by_row(const torc_dense *X)
{
    torc_dense array = {X->nrows, X->ncols, X->ncols, TORC_ROW_MAJOR, X->type, X->iso, NULL, X->bitmap};
    return X->order == TORC_ROW_MAJOR ? *X : array;
}

static torc_dense array_of_words(const torc_dense *X)
{
    int64_t width = words_of(X->ncols);
    return (torc_dense){X->nrows, width, width, TORC_ROW_MAJOR, TORC_UINT64, false, NULL, NULL};
}

static double bytes_of(const torc_dense *X)
{
    return (double)X->nrows * (double)X->ncols * (double)torc_type_size(X->type);
}

static double seconds_to_move(double bytes)
{
    return START + bytes / MOVED_BYTES;
}

static double seconds_to_pack(const torc_dense *X)
{
    torc_dense words = array_of_words(X);
    return seconds_to_move(bytes_of(X) + bytes_of(&words));
}

/* A column-major matrix is transposed, unless it is packed. */
static double seconds_to_bring(const torc_dense *X)
{
    return X->order == TORC_ROW_MAJOR || X->ncols == 1 ? 0 : seconds_to_move(2 * bytes_of(X));
}

/* Predicted seconds of the kernel that selection takes. */
static double seconds_to_multiply(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    const torc_dense *B, const torc_update *update, bool is_packed)
{
    torc_problem problem = torc_problem_of(C, semiring, A, B, update, is_packed);
    return torc_selected(A, &problem, "").seconds;
}

static double seconds_over_words(
    const torc_dense *C, torc_semiring semiring, torc_sparse *A, const torc_dense *B)
{
    torc_dense words_b = array_of_words(B), words_c = array_of_words(C);
    return seconds_to_multiply(&words_c, semiring, A, &words_b, &overwrite, true);
}

bool torc_packing_pays(const torc_dense *C, torc_semiring semiring, torc_sparse *A, const torc_dense *B)
{
    torc_traits traits = torc_semiring_traits(semiring);
    if (semiring.definition || semiring.type != TORC_BOOL || !traits.reads_b || B->iso) {
        return false;
    }
    torc_dense b = by_row(B), c = by_row(C);
    double plain = seconds_to_multiply(&c, semiring, A, &b, &overwrite, false) + seconds_to_bring(B) +
                   seconds_to_bring(C);
    double moving = seconds_to_pack(B) + seconds_to_pack(C);
    return moving < plain && moving + seconds_over_words(C, semiring, A, B) < plain;
}

bool torc_packing_presence_pays(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    const torc_dense *B, const torc_update *update)
{
    bool is_presence = semiring.add == TORC_ANY_MONOID && semiring.multiply == TORC_PAIR;
    if (!is_presence || C->type != TORC_BOOL || !B->bitmap || !C->bitmap || torc_reads_old(update)) {
        return false;
    }
    torc_dense b = by_row(B), c = by_row(C), there = torc_presence_of(B, B->bitmap);
    int arrays = update->mask ? 3 : 2; /* of C's shape: values, presence, mask */
    double plain = seconds_to_multiply(&c, semiring, A, &b, update, false) + seconds_to_bring(&there) +
                   arrays * seconds_to_bring(C);
    double moving = seconds_to_pack(&there) + arrays * seconds_to_pack(C);
    return moving < plain && moving + seconds_over_words(C, torc_presence_semiring, A, B) < plain;
}

torc_dense torc_presence_of(const torc_dense *X, const uint8_t *bytes)
{
    return (torc_dense){X->nrows, X->ncols, X->ld, X->order, TORC_BOOL, false, (void *)bytes, NULL};
}

torc_status torc_packed_view(
    torc_dense *words, torc_context *context, const torc_dense *X, torc_workspace workspace)
{
    *words = array_of_words(X);
    size_t size = (size_t)words->nrows * (size_t)words->ncols * WORD_BYTES;
    return torc_context_workspace(&words->data, context, workspace, size);
}
