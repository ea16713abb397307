/* threads_program.c: distinct outputs from distinct threads at once: the inputs are shared and finished, and
 * held and released by yet another thread, while one takes and gives memory that is pinned meanwhile. A
 * program of its own, since Criterion does not start under the thread sanitizer. */
#include "arena.h"
#include "compare.h"
#include "outcome.h"
#include "plain_call.h"
#include "session.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8, ROUNDS = 40, CALLS = 3 };

/* Shared by all threads, and only read once they run. */
static random_call calls[CALLS];
static outcome expected[CALLS];
static call_operands operands[CALLS];

static atomic_int differences;
static atomic_bool is_over;

static void require(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "threads_program: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

static void prepare(void)
{
    static const torc_semiring semirings[CALLS] = {
        {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64},
        {TORC_MIN_MONOID, TORC_PLUS, TORC_INT32},
        {TORC_LOR_MONOID, TORC_LAND, TORC_BOOL},
    };
    for (int i = 0; i < CALLS; i++) {
        calls[i] = torc_plain_call(semirings[i], 60, 50, 16);
        calls[i].recipes[OPERAND_A].by_col = i == 1;
        calls[i].recipes[OPERAND_B].by_col = i == 2;
        expected[i] = torc_outcome_of_suitesparse(&calls[i], NULL);
        operands[i] = torc_call_operands_new(&calls[i]);
        for (int operand = OPERAND_A; operand <= OPERAND_B; operand++) {
            GrB_Info info = GrB_Matrix_wait(operands[i].matrices[operand], GrB_MATERIALIZE);
            require(info == GrB_SUCCESS, "an operand cannot be finished");
        }
    }
}

static void *multiply(void *data)
{
    int first = *(int *)data;
    for (int round = 0; round < ROUNDS; round++) {
        int i = (first + round) % CALLS;
        GrB_Matrix *X = operands[i].matrices, C = torc_random_matrix(&calls[i].recipes[OPERAND_C]);
        GrB_Info info = torc_mxm(C, NULL, NULL, calls[i].semiring.handle, X[OPERAND_A], X[OPERAND_B], NULL);
        outcome actual = torc_outcome(info, C);
        differences += info != GrB_SUCCESS || torc_compare(&calls[i], &expected[i].C, &actual.C);
        torc_entries_free(&actual.C);
        GrB_Matrix_free(&C);
    }
    return NULL;
}

static void *hold_and_release(void *data)
{
    (void)data;
    while (!is_over) {
        for (int i = 0; i < CALLS; i++) {
            differences += torc_matrix_hold(operands[i].matrices[OPERAND_A]) != GrB_SUCCESS;
        }
        for (int i = 0; i < CALLS; i++) {
            differences += torc_matrix_release(operands[i].matrices[OPERAND_A]) != GrB_SUCCESS;
        }
    }
    return NULL;
}

static void *take_and_give(void *data)
{
    while (!is_over) {
        for (size_t size = TORC_ARENA_SMALLEST; size <= 16 * TORC_ARENA_SMALLEST; size *= 2) {
            char *block = torc_malloc(size);
            block[size / 2] = 1;
            torc_arena_expect_new(size);
            torc_free(block);
        }
    }
    return data;
}

int main(void)
{
    pthread_t threads[THREADS], holder, taker;
    int numbers[THREADS];
    torc_trace_begin();
    unsetenv("TORC_BURBLE");
    require(GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS, "GrB_init fails");
    prepare();
    require(pthread_create(&taker, NULL, take_and_give, NULL) == 0, "no thread");
    torc_session_open_beside(); /* the first calls come before it is done */
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        require(pthread_create(&threads[i], NULL, multiply, &numbers[i]) == 0, "no thread");
    }
    require(pthread_create(&holder, NULL, hold_and_release, NULL) == 0, "no thread");
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    is_over = true;
    pthread_join(holder, NULL);
    pthread_join(taker, NULL);
    require(torc_session_device_state() == TORC_DEVICE_OPEN, "no call was on the device");
    require(differences == 0, "results differ");
    for (int i = 0; i < CALLS; i++) {
        torc_call_operands_free(&calls[i], &operands[i]);
        torc_entries_free(&expected[i].C);
    }
    torc_session_close();
    require(GrB_finalize() == GrB_SUCCESS, "GrB_finalize fails");
    return EXIT_SUCCESS;
}
