#include "small_full.h"
#include <stdlib.h>

enum { MOST = 1 << 16, LONG = 4096 };

static bool is_small(const torc_view *view)
{
    return view->format == TORC_FULL && view->nvals > 0 && view->nvals <= MOST;
}

torc_two_dense torc_two_dense_of(torc_view *a, bool transpose_a, torc_view *b, bool transpose_b)
{
    bool a_is_small = is_small(a) && (!is_small(b) || a->nvals < b->nvals);
    if ((!a_is_small && !is_small(b)) || (a->iso && b->iso)) {
        return (torc_two_dense){NULL, NULL, false};
    }
    torc_view *large = a_is_small ? b : a;
    bool is_by_rows = a_is_small ? transpose_b : !transpose_a; /* what is not summed over */
    return (torc_two_dense){a_is_small ? a : b, large, (is_by_rows ? large->nrows : large->ncols) >= LONG};
}

bool torc_full_as_sparse(torc_view *view, int64_t **lists)
{
    size_t nvec = (size_t)view->nvec, entries = (size_t)view->nvals;
    int64_t *ptr = *lists = malloc((nvec + 1 + entries) * sizeof *ptr);
    if (!ptr) {
        return false;
    }
    int64_t *idx = ptr + nvec + 1;
    for (int64_t v = 0; v <= view->nvec; v++) {
        ptr[v] = v * view->veclen;
    }
    for (int64_t e = 0; e < view->nvals; e++) {
        idx[e] = e % view->veclen;
    }
    view->format = TORC_SPARSE;
    view->ptr = ptr;
    view->idx = idx;
    view->ptr_bits = view->idx_bits = 64;
    return true;
}
