/* binding.h: the GraphBLAS library that torc serves, as one table of functions and numbers.
 *
 * torc links to no libgraphblas: two of them that the program did not ask for would be a disaster. The table
 * is filled by dlsym from the library that the program itself has loaded (library.h). version.h tells what
 * differs between versions of GraphBLAS.
 *
 * torc serves one library at a time: the first that is called, until it is finalised or unloaded. Calls for
 * another library go to that library as they are.
 */
#ifndef TORC_BINDING_H
#define TORC_BINDING_H

#include "library.h"
#include "version.h"
#include <stdio.h>

/* GrB_mxm; and GrB_mxv and GrB_vxm, which are called with vectors for matrices. */
typedef GrB_Info (*torc_product_function)(GrB_Matrix, const GrB_Matrix, const GrB_BinaryOp,
    const GrB_Semiring, const GrB_Matrix, const GrB_Matrix, const GrB_Descriptor);

/* X(field, exported symbol, return type, arguments). Numbers of options are int, as version.h gives them. */
#define TORC_BINDING_MAP(X)                                                                                  \
    X(mxm, GrB_mxm, GrB_Info,                                                                                \
        (GrB_Matrix, const GrB_Matrix, const GrB_BinaryOp, const GrB_Semiring, const GrB_Matrix,             \
            const GrB_Matrix, const GrB_Descriptor))                                                         \
    X(mxv, GrB_mxv, GrB_Info,                                                                                \
        (GrB_Matrix, const GrB_Matrix, const GrB_BinaryOp, const GrB_Semiring, const GrB_Matrix,             \
            const GrB_Matrix, const GrB_Descriptor))                                                         \
    X(vxm, GrB_vxm, GrB_Info,                                                                                \
        (GrB_Matrix, const GrB_Matrix, const GrB_BinaryOp, const GrB_Semiring, const GrB_Matrix,             \
            const GrB_Matrix, const GrB_Descriptor))                                                         \
    X(transpose, GrB_transpose, GrB_Info,                                                                    \
        (GrB_Matrix, const GrB_Matrix, const GrB_BinaryOp, const GrB_Matrix, const GrB_Descriptor))          \
    X(matrix_new, GrB_Matrix_new, GrB_Info, (GrB_Matrix *, GrB_Type, GrB_Index, GrB_Index))                  \
    X(vector_new, GrB_Vector_new, GrB_Info, (GrB_Vector *, GrB_Type, GrB_Index))                             \
    X(matrix_free, GrB_Matrix_free, GrB_Info, (GrB_Matrix *))                                                \
    X(matrix_nrows, GrB_Matrix_nrows, GrB_Info, (GrB_Index *, const GrB_Matrix))                             \
    X(matrix_ncols, GrB_Matrix_ncols, GrB_Info, (GrB_Index *, const GrB_Matrix))                             \
    X(matrix_nvals, GrB_Matrix_nvals, GrB_Info, (GrB_Index *, const GrB_Matrix))                             \
    X(matrix_wait, GrB_Matrix_wait, GrB_Info, (GrB_Matrix, GrB_WaitMode))                                    \
    X(matrix_error, GrB_Matrix_error, GrB_Info, (const char **, const GrB_Matrix))                           \
    X(matrix_clear, GrB_Matrix_clear, GrB_Info, (GrB_Matrix))                                                \
    X(matrix_iso, GxB_Matrix_iso, GrB_Info, (bool *, const GrB_Matrix))                                      \
    X(matrix_type, GxB_Matrix_type, GrB_Info, (GrB_Type *, const GrB_Matrix))                                \
    X(semiring_add, GxB_Semiring_add, GrB_Info, (GrB_Monoid *, GrB_Semiring))                                \
    X(semiring_multiply, GxB_Semiring_multiply, GrB_Info, (GrB_BinaryOp *, GrB_Semiring))                    \
    X(monoid_operator, GxB_Monoid_operator, GrB_Info, (GrB_BinaryOp *, GrB_Monoid))                          \
    X(operator_xtype, GxB_BinaryOp_xtype, GrB_Info, (GrB_Type *, GrB_BinaryOp))                              \
    X(operator_ytype, GxB_BinaryOp_ytype, GrB_Info, (GrB_Type *, GrB_BinaryOp))                              \
    X(operator_ztype, GxB_BinaryOp_ztype, GrB_Info, (GrB_Type *, GrB_BinaryOp))                              \
    X(type_size, GxB_Type_size, GrB_Info, (size_t *, GrB_Type))                                              \
    X(descriptor_get, GxB_Descriptor_get, GrB_Info, (GrB_Desc_Value *, GrB_Descriptor, GrB_Desc_Field))      \
    X(iterator_attach, GxB_Matrix_Iterator_attach, GrB_Info, (void *, GrB_Matrix, GrB_Descriptor))           \
    X(pack_full_r, GxB_Matrix_pack_FullR, GrB_Info, (GrB_Matrix, void **, GrB_Index, bool, GrB_Descriptor))  \
    X(pack_full_c, GxB_Matrix_pack_FullC, GrB_Info, (GrB_Matrix, void **, GrB_Index, bool, GrB_Descriptor))  \
    X(pack_bitmap_r, GxB_Matrix_pack_BitmapR, GrB_Info,                                                      \
        (GrB_Matrix, int8_t **, void **, GrB_Index, GrB_Index, bool, GrB_Index, GrB_Descriptor))             \
    X(pack_bitmap_c, GxB_Matrix_pack_BitmapC, GrB_Info,                                                      \
        (GrB_Matrix, int8_t **, void **, GrB_Index, GrB_Index, bool, GrB_Index, GrB_Descriptor))             \
    X(pack_hyper_csr, GxB_Matrix_pack_HyperCSR, GrB_Info,                                                    \
        (GrB_Matrix, uint64_t **, uint64_t **, uint64_t **, void **, GrB_Index, GrB_Index, GrB_Index,        \
            GrB_Index, bool, GrB_Index, bool, GrB_Descriptor))                                               \
    X(pack_hyper_csc, GxB_Matrix_pack_HyperCSC, GrB_Info,                                                    \
        (GrB_Matrix, uint64_t **, uint64_t **, uint64_t **, void **, GrB_Index, GrB_Index, GrB_Index,        \
            GrB_Index, bool, GrB_Index, bool, GrB_Descriptor))                                               \
    X(unpack_full_r, GxB_Matrix_unpack_FullR, GrB_Info,                                                      \
        (GrB_Matrix, void **, GrB_Index *, bool *, GrB_Descriptor))                                          \
    X(assign_uint64, GrB_Matrix_assign_UINT64, GrB_Info,                                                     \
        (GrB_Matrix, GrB_Matrix, GrB_BinaryOp, uint64_t, const GrB_Index *, GrB_Index, const GrB_Index *,    \
            GrB_Index, GrB_Descriptor))                                                                      \
    X(option_get_int32, GxB_Matrix_Option_get_INT32, GrB_Info, (GrB_Matrix, int, int32_t *))                 \
    X(option_set_int32, GxB_Matrix_Option_set_INT32, GrB_Info, (GrB_Matrix, int, int32_t))                   \
    X(option_get_fp64, GxB_Matrix_Option_get_FP64, GrB_Info, (GrB_Matrix, int, double *))                    \
    X(option_set_fp64, GxB_Matrix_Option_set_FP64, GrB_Info, (GrB_Matrix, int, double))

