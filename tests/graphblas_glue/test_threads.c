/* torc takes no more threads than GraphBLAS is allowed, and leaves none behind that a program could notice.
 */
#include "binding.h"
#include "glue_fixture.h"
#include "operations.h"
#include "require.h"
#include <dirent.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

/* On a GPU threads that opened it may end while others are counted: fewer than MANY. */
enum { SIZE = 300000, WIDTH = 8, MANY = 9 };

#define OK(call) cr_assert_eq((call), GrB_SUCCESS)

static GrB_Matrix A, B;

/* C has 19 MiB, which are written, and its structure read, by several threads where that is allowed. */
static void start(void)
{
    torc_trace_begin();
    OK(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free));
    OK(GxB_Global_Option_set(GxB_NTHREADS, 1));
    OK(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE));
    OK(GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    for (GrB_Index i = 0; i < SIZE; i += 2) {
        OK(GrB_Matrix_setElement_FP64(A, 1, i, (i * 7 + 3) % SIZE));
    }
    OK(GrB_Matrix_new(&B, GrB_FP64, SIZE, WIDTH));
    OK(GrB_Matrix_assign_FP64(B, NULL, NULL, 1, GrB_ALL, SIZE, GrB_ALL, WIDTH, NULL));
    OK(GrB_Matrix_setElement_FP64(B, 2, 0, 0)); /* not iso */
    OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
    OK(GrB_Matrix_wait(B, GrB_MATERIALIZE));
}

static void finish(void)
{
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    torc_glue_finish();
}

TestSuite(threads, .init = start, .fini = finish);

static int count_threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    cr_assert_not_null(tasks);
    for (struct dirent *entry; (entry = readdir(tasks));) {
        count += entry->d_name[0] != '.';
    }
    closedir(tasks);
    return count;
}

static void multiply(GrB_Descriptor descriptor)
{
    GrB_Matrix C;
    GrB_Index nvals;
    OK(GrB_Matrix_new(&C, GrB_FP64, SIZE, WIDTH));
    OK(torc_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, descriptor));
    OK(GrB_Matrix_nvals(&nvals, C));
    cr_assert_eq(nvals, SIZE / 2 * WIDTH);
    OK(GrB_Matrix_free(&C));
}

/* CUDA's own threads come with the first call. */
Test(threads, are_none_where_graphblas_has_one)
{
    if (!torc_trace_is_reference()) {
        multiply(NULL);
    }
    int before = count_threads();
    for (int i = 0; i < 3; i++) {
        multiply(NULL);
        cr_expect_eq(count_threads(), before);
    }
}

Test(threads, are_as_many_as_graphblas_may_have)
{
    multiply(NULL);
    int before = count_threads();
    OK(GxB_Global_Option_set(GxB_NTHREADS, MANY));
    multiply(NULL);
    cr_expect_leq(count_threads(), before + MANY - 1);
    cr_expect_gt(count_threads(), before);
}

/* Row numbers of 2.3 MiB are read by several threads where that is allowed. */
static void extract(void)
{
    static GrB_Index rows[SIZE];
    GrB_Matrix C;
    for (GrB_Index i = 0; i < SIZE; i++) {
        rows[i] = SIZE - 1 - i;
    }
    OK(GrB_Matrix_new(&C, GrB_FP64, SIZE, WIDTH));
    torc_target target = {.name = "GrB_Matrix_extract", .C = C};
    cr_assert(torc_try_extract(
        &target, B, (torc_indices){rows, SIZE}, (torc_indices){torc_binding_get()->all_indices, WIDTH}));
    OK(GrB_Matrix_free(&C));
}

Test(threads, are_none_of_dense_calls_where_graphblas_has_one)
{
    setenv("TORC_FORCE", "gpu", 1);
    extract();
    int before = count_threads();
    OK(GxB_Global_Option_set(GxB_NTHREADS, MANY));
    extract();
    cr_expect_gt(count_threads(), before);
    cr_expect_eq(torc_threads_limit(0), 0, "the caller's own loops have no limit");
}

/* Copies that no call of the program's asked for: the device is taken all the same. */
Test(threads, that_have_the_device_are_as_few)
{
    multiply(NULL);
    torc_session_lock();
    cr_expect_eq(torc_threads_limit(1), 1);
    torc_session_release();
    OK(GxB_Global_Option_set(GxB_NTHREADS, 5));
    torc_session_lock();
    cr_expect_eq(torc_threads_limit(5), 5);
    torc_session_release();
    torc_threads_limit(2);
    torc_session_lock();
    cr_expect_eq(torc_threads_limit(2), 2, "the call's own");
    torc_session_release();
    cr_expect_eq(torc_threads_limit(0), 2);
}

Test(threads, follow_the_settings_of_graphblas)
{
    const torc_binding *graphblas = torc_binding_get();
    cr_expect_eq(torc_binding_threads(graphblas, NULL), 1);
    OK(GxB_Global_Option_set(GxB_NTHREADS, 5));
    cr_expect_eq(torc_binding_threads(graphblas, NULL), 5);
    GrB_Descriptor descriptor;
    OK(GrB_Descriptor_new(&descriptor));
    cr_expect_eq(torc_binding_threads(graphblas, descriptor), 5);
    if (graphblas->numbers->descriptor_nthreads) {
        OK(GxB_Desc_set(descriptor, graphblas->numbers->descriptor_nthreads, 3));
        cr_expect_eq(torc_binding_threads(graphblas, descriptor), 3);
    }
    OK(GrB_Descriptor_free(&descriptor));
}

enum { PROGRAM_THREADS = 12 };
static pthread_barrier_t done, counted;

static void *multiply_beside(void *unused)
{
    multiply(NULL);
    pthread_barrier_wait(&done);
    pthread_barrier_wait(&counted);
    return unused;
}

Test(threads, of_a_program_get_none_of_their_own)
{
    pthread_t threads[PROGRAM_THREADS];
    multiply(NULL);
    int before = count_threads();
    pthread_barrier_init(&done, NULL, PROGRAM_THREADS + 1);
    pthread_barrier_init(&counted, NULL, PROGRAM_THREADS + 1);
    for (int i = 0; i < PROGRAM_THREADS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, multiply_beside, NULL), 0);
    }
    pthread_barrier_wait(&done);
    cr_expect_eq(count_threads(), before + PROGRAM_THREADS);
    pthread_barrier_wait(&counted);
    for (int i = 0; i < PROGRAM_THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* A child of a process that has used OpenMP cannot: so torc must not, where the program did not. GraphBLAS
 * alone has the child use two threads. */
static void expect_a_child_with_openmp(void)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(TORC_HANGING);
        OK(GxB_Global_Option_set(GxB_NTHREADS, 2));
        double sum;
        OK(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, B, NULL));
        multiply(NULL);
        _exit(sum != SIZE * WIDTH + 1);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0, "the child ends with %x", (unsigned)status);
}

Test(threads, of_openmp_serve_a_child_of_fork)
{
    multiply(NULL);
    expect_a_child_with_openmp();
}
