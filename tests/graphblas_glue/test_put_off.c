/* Sparsity controls wait while content is away, and no longer. GraphBLAS itself tells here which control it
 * has: what the drop-in does before that question is left out. */
#include "put_off.h"
#include "away_fixture.h"
#include "operations.h"
#include <pthread.h>
#include <stdatomic.h>
#include <torc/graphblas.h>
#include <unistd.h>

TestSuite(put_off, .init = start, .fini = torc_glue_finish);

static void negate(GrB_Vector w, GrB_Vector mask, GrB_Vector v)
{
    torc_target target = {"GrB_Vector_apply", (GrB_Matrix)w, (GrB_Matrix)mask, NULL, GrB_DESC_RS, false};
    cr_assert(torc_try_apply(&target, GrB_AINV_FP64, (GrB_Matrix)v));
}

static GrB_Vector new_away(void)
{
    GrB_Vector v = new_vector(0.25);
    negate(v, NULL, v);
    cr_assert(torc_away_is_any());
    return v;
}

static bool put_off(GrB_Vector v, int control)
{
    return torc_put_off_control((GrB_Matrix)v, control);
}

static void settle(GrB_Vector v)
{
    torc_put_off_settle((GrB_Matrix)v);
}

static void set_control(GrB_Vector v, int control)
{
    cr_assert_eq(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, control), GrB_SUCCESS);
}

static int control_of(GrB_Vector v)
{
    int control;
    cr_assert_eq(GxB_Vector_Option_get(v, GxB_SPARSITY_CONTROL, &control), GrB_SUCCESS);
    return control;
}

Test(put_off, are_controls_that_allow_lists_of_what_is_away_and_dense)
{
    GrB_Vector v = new_away(), home = new_vector(0.5), list = new_away();
    set_control(list, GxB_SPARSE); /* its values are still away */
    cr_expect_not(put_off(home, GxB_SPARSE));
    cr_expect_not(put_off(list, GxB_HYPERSPARSE));
    cr_expect_not(put_off(v, GxB_BITMAP));
    cr_expect(put_off(v, GxB_SPARSE + GxB_BITMAP));
    cr_expect_eq(control_of(v), GxB_AUTO_SPARSITY);
    GrB_Vector_free(&v);
    GrB_Vector_free(&home);
    GrB_Vector_free(&list);
}

/* SuiteSparse keeps the values of what it makes a list of, and does not look at them. */
Test(put_off, are_set_once_the_content_is_home)
{
    GrB_Vector v = new_away();
    cr_assert(put_off(v, GxB_SPARSE));
    settle(v);
    cr_expect_not(torc_away_is_any());
    cr_expect_eq(control_of(v), GxB_SPARSE);
    set_control(v, GxB_BITMAP);
    settle(v);
    cr_expect_eq(control_of(v), GxB_BITMAP, "once alone");
    GrB_Vector_free(&v);
}

Test(put_off, are_set_of_each_object_of_an_operation)
{
    enum { OBJECTS = 4 };
    GrB_Vector all[OBJECTS];
    for (int i = 0; i < OBJECTS; i++) {
        all[i] = new_away();
        cr_assert(put_off(all[i], GxB_SPARSE));
    }
    torc_put_off_settle_all((GrB_Matrix)all[0], (GrB_Matrix)all[1], (GrB_Matrix)all[2], (GrB_Matrix)all[3]);
    for (int i = 0; i < OBJECTS; i++) {
        cr_expect_eq(control_of(all[i]), GxB_SPARSE, "object %d", i);
        GrB_Vector_free(&all[i]);
    }
}

static void *settle_every(void *unused)
{
    torc_put_off_settle_every();
    return unused;
}

static void settle_every_in_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, settle_every, NULL);
    pthread_join(thread, NULL);
}