/* The same for what only some of the known versions have; NULL where it is missing. */
#define TORC_BINDING_LATER_MAP(X)                                                                            \
    X(global_get_int32, GxB_Global_Option_get_INT32, GrB_Info, (int, int32_t *))                             \
    X(descriptor_get_int32, GxB_Desc_get_INT32, GrB_Info, (GrB_Descriptor, int, int32_t *))                  \
    X(context_threads, GB_Context_nthreads_max, int, (void))                                                 \
    X(global_get_function, GxB_Global_Option_get_FUNCTION, GrB_Info, (int, void **))                         \
    X(get_int32, GrB_Matrix_get_INT32, GrB_Info, (GrB_Matrix, int32_t *, int))                               \
    X(set_int32, GrB_Matrix_set_INT32, GrB_Info, (GrB_Matrix, int32_t, int))                                 \
    X(get_size, GrB_Matrix_get_SIZE, GrB_Info, (GrB_Matrix, size_t *, int))                                  \
    X(get_string, GrB_Matrix_get_String, GrB_Info, (GrB_Matrix, char *, int))                                \
    X(set_string, GrB_Matrix_set_String, GrB_Info, (GrB_Matrix, char *, int))                                \
    X(type_print, GxB_Type_fprint, GrB_Info, (GrB_Type, const char *, GxB_Print_Level, FILE *))              \
    X(operator_print, GxB_BinaryOp_fprint, GrB_Info, (GrB_BinaryOp, const char *, GxB_Print_Level, FILE *))  \
    X(unary_print, GxB_UnaryOp_fprint, GrB_Info, (GrB_UnaryOp, const char *, GxB_Print_Level, FILE *))       \
    X(index_unary_print, GxB_IndexUnaryOp_fprint, GrB_Info,                                                  \
        (GrB_IndexUnaryOp, const char *, GxB_Print_Level, FILE *))

