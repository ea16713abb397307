/* ways_out.c: the functions of GraphBLAS that hand arrays of an object to the program, in all versions that
 * torc knows. The program may pass such an array to a system call, which fails on a block that is away
 * instead of faulting. So the object comes home before. It may also have a device write to the array; so no
 * copy of it is trusted from then on. All other functions touch arrays themselves, and need nothing.
 *
 * All arguments are pointers; the first one is the object (unpack, unload) or points to it (export). */
#include "ways_out.h"
#include "dropin_real.h"
#include "exported_names.h"
#include "home.h"
#include "put_off.h"
#include "seal.h"

/* X(function, arguments after the first) */
#define UNPACKING(X)                                                                                         \
    X(GxB_Matrix_unpack_CSR, 9)                                                                              \
    X(GxB_Matrix_unpack_CSC, 9)                                                                              \
    X(GxB_Matrix_unpack_HyperCSR, 12)                                                                        \
    X(GxB_Matrix_unpack_HyperCSC, 12)                                                                        \
    X(GxB_Matrix_unpack_BitmapR, 7)                                                                          \
    X(GxB_Matrix_unpack_BitmapC, 7)                                                                          \
    X(GxB_Matrix_unpack_FullR, 4)                                                                            \
    X(GxB_Matrix_unpack_FullC, 4)                                                                            \
    X(GxB_Vector_unpack_CSC, 8)                                                                              \
    X(GxB_Vector_unpack_Bitmap, 7)                                                                           \
    X(GxB_Vector_unpack_Full, 4)                                                                             \
    X(GxB_Vector_unload, 6)                                                                                  \
    X(GxB_unload_Matrix_into_Container, 2)                                                                   \
    X(GxB_unload_Vector_into_Container, 2)

#define EXPORTING(X)                                                                                         \
    X(GxB_Matrix_export_CSR, 12)                                                                             \
    X(GxB_Matrix_export_CSC, 12)                                                                             \
    X(GxB_Matrix_export_HyperCSR, 15)                                                                        \
    X(GxB_Matrix_export_HyperCSC, 15)                                                                        \
    X(GxB_Matrix_export_BitmapR, 10)                                                                         \
    X(GxB_Matrix_export_BitmapC, 10)                                                                         \
    X(GxB_Matrix_export_FullR, 7)                                                                            \
    X(GxB_Matrix_export_FullC, 7)                                                                            \
    X(GxB_Vector_export_CSC, 10)                                                                             \
    X(GxB_Vector_export_Bitmap, 9)                                                                           \
    X(GxB_Vector_export_Full, 6)

/* Parameters and arguments by their number. */
#define PARAMETERS_2 void *a1, void *a2
#define PARAMETERS_4 PARAMETERS_2, void *a3, void *a4
#define PARAMETERS_6 PARAMETERS_4, void *a5, void *a6
#define PARAMETERS_7 PARAMETERS_6, void *a7
#define PARAMETERS_8 PARAMETERS_7, void *a8
#define PARAMETERS_9 PARAMETERS_8, void *a9
#define PARAMETERS_10 PARAMETERS_9, void *a10
#define PARAMETERS_12 PARAMETERS_10, void *a11, void *a12
#define PARAMETERS_15 PARAMETERS_12, void *a13, void *a14, void *a15
#define ARGUMENTS_2 a1, a2
#define ARGUMENTS_4 ARGUMENTS_2, a3, a4
#define ARGUMENTS_6 ARGUMENTS_4, a5, a6
#define ARGUMENTS_7 ARGUMENTS_6, a7
#define ARGUMENTS_8 ARGUMENTS_7, a8
#define ARGUMENTS_9 ARGUMENTS_8, a9
#define ARGUMENTS_10 ARGUMENTS_9, a10
#define ARGUMENTS_12 ARGUMENTS_10, a11, a12
#define ARGUMENTS_15 ARGUMENTS_12, a13, a14, a15

