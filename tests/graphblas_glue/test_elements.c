/* Single elements of content that is away: whoever uses the object next finds what was written, and whoever
 * reads it finds what an operation has made of it, though most of them reach the device together, or not at
 * all.
 *
 * Linked with --wrap=torc_memory_gather, torc_memory_scatter and torc_view_open, which are counted, and
 * torc_memory_download, during which the test may do something. */
#include "away.h"
#include "glue_fixture.h"
#include "operations.h"
#include "reference.h"
#include "require.h"
#include "residency.h"
#include "view.h"
#include "write_tracking.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 200000, PLACES = 64, FAR = 2777 };

static int gathers, scatters, looks;
static size_t furthest; /* byte that was gathered */
static void (*during_download)(void);

torc_status __real_torc_memory_gather(torc_context *context, void *host, const void *device,
    const uint64_t *offsets, size_t count, size_t size);
torc_status __wrap_torc_memory_gather(torc_context *context, void *host, const void *device,
    const uint64_t *offsets, size_t count, size_t size);
torc_status __real_torc_memory_scatter(torc_context *context, void *device, const void *host,
    const uint64_t *offsets, size_t count, size_t size);
torc_status __wrap_torc_memory_scatter(torc_context *context, void *device, const void *host,
    const uint64_t *offsets, size_t count, size_t size);

torc_status __wrap_torc_memory_gather(
    torc_context *context, void *host, const void *device, const uint64_t *offsets, size_t count, size_t size)
{
    gathers++;
    for (size_t i = 0; i < count; i++) {
        furthest = offsets[i] + size > furthest ? offsets[i] + size : furthest;
    }
    return __real_torc_memory_gather(context, host, device, offsets, count, size);
}

torc_status __wrap_torc_memory_scatter(
    torc_context *context, void *device, const void *host, const uint64_t *offsets, size_t count, size_t size)
{
    scatters++;
    return __real_torc_memory_scatter(context, device, host, offsets, count, size);
}

GrB_Info __real_torc_view_open(torc_view *view, const torc_binding *graphblas, GrB_Matrix A);
GrB_Info __wrap_torc_view_open(torc_view *view, const torc_binding *graphblas, GrB_Matrix A);

GrB_Info __wrap_torc_view_open(torc_view *view, const torc_binding *graphblas, GrB_Matrix A)
{
    looks++;
    return __real_torc_view_open(view, graphblas, A);
}

torc_status __real_torc_memory_download(torc_context *context, void *host, const void *device, size_t size);
torc_status __wrap_torc_memory_download(torc_context *context, void *host, const void *device, size_t size);

torc_status __wrap_torc_memory_download(torc_context *context, void *host, const void *device, size_t size)
{
    if (during_download) {
        during_download();
    }
    return __real_torc_memory_download(context, host, device, size);
}

static void start(void)
{
    if (!torc_tracking_is_available()) {
        cr_skip_test("this kernel tracks no writes");
    }
    torc_trace_begin();
    torc_away_allow(sigaction);
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
}

TestSuite(elements, .init = start, .fini = torc_glue_finish);

/* v(i) = i */
static GrB_Vector new_vector_of(GrB_Index size)
{
    double *values = torc_malloc(size * sizeof *values);
    void *array = values;
    GrB_Vector v;
    for (GrB_Index i = 0; i < size; i++) {
        values[i] = (double)i;
    }
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, size), GrB_SUCCESS);
    cr_assert_eq(GxB_Vector_pack_Full(v, &array, size * sizeof *values, false, NULL), GrB_SUCCESS);
    return v;
}

static GrB_Vector new_vector(void)
{
    return new_vector_of(SIZE);
}

static void apply(GrB_Vector w, GrB_UnaryOp op, GrB_Vector v)
{
    torc_target target = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)w};
    cr_assert(torc_try_apply(&target, op, (GrB_Matrix)v));
}

/* v(i) = -i, away */
static GrB_Vector new_away(void)
{
    GrB_Vector v = new_vector();
    apply(v, GrB_AINV_FP64, v);
    cr_assert(torc_away_is_any());
    return v;
}

static void set(GrB_Vector v, GrB_Index i, double x)
{
    cr_assert(torc_try_set_element((GrB_Matrix)v, &x, TORC_FP64, i, 0), "it is away");
}

