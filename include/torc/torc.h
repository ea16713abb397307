/* torc.h: the engine. Semiring sparse × dense matrix multiplication (SpMM) on plain arrays.
 *
 *     C = op(A) ⊕.⊗ B      op(A) m×k sparse, B k×n dense, C m×n dense, op(A) = A or its transpose
 *     C(i,j) = ⊕ over the stored entries A(i,k) of A(i,k) ⊗ B(k,j)
 *
 * Work goes to a context, which stands for one device: an NVIDIA GPU, or the reference executor (plain C on
 * the host, made for testing). A function that can fail returns a torc_status, and its results through
 * pointers, first in the argument list; copies (torc_memory_...) name the context first, then where to, then
 * where from. The library never exits or changes a setting of the process, and prints nothing but what
 * torc_options_from_environment says. Besides the statuses that a function lists, each may give
 * TORC_NULL_POINTER for a pointer that has to be there, TORC_OUT_OF_MEMORY and TORC_DEVICE_ERROR.
 *
 * Work on a context is done in the order of the calls. A function returns once its work is queued, unless its
 * comment says that it waits for the device. Structs and host arrays that it was given have been read by
 * then, and may be changed or freed. Device arrays are used until the work is done. Later calls on the same
 * context come after that work, torc_memory_upload and torc_memory_release too: they need no wait in between.
 * What went wrong on the device may come to light only in a later call, as TORC_DEVICE_ERROR: what was
 * computed since the last torc_context_wait that succeeded is undefined then.
 *
 * Threads: distinct contexts are independent. One thread at a time may use a context and what belongs to it,
 * but for the functions in this table. Functions on a GPU's context leave the calling thread's current CUDA
 * device at that GPU.
 *
 *     any thread, at any time             torc_status_text; all under "Semirings"; torc_context_create;
 *                                         torc_options_from_environment; torc_csr_check; torc_threads_...;
 *                                         torc_operation_get_traits, torc_unary_name, torc_index_unary_name
 *     any thread, while another uses      torc_context_compile, one thread at a time; torc_memory_pin;
 *     the context                         torc_memory_unpin; torc_sparse_bytes
 */
#ifndef TORC_TORC_H
#define TORC_TORC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TORC_VERSION_MAJOR 0
#define TORC_VERSION_MINOR 2
#define TORC_VERSION_PATCH 0

#if defined(__GNUC__)
#define TORC_API __attribute__((visibility("default")))
#else
#define TORC_API
#endif

/* ---- Status ------------------------------------------------------------------------------------------- */

#define TORC_STATUS_MAP(X)                                                                                   \
    X(SUCCESS, "success")                                                                                    \
    X(NULL_POINTER, "a required pointer is NULL")                                                            \
    X(INVALID_VALUE, "an argument is out of its range")                                                      \
    X(DIMENSION_MISMATCH, "the shapes of the operands do not fit")                                           \
    X(UNSUPPORTED, "this combination of types, operators or sizes is not implemented")                       \
    X(OUT_OF_MEMORY, "not enough host or device memory, or the memory limit is reached")                     \
    X(NO_DEVICE, "no usable device")                                                                         \
    X(DEVICE_ERROR, "the device reported an error")                                                          \
    X(COMPILE_ERROR, "a kernel could not be compiled")                                                       \
    X(NO_COMPILER, "the run-time compiler of CUDA, libnvrtc, was not found")                                 \
    X(NOT_COMPILED, "a kernel is not compiled yet")

typedef enum torc_status {
#define X(name, text) TORC_##name,
    TORC_STATUS_MAP(X)
#undef X
} torc_status;

/** The text of a status, a static string; never NULL, "unknown status" for another value. Any thread. */
TORC_API const char *torc_status_text(torc_status status);

/* ---- Semirings ---------------------------------------------------------------------------------------- */

typedef struct torc_fc32 {
    float real, imag;
} torc_fc32;

typedef struct torc_fc64 {
    double real, imag;
} torc_fc64;

/* X(enumerator, C type, name): GraphBLAS's built-in types. TORC_BOOL is one byte, 0 or 1. Complex values have
 * the layout of C's. */
#define TORC_TYPE_MAP(X)                                                                                     \
    X(BOOL, bool, "bool")                                                                                    \
    X(INT8, int8_t, "int8")                                                                                  \
    X(INT16, int16_t, "int16")                                                                               \
    X(INT32, int32_t, "int32")                                                                               \
    X(INT64, int64_t, "int64")                                                                               \
    X(UINT8, uint8_t, "uint8")                                                                               \
    X(UINT16, uint16_t, "uint16")                                                                            \
    X(UINT32, uint32_t, "uint32")                                                                            \
    X(UINT64, uint64_t, "uint64")                                                                            \
    X(FP32, float, "fp32")                                                                                   \
    X(FP64, double, "fp64")                                                                                  \
    X(FC32, torc_fc32, "fc32")                                                                               \
    X(FC64, torc_fc64, "fc64")

typedef enum torc_type {
#define X(name, ctype, text) TORC_##name,
    TORC_TYPE_MAP(X)
#undef X
        TORC_TYPE_COUNT,   /* of the built-in ones */
    TORC_OPAQUE = 1 << 30, /* see torc_opaque_type */
} torc_type;

/** The type of user-defined values of `size` bytes, 1 to 2^30-1: the engine moves them and leaves it to
 *  user-defined operators to know what they are. They are never cast. Another size gives TORC_OPAQUE, which
 * is no type: torc_type_size gives 0 for it, and no function takes it. Any thread. */
TORC_API torc_type torc_opaque_type(size_t size);

