/* element.c: single elements of content that is away are read and written where they are. */
#include "away.h"
#include "dense_call.h"
#include "match.h"
#include "operations.h"
#include "process.h"
#include "residency.h"
#include "session.h"
#include "view.h"
#include "written_out.h"
#include <string.h>

enum { LARGEST = 16 };

/* To read one finishes its pending work, which a program that builds a sparse one by single elements would
 * pay for at each of them. To ask for its format does not, and dense ones have none. */
static bool is_dense(GrB_Matrix A)
{
    const torc_binding *graphblas = torc_binding_get();
    int32_t format;
    return graphblas && graphblas->is_known && A &&
           graphblas->option_get_int32(A, graphblas->numbers->sparsity_status, &format) == GrB_SUCCESS &&
           (format & (TORC_BITMAP | TORC_FULL));
}

/* Where the element is in a matrix whose values are away; false: they are not, or it is not the time to look.
 */
static bool find(torc_view *view, torc_type *type, int64_t *place, GrB_Matrix A, GrB_Index i, GrB_Index j)
{
    if (!torc_away_is_any() || !is_dense(A) || torc_view_open(view, torc_binding_get(), A) != GrB_SUCCESS ||
        view->iso || view->ptr || torc_away_journey(view->values) == 0 ||
        !torc_match_type(type, view->type) || i >= (GrB_Index)view->nrows || j >= (GrB_Index)view->ncols) {
        return false;
    }
    *place = view->by_col ? (int64_t)j * view->veclen + (int64_t)i : (int64_t)i * view->veclen + (int64_t)j;
    return true;
}

/* How elements are read and written: torc_residency_peek and poke, or, without the device, recall and note.
 */
typedef bool element_reader(void *to, const void *p, size_t size);
typedef bool element_writer(void *p, const void *from, size_t size);

/* A bitmap may be home while the values are away. */
static bool read_presence(bool *is_present, const torc_view *view, int64_t place, element_reader *read)
{
    int8_t byte = 1;
    bool is_read = true;
    if (view->bitmap && torc_away_journey(view->bitmap) == 0) {
        byte = view->bitmap[place];
    } else if (view->bitmap) {
        is_read = read(&byte, view->bitmap + place, 1);
    }
    *is_present = byte;
    return is_read;
}

static bool read_element(
    void *element, bool *is_present, const torc_view *view, int64_t place, element_reader *read)
{
    const char *values = view->values;
    return read_presence(is_present, view, place, read) &&
           (!*is_present || read(element, values + (size_t)place * view->type_size, view->type_size));
}

bool torc_try_extract_element(
    GrB_Info *info, void *value, torc_type type, GrB_Matrix A, GrB_Index i, GrB_Index j)
{
    torc_view view;
    torc_type a_type;
    int64_t place;
    uint64_t element[LARGEST / sizeof(uint64_t)];
    if (!value || !find(&view, &a_type, &place, A, i, j)) {
        return false;
    }
    bool is_present = false;
    bool is_read = read_element(element, &is_present, &view, place, torc_residency_recall);
    if (!is_read) {
        torc_session_lock();
        is_read = read_element(element, &is_present, &view, place, torc_residency_peek);
        torc_session_release();
    }
    if (is_read && is_present) {
        torc_cast(value, type, element, a_type);
    }
    *info = is_present ? GrB_SUCCESS : GrB_NO_VALUE;
    return is_read;
}

/* One that was absent would change how many there are. */
static bool write_element(
    const void *element, const torc_view *view, int64_t place, element_reader *read, element_writer *write)
{
    bool is_present;
    return read_presence(&is_present, view, place, read) && is_present &&
           write((char *)view->values + (size_t)place * view->type_size, element, view->type_size);
}

/* Of one value everywhere, it gets values of its own where the new one is another. */
static bool write_out(GrB_Matrix C, const void *value, torc_type type, GrB_Index i, GrB_Index j)
{
    torc_view view;
    torc_type c_type;
    uint64_t element[LARGEST / sizeof(uint64_t)];
    bool has_device = torc_session_device_state() == TORC_DEVICE_OPEN || torc_dense_is_forced();
    if (!has_device || !torc_process_is_ours() || !is_dense(C) ||
        torc_view_open(&view, torc_binding_get(), C) != GrB_SUCCESS || view.format != TORC_FULL ||
        !view.iso || !torc_match_type(&c_type, view.type) || i >= (GrB_Index)view.nrows ||
        j >= (GrB_Index)view.ncols) {
        return false;
    }
    torc_cast(element, c_type, value, type);
    return memcmp(element, view.values, view.type_size) != 0 && torc_write_out(C, &view, c_type);
}

bool torc_try_set_element(GrB_Matrix C, const void *value, torc_type type, GrB_Index i, GrB_Index j)
{
    torc_view view;
    torc_type c_type;
    int64_t place;
    uint64_t element[LARGEST / sizeof(uint64_t)];
    if (!find(&view, &c_type, &place, C, i, j) &&
        !(write_out(C, value, type, i, j) && find(&view, &c_type, &place, C, i, j))) {
        return false;
    }
    torc_cast(element, c_type, value, type);
    bool is_written = write_element(element, &view, place, torc_residency_recall, torc_residency_note);
    if (!is_written) {
        torc_session_lock();
        is_written = write_element(element, &view, place, torc_residency_peek, torc_residency_poke);
        torc_session_release();
    }
    return is_written;
}