/* Where it is. */
static void expect(GrB_Vector v, GrB_Index i, double expected)
{
    double x = 0;
    GrB_Info info;
    cr_assert(torc_try_extract_element(&info, &x, TORC_FP64, (GrB_Matrix)v, i, 0), "it is away");
    cr_assert_eq(info, GrB_SUCCESS);
    cr_assert_eq(x, expected, "element %d is %g, not %g", (int)i, x, expected);
}

/* As SuiteSparse reads it: it comes home. */
static void expect_at_home(GrB_Vector v, GrB_Index i, double expected)
{
    double x = 0;
    cr_assert_eq(GrB_Vector_extractElement_FP64(&x, v, i), GrB_SUCCESS);
    cr_assert_eq(x, expected, "element %d is %g, not %g", (int)i, x, expected);
}

/* ---- Fresh -------------------------------------------------------------------------------------------- */

Test(elements, that_were_written_are_read)
{
    GrB_Vector v = new_away();
    expect(v, 5, -5);
    set(v, 5, 50);
    set(v, 6, 60);
    expect(v, 5, 50);
    expect(v, 6, 60);
    set(v, 5, 51);
    expect(v, 5, 51);
    expect(v, 7, -7);
    GrB_Vector_free(&v);
}

Test(elements, that_were_written_come_home)
{
    GrB_Vector v = new_away();
    set(v, 5, 50);
    expect_at_home(v, 5, 50);
    expect_at_home(v, 6, -6);
    GrB_Vector_free(&v);
}