typedef struct torc_binding {
#define X(field, symbol, type, arguments) type(*field) arguments;
    TORC_BINDING_MAP(X)
    TORC_BINDING_LATER_MAP(X)
#undef X
    unsigned version[3];         /* of the library; zeros where it does not tell */
    bool is_known;               /* a version that torc was written for; otherwise only mxm may be called */
    const torc_numbers *numbers; /* of a known version */
    const void *all_indices;     /* its GrB_ALL */
    torc_library library;
    unsigned serial; /* 1 for the first library, 2 for the next */
} torc_binding;

/* The table of the library that this caller meets (library.h); NULL where there is none, or it is not
 * initialised yet (looked at again at the next call), or torc serves another. Any thread. */
const torc_binding *torc_binding_of(const void *caller);

/* The table of the library that is served, or else of one that there is to serve. Any thread. */
const torc_binding *torc_binding_get(void);

/* Told by the drop-in: the library that this caller meets has been initialised. */
void torc_binding_start(const void *caller);

/* Does torc serve this caller's library, or could it? */
bool torc_binding_is_for(const void *caller);

/* Told by the drop-in: this caller's library is about to be finalised. False where torc serves another. */
bool torc_binding_end(const void *caller);

/* Value of an exported handle such as "GrB_PLUS_FP32"; NULL where this version has none of that name. */
void *torc_binding_handle(const torc_binding *graphblas, const char *name);

/* GxB_Matrix_Option_get_INT32 and set, of a matrix or a vector. Those of 10 call GrB_Matrix_get_INT32 and
 * set, and by these names the drop-in's, which take the question for the program's. So from 9 on the latter
 * are called at once, past the drop-in. */
GrB_Info torc_binding_get_option(const torc_binding *graphblas, GrB_Matrix A, int option, int32_t *value);
GrB_Info torc_binding_set_option(const torc_binding *graphblas, GrB_Matrix A, int option, int32_t value);

/* GxB_Matrix_Option_get_FP64. That of 10 calls GrB_Matrix_get_Scalar in the same way, and is_asking tells the
 * drop-in's that this thread is asking for torc. */
GrB_Info torc_binding_get_switch(const torc_binding *graphblas, GrB_Matrix A, int option, double *value);
bool torc_binding_is_asking(void);

/* Threads that GraphBLAS may use, 1 or more, in a call of this thread with that descriptor, which may be
 * NULL. */
int torc_binding_threads(const torc_binding *graphblas, GrB_Descriptor descriptor);

/* The same without a descriptor; 0 where no library is served. Any thread, in GraphBLAS's functions too. */
int torc_binding_threads_served(void);

#endif