/* A thread that only forks is none that uses GraphBLAS. */
Test(put_off, are_all_set_by_the_one_thread)
{
    GrB_Vector v = new_away(), w = new_away();
    cr_assert(put_off(v, GxB_SPARSE));
    cr_assert(put_off(w, GxB_HYPERSPARSE));
    settle_every_in_thread();
    cr_expect_eq(control_of(v), GxB_AUTO_SPARSITY);
    torc_put_off_settle_every();
    cr_expect_eq(control_of(v), GxB_SPARSE);
    cr_expect_eq(control_of(w), GxB_HYPERSPARSE);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

static GrB_Vector new_mask(void)
{
    GrB_Vector mask;
    cr_assert_eq(GrB_Vector_new(&mask, GrB_BOOL, SIZE), GrB_SUCCESS);
    for (GrB_Index i = 0; i < SIZE; i += 2) {
        cr_assert_eq(GrB_Vector_setElement_BOOL(mask, true, i), GrB_SUCCESS);
    }
    return mask;
}

/* GraphBLAS has the one before, which allows lists too. */
Test(put_off, go_over_to_the_next_result_that_is_away)
{
    GrB_Vector v = new_vector(0.25), w = new_vector(0.5), mask = new_mask();
    set_control(v, GxB_SPARSE + GxB_FULL);
    negate(v, NULL, v);
    cr_assert(put_off(v, GxB_SPARSE));
    negate(v, mask, w);
    cr_assert(torc_away_is_any());
    settle(v);
    cr_expect_eq(control_of(v), GxB_SPARSE);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
    GrB_Vector_free(&mask);
}

/* Of more than there is room for, none is lost: they are set at once. */
Test(put_off, are_no_more_than_there_is_room_for)
{
    enum { MOST = 256 };
    static char handles[MOST - 1];
    GrB_Vector v = new_away(), w = new_vector(0.5), other = new_away();
    GrB_Matrix copy;
    set_control(w, GxB_SPARSE);
    cr_assert(put_off(v, GxB_SPARSE));
    for (int i = 0; i < MOST - 1; i++) {
        torc_put_off_like((GrB_Matrix)&handles[i], (GrB_Matrix)v);
    }
    cr_expect_not(put_off(other, GxB_SPARSE));
    negate(w, NULL, v);
    cr_expect_eq(control_of(w), GxB_SPARSE);
    cr_assert(torc_try_dup(&copy, (GrB_Matrix)v, true));
    cr_expect_eq(control_of((GrB_Vector)copy), GxB_SPARSE);
    cr_expect_eq(control_of(v), GxB_AUTO_SPARSITY);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
    GrB_Vector_free(&other);
    GrB_Matrix_free(&copy);
}

/* The handles of the next one are other objects'. */
Test(put_off, are_forgotten_with_the_session)
{
    GrB_Vector v = new_away();
    cr_assert(put_off(v, GxB_SPARSE));
    torc_session_close();
    settle(v);
    cr_expect_eq(control_of(v), GxB_AUTO_SPARSITY);
    GrB_Vector_free(&v);
}

/* ---- Looks ----------------------------------------------------------------------------------------------
 */

static void *look(void *v)
{
    cr_expect_not(torc_put_off_hold(v), "nothing is put off any longer");
    return NULL;
}

/* The other thread may be writing to v. */
Test(put_off, wait_on_before_a_fork_where_there_are_several_threads)
{
    GrB_Vector v = new_away(), other = new_away();
    pthread_t thread;
    cr_assert(put_off(v, GxB_SPARSE));
    cr_assert(put_off(other, GxB_SPARSE));
    pthread_create(&thread, NULL, look, other);
    pthread_join(thread, NULL);
    torc_put_off_settle_every();
    cr_expect_eq(control_of(v), GxB_AUTO_SPARSITY);
    GrB_Vector_free(&v);
    GrB_Vector_free(&other);
}

/* Nobody converts what is held. */
Test(put_off, wait_on_while_the_one_thread_looks)
{
    GrB_Vector v = new_away(), other = new_vector(0.5);
    cr_assert(put_off(v, GxB_SPARSE));
    cr_expect_not(torc_put_off_hold((GrB_Matrix)other));
    cr_assert(torc_put_off_hold((GrB_Matrix)v));
    torc_put_off_let_go();
    cr_expect(torc_away_is_any());
    cr_expect_eq(control_of(v), GxB_AUTO_SPARSITY);
    GrB_Vector_free(&v);
    GrB_Vector_free(&other);
}

Test(put_off, are_set_when_a_second_thread_looks)
{
    GrB_Vector v = new_away();
    pthread_t thread;
    cr_assert(put_off(v, GxB_SPARSE));
    pthread_create(&thread, NULL, look, v);
    pthread_join(thread, NULL);
    cr_expect_eq(control_of(v), GxB_SPARSE);
    GrB_Vector_free(&v);
}

static atomic_bool is_settled;

static void *settle_in_thread(void *v)
{
    settle(v);
    atomic_store(&is_settled, true);
    return NULL;
}

Test(put_off, are_not_set_while_another_thread_looks)
{
    enum { A_MOMENT = 50000 };
    GrB_Vector v = new_away();
    pthread_t thread;
    cr_assert(put_off(v, GxB_SPARSE));
    cr_assert(torc_put_off_hold((GrB_Matrix)v));
    pthread_create(&thread, NULL, settle_in_thread, v);
    usleep(A_MOMENT);
    cr_expect_not(atomic_load(&is_settled));
    torc_put_off_let_go();
    pthread_join(thread, NULL);
    cr_expect_eq(control_of(v), GxB_SPARSE);
    GrB_Vector_free(&v);
}

/* ---- Results that come home at once -------------------------------------------------------------------- */

/* Each is read: the third does not stay. */
Test(put_off, are_set_with_a_product_that_is_home)
{
    GrB_Vector v = new_vector(0.25), w = new_vector(0.5);
    GrB_Matrix A;
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_diag(A, w, 0, NULL), GrB_SUCCESS);
    for (int call = 0; call < 3; call++) {
        cr_assert_eq(torc_mxv(v, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, w, NULL), GrB_SUCCESS);
        cr_assert_eq(torc_away_is_any(), call < 2);
        cr_assert(call > 0 || put_off(v, GxB_SPARSE));
        cr_expect_eq(control_of(v), call < 2 ? GxB_AUTO_SPARSITY : GxB_SPARSE, "call %d", call);
        element(v, 0);
    }
    GrB_Matrix_free(&A);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* Few elements do not leave. */
Test(put_off, are_set_with_a_dense_result_that_is_home)
{
    enum { FEW = 1000 };
    GrB_Vector v = new_away(), w = new_vector(0.5);
    cr_assert(put_off(v, GxB_SPARSE));
    cr_assert_eq(GrB_Vector_resize(v, FEW), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_resize(w, FEW), GrB_SUCCESS);
    negate(v, NULL, w);
    cr_assert_not(torc_away_is_any());
    cr_expect_eq(control_of(v), GxB_SPARSE);
    cr_expect_eq(element(v, 7), -1.5);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}