/* X(enumerator, name). On the type of multiply's results: min and max on integers and real types; plus and
 * times on these and complex ones; lor, land, lxor and lxnor on bool; bor, band, bxor and bxnor on unsigned
 * integers; any, which takes one of its terms, on all. */
#define TORC_MONOID_MAP(X)                                                                                   \
    X(PLUS, "plus")                                                                                          \
    X(TIMES, "times")                                                                                        \
    X(MIN, "min")                                                                                            \
    X(MAX, "max")                                                                                            \
    X(ANY, "any")                                                                                            \
    X(LOR, "lor")                                                                                            \
    X(LAND, "land")                                                                                          \
    X(LXOR, "lxor")                                                                                          \
    X(LXNOR, "lxnor")                                                                                        \
    X(BOR, "bor")                                                                                            \
    X(BAND, "band")                                                                                          \
    X(BXOR, "bxor")                                                                                          \
    X(BXNOR, "bxnor")

typedef enum torc_monoid {
#define X(name, text) TORC_##name##_MONOID,
    TORC_MONOID_MAP(X)
#undef X
        TORC_MONOID_COUNT, /* of the built-in ones */
    TORC_USER_MONOID       /* a torc_definition says which */
} torc_monoid;

/* X(enumerator, name). x is a value of A, y one of B.
 *   first x, second y, pair 1                                           on all types
 *   plus, minus x-y, rminus y-x, times, div x/y, rdiv y/x               integers, real, complex
 *   min, max; isgt, islt, isge, isle: comparisons giving 0 or 1         integers, real
 *   iseq, isne: likewise                                                integers, real, complex
 *   lor, land, lxor of x != 0 and y != 0, giving 0 or 1                 bool, integers, real
 *   gt, lt, ge, le: comparisons giving bool                             bool, integers, real
 *   eq, ne: likewise                                                    all types
 *   bor, band, bxor, bxnor                                              integers
 *   firsti, firstj, secondi, secondj and the same plus 1: positional    int32, int64
 * A term is A(i,k) times B(k,j): firsti is i, firstj and secondi are k, secondj is j; no value is read. */
#define TORC_MULTIPLY_MAP(X)                                                                                 \
    X(FIRST, "first")                                                                                        \
    X(SECOND, "second")                                                                                      \
    X(PAIR, "pair")                                                                                          \
    X(PLUS, "plus")                                                                                          \
    X(MINUS, "minus")                                                                                        \
    X(RMINUS, "rminus")                                                                                      \
    X(TIMES, "times")                                                                                        \
    X(DIV, "div")                                                                                            \
    X(RDIV, "rdiv")                                                                                          \
    X(MIN, "min")                                                                                            \
    X(MAX, "max")                                                                                            \
    X(ISEQ, "iseq")                                                                                          \
    X(ISNE, "isne")                                                                                          \
    X(ISGT, "isgt")                                                                                          \
    X(ISLT, "islt")                                                                                          \
    X(ISGE, "isge")                                                                                          \
    X(ISLE, "isle")                                                                                          \
    X(LOR, "lor")                                                                                            \
    X(LAND, "land")                                                                                          \
    X(LXOR, "lxor")                                                                                          \
    X(EQ, "eq")                                                                                              \
    X(NE, "ne")                                                                                              \
    X(GT, "gt")                                                                                              \
    X(LT, "lt")                                                                                              \
    X(GE, "ge")                                                                                              \
    X(LE, "le")                                                                                              \
    X(BOR, "bor")                                                                                            \
    X(BAND, "band")                                                                                          \
    X(BXOR, "bxor")                                                                                          \
    X(BXNOR, "bxnor")                                                                                        \
    X(FIRSTI, "firsti")                                                                                      \
    X(FIRSTI1, "firsti1")                                                                                    \
    X(FIRSTJ, "firstj")                                                                                      \
    X(FIRSTJ1, "firstj1")                                                                                    \
    X(SECONDI, "secondi")                                                                                    \
    X(SECONDI1, "secondi1")                                                                                  \
    X(SECONDJ, "secondj")                                                                                    \
    X(SECONDJ1, "secondj1")

typedef enum torc_multiply {
#define X(name, text) TORC_##name,
    TORC_MULTIPLY_MAP(X)
#undef X
        TORC_MULTIPLY_COUNT, /* of the built-in ones */
    TORC_USER                /* a torc_definition says which */
} torc_multiply;

/* z = f (x, y). z is none of the others. */
typedef void (*torc_function)(void *z, const void *x, const void *y);

/* A type of a user-defined operator: a built-in one, but for complex, or an opaque one with its name. */
typedef struct torc_user_type {
    torc_type type;
    const char *name; /* the typedef in the source; NULL for a built-in type */
} torc_user_type;

/* User-defined operators: an add, a multiply, or both, as C source, in the manner of GraphBLAS's users:
 *
 *     typedef struct { double cost ; int64_t hops ; } path ;
 *     void extend (path *z, const path *x, const path *y) { z->cost = x->cost + y->cost ; ... }
 *
 * The source becomes device code, so that it can call what CUDA has of <math.h>; the usual standard headers
 * may be included. It is C that is also C++. The reference executor calls functions of the host instead; each
 * executor answers TORC_UNSUPPORTED where it lacks what it needs. */
typedef struct torc_definition {
    const char *source;        /* typedefs, then functions; NULL: functions of the host only */
    const char *add;           /* name of the function in the source; NULL: add is built-in */
    const char *multiply;      /* likewise */
    torc_user_type x, y, z;    /* of multiply (x, y), if it is user-defined; z also of add */
    const void *identity;      /* of add, a value of z; NULL: all bytes 0. For rows without entries only */
    torc_function add_on_host; /* NULL: the reference executor cannot */
    torc_function multiply_on_host;
} torc_definition;

