#include "small_full.h"
#include <stdlib.h>

enum { MOST = 1 << 16 };

bool torc_full_is_small(const torc_view *view)
{
    return view->format == TORC_FULL && view->nvals > 0 && view->nvals <= MOST;
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
