/* away_program.c: a plain GraphBLAS program that looks at results in every way that a program has. Under torc
 * they are on the device when it does; it prints the same with and without.
 *
 *     away_program PART [blocking]
 */
#include "away_program.h"
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- Functions that look ------------------------------------------------------------------------------- */

static void iterate(void)
{
    GrB_Matrix C = away_matrix(true);
    GxB_Iterator iterator;
    TRY(GxB_Iterator_new(&iterator));
    TRY(GxB_rowIterator_attach(iterator, C, NULL));
    double sum = 0;
    for (GrB_Info info = GxB_rowIterator_seekRow(iterator, 0); info != GxB_EXHAUSTED;
         info = GxB_rowIterator_nextRow(iterator)) {
        for (; info == GrB_SUCCESS; info = GxB_rowIterator_nextCol(iterator)) {
            sum += GxB_Iterator_get_FP64(iterator) * (double)(1 + GxB_rowIterator_getColIndex(iterator));
        }
    }
    show_bytes(&sum, sizeof sum);
    TRY(GxB_Iterator_free(&iterator));
    TRY(GrB_Matrix_free(&C));
    show("iterator");
}

static void serialize(void)
{
    GrB_Matrix C = away_matrix(false), copy;
    void *blob = NULL;
    GrB_Index size;
    TRY(GxB_Matrix_serialize(&blob, &size, C, NULL));
    TRY(GxB_Matrix_deserialize(&copy, NULL, blob, size, NULL));
    show_matrix(copy);
    free(blob);
    TRY(GrB_Matrix_free(&copy));
    TRY(GrB_Matrix_free(&C));
    show("serialize");
}

static void print(void)
{
    GrB_Vector v = away_vector(false);
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    TRY(GxB_Vector_fprint(v, "v", GxB_SHORT, memory));
    fclose(memory);
    char *entries = strstr(text, "(0,0)");
    show_bytes(entries ? entries : text + length, entries ? strlen(entries) : 0);
    free(text);
    TRY(GrB_Vector_free(&v));
    show("fprint");
}

static void export_copies(void)
{
    GrB_Matrix C = away_matrix(false);
    GrB_Index p, i, x;
    TRY(GrB_Matrix_exportSize(&p, &i, &x, GrB_CSR_FORMAT, C));
    GrB_Index *pointers = malloc(p * sizeof *pointers), *indices = malloc(i * sizeof *indices);
    double *values = malloc(x * sizeof *values);
    TRY(GrB_Matrix_export_FP64(pointers, indices, values, &p, &i, &x, GrB_CSR_FORMAT, C));
    show_bytes(pointers, p * sizeof *pointers);
    show_bytes(indices, i * sizeof *indices);
    show_bytes(values, x * sizeof *values);
    free(pointers);
    free(indices);
    free(values);
    TRY(GrB_Matrix_free(&C));
    show("export of copies");
}

static void change_shape(void)
{
    GrB_Matrix C = away_matrix(true), copy, reshaped;
    TRY(GrB_Matrix_dup(&copy, C));
    TRY(GrB_Matrix_setElement_FP64(C, 77, 5, 1));
    show_matrix(copy);
    show_matrix(C);
    show("dup");
    TRY(GrB_Matrix_free(&C));
    C = away_matrix(false);
    TRY(GrB_Matrix_resize(C, ROWS / 2, COLS + 1));
    show_matrix(C);
    show("resize");
    TRY(GrB_Matrix_free(&C));
    C = away_matrix(true);
    TRY(GxB_Matrix_reshapeDup(&reshaped, C, false, ROWS / 2, COLS * 2, NULL));
    show_matrix(reshaped);
    TRY(GxB_Matrix_reshape(C, true, ROWS * 2, COLS / 2, NULL));
    show_matrix(C);
    show("reshape");
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Matrix_free(&copy));
    TRY(GrB_Matrix_free(&reshaped));
}

/* Arrays go from hand to hand, and their addresses serve again. */
static void swap_and_reuse(void)
{
    GrB_Matrix C = away_matrix(true), D = away_matrix(true), swapped = C;
    TRY(GrB_Matrix_setElement_FP64(D, -1, 0, 0));
    C = D;
    D = swapped;
    show_matrix(C);
    TRY(GrB_Matrix_free(&C));
    show_matrix(D);
    TRY(GrB_Matrix_free(&D));
    for (int i = 0; i < 8; i++) {
        C = away_matrix(i % 2);
        if (i % 4 == 3) {
            show_matrix(C);
        }
        TRY(GrB_Matrix_free(&C));
    }
    C = away_matrix(true);
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(C, NULL, GrB_PLUS_FP64, GrB_PLUS_FP64, C, C, NULL));
    TRY(GrB_transpose(C, NULL, GrB_PLUS_FP64, C, GrB_DESC_T0));
    show_matrix(C);
    TRY(GrB_Matrix_clear(C));
    show_matrix(C);
    TRY(GrB_Matrix_free(&C));
    show("swap, free and reuse");
}