/* (add, multiply) with multiply on one type: values of A and B are cast to `type` as GraphBLAS casts, then
 * multiplied. A user-defined multiply has its own types instead, and `type` is not read. C has the type of
 * multiply's results: bool for eq, ne, gt, lt, ge and le, else `type`. Values are as GraphBLAS computes them:
 * integers wrap; x/0 is 0 for x = 0 and saturates otherwise; min and max of floating point prefer a number to
 * a NaN. */
typedef struct torc_semiring {
    torc_monoid add;
    torc_multiply multiply;
    torc_type type;
    const torc_definition *definition; /* borrowed for the call; NULL where both are built-in */
    bool is_flipped;                   /* the user-defined multiply is called as multiply (y, x) */
} torc_semiring;

/* What kernels and callers need to know of a semiring, derived once. */
typedef struct torc_traits {
    bool is_supported;  /* the operators exist on this type; the other fields hold only then */
    bool reads_a;       /* multiply depends on A's value; otherwise A may be a pattern */
    bool reads_b;       /* multiply depends on B's value; otherwise B's data may be NULL */
    bool is_positional; /* multiply depends on i, k or j instead */
    bool is_exact;      /* the result does not depend on the order of the terms, but for the sign of a zero */
    torc_type x_type;   /* what A's values are cast to */
    torc_type y_type;   /* what B's values are cast to */
    torc_type z_type;   /* of multiply's results, and of C */
} torc_traits;

/** The traits of a semiring. is_supported is false for enumerators that do not exist, too. Any thread. */
TORC_API torc_traits torc_semiring_traits(torc_semiring semiring);

/** The semiring with multiply's arguments exchanged, so that (A ⊕.⊗ B)ᵀ = Bᵀ ⊕.⊗' Aᵀ. Any thread. */
TORC_API torc_semiring torc_semiring_transpose(torc_semiring semiring);

/** z = multiply (a, b) of two values, as products compute it: `a` and `b` are of the built-in types a_type
 * and b_type, and are cast to multiply's; z is of the traits' z_type and is written to alone. What multiply
 * does not read may be NULL. Any thread.
 *  @retval TORC_UNSUPPORTED  a user-defined operator, a positional multiply, one that does not exist on the
 *                            type, or a value that it reads and that is NULL or of another type.
 *  On error z is unchanged. */
TORC_API torc_status torc_multiply_values(
    void *z, torc_semiring semiring, const void *a, torc_type a_type, const void *b, torc_type b_type);

/** Names such as "plus" and "fp32", static strings: "user" for what is user-defined, "unknown" for a value
 * that is no enumerator. Any thread. */
TORC_API const char *torc_type_name(torc_type type);
TORC_API const char *torc_monoid_name(torc_monoid add);
TORC_API const char *torc_multiply_name(torc_multiply multiply);

/** Bytes of one value, opaque or not; 0 for a value that is not a torc_type. Any thread. */
TORC_API size_t torc_type_size(torc_type type);

/** Cast one value between built-in types as GraphBLAS casts: to bool x ≠ 0; floating point to integer
 * truncates and saturates, NaN becomes 0; integer to integer wraps; complex to another type takes the real
 * part, to bool either. to and from may not overlap. Any thread. */
TORC_API void torc_cast(void *to, torc_type to_type, const void *from, torc_type from_type);

/** Can a value of one type be cast to another? Between built-in types always, an opaque one only to itself,
 * and what is no type not at all. Any thread. */
TORC_API bool torc_can_cast(torc_type to, torc_type from);

/* ---- Context ------------------------------------------------------------------------------------------ */

typedef struct torc_context torc_context;

typedef enum torc_backend_choice {
    TORC_BACKEND_AUTO,      /* the GPU; TORC_NO_DEVICE where there is none */
    TORC_BACKEND_CUDA,      /* the same, by name */
    TORC_BACKEND_REFERENCE, /* plain C on the host, for testing */
    TORC_BACKEND_OFF,       /* none: TORC_NO_DEVICE */
} torc_backend_choice;

/* How exact sums of floating-point products have to be. What each promises is in docs/precision.md. */
typedef enum torc_precision {
    TORC_PRECISION_EXACT, /* each product and each sum rounded by itself */
    TORC_PRECISION_FP32, /* tensor cores, where they are faster: fp32 by three products of TF32, fp64 by fused
                            multiply-adds */
    TORC_PRECISION_TF32, /* tensor cores, where they are faster: fp32 by one product of TF32 */
} torc_precision;

/* What torc_context_create is asked for. It reads the strings and keeps none: they are the caller's. */
typedef struct torc_options {
    torc_backend_choice backend;
    int device;            /* CUDA ordinal */
    const char *devices;   /* several as one, which share out columns and the bus: "all", or at most 16
                              ordinals, as in "0,1". NULL: one, `device` */
    size_t memory_limit;   /* bytes that the context may hold on its device, or on each of several; 0: no
                              limit */
    const char *cache_dir; /* folder of compiled kernels; NULL: $XDG_CACHE_HOME/torc or ~/.cache/torc */
    const char *kernel;    /* which kernel multiplies, where it can: a name as `torc explain` prints, but for
                              those compiled in, or "yang" or "huang", the rules of those papers. NULL, and a
                              name that no kernel has: the one that is predicted to be fastest */
    torc_precision precision;
} torc_options;

#define TORC_OPTIONS_INIT                                                                                    \
    {                                                                                                        \
        TORC_BACKEND_AUTO, 0, NULL, 0, NULL, NULL, TORC_PRECISION_EXACT                                      \
    }

