/* Whatever fails on the device while a part is read or written, at whatever point, C becomes what GraphBLAS
 * makes of it, or stays as it was, and nothing stays behind. */
#include "dense_case.h"
#include "faults.h"
#include "glue_fixture.h"

static void start(void)
{
    cr_assert(torc_fault_begin());
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

static void finish(void)
{
    torc_glue_finish();
    torc_fault_end();
}

TestSuite(dense_faults, .init = start, .fini = finish);

enum { NROWS = 9, NCOLS = 7, MOST_CALLS = 1000 };

static GrB_Index rows[] = {8, 0, 5}, columns[] = {6, 1};
static const torc_indices some_rows = {rows, 3, false}, some_columns = {columns, 2, false};

/* A call by torc, and by GraphBLAS on what C is to become. */
typedef struct faulty_call {
    GrB_Index nrows, ncols; /* of C, and of its mask */
    GrB_Index part_rows, part_columns;
    bool (*try)(const dense_case *c);
    GrB_Info (*ask)(const dense_case *c);
} faulty_call;

static dense_case draw(const faulty_call *call)
{
    uint64_t seed = 4711;
    dense_case c = {.seed = seed};
    c.C = dense_case_operand(&seed, call->nrows, call->ncols, VALUE_FP64, false);
    c.A = dense_case_operand(&seed, call->part_rows, call->part_columns, VALUE_INT32, false);
    do { /* until there is all that a call may have */
        GrB_Matrix_free(&c.expected);
        GrB_Matrix_free(&c.mask);
        GrB_Descriptor_free(&c.desc);
        dense_case_finish(&c, &seed, call->nrows, call->ncols);
    } while (!c.mask);
    GrB_Descriptor_set(c.desc, GrB_OUTP, GrB_REPLACE);
    return c;
}

/* With that call to the device failing, on one opened anew. false: there are fewer. */
static bool meets_fault(const faulty_call *call, int64_t fault, bool *is_done)
{
    dense_case c = draw(call);
    torc_fault_at(fault, false);
    *is_done = call->try(&c);
    bool has_met = torc_fault_calls_left() < 0;
    torc_session_close();
    torc_fault_at(-1, false);
    cr_assert_eq(torc_fault_held(), 0, "fault %ld leaves %ld bytes", fault, torc_fault_held());
    cr_assert(!*is_done || call->ask(&c) == GrB_SUCCESS);
    dense_case_expect_same(&c);
    dense_case_free(&c);
    return has_met;
}

static void fail_everywhere(const faulty_call *call)
{
    bool is_done;
    int64_t fault = 0;
    while (meets_fault(call, fault, &is_done)) {
        cr_assert_lt(++fault, MOST_CALLS);
    }
    cr_assert(is_done && fault > 5, "%ld faults", fault);
}

static bool try_assign(const dense_case *c)
{
    torc_target target = dense_case_target(c);
    return torc_try_assign(&target, c->A, some_rows, some_columns);
}

static GrB_Info ask_assign(const dense_case *c)
{
    return GrB_Matrix_assign(c->expected, c->mask, c->accum, c->A, rows, 3, columns, 2, c->desc);
}

Test(dense_faults, of_an_assignment_that_replaces_leave_C_whole)
{
    fail_everywhere(&(faulty_call){NROWS, NCOLS, 3, 2, try_assign, ask_assign});
}

static bool try_extract(const dense_case *c)
{
    torc_target target = dense_case_target(c);
    return torc_try_extract(&target, c->A, some_rows, some_columns);
}

static GrB_Info ask_extract(const dense_case *c)
{
    return GrB_Matrix_extract(c->expected, c->mask, c->accum, c->A, rows, 3, columns, 2, c->desc);
}

Test(dense_faults, of_an_extraction_leave_C_whole)
{
    fail_everywhere(&(faulty_call){3, 2, NROWS, NCOLS, try_extract, ask_extract});
}
