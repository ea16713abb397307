/* bit_packing.c: when booleans are packed, 64 columns a word, and where the words lie.
 *
 * Every built-in operator on bool is bitwise, so words of 64 columns make the same product with 1/64 of the
 * columns, however few bits of them are used: a thread takes 64 columns of an entry as it would take one.
 * What it costs is to pack B and to unpack C; a column-major B or C, which would be transposed otherwise, is
 * packed as it lies. Both ways are predicted as every kernel is. */
#include "bit_packing.h"
#include "prediction.h"
#include "selection.h"

enum { WORD_BYTES = 8 };

/* Of what moves every element of an array: bytes a second, and seconds to begin. Between those of packing and
 * of unpacking 2^20 rows of 4 to 256 booleans on an H200: bench/results/2026-11-21-h200-packing.txt. */
static const double MOVED_BYTES = 3.8e12, START = 4e-6;

static int64_t words_of(int64_t ncols)
{
    return (ncols + TORC_WORD_COLUMNS - 1) / TORC_WORD_COLUMNS;
}

/* As many elements as X has, without content: row-major, without gaps. */
static torc_dense array_of(const torc_dense *X)
{
    return (torc_dense){X->nrows, X->ncols, X->ncols, TORC_ROW_MAJOR, X->type, false, NULL, NULL};
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

/* Of the kernel that is predicted to be the fastest. */
static double seconds_to_multiply(
    const torc_dense *C, torc_semiring semiring, const torc_sparse *A, const torc_dense *B, bool is_packed)
{
    static const torc_update overwrite = {0};
    torc_problem problem = torc_problem_of(C, semiring, A, B, &overwrite, is_packed);
    torc_spmm_kernel kernel = torc_select_kernel(&problem, "");
    return torc_predict(&kernel, &problem, &torc_measured_rates).seconds;
}

bool torc_packing_pays(const torc_dense *C, torc_semiring semiring, const torc_sparse *A, const torc_dense *B)
{
    torc_traits traits = torc_semiring_traits(semiring);
    if (semiring.definition || semiring.type != TORC_BOOL || !traits.reads_b || B->iso) {
        return false;
    }
    torc_dense b = B->order == TORC_ROW_MAJOR ? *B : array_of(B), words_b = array_of_words(B);
    torc_dense c = C->order == TORC_ROW_MAJOR ? *C : array_of(C), words_c = array_of_words(C);
    double plain =
        seconds_to_multiply(&c, semiring, A, &b, false) + seconds_to_bring(B) + seconds_to_bring(C);
    double moving = seconds_to_pack(B) + seconds_to_pack(C);
    return moving < plain && moving + seconds_to_multiply(&words_c, semiring, A, &words_b, true) < plain;
}

torc_status torc_packed_view(
    torc_dense *words, torc_context *context, const torc_dense *X, torc_workspace workspace)
{
    *words = array_of_words(X);
    size_t size = (size_t)words->nrows * (size_t)words->ncols * WORD_BYTES;
    return torc_context_workspace(&words->data, context, workspace, size);
}
