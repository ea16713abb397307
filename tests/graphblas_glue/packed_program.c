/* packed_program.c: a plain GraphBLAS program that packs its operands: arrays of its own, and of GraphBLAS.
 * What it prints is the same with and without torc.
 *
 *     packed_program processor    it unpacks them, writes to them, frees them and makes others
 *     packed_program device       a device writes to them; ends with 77 where there is no io_uring
 *     packed_program again        two products of the same operands
 *     packed_program handed_out   the same, B unpacked and packed in between
 */
#include "require.h"
#include <GraphBLAS.h>
#include <linux/io_uring.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define OK(call) TORC_REQUIRE((call) == GrB_SUCCESS)

/* Each array of A and of B has more than 1 MiB. */
enum { ROWS = 140000, COLS = 4, EACH = 2, VALUES = ROWS * COLS };

/* ---- A device that writes to memory -------------------------------------------------------------------- */

/* Reads of io_uring into a buffer that was registered before go by the pages, not by the page tables, as a
 * device's do. */
typedef struct device {
    int ring, file;
    char *submissions, *completions;
    struct io_uring_sqe *entries;
    struct io_uring_params is;
} device;

static void *map_ring(const device *d, size_t size, off_t offset)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, d->ring, offset);
}

/* false: there is none here. */
static bool device_open(device *d, void *memory, size_t size)
{
    const struct iovec buffer = {memory, size};
    *d = (device){.file = memfd_create("values", MFD_CLOEXEC)};
    d->ring = (int)syscall(SYS_io_uring_setup, 1, &d->is);
    if (d->ring < 0 || d->file < 0 ||
        syscall(SYS_io_uring_register, d->ring, IORING_REGISTER_BUFFERS, &buffer, 1) != 0) {
        return false;
    }
    size_t room = d->is.sq_off.array + d->is.sq_entries * sizeof(unsigned);
    d->submissions = map_ring(d, room, IORING_OFF_SQ_RING);
    d->entries = map_ring(d, d->is.sq_entries * sizeof *d->entries, IORING_OFF_SQES);
    size_t completed = d->is.cq_off.cqes + d->is.cq_entries * sizeof(struct io_uring_cqe);
    d->completions = map_ring(d, completed, IORING_OFF_CQ_RING);
    return d->submissions != MAP_FAILED && (void *)d->entries != MAP_FAILED && d->completions != MAP_FAILED;
}

static void device_write(device *d, double *place, double value)
{
    unsigned *tail = (unsigned *)(void *)(d->submissions + d->is.sq_off.tail);
    unsigned *mask = (unsigned *)(void *)(d->submissions + d->is.sq_off.ring_mask);
    unsigned *array = (unsigned *)(void *)(d->submissions + d->is.sq_off.array);
    unsigned *completed = (unsigned *)(void *)(d->completions + d->is.cq_off.head);
    TORC_REQUIRE(pwrite(d->file, &value, sizeof value, 0) == sizeof value);
    d->entries[0] = (struct io_uring_sqe){.opcode = IORING_OP_READ_FIXED,
        .fd = d->file,
        .addr = (uint64_t)(uintptr_t)place,
        .len = sizeof value};
    array[*tail & *mask] = 0;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    TORC_REQUIRE(syscall(SYS_io_uring_enter, d->ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
    __atomic_store_n(completed, *completed + 1, __ATOMIC_RELEASE);
    TORC_REQUIRE(*(volatile double *)place == value);
}

/* ---- Operands ------------------------------------------------------------------------------------------ */

static double *new_values(size_t count, int seed)
{
    double *values = malloc(count * sizeof *values);
    TORC_REQUIRE(values);
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)((i * 7 + (size_t)seed) % 11);
    }
    return values;
}

/* Two entries a row. */
static void pack_sparse(GrB_Matrix A, double *values)
{
    GrB_Index *pointers = malloc((ROWS + 1) * sizeof *pointers);
    GrB_Index *indices = malloc((size_t)ROWS * EACH * sizeof *indices);
    void *x = values;
    TORC_REQUIRE(pointers && indices);
    for (GrB_Index i = 0; i <= ROWS; i++) {
        pointers[i] = EACH * i;
    }
    for (GrB_Index i = 0; i < ROWS; i++) {
        GrB_Index other = (i * 31 + 17) % ROWS, less = other < i ? other : i, more = other < i ? i : other;
        indices[EACH * i] = less;
        indices[EACH * i + 1] = more > less ? more : (less + 1) % ROWS;
    }
    OK(GxB_Matrix_pack_CSR(A, &pointers, &indices, &x, (ROWS + 1) * sizeof *pointers,
        (size_t)ROWS * EACH * sizeof *indices, (size_t)ROWS * EACH * sizeof *values, false, true, NULL));
}

static double *unpack_sparse_values(GrB_Matrix A, GrB_Index **pointers, GrB_Index **indices)
{
    GrB_Index p_size, i_size, x_size;
    bool is_iso, is_jumbled;
    void *x;
    OK(GxB_Matrix_unpack_CSR(
        A, pointers, indices, &x, &p_size, &i_size, &x_size, &is_iso, &is_jumbled, NULL));
    return x;
}

static void pack_dense(GrB_Matrix B, double *values)
{
    void *x = values;
    OK(GxB_Matrix_pack_FullR(B, &x, VALUES * sizeof *values, false, NULL));
}