/** Options as the environment asks: TORC_BACKEND=auto|cuda|reference|off, TORC_DEVICE, TORC_DEVICES,
 * TORC_MEMORY_LIMIT (bytes, or with a suffix K, M or G), TORC_CACHE_DIR, TORC_KERNEL,
 * TORC_PRECISION=exact|fp32|tf32. What is unset or not understood keeps its default; the latter is said on
 * standard error, once for each variable. A program that runs with rights that its user has not gets the
 * defaults. cache_dir, kernel and devices point into the environment: they are valid until it is changed.
 * options may not be NULL. Any thread, as getenv. */
TORC_API void torc_options_from_environment(torc_options *options);

typedef struct torc_device_info {
    char backend[16];        /* "cuda" or "reference" */
    char name[128];          /* as the driver gives it */
    int compute_capability;  /* 90 for 9.0; 0 for the reference */
    int multiprocessors;     /* 1 for the reference */
    size_t memory_total;     /* bytes of the device */
    size_t memory_available; /* bytes that an allocation may ask for now, the limit counted in */
    size_t l2_bytes;         /* 0 for the reference */
    int compiler_version;    /* of the run-time compiler, 1300 for 13.0; 0 where there is none */
    char cache_dir[512];     /* folder of compiled kernels; empty where there is none */
    /* 0 where the driver does not say, and for the reference: */
    int multiprocessor_threads;                 /* that a multiprocessor holds */
    size_t block_shared, multiprocessor_shared; /* bytes of shared memory that each can have */
    double clock;                               /* cycles per second of a multiprocessor, at most */
    double bandwidth;                           /* bytes per second of the device's memory, at most */
} torc_device_info;

/** Open a device. options may be NULL: all defaults. The context owns streams and workspace. Any thread, also
 *  several at once.
 *  @retval TORC_NO_DEVICE      built without CUDA, no driver, or no such device.
 *  @retval TORC_NO_COMPILER    the device is there, and neither libnvrtc nor installed kernels.
 *  @retval TORC_INVALID_VALUE  no such backend or precision, or `devices` is no list of at most 16.
 *  @retval TORC_OUT_OF_MEMORY  of the host or the device.
 *  On error *context is NULL, and there is no text of what went wrong: torc_context_error needs a context.
 *
 *  Takes about 0.3 s on a GPU, the first time in a process, and 64 MiB of pinned host memory, through which
 *  copies of other host memory pass. */
TORC_API torc_status torc_context_create(torc_context **context, const torc_options *options);

/** Wait for the work queued on the context, then close it. NULL is allowed. All that was made on the context
 *  must have been destroyed before. */
TORC_API void torc_context_destroy(torc_context *context);

/** Wait for all work that is queued on the context.
 *  @retval TORC_DEVICE_ERROR  some of it failed: what was computed since the last wait that succeeded is
 *                             undefined. */
TORC_API torc_status torc_context_wait(torc_context *context);

/** Tell what is known of the device. memory_available is of now, the rest of when the device was opened. Of
 * several devices: the least memory_available, and the facts of the first; name has their number. Does not
 * wait. On error *info is undefined. */
TORC_API torc_status torc_context_info(torc_device_info *info, torc_context *context);

/** Say whether kernels that are lacking are deferred. If not, as at first, a function whose kernel has to be
 *  compiled waits for that, some tenths of a second. If so, it fails with TORC_NOT_COMPILED, before C is
 *  touched, until torc_context_compile has been called. Operations of elementwise.h do the same. */
TORC_API void torc_context_defer_kernels(torc_context *context, bool defers);

/** Compile the deferred kernel and keep it for the call that needs it. If this fails, a product takes another
 * kernel where it can; else the call fails with the same status. If several kernels were deferred, only the
 * first is compiled, and calls that need the others ask for theirs again. Does nothing where none was
 * deferred. Any thread, while another uses the context; one thread at a time.
 *  @retval TORC_COMPILE_ERROR   the call that needs the kernel leaves the compiler's text.
 *  @retval TORC_OUT_OF_MEMORY   no memory, or no thread for the compiler. */
TORC_API torc_status torc_context_compile(torc_context *context);

/** What went wrong last on this context, in one line: which argument is wrong and why, or what the device or
 *  the compiler says. "" if nothing did yet, and for NULL. A call that succeeds, or fails since host memory
 * is short, may leave an older text. The string is the context's, valid until the next call on it. */
TORC_API const char *torc_context_error(torc_context *context);

/** Set what torc_context_error says from now on, for libraries on this one: a copy of `text`, cut after 159
 * characters. Returns `status`. context NULL: nobody is told. */
TORC_API torc_status torc_context_explain(torc_context *context, torc_status status, const char *text);

/* ---- Device memory ------------------------------------------------------------------------------------ */

/** Allocate device memory for dense operands, 256-byte aligned, its content undefined; size 0 gives NULL.
 *  torc_memory_release on the same context releases it, NULL allowed, before the context is destroyed. Queued
 *  work that uses it is done first. Both functions may wait for queued work.
 *
 *  On a context of one device arrays from cudaMalloc on that device serve as well. Work of the context goes
 * to streams of its own, which wait for no other stream: wait for yours before a call that reads or writes
 * the array, and call torc_context_wait before you use it. Several devices take no others' arrays:
 * TORC_INVALID_VALUE.
 *  @retval TORC_OUT_OF_MEMORY  the device or the context's limit; *memory is NULL. */
TORC_API torc_status torc_memory_allocate(void **memory, torc_context *context, size_t size);
TORC_API void torc_memory_release(torc_context *context, void *memory);

/** Copy between host and device, in order with other work on the context. On return the host memory may be
 *  reused (upload), or holds the data (download), which waits for the work queued before. size 0 does
 * nothing, and pointers may be NULL.
 *  @retval TORC_OUT_OF_MEMORY  of the host, for staging: what was to be written is undefined.
 *  @retval TORC_DEVICE_ERROR   also of work that was queued before: what was to be written is undefined. */
