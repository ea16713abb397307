/* halo.c: foreign columns are marked, a bit for each row of B, and numbered by counting bits. Every loop but
 * the one over words is shared by threads. */
#include "halo.h"
#include "offsets.h"
#include <stdatomic.h>
#include <stdlib.h>

enum { WORD = 64 };

typedef struct foreign {
    torc_halo_plan *plan;
    const torc_csr *rows;
    int64_t b_rows;
    _Atomic uint64_t *words; /* bit c % WORD of word c / WORD: column c is another rank's, and some row names
                                it */
    int64_t *before;         /* bits in the words before each */
    atomic_bool is_beyond;   /* some column is */
} foreign;

static int64_t column_at(const foreign *f, int64_t p)
{
    return torc_offset(f->rows->col_idx, f->rows->col_idx_bits, p);
}

static bool is_own(const torc_halo_plan *plan, int64_t column)
{
    return column >= plan->own_begin && column < plan->own_end;
}

/* Most entries name a column that is marked already: they only look. */
static void mark(void *argument, int64_t begin, int64_t end)
{
    foreign *f = argument;
    for (int64_t p = begin; p < end; p++) {
        int64_t column = column_at(f, p);
        if (column < 0 || column >= f->b_rows) {
            atomic_store_explicit(&f->is_beyond, true, memory_order_relaxed);
        } else if (!is_own(f->plan, column)) {
            _Atomic uint64_t *word = &f->words[column / WORD];
            uint64_t bit = UINT64_C(1) << column % WORD;
            if (!(atomic_load_explicit(word, memory_order_relaxed) & bit)) {
                atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
            }
        }
    }
}

static int64_t count_bits(uint64_t word)
{
    return __builtin_popcountll(word);
}

static void list_columns(void *argument, int64_t begin, int64_t end)
{
    const foreign *f = argument;
    for (int64_t w = begin; w < end; w++) {
        int64_t *to = f->plan->columns + f->before[w];
        for (uint64_t left = f->words[w]; left != 0; left &= left - 1) {
            *to++ = w * WORD + __builtin_ctzll(left);
        }
    }
}

static void number_columns(void *argument, int64_t begin, int64_t end)
{
    const foreign *f = argument;
    const torc_halo_plan *plan = f->plan;
    for (int64_t p = begin; p < end; p++) {
        int64_t column = column_at(f, p), word = column / WORD;
        uint64_t lower = (UINT64_C(1) << column % WORD) - 1;
        int64_t number = is_own(plan, column) ? column - plan->own_begin
                                              : plan->own_end - plan->own_begin + f->before[word] +
                                                    count_bits(f->words[word] & lower);
        plan->local[p] = (uint32_t)number;
    }
}

static torc_status find(foreign *f, int64_t nnz, int64_t nwords, torc_context *context)
{
    torc_halo_plan *plan = f->plan;
    torc_threads_loop(nnz, sizeof(int64_t), mark, f);
    if (f->is_beyond) {
        return torc_context_explain(context, TORC_INVALID_VALUE, "A names a row that B does not have");
    }
    for (int64_t w = 0; w < nwords; w++) {
        f->before[w] = plan->count;
        plan->count += count_bits(f->words[w]);
    }
    if (plan->own_end - plan->own_begin + plan->count > UINT32_MAX) {
        return torc_context_explain(context, TORC_UNSUPPORTED, "2^32 rows of B or more for one rank");
    }
    plan->columns = malloc(((size_t)plan->count + 1) * sizeof *plan->columns);
    plan->local = malloc(((size_t)nnz + 1) * sizeof *plan->local);
    if (!plan->columns || !plan->local) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_threads_loop(nwords, WORD, list_columns, f);
    torc_threads_loop(nnz, sizeof(int64_t), number_columns, f);
    return TORC_SUCCESS;
}

torc_status torc_halo_find(torc_halo_plan *plan, const torc_csr *rows, int64_t b_rows, torc_context *context)
{
    int64_t nnz = torc_offset(rows->row_ptr, rows->row_ptr_bits, rows->nrows), nwords = b_rows / WORD + 1;
    foreign f = {.plan = plan, .rows = rows, .b_rows = b_rows};
    f.words = calloc((size_t)nwords, sizeof *f.words);
    f.before = malloc((size_t)nwords * sizeof *f.before);
    torc_status status = f.words && f.before ? find(&f, nnz, nwords, context) : TORC_OUT_OF_MEMORY;
    free(f.words);
    free(f.before);
    return status;
}

void torc_halo_free(torc_halo_plan *plan)
{
    free(plan->columns);
    free(plan->local);
    *plan = (torc_halo_plan){0};
}