static double *unpack_dense(GrB_Matrix B)
{
    GrB_Index size;
    bool is_iso;
    void *x;
    OK(GxB_Matrix_unpack_FullR(B, &x, &size, &is_iso, NULL));
    return x;
}

static GrB_Matrix new_matrix(GrB_Index ncols)
{
    GrB_Matrix matrix;
    OK(GrB_Matrix_new(&matrix, GrB_FP64, ROWS, ncols));
    return matrix;
}

static GrB_Matrix A, B;

static void multiply(const char *what)
{
    GrB_Matrix C = new_matrix(COLS);
    double sum = 0;
    OK(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL));
    OK(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, C, NULL));
    printf("%s: %.17g\n", what, sum);
    OK(GrB_Matrix_free(&C));
}

/* ---- What the processor does with them ----------------------------------------------------------------- */

/* The first, one in the middle, and the last. */
static void write_in_place(void)
{
    const size_t places[] = {0, VALUES / 2, VALUES - 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        double *values = unpack_dense(B);
        values[places[i]] += 1000;
        pack_dense(B, values);
        multiply("written by the processor");
    }
}

/* The next arrays often lie where the last ones did. */
static void free_and_make_others(void)
{
    for (int seed = 2; seed < 6; seed++) {
        OK(GrB_Matrix_free(&B));
        B = new_matrix(COLS);
        pack_dense(B, new_values(VALUES, seed));
        multiply("others of the same size");
    }
}

static void change_sparse(void)
{
    GrB_Index *pointers, *indices;
    double *values = unpack_sparse_values(A, &pointers, &indices);
    values[ROWS] = 999;
    void *x = values;
    OK(GxB_Matrix_pack_CSR(A, &pointers, &indices, &x, (ROWS + 1) * sizeof *pointers,
        (size_t)ROWS * EACH * sizeof *indices, (size_t)ROWS * EACH * sizeof *values, false, true, NULL));
    multiply("another value of A");
}

/* An array that was unpacked may grow where it is, or move. */
static void grow(void)
{
    const size_t size = sizeof(double) * 2 * VALUES;
    double *values = realloc(unpack_dense(B), size);
    TORC_REQUIRE(values);
    values[1] = -7;
    void *x = values;
    OK(GxB_Matrix_pack_FullR(B, &x, size, false, NULL));
    multiply("grown");
}

static void write_by_processor(void)
{
    write_in_place();
    change_sparse();
    free_and_make_others();
    grow();
}

/* ---- What a device does with them ---------------------------------------------------------------------- */

/* From here on the device has the pages of B's values. Programs end here where there is none. */
static void open_for_values(device *d)
{
    enum { SKIPPED = 77 };
    double *values = unpack_dense(B);
    if (!device_open(d, values, VALUES * sizeof *values)) {
        fprintf(stderr, "packed_program: no io_uring here\n");
        exit(SKIPPED);
    }
    pack_dense(B, values);
    multiply("a device has the pages of B");
}

static void write_while_unpacked(device *d)
{
    double *values = unpack_dense(B);
    device_write(d, values + VALUES / 2, 12345);
    pack_dense(B, values);
    multiply("written while it was unpacked");
}

/* libc mostly gives the same pages again, with the same content but for what it has written to the first
 * ones. A sanitizer gives others, which the device does not have: there the processor writes. */
static void write_after_free(device *d)
{
    enum { LIBCS = 8 };
    const size_t size = VALUES * sizeof(double);
    double *values = unpack_dense(B), *copy = malloc(size);
    TORC_REQUIRE(copy);
    memcpy(copy, values, size);
    pack_dense(B, values);
    multiply("packed once more");
    OK(GrB_Matrix_free(&B));
    double *next = malloc(size);
    TORC_REQUIRE(next);
    bool is_same = next == values;
    memcpy(next, copy, is_same ? LIBCS * sizeof *next : size);
    if (is_same) {
        device_write(d, next + VALUES / 3, 54321);
    } else {
        next[VALUES / 3] = 54321;
    }
    fprintf(stderr, "the same pages after free: %s\n", is_same ? "yes" : "no");
    B = new_matrix(COLS);
    pack_dense(B, next);
    multiply("written after free");
    free(copy);
}

static void write_by_device(void)
{
    device of_program, of_graphblas;
    open_for_values(&of_program);
    write_while_unpacked(&of_program);
    write_after_free(&of_program);
    GrB_Matrix C = new_matrix(COLS);
    OK(GrB_Matrix_apply(C, NULL, NULL, GrB_AINV_FP64, B, NULL));
    OK(GrB_Matrix_free(&B));
    B = C;
    open_for_values(&of_graphblas);
    write_while_unpacked(&of_graphblas);
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    mallopt(M_MMAP_THRESHOLD, 1 << 30); /* libc keeps pages that are freed; a sanitizer has its own way */
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    OK(GrB_init(GrB_NONBLOCKING));
    A = new_matrix(ROWS);
    B = new_matrix(COLS);
    pack_sparse(A, new_values((size_t)ROWS * EACH, 1));
    pack_dense(B, new_values(VALUES, 1));
    multiply("packed");
    if (strcmp(part, "handed_out") == 0) {
        pack_dense(B, unpack_dense(B));
    }
    multiply("once more");
    if (strcmp(part, "processor") == 0) {
        write_by_processor();
    } else if (strcmp(part, "device") == 0) {
        write_by_device();
    }
    OK(GrB_Matrix_free(&A));
    OK(GrB_Matrix_free(&B));
    OK(GrB_finalize());
    return 0;
}