Test(elements, that_were_written_are_operands)
{
    GrB_Vector v = new_away(), w = new_vector();
    expect(v, 4, -4);
    set(v, 5, 50);
    apply(w, GrB_ABS_FP64, v);
    expect(w, 4, 4);
    expect(w, 5, 50);
    expect(v, 5, 50);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

Test(elements, that_were_written_are_changed_in_place)
{
    GrB_Vector v = new_away();
    expect(v, 4, -4);
    set(v, 5, 50);
    apply(v, GrB_AINV_FP64, v);
    expect(v, 4, 4);
    expect(v, 5, -50);
    expect_at_home(v, 4, 4);
    expect_at_home(v, 5, -50);
    GrB_Vector_free(&v);
}

/* C += A, of which C's old content is read where it lies. */
Test(elements, that_were_written_are_accumulated_into)
{
    GrB_Vector v = new_away(), w = new_vector();
    const torc_indices all = {NULL, 1, true};
    torc_target target = {.name = "GrB_Vector_assign", .C = (GrB_Matrix)v, .accum = GrB_PLUS_FP64};
    set(v, 5, 50);
    expect(v, 4, -4);
    cr_assert(torc_try_assign(&target, (GrB_Matrix)w, all, all));
    expect(v, 5, 55);
    expect(v, 4, 0);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

Test(elements, that_were_written_survive_a_lack_of_device_memory)
{
    GrB_Vector v = new_away();
    set(v, 5, 50);
    torc_session_lock();
    cr_assert(torc_residency_evict());
    torc_session_release();
    cr_assert_not(torc_away_is_any());
    expect_at_home(v, 5, 50);
    GrB_Vector_free(&v);
}

/* What came home and goes away again is other content of the same block. */
Test(elements, of_an_earlier_journey_are_forgotten)
{
    GrB_Vector v = new_away();
    expect(v, 4, -4);
    set(v, 5, 50);
    expect_at_home(v, 5, 50);
    cr_assert_eq(GrB_Vector_setElement_FP64(v, 3, 4), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_setElement_FP64(v, 2, 5), GrB_SUCCESS);
    apply(v, GrB_AINV_FP64, v);
    expect(v, 4, -3);
    expect(v, 5, -2);
    GrB_Vector_free(&v);
}

Test(elements, of_a_block_that_was_freed_are_forgotten)
{
    GrB_Vector v = new_away();
    expect(v, 4, -4);
    set(v, 5, 50);
    GrB_Vector_free(&v);
    v = new_away();
    expect(v, 4, -4);
    expect(v, 5, -5);
    expect_at_home(v, 5, -5);
    GrB_Vector_free(&v);
}

/* The device array of what was freed is that of the next result. */
Test(elements, of_an_earlier_use_of_the_device_array_are_forgotten)
{
    GrB_Vector freed = new_away(), w = new_vector();
    const torc_indices all = {NULL, 1, true};
    torc_target target = {.name = "GrB_Vector_assign", .C = (GrB_Matrix)w, .accum = GrB_PLUS_FP64};
    torc_scalar seven = {.type = TORC_FP64};
    memcpy(seven.value, &(double){7}, sizeof(double));
    expect(freed, 4, -4);
    expect_at_home(freed, 4, -4);
    GrB_Vector_free(&freed);
    cr_assert(torc_try_assign_scalar(&target, &seven, all, all));
    expect(w, 4, 11);
    GrB_Vector_free(&w);
}

/* Its device array may be that of an operand, too. */
Test(elements, of_a_block_that_was_freed_are_not_written_to_a_copy)
{
    GrB_Vector freed = new_away(), v = new_vector(), w = new_vector();
    set(freed, 5, 50);
    GrB_Vector_free(&freed);
    apply(w, GrB_ABS_FP64, v);
    size_t before = torc_reference_bytes_moved();
    apply(w, GrB_ABS_FP64, v);
    cr_expect_eq(torc_reference_bytes_moved(), before);
    expect(w, 5, 5);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

Test(elements, are_no_more_than_there_is_room_for)
{
    enum { EACH = 65 }; /* twice as many are more than there is room for */
    GrB_Vector v = new_away();
    for (GrB_Index i = 0; i < EACH; i++) {
        set(v, 3 * i, (double)i);
        expect(v, 3 * i + 1, -(double)(3 * i + 1));
    }
    for (GrB_Index i = 0; i < EACH; i++) {
        expect(v, 3 * i, (double)i);
    }
    expect_at_home(v, 0, 0);
    expect_at_home(v, 1, -1);
    GrB_Vector_free(&v);
}

Test(elements, that_were_written_are_among_the_tuples)
{
    GrB_Vector v = new_away();
    GrB_Index count = SIZE;
    double *values = malloc(SIZE * sizeof *values);
    set(v, 5, 50);
    cr_assert(torc_try_extract_tuples(NULL, NULL, values, &count, TORC_FP64, (GrB_Matrix)v));
    cr_expect(values[4] == -4 && values[5] == 50);
    free(values);
    GrB_Vector_free(&v);
}

static GrB_Vector landing;
static int noted, recalled;

/* By another thread, without the device. */
static void look_at_what_lands(void)
{
    torc_view view;
    double x = 6;
    cr_assert_eq(torc_view_open(&view, torc_binding_get(), (GrB_Matrix)landing), GrB_SUCCESS);
    double *place = (double *)view.values + 5;
    noted += torc_residency_note(place, &x, sizeof x);
    recalled += torc_residency_recall(&x, place, sizeof x);
}

/* What came with the content would be lost otherwise. */
Test(elements, of_content_on_its_way_are_neither_written_nor_read)
{
    landing = new_away();
    set(landing, 5, 50);
    during_download = look_at_what_lands;
    expect_at_home(landing, 5, 50);
    during_download = NULL;
    cr_expect(noted == 0 && recalled == 0);
    GrB_Vector_free(&landing);
}

/* One more would change how many there are. */
Test(elements, that_were_absent_are_not_written)
{
    GrB_Vector v = new_vector(), w = new_vector(), mask;
    torc_target target = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)w, .desc = GrB_DESC_RS};
    GrB_Index nvals;
    double x = 5;
    GrB_Vector_new(&mask, GrB_BOOL, SIZE);
    for (GrB_Index i = 0; i < SIZE; i += 2) {
        GrB_Vector_setElement_BOOL(mask, true, i);
    }
    target.mask = (GrB_Matrix)mask;
    cr_assert(torc_try_apply(&target, GrB_AINV_FP64, (GrB_Matrix)v));
    set(w, 4, 5);
    cr_expect_not(torc_try_set_element((GrB_Matrix)w, &x, TORC_FP64, 3, 0));
    cr_assert_eq(GrB_Vector_nvals(&nvals, w), GrB_SUCCESS);
    cr_expect_eq(nvals, SIZE / 2);
    GrB_Vector_free(&mask);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

static pid_t child;

/* As the driver of a device may. What else is away comes home, by who has the device. */
static void fork_once(void)
{
    during_download = NULL;
    child = fork();
    if (child == 0) {
        _exit(torc_residency_count().returns != 1);
    }
}

static void expect_fork(void)
{
    int status;
    cr_assert_gt(child, 0);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0, "%x", (unsigned)status);
}

Test(elements, that_were_written_come_home_where_who_has_the_device_forks, .timeout = TORC_HANGING)
{
    GrB_Vector v = new_away(), w = new_away();
    set(v, 5, 50);
    set(w, 6, 60);
    during_download = fork_once;
    torc_session_close();
    expect_fork();
    expect_at_home(v, 5, 50);
    expect_at_home(w, 6, 60);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* As many as there is room for, and one more. */
Test(elements, that_cannot_make_room_for_another_are_not_lost)
{
    enum { MOST = 128 };
    double x = 1000;
    if (!torc_trace_is_reference()) {
        cr_skip_test("only the reference executor fails when it is told to");
    }
    GrB_Vector v = new_away();
    for (GrB_Index i = 0; i < MOST; i++) {
        set(v, 3 * i, 7);
    }
    torc_reference_fail_at(0);
    cr_assert_not(torc_try_set_element((GrB_Matrix)v, &x, TORC_FP64, 1000, 0));
    cr_assert_lt(torc_reference_calls_left(), 0);
    for (GrB_Index i = 0; i < MOST; i++) {
        expect(v, 3 * i, 7);
    }
    expect_at_home(v, 30, 7);
    expect_at_home(v, 1000, -1000);
    GrB_Vector_free(&v);
}

Test(elements, that_could_not_be_written_at_first_are_not_lost)
{
    if (!torc_trace_is_reference()) {
        cr_skip_test("only the reference executor fails when it is told to");
    }
    GrB_Vector v = new_away(), w = new_vector();
    set(v, 5, 50);
    torc_reference_fail_at(0);
    apply(w, GrB_ABS_FP64, v);
    cr_assert_lt(torc_reference_calls_left(), 0);
    expect(w, 5, 50);
    expect_at_home(v, 5, 50);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* ---- Together ----------------------------------------------------------------------------------------- */

/* A round of a loop: some elements are read and written in turn, and then all are changed. */
static void read_and_write(GrB_Vector v, double sign)
{
    for (GrB_Index j = 0; j < PLACES; j++) {
        expect(v, j * FAR, sign * (double)(j * FAR));
        set(v, j * FAR, sign * (double)(j * FAR));
    }
    apply(v, GrB_AINV_FP64, v);
}

Test(elements, go_to_the_device_together_and_in_a_loop_come_together)
{
    GrB_Vector v = new_away();
    double sign = -1;
    gathers = scatters = 0;
    read_and_write(v, sign);
    cr_expect_eq(gathers, PLACES);
    cr_expect_eq(scatters, 1);
    for (int round = 2; round < 5; round++) {
        sign = -sign;
        read_and_write(v, sign);
        cr_expect_eq(gathers, PLACES + round - 1);
        cr_expect_eq(scatters, round);
    }
    GrB_Vector_free(&v);
}

Test(elements, that_were_not_read_in_the_round_before_come_alone)
{
    GrB_Vector v = new_away();
    read_and_write(v, -1);
    gathers = 0;
    expect(v, 1, 1);
    expect(v, 1, 1);
    cr_expect_eq(gathers, 1);
    expect(v, FAR, FAR);
    expect(v, (GrB_Index)2 * FAR, 2 * FAR);
    cr_expect_eq(gathers, 2);
    GrB_Vector_free(&v);
}

/* Those of the round before, and others, are more than there is room for. */
Test(elements, that_were_read_before_come_as_far_as_there_is_room)
{
    enum { MANY = 100 };
    GrB_Vector v = new_away();
    for (GrB_Index j = 0; j < MANY; j++) {
        expect(v, j * 8, -(double)(j * 8));
    }
    apply(v, GrB_AINV_FP64, v);
    for (GrB_Index j = 0; j < MANY; j++) {
        expect(v, j * 8 + 1, (double)(j * 8 + 1));
    }
    for (GrB_Index j = 0; j < MANY; j++) {
        expect(v, j * 8, (double)(j * 8));
    }
    GrB_Vector_free(&v);
}

/* Arrays of other sizes have other places. */
Test(elements, of_a_larger_array_are_not_looked_for_in_a_smaller_one)
{
    enum { SMALL = SIZE / 2 };
    GrB_Vector v = new_away(), w = new_vector_of(SMALL);
    expect(v, 5, -5);
    expect(v, SIZE - 1, -(SIZE - 1));
    GrB_Vector_free(&v);
    apply(w, GrB_AINV_FP64, w);
    furthest = 0;
    expect(w, 5, -5);
    expect(w, 6, -6);
    cr_expect_leq(furthest, SMALL * sizeof(double));
    GrB_Vector_free(&w);
}

/* v(i) = 7, kept as one value. */
static GrB_Vector new_iso(void)
{
    GrB_Vector v;
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, SIZE), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_assign_FP64(v, NULL, NULL, 7, GrB_ALL, SIZE, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_wait(v, GrB_MATERIALIZE), GrB_SUCCESS);
    return v;
}

Test(elements, of_one_value_are_written_out_on_the_device_when_one_of_them_becomes_another)
{
    GrB_Vector v = new_iso();
    GrB_Index nvals;
    double sum = 0;
    bool is_iso = true;
    set(v, FAR, 5);
    set(v, 3, 1);
    cr_expect(torc_away_is_any());
    cr_expect_eq(torc_reference_bytes_moved(), 0, "nothing but the two elements is to travel, and later");
    cr_assert_eq(GxB_Vector_iso(&is_iso, v), GrB_SUCCESS);
    cr_expect_not(is_iso);
    cr_assert_eq(GrB_Vector_nvals(&nvals, v), GrB_SUCCESS);
    cr_expect_eq(nvals, SIZE);
    expect(v, FAR, 5);
    expect(v, 4, 7);
    cr_assert_eq(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, v, NULL), GrB_SUCCESS);
    cr_expect_eq(sum, 7.0 * SIZE - 2 - 6);
    GrB_Vector_free(&v);
}

Test(elements, of_one_value_stay_so_when_it_is_written_once_more)
{
    GrB_Vector v = new_iso();
    double same = 7, other = 8;
    cr_expect_not(torc_try_set_element((GrB_Matrix)v, &same, TORC_FP64, 5, 0));
    cr_expect_not(torc_try_set_element((GrB_Matrix)v, &other, TORC_FP64, SIZE, 0), "there is no such place");
    cr_expect_not(torc_away_is_any());
    GrB_Vector_free(&v);
}

/* ---- All of them ----------------------------------------------------------------------------------------
 */

/* As the drop-in does: what torc does not do is SuiteSparse's. */
static double read_either_way(GrB_Vector v, GrB_Index i)
{
    double x = 0;
    GrB_Info info;
    if (!torc_try_extract_element(&info, &x, TORC_FP64, (GrB_Matrix)v, i, 0)) {
        info = GrB_Vector_extractElement_FP64(&x, v, i);
    }
    cr_assert_eq(info, GrB_SUCCESS);
    return x;
}

static void write_either_way(GrB_Vector v, GrB_Index i, double x)
{
    if (!torc_try_set_element((GrB_Matrix)v, &x, TORC_FP64, i, 0)) {
        cr_assert_eq(GrB_Vector_setElement_FP64(v, x, i), GrB_SUCCESS);
    }
}

Test(elements, that_are_all_read_come_home)
{
    GrB_Vector v = new_away();
    gathers = 0;
    for (GrB_Index i = 0; i < SIZE; i++) {
        cr_assert_eq(read_either_way(v, i), -(double)i);
    }
    cr_expect_lt(gathers, 200);
    cr_expect_not(torc_away_is_any());
    GrB_Vector_free(&v);
}

Test(elements, that_are_all_written_come_home)
{
    GrB_Vector v = new_away();
    scatters = 0;
    for (GrB_Index i = 0; i < SIZE; i++) {
        write_either_way(v, i, 2.0 * (double)i);
    }
    cr_expect_lt(scatters, 200);
    cr_expect_not(torc_away_is_any());
    for (GrB_Index i = 0; i < SIZE; i++) {
        expect_at_home(v, i, 2.0 * (double)i);
    }
    GrB_Vector_free(&v);
}

/* A large array takes longer to come home than a few more of its elements. */
Test(elements, of_a_large_array_may_be_more)
{
    enum { LARGE = 1 << 22, READ = 180 };
    GrB_Vector v = new_vector_of(LARGE);
    apply(v, GrB_AINV_FP64, v);
    for (GrB_Index i = 0; i < READ; i++) {
        expect(v, FAR * i, -(double)(FAR * i));
    }
    cr_expect(torc_away_is_any());
    GrB_Vector_free(&v);
}

/* ---- At home --------------------------------------------------------------------------------------------
 */

Test(elements, of_an_object_at_home_are_looked_for_once_while_nothing_leaves)
{
    GrB_Vector v = new_vector(), away = new_away();
    looks = 0;
    for (GrB_Index i = 0; i < PLACES; i++) {
        write_either_way(v, i, 3);
        cr_assert_eq(read_either_way(v, i), 3);
    }
    cr_expect_leq(looks, 1);
    apply(v, GrB_AINV_FP64, v);
    expect(v, 5, -3);
    set(v, 5, 50);
    expect(v, 5, 50);
    expect(v, PLACES, -PLACES);
    GrB_Vector_free(&v);
    GrB_Vector_free(&away);
}
