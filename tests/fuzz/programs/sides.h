/* sides.h: GraphBLAS twice. The subject's functions are those that any program sees, so the drop-in's where
 * it has some; the model's are fetched from the GraphBLAS library itself, past the drop-in. */
#ifndef TORC_FUZZ_SIDES_H
#define TORC_FUZZ_SIDES_H

#include "later_functions.h"

/* X(name): functions of which there is one for all types. */
#define PLAIN_FUNCTIONS(X)                                                                                   \
    X(GrB_Matrix_new)                                                                                        \
    X(GrB_Vector_new)                                                                                        \
    X(GrB_Scalar_new)                                                                                        \
    X(GrB_Matrix_free)                                                                                       \
    X(GrB_Vector_free)                                                                                       \
    X(GrB_Scalar_free)                                                                                       \
    X(GrB_Matrix_dup)                                                                                        \
    X(GrB_Vector_dup)                                                                                        \
    X(GrB_Matrix_clear)                                                                                      \
    X(GrB_Vector_clear)                                                                                      \
    X(GrB_Matrix_resize)                                                                                     \
    X(GrB_Vector_resize)                                                                                     \
    X(GxB_Matrix_reshape)                                                                                    \
    X(GrB_Matrix_nrows)                                                                                      \
    X(GrB_Matrix_ncols)                                                                                      \
    X(GrB_Vector_size)                                                                                       \
    X(GrB_Matrix_nvals)                                                                                      \
    X(GrB_Vector_nvals)                                                                                      \
    X(GrB_Scalar_nvals)                                                                                      \
    X(GrB_Matrix_error)                                                                                      \
    X(GrB_Vector_error)                                                                                      \
    X(GrB_Matrix_wait)                                                                                       \
    X(GrB_Vector_wait)                                                                                       \
    X(GxB_Matrix_type)                                                                                       \
    X(GxB_Vector_type)                                                                                       \
    X(GxB_Matrix_iso)                                                                                        \
    X(GxB_Vector_iso)                                                                                        \
    X(GxB_Matrix_Option_get)                                                                                 \
    X(GxB_Vector_Option_get)                                                                                 \
    X(GxB_Matrix_Option_set)                                                                                 \
    X(GxB_Vector_Option_set)                                                                                 \
    X(GrB_mxm)                                                                                               \
    X(GrB_mxv)                                                                                               \
    X(GrB_vxm)                                                                                               \
    X(GrB_Matrix_eWiseAdd_BinaryOp)                                                                          \
    X(GrB_Vector_eWiseAdd_BinaryOp)                                                                          \
    X(GrB_Matrix_eWiseAdd_Monoid)                                                                            \
    X(GrB_Vector_eWiseAdd_Monoid)                                                                            \
    X(GrB_Matrix_eWiseMult_BinaryOp)                                                                         \
    X(GrB_Vector_eWiseMult_BinaryOp)                                                                         \
    X(GrB_Matrix_eWiseMult_Monoid)                                                                           \
    X(GrB_Vector_eWiseMult_Monoid)                                                                           \
    X(GxB_Matrix_eWiseUnion)                                                                                 \
    X(GxB_Vector_eWiseUnion)                                                                                 \
    X(GrB_Matrix_apply)                                                                                      \
    X(GrB_Vector_apply)                                                                                      \
    X(GrB_Matrix_apply_BinaryOp1st_Scalar)                                                                   \
    X(GrB_Vector_apply_BinaryOp1st_Scalar)                                                                   \
    X(GrB_Matrix_apply_BinaryOp2nd_Scalar)                                                                   \
    X(GrB_Vector_apply_BinaryOp2nd_Scalar)                                                                   \
    X(GrB_Matrix_apply_IndexOp_Scalar)                                                                       \
    X(GrB_Vector_apply_IndexOp_Scalar)                                                                       \
    X(GrB_Matrix_select_Scalar)                                                                              \
    X(GrB_Vector_select_Scalar)                                                                              \
    X(GrB_Matrix_assign)                                                                                     \
    X(GrB_Vector_assign)                                                                                     \
    X(GxB_Matrix_subassign)                                                                                  \
    X(GxB_Vector_subassign)                                                                                  \
    X(GrB_Matrix_assign_Scalar)                                                                              \
    X(GrB_Vector_assign_Scalar)                                                                              \
    X(GxB_Matrix_subassign_Scalar)                                                                           \
    X(GxB_Vector_subassign_Scalar)                                                                           \
    X(GrB_Row_assign)                                                                                        \
    X(GrB_Col_assign)                                                                                        \
    X(GxB_Row_subassign)                                                                                     \
    X(GxB_Col_subassign)                                                                                     \
    X(GrB_Matrix_extract)                                                                                    \
    X(GrB_Vector_extract)                                                                                    \
    X(GrB_Col_extract)                                                                                       \
    X(GrB_transpose)                                                                                         \
    X(GrB_Matrix_reduce_Monoid)                                                                              \
    X(GrB_Matrix_reduce_BinaryOp)                                                                            \
    X(GrB_Matrix_reduce_Monoid_Scalar)                                                                       \
    X(GrB_Vector_reduce_Monoid_Scalar)                                                                       \
    X(GrB_Matrix_diag)                                                                                       \
    X(GxB_Vector_diag)                                                                                       \
    X(GxB_Matrix_diag)                                                                                       \
    X(GrB_Vector_removeElement)                                                                              \
    X(GrB_Matrix_kronecker_BinaryOp)                                                                         \
    X(GxB_Matrix_concat)                                                                                     \
    X(GxB_Matrix_split)                                                                                      \
    X(GrB_Matrix_setElement_Scalar)                                                                          \
    X(GrB_Vector_setElement_Scalar)                                                                          \
    X(GrB_Matrix_extractElement_Scalar)                                                                      \
    X(GrB_Vector_extractElement_Scalar)                                                                      \
    X(GxB_Matrix_isStoredElement)                                                                            \
    X(GxB_Vector_isStoredElement)                                                                            \
    X(GxB_Matrix_serialize)                                                                                  \
    X(GxB_Vector_serialize)                                                                                  \
    X(GrB_Matrix_serializeSize)                                                                              \
    X(GrB_Matrix_serialize)                                                                                  \
    X(GrB_Matrix_deserialize)                                                                                \
    X(GrB_Matrix_exportSize)                                                                                 \
    X(GxB_Matrix_export_HyperCSR)                                                                            \
    X(GxB_Matrix_import_HyperCSR)                                                                            \
    X(GxB_Vector_export_CSC)                                                                                 \
    X(GxB_Vector_import_CSC)                                                                                 \
    X(GxB_Matrix_deserialize)                                                                                \
    X(GxB_Vector_deserialize)                                                                                \
    X(GxB_Matrix_fprint)                                                                                     \
    X(GxB_Vector_fprint)                                                                                     \
    X(GxB_Matrix_unpack_FullR)                                                                               \
    X(GxB_Matrix_unpack_FullC)                                                                               \
    X(GxB_Matrix_unpack_BitmapR)                                                                             \
    X(GxB_Matrix_unpack_BitmapC)                                                                             \
    X(GxB_Matrix_unpack_CSR)                                                                                 \
    X(GxB_Matrix_unpack_CSC)                                                                                 \
    X(GxB_Vector_unpack_Full)                                                                                \
    X(GxB_Vector_unpack_Bitmap)                                                                              \
    X(GxB_Vector_unpack_CSC)                                                                                 \
    X(GxB_Matrix_pack_FullR)                                                                                 \
    X(GxB_Matrix_pack_FullC)                                                                                 \
    X(GxB_Matrix_pack_BitmapR)                                                                               \
    X(GxB_Matrix_pack_BitmapC)                                                                               \
    X(GxB_Matrix_pack_CSR)                                                                                   \
    X(GxB_Matrix_pack_CSC)                                                                                   \
    X(GxB_Vector_pack_Full)                                                                                  \
    X(GxB_Vector_pack_Bitmap)                                                                                \
    X(GxB_Vector_pack_CSC)

