/* element.c: single elements of content that is away are read and written where they are. */
#include "away.h"
#include "dense_call.h"
#include "match.h"
#include "operations.h"
#include "process.h"
#include "put_off.h"
#include "residency.h"
#include "session.h"
#include "view.h"
#include "written_out.h"
#include <string.h>

enum { LARGEST = 16 };

/* Opening a view finishes a matrix's pending work: a program that builds a sparse matrix element by element
 * would pay for that at each of them. Asking for the format does not finish it, and dense matrices have no
 * pending work. */
static bool is_dense(GrB_Matrix A)
{
    const torc_binding *graphblas = torc_binding_get();
    int32_t format;
    return graphblas && graphblas->is_known && A &&
           torc_binding_get_option(graphblas, A, graphblas->numbers->sparsity_status, &format) ==
               GrB_SUCCESS &&
           (format & (TORC_BITMAP | TORC_FULL));
}

/* One element of a full or bitmap matrix. */
typedef struct dense_element {
    torc_view view;
    torc_type type;
    int64_t place;
} dense_element;

/* false: the matrix is neither full nor bitmap, has another type, or has no such place. */
static bool find(dense_element *found, GrB_Matrix A, GrB_Index i, GrB_Index j)
{
    const torc_view *view = &found->view;
    if (!is_dense(A) || torc_view_open(&found->view, torc_binding_get(), A) != GrB_SUCCESS || view->ptr ||
        !torc_match_type(&found->type, view->type) || i >= (GrB_Index)view->nrows ||
        j >= (GrB_Index)view->ncols) {
        return false;
    }
    found->place =
        view->by_col ? (int64_t)j * view->veclen + (int64_t)i : (int64_t)i * view->veclen + (int64_t)j;
    return true;
}

static bool is_away(const dense_element *found)
{
    return !found->view.iso && torc_away_journey(found->view.values) != 0;
}

/* Programs fill and read whole objects element by element, in less time than it takes to find out that an
 * object is at home. So each thread remembers the last one that was, and does not look at it again until some
 * block leaves. Content that goes away behind its back is still found when it is touched. */
static _Thread_local GrB_Matrix left_alone;
static _Thread_local uint64_t left_at; /* the last journey by then */

static bool is_left_alone(GrB_Matrix A)
{
    return A == left_alone && left_at == torc_away_last_journey();
}

static void leave_alone(GrB_Matrix A)
{
    left_alone = A;
    left_at = torc_away_last_journey();
}

/* For an object in which a place was not found: a full or bitmap one may be away all the same. */
static void leave_alone_if_sparse(GrB_Matrix A)
{
    if (!is_dense(A)) {
        leave_alone(A);
    }
}

/* How elements are read and written: torc_residency_peek and poke, or, without the device, recall and note.
 */
typedef bool element_reader(void *to, const void *p, size_t size);
typedef bool element_writer(void *p, const void *from, size_t size);

/* The bitmap may be home while the values are away. */
static bool read_presence(bool *is_present, const dense_element *found, element_reader *read)
{
    const int8_t *bitmap = found->view.bitmap;
    int8_t byte = 1;
    bool is_read = true;
    if (bitmap && torc_away_journey(bitmap) == 0) {
        byte = bitmap[found->place];
    } else if (bitmap) {
        is_read = read(&byte, bitmap + found->place, 1);
    }
    *is_present = byte;
    return is_read;
}

static char *address(const dense_element *found)
{
    return (char *)found->view.values + (size_t)found->place * found->view.type_size;
}

static bool read_element(void *to, bool *is_present, const dense_element *found, element_reader *read)
{
    return read_presence(is_present, found, read) &&
           (!*is_present || read(to, address(found), found->view.type_size));
}

bool torc_try_extract_element(
    GrB_Info *info, void *value, torc_type type, GrB_Matrix A, GrB_Index i, GrB_Index j)
{
    dense_element found;
    uint64_t element[LARGEST / sizeof(uint64_t)];
    if (!value || !torc_away_is_any() || is_left_alone(A)) {
        return false;
    }
    if (!find(&found, A, i, j)) {
        leave_alone_if_sparse(A);
        return false;
    }
    if (!is_away(&found)) {
        leave_alone(A);
        return false;
    }
    bool is_present = false;
    bool is_read = read_element(element, &is_present, &found, torc_residency_recall);
    if (!is_read) {
        torc_session_lock();
        is_read = read_element(element, &is_present, &found, torc_residency_peek);
        torc_session_release();
    }
    if (is_read && is_present) {
        torc_cast(value, type, element, found.type);
    }
    *info = is_present ? GrB_SUCCESS : GrB_NO_VALUE;
    return is_read;
}

/* false also for an element that is absent: writing it would change the number of entries. */
static bool write_element(
    const dense_element *found, const void *from, element_reader *read, element_writer *write)
{
    bool is_present;
    return read_presence(&is_present, found, read) && is_present &&
           write(address(found), from, found->view.type_size);
}

static bool has_device(void)
{
    return (torc_session_device_state() == TORC_DEVICE_OPEN || torc_dense_is_forced()) &&
           torc_process_is_ours();
}

/* A matrix of one value everywhere gets values of its own where the new one is another. */
static bool write_out(GrB_Matrix C, const dense_element *found, const void *element)
{
    const torc_view *view = &found->view;
    return view->format == TORC_FULL && has_device() && memcmp(element, view->values, view->type_size) != 0 &&
           torc_write_out(C, view, found->type);
}

bool torc_try_set_element(GrB_Matrix C, const void *value, torc_type type, GrB_Index i, GrB_Index j)
{
    dense_element found;
    uint64_t element[LARGEST / sizeof(uint64_t)];
    if (!(torc_away_is_any() || has_device()) || is_left_alone(C)) {
        return false;
    }
    if (!find(&found, C, i, j)) {
        torc_put_off_settle(C); /* later it would take away the text of the error that may follow */
        leave_alone_if_sparse(C);
        return false;
    }
    torc_cast(element, found.type, value, type);
    if (found.view.iso && !(write_out(C, &found, element) && find(&found, C, i, j))) {
        return false;
    }
    if (!is_away(&found)) {
        leave_alone(C);
        return false;
    }
    bool is_written = write_element(&found, element, torc_residency_recall, torc_residency_note);
    if (!is_written) {
        torc_session_lock();
        is_written = write_element(&found, element, torc_residency_peek, torc_residency_poke);
        torc_session_release();
    }
    if (is_written) {
        torc_binding_get()->matrix_wait(C, GrB_MATERIALIZE); /* clears the text of an error of before */
    }
    return is_written;
}
