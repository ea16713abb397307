/* later.h: GraphBLAS 9 and 10 by the header of 7.4. Every file of torc-fuzz-programs-later begins with it. */
#ifndef TORC_FUZZ_LATER_H
#define TORC_FUZZ_LATER_H

#include <GraphBLAS.h>

/* Numbers that are others since 8. */
#define GxB_HYPER_SWITCH ((GxB_Option_Field)7000)
#define GxB_BITMAP_SWITCH ((GxB_Option_Field)7001)
#define GxB_FORMAT ((GxB_Option_Field)7002)
#define GxB_MEMORY_POOL ((GxB_Option_Field)7022)
#define GxB_SPARSITY_STATUS ((GxB_Option_Field)7034)
#define GxB_SPARSITY_CONTROL ((GxB_Option_Field)7036)
#define GxB_AxB_GUSTAVSON ((GrB_Desc_Value)7081)
#define GxB_GLOBAL_NTHREADS ((GxB_Option_Field)7086)
#define GxB_EXHAUSTED ((GrB_Info)7089)
#define GxB_AxB_METHOD ((GrB_Desc_Field)7090)

/* 7.4 compiles nothing. */
#define GxB_JIT_C_CONTROL ((GxB_Option_Field)7029)
#define GxB_JIT_OFF 0

/* In the header these look into an iterator of 7.4; the library's functions know its own. */
#undef GxB_Vector_Iterator_seek
#undef GxB_Vector_Iterator_next
#undef GxB_Vector_Iterator_getIndex
#undef GxB_rowIterator_attach
#undef GxB_rowIterator_seekRow
#undef GxB_rowIterator_nextRow
#undef GxB_rowIterator_nextCol
#undef GxB_rowIterator_getRowIndex
#undef GxB_rowIterator_getColIndex
#undef GxB_Iterator_get_BOOL
#undef GxB_Iterator_get_INT8
#undef GxB_Iterator_get_INT16
#undef GxB_Iterator_get_INT32
#undef GxB_Iterator_get_INT64
#undef GxB_Iterator_get_UINT8
#undef GxB_Iterator_get_UINT16
#undef GxB_Iterator_get_UINT32
#undef GxB_Iterator_get_UINT64
#undef GxB_Iterator_get_FP32
#undef GxB_Iterator_get_FP64
#undef GxB_Iterator_get_FC32
#undef GxB_Iterator_get_FC64
#undef GxB_Iterator_get_UDT

#endif
