/* structure.h: which entries a result has, and so the format it takes.
 *
 * Structure is part of the answer: a row of op(S) without entries gives a row of T without entries, and so do
 * elements of a bitmap D that are not there. The result is full only if nothing is absent; else it is a
 * bitmap, or hypersparse where S was. */
#ifndef TORC_STRUCTURE_H
#define TORC_STRUCTURE_H

#include "epilogue.h"

/* Completes T, whose values, and bitmap if the kernel tells presence, are R's. S is looked at only where it
 * is transposed. On error T is the caller's to release. */
torc_status torc_structure_fill(torc_arrays *T, const torc_product *product, const torc_epilogue *epilogue,
    torc_sparse *S, const torc_binding *graphblas);

#endif