/* X(field, function): functions of which each type has its own. All fields are named alike. */
#define FUNCTIONS_OF_TYPE(X, prefix, type)                                                                   \
    X(GrB_Matrix_setElement_##type, prefix##_Matrix_setElement_##type)                                       \
    X(GrB_Vector_setElement_##type, prefix##_Vector_setElement_##type)                                       \
    X(GrB_Scalar_setElement_##type, prefix##_Scalar_setElement_##type)                                       \
    X(GrB_Matrix_extractElement_##type, prefix##_Matrix_extractElement_##type)                               \
    X(GrB_Vector_extractElement_##type, prefix##_Vector_extractElement_##type)                               \
    X(GrB_Scalar_extractElement_##type, prefix##_Scalar_extractElement_##type)                               \
    X(GrB_Matrix_extractTuples_##type, prefix##_Matrix_extractTuples_##type)                                 \
    X(GrB_Vector_extractTuples_##type, prefix##_Vector_extractTuples_##type)                                 \
    X(GrB_Matrix_export_##type, prefix##_Matrix_export_##type)                                               \
    X(GrB_Matrix_import_##type, prefix##_Matrix_import_##type)                                               \
    X(GrB_Matrix_build_##type, prefix##_Matrix_build_##type)                                                 \
    X(GrB_Vector_build_##type, prefix##_Vector_build_##type)                                                 \
    X(GrB_Matrix_reduce_##type, prefix##_Matrix_reduce_##type)                                               \
    X(GrB_Vector_reduce_##type, prefix##_Vector_reduce_##type)                                               \
    X(GrB_Matrix_assign_##type, prefix##_Matrix_assign_##type)                                               \
    X(GrB_Vector_assign_##type, prefix##_Vector_assign_##type)                                               \
    X(GxB_Matrix_subassign_##type, GxB_Matrix_subassign_##type)                                              \
    X(GxB_Vector_subassign_##type, GxB_Vector_subassign_##type)                                              \
    X(GrB_Matrix_apply_BinaryOp1st_##type, prefix##_Matrix_apply_BinaryOp1st_##type)                         \
    X(GrB_Vector_apply_BinaryOp1st_##type, prefix##_Vector_apply_BinaryOp1st_##type)                         \
    X(GrB_Matrix_apply_BinaryOp2nd_##type, prefix##_Matrix_apply_BinaryOp2nd_##type)                         \
    X(GrB_Vector_apply_BinaryOp2nd_##type, prefix##_Vector_apply_BinaryOp2nd_##type)                         \
    X(GrB_Matrix_apply_IndexOp_##type, prefix##_Matrix_apply_IndexOp_##type)                                 \
    X(GrB_Vector_apply_IndexOp_##type, prefix##_Vector_apply_IndexOp_##type)                                 \
    X(GrB_Matrix_select_##type, prefix##_Matrix_select_##type)                                               \
    X(GrB_Vector_select_##type, prefix##_Vector_select_##type)

#define TYPED_FUNCTIONS(X)                                                                                   \
    FUNCTIONS_OF_TYPE(X, GrB, BOOL)                                                                          \
    FUNCTIONS_OF_TYPE(X, GrB, INT8)                                                                          \
    FUNCTIONS_OF_TYPE(X, GrB, INT16)                                                                         \
    FUNCTIONS_OF_TYPE(X, GrB, INT32)                                                                         \
    FUNCTIONS_OF_TYPE(X, GrB, INT64)                                                                         \
    FUNCTIONS_OF_TYPE(X, GrB, UINT8)                                                                         \
    FUNCTIONS_OF_TYPE(X, GrB, UINT16)                                                                        \
    FUNCTIONS_OF_TYPE(X, GrB, UINT32)                                                                        \
    FUNCTIONS_OF_TYPE(X, GrB, UINT64)                                                                        \
    FUNCTIONS_OF_TYPE(X, GrB, FP32)                                                                          \
    FUNCTIONS_OF_TYPE(X, GrB, FP64)                                                                          \
    FUNCTIONS_OF_TYPE(X, GxB, FC32)                                                                          \
    FUNCTIONS_OF_TYPE(X, GxB, FC64)                                                                          \
    FUNCTIONS_OF_TYPE(X, GrB, UDT)

enum { MODEL, SUBJECT, SIDES }; /* in this order a step runs */

typedef struct side {
    int index; /* MODEL or SUBJECT */
#define X(name) __typeof__(name) *name;
    PLAIN_FUNCTIONS(X)
#undef X
#define X(field, function) __typeof__(function) *field;
    TYPED_FUNCTIONS(X)
#undef X
#define X(name, parameters) GrB_Info(*name) parameters; /* NULL where this GraphBLAS has none */
    LATER_FUNCTIONS(X)
#undef X
} side;

/* Both sides, once GraphBLAS is in the process. */
const side *torc_sides(void);

#endif