TORC_API torc_status torc_memory_upload(torc_context *context, void *device, const void *host, size_t size);
TORC_API torc_status torc_memory_download(torc_context *context, void *host, const void *device, size_t size);

/** Copy `count` elements of `size` bytes between host memory, where they lie one after another, and places in
 *  device memory that begin `offsets` bytes after `device`, in order with other work; all at once, which
 * takes about as long as to copy one. On return the host memory holds them (gather), or may be reused
 * (scatter). Places that are written to do not overlap. count or size 0 does nothing, and pointers may be
 * NULL.
 *  @param[in] offsets  host memory, `count` of them, in bytes; may be reused on return.
 *  @retval TORC_INVALID_VALUE  count · size is more than a size_t counts.
 *  @retval TORC_OUT_OF_MEMORY, TORC_DEVICE_ERROR  what was to be written is undefined. */
TORC_API torc_status torc_memory_gather(torc_context *context, void *host, const void *device,
    const uint64_t *offsets, size_t count, size_t size);
TORC_API torc_status torc_memory_scatter(torc_context *context, void *device, const void *host,
    const uint64_t *offsets, size_t count, size_t size);

/** Page-lock `size` bytes of host memory, so that copies between it and the device need no staging. It must
 *  stay mapped until it is unpinned, before the context is destroyed. Pinning takes some 25 ms a GiB of
 *  memory that was touched, ten times that of memory that was not: it pays for what travels again and again.
 *  size 0 does nothing. Any thread, while another uses the context, if host is not NULL.
 *  @retval TORC_OUT_OF_MEMORY, TORC_DEVICE_ERROR  not pinned, as where some of it is pinned already. There is
 *                                                 no text of it. */
TORC_API torc_status torc_memory_pin(torc_context *context, void *host, size_t size);

/** Undo torc_memory_pin of the same memory and size; no copy of it may be under way. NULL is allowed. Any
 *  thread, while another uses the context. */
TORC_API void torc_memory_unpin(torc_context *context, void *host, size_t size);

/* ---- Sparse operand ----------------------------------------------------------------------------------- */

typedef struct torc_sparse torc_sparse;

/* A CSR matrix in host memory, borrowed for the call: nothing points to it afterwards. Row i holds
 * col_idx[row_ptr[i] .. row_ptr[i+1]-1], row_ptr[0] = 0, in any order within the row, no column twice. */
typedef struct torc_csr {
    int64_t nrows, ncols;
    const void *row_ptr; /* nrows+1 integers */
    const void *col_idx; /* nnz = row_ptr[nrows] integers in [0, ncols) */
    const void *values;  /* nnz values of `type`; one if iso; NULL: a pattern without values, or nnz is 0 */
    int row_ptr_bits;    /* 32 or 64: the width of each integer, unsigned or non-negative */
    int col_idx_bits;
    torc_type type;
    bool iso;                 /* all values equal; values holds that one */
    const int64_t *row_names; /* nrows: the i that positional operators see, not the k that they see where A
                                 is transposed; NULL: row i is i */
} torc_csr;

/* Of the rows and columns of a sparse matrix. The footprints are 0 where nnz is 0. */
typedef struct torc_statistics {
    int64_t nrows, ncols, nnz;
    int64_t empty_rows;
    int64_t max_row;                /* entries of the longest row */
    double mean_row, deviation_row; /* mean and standard deviation of entries a row */
    /* How many different columns 4096, and 65536, consecutive entries name, an entry: the mean of 64 windows.
     * 1: no two alike. (The footprint of Xiang, Bao, Ding, Gao, HOTL: a higher order theory of locality,
     * ASPLOS 2013.) */
    double near_footprint, far_footprint;
    /* How many different groups of 8 adjacent columns 32 consecutive entries name, an entry. */
    double sector_footprint;
    /* How many different columns as many consecutive entries name as 8 rows have in the mean, 4096 at most,
     * an entry. Its inverse is about how full the columns of 8x8 bricks are. */
    double brick_footprint;
    /* The same of 16 rows, 8192 entries at most. */
    double tall_brick_footprint;
} torc_statistics;

/** Put a CSR matrix on the device. Its arrays are copied: they may be changed or freed on return. 64-bit
 * column indices are narrowed to 32 bits on the way. The contents are trusted, not checked: torc_csr_check
 * does that. Waits for the device, which measures the rows. The caller destroys A, before the context.
 *
 *  Of several devices each has all of A. Where A takes more than half of a device, each has some of its rows
 *  instead. Such an A has no transpose and no other order of rows, is not tuned, and is not multiplied by
 * firsti or firsti1: all of that gives TORC_OUT_OF_MEMORY.
 *  @retval TORC_UNSUPPORTED    more than 2^32-1 rows or columns.
 *  @retval TORC_INVALID_VALUE  a negative dimension or number of entries, a width other than 32 or 64, a type
 *                              out of range.
 *  @retval TORC_OUT_OF_MEMORY  of the host or the device; of several devices not even some rows fit.
 *  On error *A is NULL. */
TORC_API torc_status torc_sparse_create(torc_sparse **A, torc_context *context, const torc_csr *csr);

/** Check a CSR matrix with its content, which other functions trust: offsets begin with 0 and never fall,
 * columns are within [0, ncols). Reads both arrays once. Whether a row has a column twice is not looked for.
 *  @param[out] message  what is wrong, in one line, cut to `size` bytes with its end; "" where nothing is.
 * NULL: not wanted.
 *  @param[in]  csr      host memory.
 *  @retval TORC_SUCCESS        torc_sparse_create and the products take it.
 *  @retval TORC_NULL_POINTER, TORC_INVALID_VALUE, TORC_UNSUPPORTED  as torc_sparse_create, or the content.
 *  Any thread. */
