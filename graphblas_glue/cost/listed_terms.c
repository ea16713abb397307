#include "listed_terms.h"
#include "offsets.h"

/* The number of D's row that entry e is in. Entries of a vector are found by the vector's end. */
static int64_t row_of_entry(const torc_product *product, int64_t e)
{
    const torc_view *D = product->dense;
    if (product->dense_view.order == TORC_COL_MAJOR) {
        return torc_offset(D->idx, D->idx_bits, e);
    }
    int64_t low = 0, high = D->nvec;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(torc_offset(D->ptr, D->ptr_bits, middle) <= e ? &low : &high) = middle;
    }
    return D->hyper ? torc_offset(D->hyper, D->hyper_bits, low) : low;
}

double torc_listed_terms(const torc_product *product)
{
    enum { SAMPLE = 1024 };
    const torc_view *S = product->sparse, *D = product->dense;
    bool has_columns = product->transpose_sparse && S->format == TORC_SPARSE;
    if (!has_columns || !S->ptr || !D->ptr || D->nvals == 0) {
        return (double)D->nvals * (double)S->nvals / (double)product->dense_view.nrows;
    }
    int64_t count = D->nvals < SAMPLE ? D->nvals : SAMPLE, terms = 0;
    for (int64_t s = 0; s < count; s++) {
        int64_t column = row_of_entry(product, D->nvals / count * s);
        terms += torc_offset(S->ptr, S->ptr_bits, column + 1) - torc_offset(S->ptr, S->ptr_bits, column);
    }
    return (double)terms * (double)D->nvals / (double)count;
}
