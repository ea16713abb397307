#include "descriptor.h"

typedef struct fields {
    GrB_Desc_Value outp, mask, first, second, method;
} fields;

/* GxB_Descriptor_get reads any object of GraphBLAS as a descriptor. Operations refuse one whose fields hold
 * values that none can have; hints of a method have five numbers in a row. */
static bool is_descriptor(const fields *f, const torc_numbers *numbers)
{
    unsigned hint = (unsigned)f->method - (unsigned)numbers->axb_gustavson;
    return (f->outp == GxB_DEFAULT || f->outp == GrB_REPLACE) &&
           ((unsigned)f->mask & ~(unsigned)(GrB_COMP | GrB_STRUCTURE)) == 0 &&
           (f->first == GxB_DEFAULT || f->first == GrB_TRAN) &&
           (f->second == GxB_DEFAULT || f->second == GrB_TRAN) && (f->method == GxB_DEFAULT || hint < 5);
}

bool torc_descriptor_read(torc_descriptor *read, const torc_binding *graphblas, GrB_Descriptor desc)
{
    const torc_numbers *numbers = graphblas->numbers;
    fields f;
    *read = (torc_descriptor){false};
    if (!desc) {
        return true;
    }
    if (graphblas->descriptor_get(&f.outp, desc, GrB_OUTP) != GrB_SUCCESS ||
        graphblas->descriptor_get(&f.mask, desc, GrB_MASK) != GrB_SUCCESS ||
        graphblas->descriptor_get(&f.first, desc, GrB_INP0) != GrB_SUCCESS ||
        graphblas->descriptor_get(&f.second, desc, GrB_INP1) != GrB_SUCCESS ||
        graphblas->descriptor_get(&f.method, desc, (GrB_Desc_Field)numbers->axb_method) != GrB_SUCCESS ||
        !is_descriptor(&f, numbers)) {
        return false;
    }
    read->has_replace = f.outp == GrB_REPLACE;
    read->has_complement = f.mask & GrB_COMP;
    read->has_structure = f.mask & GrB_STRUCTURE;
    read->transposes_first = f.first == GrB_TRAN;
    read->transposes_second = f.second == GrB_TRAN;
    return true;
}