static void look(void)
{
    iterate();
    serialize();
    print();
    export_copies();
    change_shape();
    swap_and_reuse();
}

/* ---- Threads and processes ----------------------------------------------------------------------------- */

enum { THREADS = 8 };
static GrB_Matrix shared;

static void *read_shared(void *sum)
{
    TRY(GrB_Matrix_reduce_FP64(sum, NULL, GrB_PLUS_MONOID_FP64, shared, NULL));
    double element, *total = sum;
    for (GrB_Index i = 0; i < 100; i++) {
        TRY(GrB_Matrix_extractElement_FP64(&element, shared, i * 1000, i % COLS));
        *total += element;
    }
    GrB_Matrix copy;
    TRY(GrB_Matrix_dup(&copy, shared));
    TRY(GrB_Matrix_reduce_FP64(&element, NULL, GrB_MAX_MONOID_FP64, copy, NULL));
    *total += element;
    TRY(GrB_Matrix_free(&copy));
    return NULL;
}

static void read_in_threads(void)
{
    for (int round = 0; round < 5; round++) {
        pthread_t threads[THREADS];
        double sums[THREADS];
        shared = away_matrix(true);
        for (int i = 0; i < THREADS; i++) {
            require(pthread_create(&threads[i], NULL, read_shared, &sums[i]) == 0, "a thread");
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
        }
        show_bytes(sums, sizeof sums);
        TRY(GrB_Matrix_free(&shared));
    }
    show("threads");
}

static void expect_good_end(pid_t child)
{
    int status;
    require(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child");
}

static void read_in_children(void)
{
    GrB_Matrix C = away_matrix(true);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        TRY(GxB_Global_Option_set(GxB_NTHREADS, 1)); /* libgomp's threads are the parent's */
        show_matrix(C);
        show("in the child of fork");
        fflush(stdout);
        _exit(0);
    }
    expect_good_end(child);
    show_matrix(C);
    show("after fork");
    TRY(GrB_Matrix_free(&C));

    C = away_matrix(true);
    child = vfork();
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    expect_good_end(child);
    char name[] = "true";
    char *arguments[] = {name, NULL};
    require(posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) == 0, "posix_spawn");
    expect_good_end(child);
    TRY(GrB_Matrix_wait(C, GrB_MATERIALIZE));
    require(away_is_any(), "none of these brings anything home");
    show_matrix(C);
    show("after vfork, spawn and wait");
    TRY(GrB_Matrix_free(&C));
}

static double sum_entries(GrB_Matrix C)
{
    GxB_Iterator iterator;
    double sum = 0;
    TRY(GxB_Iterator_new(&iterator));
    TRY(GxB_Matrix_Iterator_attach(iterator, C, NULL));
    GrB_Info info = GxB_Matrix_Iterator_seek(iterator, 0);
    for (; info == GrB_SUCCESS; info = GxB_Matrix_Iterator_next(iterator)) {
        sum += GxB_Iterator_get_FP64(iterator);
    }
    TRY(GxB_Iterator_free(&iterator));
    return sum;
}

