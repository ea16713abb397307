#include "listed_entries.h"
#include "offsets.h"
#include <stdlib.h>

typedef struct placing {
    uint64_t *positions;
    const torc_view *view;
    uint64_t vector_step, place_step;
} placing;

static void place_vectors(void *argument, int64_t first, int64_t last)
{
    const placing *p = argument;
    const torc_view *view = p->view;
    for (int64_t v = first; v < last; v++) {
        int64_t vector = view->hyper ? torc_offset(view->hyper, view->hyper_bits, v) : v;
        int64_t begin = torc_offset(view->ptr, view->ptr_bits, v);
        int64_t end = torc_offset(view->ptr, view->ptr_bits, v + 1);
        for (int64_t e = begin; e < end; e++) {
            uint64_t place = (uint64_t)torc_offset(view->idx, view->idx_bits, e);
            p->positions[e] = (uint64_t)vector * p->vector_step + place * p->place_step;
        }
    }
}

uint64_t *torc_listed_positions(const torc_view *view, bool by_col)
{
    uint64_t nvectors = (uint64_t)(view->by_col ? view->ncols : view->nrows);
    bool is_along = view->by_col == by_col;
    placing p = {
        .positions = malloc(((size_t)view->nvals + 1) * sizeof *p.positions),
        .view = view,
        .vector_step = is_along ? (uint64_t)view->veclen : 1,
        .place_step = is_along ? 1 : nvectors,
    };
    if (p.positions) {
        size_t entries = view->nvec > 0 ? (size_t)(view->nvals / view->nvec) + 1 : 1;
        torc_threads_loop(view->nvec, entries * sizeof(uint64_t), place_vectors, &p);
    }
    return p.positions;
}