TORC_API torc_status torc_csr_check(char *message, size_t size, const torc_csr *csr);

/** Destroy A with all that was made of it. NULL is allowed. Queued work that reads A is still done with what
 * A held. May wait for queued work. */
TORC_API void torc_sparse_destroy(torc_sparse *A);

/** Bytes that the arrays of A, not NULL, take on its device: offsets, columns and values; not its transpose,
 * nor what products plan. Of several devices that have some rows each: on the one that has the most. Any
 * thread, while another uses the context. */
TORC_API size_t torc_sparse_bytes(const torc_sparse *A);

/** Give the statistics of A, or of Aᵀ. Those of A are known since it was created. The transpose is formed on
 *  the device the first time it is asked for, here or by another function, which waits; A keeps it.
 *  @retval TORC_UNSUPPORTED                       the transpose of 2^32 entries or more.
 *  @retval TORC_OUT_OF_MEMORY, TORC_DEVICE_ERROR  there is no transpose; not for A itself.
 *  On error *statistics is unchanged. */
TORC_API torc_status torc_sparse_statistics(torc_statistics *statistics, torc_sparse *A, bool transpose);

/** Tell which rows have entries: present[i] = 1 if row i of A (or of Aᵀ) has one, else 0. Host memory, one
 * byte a row. The first call asks the device, for Aᵀ after it was formed, and waits; A keeps the answer in
 * host memory.
 *  @retval TORC_UNSUPPORTED                       as torc_sparse_statistics.
 *  @retval TORC_OUT_OF_MEMORY, TORC_DEVICE_ERROR  likewise, and also for A itself.
 *  On error present is unchanged. */
TORC_API torc_status torc_sparse_row_presence(uint8_t *present, torc_sparse *A, bool transpose);

/* What torc_sparse_reorder did. Bricks are the blocks of 8 rows and 8 columns that hold all entries, the
 * columns that 8 adjacent rows name being put side by side: fewer of them have more in common. */
typedef struct torc_reordering {
    double seconds;
    int64_t bricks_before, bricks_after;
} torc_reordering;

/** Have products compute the rows of op(A) in an order in which neighbours name the same columns. What they
 * compute stays the same: C's rows are where they were. Its use is that neighbours share rows of B in caches,
 * in shared memory and in tensor cores, so that products may take less time. Where no order has fewer bricks,
 * rows stay as they are. It takes some 0.3 us an entry, shared by all processors; `torc tune` says how many
 * products pay for that, if they do.
 *  @param[out] reordering  NULL: not wanted. All zeros on error, and where A has no entries.
 *  @param[in]  A           keeps the order, and its entries once more in that order, until it is destroyed.
 * Where it was asked for that `transpose` before, nothing is done and *reordering is as before.
 *  @param[in]  transpose   reorder the rows of Aᵀ, for products with that; the rows of A stay as they are.
 *  @retval TORC_UNSUPPORTED    op(A) is not square, and has 2^32 rows and columns or more; or the transpose
 * of 2^32 entries or more.
 *  @retval TORC_OUT_OF_MEMORY  of the host or the device.
 *  On error A keeps its order; its transpose may have been formed.
 *
 *  Structure alone decides. The same A has the same order, so products the same bits, on each run. With the
 * order they may be rounded otherwise than without: cuts of A by entries fall elsewhere, or another kernel is
 * chosen. Waits for the device; its loops are shared as torc_threads_limit says.
 *
 *  Zhao et al., Acc-SpMM: Accelerating General-purpose Sparse Matrix-Matrix Multiplication with GPU Tensor
 * Cores (PPoPP 2025), section 3.2. */
TORC_API torc_status torc_sparse_reorder(torc_reordering *reordering, torc_sparse *A, bool transpose);

/* ---- Multiplication ----------------------------------------------------------------------------------- */

typedef enum torc_order { TORC_ROW_MAJOR, TORC_COL_MAJOR } torc_order;

/* A dense matrix in device memory. Element (i,j) is at data[i·ld + j] row-major, data[i + j·ld] column-major;
 * data is aligned to the largest power of two, 16 at most, that divides the size of a value. With a bitmap,
 * laid out as data, elements may be absent: those of B make no term. With 0 rows or columns data may be NULL,
 * and so may a bitmap, and the mask of an update, that are there otherwise. */
typedef struct torc_dense {
    int64_t nrows, ncols;
    int64_t ld; /* in elements; ≥ ncols row-major, ≥ nrows column-major */
    torc_order order;
    torc_type type;
    bool iso; /* all elements equal: data holds one value, ld counts for the bitmap only. Operands only */
    void *data;
    uint8_t *bitmap; /* one byte an element: 1 present, 0 absent; NULL: all are present */
} torc_dense;

/* How T = op(A) ⊕.⊗ B goes into C: C⟨mask⟩ = accum (C, T). Where the mask allows it, an element of C becomes
 *     accum (C, T)     where both are present, and there is an accum
 *     the one of them  where one is present, and there is an accum
 *     T                without accum: absent where T is
 * Elsewhere it stays, or with replace is deleted. A C without bitmap cannot lose elements: where T without
 * accum has none it receives the identity of add (0 for any), and it takes no mask with replace. */
typedef struct torc_update {
    const uint8_t *mask; /* device memory, one byte an element laid out as C, nonzero: C may change; NULL:
                            everywhere */
    bool complement;     /* zero: C may change. Needs a mask */
    bool replace;        /* delete what the mask excludes */
    bool has_accum;
    torc_multiply accum; /* on C's type and with results of it; not positional */
    const void *iso; /* device memory: the one value that all elements of C have before; C's data is then only
                        written. NULL: C's data has them */
} torc_update;

