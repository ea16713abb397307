/* pack.h: results into a GrB_Matrix without copying.
 *
 * Arrays come from GraphBLAS's own allocator (torc_host_allocate) and move into the matrix. Packing replaces
 * all content of C and sets its orientation. C's type and dimensions stay, and so do its settings: sparsity
 * control, switches, integer widths, name. The control is set last, so that C conforms to it.
 */
#ifndef TORC_PACK_H
#define TORC_PACK_H

#include "view.h"

/* Called by the drop-in, which sees GrB_init and GxB_init: the allocator that the GraphBLAS of this caller
 * was initialised with. Before any other thread uses that library. */
void torc_allocator_note(const void *caller, void *(*allocate)(size_t), void (*release)(void *));

/* Memory that GraphBLAS may free, at least TORC_HOST_MINIMUM bytes; NULL if there is none. Where the
 * allocator is not known (GraphBLAS before 8 and no drop-in) the block is taken from a matrix that the
 * library itself filled: one more pass of writes. */
enum { TORC_HOST_MINIMUM = 16 }; /* GraphBLAS wants no fewer offsets of one vector, even if none is present */
bool torc_host_is_arena(const torc_binding *graphblas); /* large blocks are the arena's */
void *torc_host_allocate(const torc_binding *graphblas, size_t size);
void torc_host_release(const torc_binding *graphblas, void *memory);

/* The arrays of a finished matrix. Those that its format lacks are NULL; all others come from
 * torc_host_allocate, even if they are empty. Integers have 64 bits. */
typedef struct torc_arrays {
    torc_format format; /* hypersparse, bitmap or full */
    bool by_col, iso;
    int64_t nvec, nvals;
    uint64_t *ptr, *hyper, *idx;
    int8_t *bitmap;
    void *values;
    size_t nvalues, type_size; /* values holds nvalues of type_size bytes, or, where iso, one */
} torc_arrays;

/* May C get other arrays, or other content in those that it has? Not where it has borrowed them from the
 * program (10.0 on), for which GraphBLAS refuses the call. */
bool torc_pack_is_possible(GrB_Matrix C, const torc_binding *graphblas);

/* Move the arrays into C. On success they belong to C and the pointers are NULL; on error they are the
 * caller's and C is unchanged. */
GrB_Info torc_pack(GrB_Matrix C, const torc_binding *graphblas, torc_arrays *arrays);

/* The same for arrays that are away, which nobody looks at. C gets this sparsity control, which allows their
 * format. */
GrB_Info torc_pack_away(GrB_Matrix C, const torc_binding *graphblas, torc_arrays *arrays, int32_t control);

/* The same with a new matrix, which keeps the format of the arrays. On error *T is NULL. */
GrB_Info torc_pack_new(GrB_Matrix *T, const torc_binding *graphblas, GrB_Type type, GrB_Index nrows,
    GrB_Index ncols, torc_arrays *arrays);

void torc_arrays_release(const torc_binding *graphblas, torc_arrays *arrays);

#endif
