/* descriptor.h: what a descriptor says of an operation. */
#ifndef TORC_DESCRIPTOR_H
#define TORC_DESCRIPTOR_H

#include "binding.h"

typedef struct torc_descriptor {
    bool has_replace, has_complement, has_structure, transposes_first, transposes_second;
} torc_descriptor;

/* Of NULL, the default. false: GraphBLAS refuses it. */
bool torc_descriptor_read(torc_descriptor *read, const torc_binding *graphblas, GrB_Descriptor desc);

#endif