/** Multiply: C = op(A) ⊕.⊗ B, or C⟨mask⟩ = accum (C, op(A) ⊕.⊗ B).
 *  @param[in,out] C   m×n, device memory, of the semiring's z_type, not iso. Old values and bitmap are read
 * only where the update says so: with an accum, or with a mask and without replace. The value of an absent
 * element is undefined. May not overlap B or the mask.
 *  @param[in]  A   lives on the context the work is queued on; must have values if the semiring reads them.
 *  @param[in]  B   k×n, device memory, any type; data may be NULL if the semiring does not read it.
 *  @param[in]  update  NULL: C = T, all of C is overwritten.
 *  @retval TORC_DIMENSION_MISMATCH  op(A), B and C do not fit.
 *  @retval TORC_INVALID_VALUE       an ld is too small, or too large for any memory, an order is neither of
 *                                   the two, C is iso or of another type, values are missing, or of a type
 *                                   that cannot be cast, a complement without mask, a mask with replace and
 *                                   a C without bitmap.
 *  @retval TORC_UNSUPPORTED         the operators do not exist on that type, the executor lacks the source
 * (or the functions) of user-defined ones, or A has 2^32 entries or more and is to be transposed.
 *  @retval TORC_OUT_OF_MEMORY       workspace, or A's transpose. C is unchanged if the update reads its old
 *                                   content, else undefined.
 *  @retval TORC_COMPILE_ERROR       the kernel could not be compiled.
 *  @retval TORC_NO_COMPILER         the kernel is not installed, and libnvrtc neither.
 *  @retval TORC_NOT_COMPILED        see torc_context_defer_kernels.
 *  @retval TORC_DEVICE_ERROR        C is undefined.
 *  On all other errors C is unchanged.
 *
 *  Returns once queued; torc_context_wait waits. But a call that first needs the transpose, a plan or a
 * kernel waits until it is made. The structs have been read on return, and the caller may change them. The
 * device arrays of C, B and the update have to stay as they are until the work is done. The same inputs on
 * the same device give the same bits. What the mask excludes is not computed where it excludes all that a
 * group of threads owns: up to 128 adjacent elements of a row.
 *
 *  Where many rows of op(A) name the same columns and C is wide, the first product makes a plan of how they
 * share rows of B. It takes some milliseconds, and as much memory as A or more, and A keeps it. Where memory
 * is short the plan is dropped, none is made from then on, and sums may be rounded otherwise.
 *
 *  Kernels differ in how threads share A's entries; `torc explain` names them. A row split cuts rows longer
 * than 512 entries into segments, a nonzero split cuts all entries into slices of 128, and a second kernel
 * combines partial results in a fixed order: the carry-out fix-up of Yang, Buluç and Owens, Design Principles
 * for Sparse Matrix Multiplication on the GPU (Euro-Par 2018), sections 4.1 and 4.2, at a fixed granularity
 * and without atomics; with the vector loads of Huang et al., Efficient Sparse Matrix Kernels based on
 * Adaptive Workload-Balancing and Parallel-Reduction, "vector-type dense-row
 * loading". */
TORC_API torc_status torc_spmm(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update);

/* ---- Tuning ------------------------------------------------------------------------------------------- */

enum { TORC_TIMINGS = 16, TORC_TIMING_NAME = 48 };

/* A kernel that torc_sparse_tune timed. Seconds of one product; predicted is 0 if there is no prediction of
 * the kernel. */
typedef struct torc_timing {
    char kernel[TORC_TIMING_NAME]; /* as `torc explain` names it; constant/4x128: A is compiled in, 4 rows and
                                      128 columns a block; /dealt: rows that are not adjacent */
    double predicted, measured;
} torc_timing;

typedef struct torc_tuning {
    int count;    /* of timings; the first is that of what selection takes by itself */
    int chosen;   /* which of them is the fastest */
    int compiled; /* kernels with A in their text that were compiled, or found on disk */
    torc_timing timings[TORC_TIMINGS];
} torc_tuning;

/** Find the fastest kernel for one product by timing it: torc_spmm (C, semiring, A, transpose, B, NULL) with
 * B of `ncols` columns and of the semiring's type, both row-major without gaps and aligned to 128 bytes. Such
 * a product is computed so from then on, unless the kernel needs a plan of A that is released where memory is
 * short; others as before.
 *
 *  Timed are the kernels that are predicted to be the fastest, and those that need a plan of A, if it has
 * 131072 entries or more. Where A has at most 32768 entries, and one for 16 rows, all finite, of fp32 or
 * fp64, the semiring is built-in on that type and reads both operands, kernels with A's structure and values
 * compiled into them are timed too: schedules are enumerated, pruned and ranked without compiling (`torc
 * explain` shows them), and the best few that are predicted to gain are compiled, which takes some half a
 * millisecond an entry, once: machine code is kept on disk by the content of A.
 *
 *  @param[out] tuning      what was timed. NULL: not wanted; then what was found before for the same content
 * of A, by this process or another of the user's, is taken without timing. It is kept beside the compiled
 * kernels, of matrices of at most 4,194,304 entries.
 *  @param[in]  A           keeps the choice, and a compiled kernel, until it is destroyed: of the last eight
 * products that were tuned. It must have values if the semiring reads them.
 *  @param[in]  semiring    built-in, not on booleans, whose products are packed.
 *  @retval TORC_INVALID_VALUE  ncols < 1 or > 2^31-1, or values are missing or cannot be cast, or B or C has
 *                              more bytes than an int64_t counts.
 *  @retval TORC_UNSUPPORTED    the semiring is another one; the context's options name a kernel; or
 *                              it is on the reference executor, where there is nothing to tune.
 *  @retval TORC_OUT_OF_MEMORY  for B and C, which are allocated for the time of the call.
 *  @retval TORC_NO_COMPILER    no kernel could be had.
 *  @retval TORC_NOT_COMPILED   see torc_context_defer_kernels.
 *  On error *tuning has what was timed until then, and products take the kernels that they took before. Plans
 * of A may have been dropped, as torc_spmm drops them.
 *
 *  Waits for the device, and takes it for itself meanwhile; time it alone on the machine. Results of products
 * that were tuned may be rounded otherwise than before: each keeps its bits from then on, but another run of
 * this function may choose another kernel.
 *
 *  Lin et al., LO-SpMM: Low-cost Search for High-performance SpMM Kernels on GPUs, section 3, with an
 * analytic cost in the place of its learned ranking (section 3.5). */
