/* Programs that have more away than TORC_MEMORY_LIMIT allows: what a call names stays for it, others go, and
 * what cannot fit at all moves nothing. Vectors of 1.6 MB. */
#include "away_fixture.h"
#include "operations.h"
#include "reference.h"
#include "residency.h"
#include <stdlib.h>

enum { VECTOR = SIZE * sizeof(double) };

static void start_with(const char *limit)
{
    setenv("TORC_BACKEND", "reference", 1);
    setenv("TORC_FORCE", "gpu", 1);
    setenv("TORC_MEMORY_LIMIT", limit, 1);
    start();
}

TestSuite(spilling, .fini = torc_glue_finish);

/* v = -v, where it stays. */
static void send_away(GrB_Vector v)
{
    torc_target target = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v};
    cr_assert(torc_try_apply(&target, GrB_AINV_FP64, (GrB_Matrix)v));
}

static bool add(GrB_Vector w, GrB_Vector u, GrB_Vector v)
{
    torc_target target = {.name = "GrB_Vector_eWiseAdd_BinaryOp", .C = (GrB_Matrix)w};
    return torc_try_ewise(&target, TORC_EWISE_ADD, GrB_PLUS_FP64, (GrB_Matrix)u, (GrB_Matrix)v);
}

/* Three vectors do not fit: v stays where it is. */
Test(spilling, what_cannot_fit_moves_nothing)
{
    start_with("4M");
    GrB_Vector u = new_vector(0.25), v = new_vector(0.5), w = new_vector(1);
    send_away(v);
    size_t before = torc_reference_bytes_moved();
    cr_expect_not(add(w, u, v));
    cr_expect_eq(torc_reference_bytes_moved(), before);
    cr_expect_eq(torc_residency_count().returns, 0);
    GrB_Vector_free(&u);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* Three quarters of the limit are two vectors. */
Test(spilling, a_call_may_take_more_than_copies_may)
{
    start_with("5M");
    GrB_Vector u = new_vector(0.25), v = new_vector(0.5), w = new_vector(1);
    cr_expect(add(w, u, v));
    cr_expect(torc_away_is_any());
    cr_expect_eq(element(w, 4), 2.75);
    GrB_Vector_free(&u);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* There is room for three. w is used longest ago, but the call is about to write to it: x goes. */
Test(spilling, what_a_call_names_stays_for_it)
{
    start_with("7M");
    GrB_Vector u = new_vector(0.25), v = new_vector(0.5), w = new_vector(1), x = new_vector(2);
    send_away(w);
    send_away(u);
    send_away(x);
    cr_assert_eq(torc_residency_count().returns, 0);
    size_t before = torc_reference_bytes_moved();
    cr_expect(add(w, u, v));
    cr_expect_eq(torc_reference_bytes_moved() - before, 2 * (size_t)VECTOR,
        "v is sent, x comes home: %zu bytes", torc_reference_bytes_moved() - before);
    cr_expect_eq(torc_residency_count().returns, 1);
    cr_expect_eq(element(w, 4), 0.25);
    cr_expect_eq(element(x, 4), -3);
    GrB_Vector_free(&u);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
    GrB_Vector_free(&x);
}

/* As both operands, and as the one that is written over. */
Test(spilling, what_is_named_twice_is_sent_once)
{
    start_with("7M");
    GrB_Vector u = new_vector(0.25), w = new_vector(1);
    size_t before = torc_reference_bytes_moved();
    cr_expect(add(w, u, u));
    cr_expect_eq(torc_reference_bytes_moved() - before, VECTOR);
    cr_expect_eq(torc_residency_count().bytes_held, 2 * (size_t)VECTOR);
    GrB_Vector_free(&w);
    w = new_vector(1);
    before = torc_reference_bytes_moved();
    send_away(w);
    cr_expect_eq(torc_reference_bytes_moved() - before, VECTOR);
    cr_expect_eq(torc_residency_count().bytes_held, 2 * (size_t)VECTOR);
    cr_expect_eq(element(w, 5), -3);
    GrB_Vector_free(&u);
    GrB_Vector_free(&w);
}

/* It is no longer expected: the next call's operands find room. */
Test(spilling, a_call_is_over_when_it_is)
{
    start_with("4M");
    GrB_Vector all[6];
    for (int i = 0; i < 6; i++) {
        all[i] = new_vector(i);
        send_away(all[i]);
    }
    cr_expect_geq(torc_residency_count().returns, 4);
    for (int i = 0; i < 6; i++) {
        cr_expect_eq(element(all[i], 5), -(i + 2));
        GrB_Vector_free(&all[i]);
    }
}
