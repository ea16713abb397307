/* written_out.h: GraphBLAS keeps an object whose elements are all equal as one value. When one element
 * becomes another, the object needs an array. A large one gets it on the device, and is away from then on:
 * PageRank from some seeds, or shortest paths, start from values that are written there instead of sent. */
#ifndef TORC_WRITTEN_OUT_H
#define TORC_WRITTEN_OUT_H

#include "view.h"
#include "traits.h"

/* Give C, which is full and of one value as `view` says, its array. false: C is as it was, and GraphBLAS is
 * to do it. */
bool torc_write_out(GrB_Matrix C, const torc_view *view, torc_type type);

#endif
