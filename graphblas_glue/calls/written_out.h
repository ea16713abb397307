/* written_out.h: an object of one value everywhere, which GraphBLAS keeps once, has an array when one of its
 * elements is to become another. A large one gets it on the device, and is away from then on: the start of
 * PageRank from some seeds, or of shortest paths, is written there instead of sent. */
#ifndef TORC_WRITTEN_OUT_H
#define TORC_WRITTEN_OUT_H

#include "view.h"
#include "traits.h"

/* The values of C, full and of one value, as `view` says. false: GraphBLAS is to do it; C is as it was. */
bool torc_write_out(GrB_Matrix C, const torc_view *view, torc_type type);

#endif