/* Converting takes several threads, which a child has not: what was told to be sparse is, before. */
static void read_sparse_in_child(pid_t (*make_child)(void), const char *name)
{
    enum { PATIENCE = 60 /* seconds after which a child that hangs is ended */ };
    GrB_Matrix C = away_matrix(false);
    TRY(GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    require(away_is_any(), "it need not come home for that");
    fflush(stdout);
    pid_t child = make_child();
    if (child == 0) {
        alarm(PATIENCE);
        double sum = sum_entries(C);
        show_bytes(&sum, sizeof sum);
        show(name);
        fflush(stdout);
        _exit(0);
    }
    expect_good_end(child);
    show_matrix(C);
    show(name);
    TRY(GrB_Matrix_free(&C));
}

static void read_sparse_in_children(void)
{
    read_sparse_in_child(fork, "told to be sparse: fork");
    read_sparse_in_child(_Fork, "told to be sparse: _Fork");
}

/* ---- Memory and patience ------------------------------------------------------------------------------- */

/* With TORC_MEMORY_LIMIT for fewer: the oldest goes home. */
static void use_many(void)
{
    enum { MANY = 10 };
    GrB_Matrix all[MANY];
    for (int i = 0; i < MANY; i++) {
        all[i] = away_matrix(true);
    }
    require(away_count() < MANY * 3, "not all of them can stay"); /* 3 pages each */
    for (int i = MANY; i-- > 0;) {
        show_matrix(all[i]);
        TRY(GrB_Matrix_free(&all[i]));
    }
    show("many");
}

static long kilobytes_in_huge_pages(void)
{
    char line[256];
    long kilobytes = 0;
    FILE *lines = fopen("/proc/self/smaps_rollup", "r");
    while (lines && fgets(line, sizeof line, lines)) {
        sscanf(line, "AnonHugePages: %ld", &kilobytes);
    }
    if (lines) {
        fclose(lines);
    }
    return kilobytes;
}

/* What comes home takes no more memory than it has there: results far smaller than a huge page are in none.
 */
static void use_small(void)
{
    enum { SMALL = 64, SIZE = 1 << 14, MOST_KILOBYTES = SMALL << 9 };
    static GrB_Index index[SIZE];
    static double values[SIZE];
    GrB_Vector base, all[SMALL];
    void *home[SMALL] = {NULL};
    TRY(GrB_Vector_new(&base, GrB_FP64, SIZE));
    for (int i = 0; i < SIZE; i++) {
        index[i] = (GrB_Index)i;
        values[i] = i;
    }
    TRY(GrB_Vector_build_FP64(base, index, values, SIZE, GrB_PLUS_FP64));
    for (int i = 0; i < SMALL; i++) {
        TRY(GrB_Vector_new(&all[i], GrB_FP64, SIZE));
        TRY(GrB_Vector_apply_BinaryOp2nd_FP64(all[i], NULL, NULL, GrB_TIMES_FP64, base, i, NULL));
    }
    long before = kilobytes_in_huge_pages();
    for (int i = 0; i < SMALL; i++) {
        GrB_Index bytes;
        bool is_iso;
        TRY(GxB_Vector_unpack_Full(all[i], &home[i], &bytes, &is_iso, NULL));
        show_bytes(home[i], sizeof values);
    }
    require(kilobytes_in_huge_pages() - before < MOST_KILOBYTES, "small results are not in huge pages");
    for (int i = 0; i < SMALL; i++) {
        free(home[i]);
        TRY(GrB_Vector_free(&all[i]));
    }
    TRY(GrB_Vector_free(&base));
    show("small");
}

/* All elements of the result would take twice the machine's memory; it has twenty. */
static void use_wide(void)
{
    enum { ENTRIES = 20 };
    GrB_Index bytes = (GrB_Index)sysconf(_SC_PHYS_PAGES) * (GrB_Index)sysconf(_SC_PAGESIZE), count = ENTRIES;
    GrB_Index size = 2 * bytes / sizeof(double), index[ENTRIES];
    double values[ENTRIES];
    GrB_Matrix H;
    GrB_Vector v, w;
    TRY(GrB_Matrix_new(&H, GrB_FP64, size, size));
    for (GrB_Index i = 0; i < ENTRIES; i++) {
        TRY(GrB_Matrix_setElement_FP64(H, (double)i, i * 997, i * 77777));
    }
    TRY(GrB_Vector_new(&v, GrB_FP64, size));
    TRY(GrB_Vector_new(&w, GrB_FP64, size));
    TRY(GrB_Vector_assign_FP64(w, NULL, NULL, 3, GrB_ALL, size, NULL));
    TRY(GrB_vxm(v, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP64, w, H, NULL));
    TRY(GrB_Vector_extractTuples_FP64(index, values, &count, v));
    show_bytes(index, sizeof index);
    show_bytes(values, sizeof values);
    show("wide");
    TRY(GrB_Matrix_free(&H));
    TRY(GrB_Vector_free(&v));
    TRY(GrB_Vector_free(&w));
}

/* Results that are read at once soon come home by themselves. */
static void read_each(void)
{
    int stayed = 0;
    for (int i = 0; i < 12; i++) {
        GrB_Matrix C;
        TRY(GrB_Matrix_new(&C, GrB_FP64, ROWS, COLS));
        away_multiply(C);
        stayed += away_count() > 0;
        show_matrix(C);
        TRY(GrB_Matrix_free(&C));
    }
    require(stayed <= 4, "results that are read at once do not stay");
    show("each read at once");
}

/* C of one product is B of the next; the last one is read. */
static void chain(void)
{
    GrB_Matrix C = away_chain(10);
    show_matrix(C);
    TRY(GrB_Matrix_free(&C));
    show("chain");
}

/* ---- The end ------------------------------------------------------------------------------------------- */

static void end_with_content_away(void)
{
    away_matrix(true);
    show("end");
}

static void end_without_finalize(void)
{
    end_with_content_away();
    exit(0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"ways_out", away_ways_out}, {"addresses", away_short_of_addresses},
        {"mappings", away_short_of_mappings}, {"memory", away_short_of_memory}, {"controls", away_controls},
        {"shared", away_shared}, {"asked", away_asked}, {"shut_in", away_shut_in}, {"look", look},
        {"formats", away_formats}, {"threads", read_in_threads}, {"children", read_in_children},
        {"sparse_children", read_sparse_in_children}, {"many", use_many}, {"small", use_small},
        {"wide", use_wide}, {"each", read_each}, {"chain", chain}, {"finalize", end_with_content_away},
        {"exit", end_without_finalize}};
    bool is_blocking = argc > 2 && strcmp(argv[2], "blocking") == 0;
    TRY(GrB_init(is_blocking ? GrB_BLOCKING : GrB_NONBLOCKING));
    away_make_operands();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (argc > 1 && strcmp(argv[1], parts[i].name) == 0) {
            parts[i].run();
        }
    }
    TRY(GrB_finalize());
    require(away_count() == 0, "nothing is away after the end");
    return 0;
}