enum {
    PANIC = -101, /* GrB_PANIC: there is no GraphBLAS, or content was lost */
    DEFAULT = 0   /* GrB_DEFAULT, as a handling: an array becomes GraphBLAS's */
};

/* Under names of its own here, since GraphBLAS.h declares each with the types of its version. ISO C knows no
 * cast from an object pointer to a function pointer. */
#define WAY_OUT(function, count, object)                                                                     \
    TORC_API int torc_##function(void *, PARAMETERS_##count) __asm__(#function);                             \
    int torc_##function(void *first, PARAMETERS_##count)                                                     \
    {                                                                                                        \
        static torc_found found;                                                                             \
        int (*real)(void *, PARAMETERS_##count);                                                             \
        void *address = torc_dropin_real(&found, TORC_CALLER, #function);                                    \
        memcpy(&real, &address, sizeof real);                                                                \
        if (torc_binding_is_for(TORC_CALLER)) {                                                              \
            torc_hand_out(object);                                                                           \
        }                                                                                                    \
        return real && !torc_residency_has_lost() ? real(first, ARGUMENTS_##count) : PANIC;                  \
    }
#define UNPACK(function, count) WAY_OUT(function, count, first)
#define EXPORT(function, count) WAY_OUT(function, count, first ? *(void **)first : NULL)

UNPACKING(UNPACK)
EXPORTING(EXPORT)

/* A way in, of 10.x: where the program only lends the array, nobody sees when GraphBLAS has done with it. */
TORC_API int torc_GxB_Vector_load(void *v, void *values, void *type, uint64_t count, uint64_t size,
    int handling, void *desc) __asm__("GxB_Vector_load");
int torc_GxB_Vector_load(
    void *v, void *values, void *type, uint64_t count, uint64_t size, int handling, void *desc)
{
    static torc_found found;
    int (*real)(void *, void *, void *, uint64_t, uint64_t, int, void *);
    void *address = torc_dropin_real(&found, TORC_CALLER, "GxB_Vector_load");
    memcpy(&real, &address, sizeof real);
    if (torc_binding_is_for(TORC_CALLER)) {
        torc_put_off_settle(v); /* loading adds to the control that v has */
    }
    if (handling != DEFAULT) {
        torc_seal_allow_foreign(false);
    }
    return real ? real(v, values, type, count, size, handling, desc) : PANIC;
}

/* ---- Are there others? -------------------------------------------------------------------------------- */

#define NAME(function, count) #function,
static const char *const known[] = {UNPACKING(NAME) EXPORTING(NAME)
    /* These hand out copies, a number, or a matrix. */
    "GrB_Matrix_export_BOOL",
    "GrB_Matrix_export_INT8", "GrB_Matrix_export_INT16", "GrB_Matrix_export_INT32", "GrB_Matrix_export_INT64",
    "GrB_Matrix_export_UINT8", "GrB_Matrix_export_UINT16", "GrB_Matrix_export_UINT32",
    "GrB_Matrix_export_UINT64", "GrB_Matrix_export_FP32", "GrB_Matrix_export_FP64", "GrB_Matrix_export_UDT",
    "GxB_Matrix_export_FC32", "GxB_Matrix_export_FC64", "GxB_Matrix_export_UDT", "GrB_Matrix_exportSize",
    "GrB_Matrix_exportHint", "GxB_unpack_HyperHash"};

static bool is_unknown_way(const char *name)
{
    static const char *const words[] = {"unpack", "export", "unload", "load_from"};
    bool is_way = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        is_way = is_way || strstr(name, words[i]);
    }
    is_way = is_way && (strncmp(name, "GrB_", 4) == 0 || strncmp(name, "GxB_", 4) == 0);
    for (size_t i = 0; i < sizeof known / sizeof *known && is_way; i++) {
        is_way = strcmp(name, known[i]) != 0;
    }
    return is_way;
}

bool torc_ways_out_are_known(const char **which, const void *caller)
{
    bool is_read;
    *which = torc_exported_name(&is_read, torc_library_symbol(caller, "GrB_mxm"), is_unknown_way);
    return is_read && !*which;
}