TORC_API torc_status torc_sparse_tune(
    torc_tuning *tuning, torc_sparse *A, torc_semiring semiring, bool transpose, int64_t ncols);

/* ---- Multiplication in host memory -------------------------------------------------------------------- */

/* For dense operands that live in host memory and need not fit the device. Columns travel in panels: one is
 * sent, one multiplied and one fetched at the same time where the host memory is pinned; other memory is
 * copied through pinned chunks by all processors. Where the context lacks memory panels become narrower, down
 * to one column. */

/* Device arrays of the caller's for a whole operand, laid out as it is in host memory: same order, same ld. A
 * bitmap if and only if the operand has one. */
typedef struct torc_device_copy {
    void *data; /* NULL: none, panels pass through buffers of the context. For an iso operand NULL */
    uint8_t *bitmap;
    bool is_filled; /* they hold the operand's content before the call, which is not sent then */
} torc_device_copy;

/* What torc_spmm_host may be told besides; all zero: nothing. */
typedef struct torc_host_options {
    const torc_dense *old;   /* C before the call, laid out as C, of which data and bitmap (NULL: all present)
                                are looked at; NULL: it is where C goes */
    torc_device_copy b_copy; /* holds B after the call, if it did not before: of data that multiply does not
                                read, or where C has no elements, nothing */
    torc_device_copy c_copy; /* holds C after the call; filled before: the old C, as `old` says */
    bool leaves_empty_rows;  /* rows of C for which op(A) has no entries may stay as they are: they are the
                                caller's to fill, or nobody's */
    void (*meanwhile)(void *argument); /* NULL, or called once, by the calling thread, while data travels. It
                                          must not use the context. Not called where the call fails early, or
                                          C has no elements. */
    void *argument;
} torc_host_options;

/** Multiply in host memory: torc_spmm with the data and bitmaps of C and B, the mask and the iso value of the
 *  update in host memory.
 *  @param[in,out] C   undefined on error; but unchanged on TORC_OUT_OF_MEMORY, and where an argument is
 * wrong.
 *  @param[in]  options  NULL: none. On error copies that were not filled hold nothing, and c_copy in no case.
 *  @retval  as torc_spmm.
 *  @retval TORC_NULL_POINTER   also old content that the update asks for and `old` lacks.
 *  @retval TORC_INVALID_VALUE  also a copy that has other arrays than its operand.
 *  @retval TORC_OUT_OF_MEMORY  not even single columns fit beside A, or A's transpose does not fit.
 *  @retval TORC_DEVICE_ERROR   also memory that ran out half-way.
 *  Returns when C is in host memory, and on error when no more of it is read or written: nothing is kept of
 * the arguments. Panels are cut by shapes, types and entries alone: the same bits whatever is pinned and
 * whatever has a copy. Only where memory is short they differ, and so may the rounding of sums. */
TORC_API torc_status torc_spmm_host(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update, const torc_host_options *options);

/** Multiply with A in host memory too, C = A ⊕.⊗ B or C⟨mask⟩ = accum (C, A ⊕.⊗ B): for an A that does not
 * fit the device beside panels. Blocks of its rows go there one after another, as large as memory allows, and
 * B's panels pass by for each. Returns when C is in host memory; nothing is kept of the arguments.
 *  @param[in,out] C   undefined on error, but unchanged where an argument is wrong.
 *  @param[in]  old  as in torc_host_options; NULL: it is where C goes.
 *  @retval  as torc_sparse_create and torc_spmm_host.
 *  @retval TORC_OUT_OF_MEMORY  some row of A does not fit beside single columns. */
TORC_API torc_status torc_spmm_by_rows(const torc_dense *C, torc_semiring semiring, torc_context *context,
    const torc_csr *A, const torc_dense *B, const torc_update *update, const torc_dense *old);

/* ---- Host threads ------------------------------------------------------------------------------------- */

/* Long loops over host memory, as when copies are staged, are shared with threads of torc's own. One set of
 * them serves the process: as many as the largest loop so far was allowed, without signals, asleep between
 * loops. One loop at a time has them; another that comes meanwhile does without. A child of fork starts
 * without any, and makes its own. */

/** Limit the threads of loops that calls of this thread begin: at most so many, its own among them; 1: no
 * other. 0, as at first, or less: as many as it may use processors. Returns what the limit was. Each thread
 * has a limit of its own. */
TORC_API int torc_threads_limit(int threads);

/** Share out a loop: call body (argument, begin, end) for parts of the range from 0 to count - 1, each step
 * once, in any thread and order. Steps are begin .. end-1.
 *  @param[in]  bytes  of memory that one step is about: less than 1 MiB in all is the caller's alone.
 *  Returns when all is done. Any thread. */
TORC_API void torc_threads_loop(
    int64_t count, size_t bytes, void (*body)(void *argument, int64_t begin, int64_t end), void *argument);

#ifdef __cplusplus
}
#endif

#endif
