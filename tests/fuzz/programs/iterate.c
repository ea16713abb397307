/* iterate.c: see iterate.h. */
#include "iterate.h"
#include "require.h"
#include <string.h>

static void require(GrB_Info info)
{
    TORC_REQUIRE(info == GrB_SUCCESS);
}

static void take_value(contents *c, GxB_Iterator it, GrB_Index at)
{
    switch (c->type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name: {                                                                                     \
        ctype value = GxB_Iterator_get_##name(it);                                                           \
        memcpy(torc_contents_value(c, at), &value, sizeof value);                                            \
        break;                                                                                               \
    }
        VALUE_TYPE_MAP(X)
#undef X
    default:
        GxB_Iterator_get_UDT(it, torc_contents_value(c, at));
        break;
    }
}

static void leave(const contents *c, GrB_Index at, jmp_buf *environment)
{
    if (environment && at > c->nvals / 2) {
        longjmp(*environment, 1);
    }
}

static void walk_vector(contents *c, GxB_Iterator it, GrB_Vector v, jmp_buf *environment)
{
    require(GxB_Vector_Iterator_attach(it, v, NULL));
    GrB_Info info = GxB_Vector_Iterator_seek(it, 0);
    for (GrB_Index at = 0; info != GxB_EXHAUSTED; at++) {
        TORC_REQUIRE(at < c->nvals);
        c->rows[at] = GxB_Vector_Iterator_getIndex(it);
        take_value(c, it, at);
        leave(c, at, environment);
        info = GxB_Vector_Iterator_next(it);
    }
}

static void walk_rows(contents *c, GxB_Iterator it, GrB_Matrix A, jmp_buf *environment)
{
    GrB_Index at = 0;
    require(GxB_rowIterator_attach(it, A, NULL));
    for (GrB_Info row = GxB_rowIterator_seekRow(it, 0); row != GxB_EXHAUSTED;
         row = GxB_rowIterator_nextRow(it)) {
        for (GrB_Info info = row; info == GrB_SUCCESS; info = GxB_rowIterator_nextCol(it)) {
            TORC_REQUIRE(at < c->nvals);
            c->rows[at] = GxB_rowIterator_getRowIndex(it);
            c->cols[at] = GxB_rowIterator_getColIndex(it);
            take_value(c, it, at);
            leave(c, at++, environment);
        }
    }
}

static void walk_matrix(contents *c, GxB_Iterator it, GrB_Matrix A, jmp_buf *environment)
{
    require(GxB_Matrix_Iterator_attach(it, A, NULL));
    GrB_Info info = GxB_Matrix_Iterator_seek(it, 0);
    for (GrB_Index at = 0; info != GxB_EXHAUSTED; at++) {
        TORC_REQUIRE(at < c->nvals);
        GxB_Matrix_Iterator_getIndex(it, &c->rows[at], &c->cols[at]);
        take_value(c, it, at);
        leave(c, at, environment);
        info = GxB_Matrix_Iterator_next(it);
    }
}

void torc_iterate(contents *c, const program_object *object, jmp_buf *environment)
{
    static GxB_Iterator it; /* one for all, as in programs that keep theirs; only this thread iterates */
    object_handle handle = object->handles[SUBJECT];
    if (!it) {
        require(GxB_Iterator_new(&it));
    }
    if (object->is_vector) {
        walk_vector(c, it, handle.vector, environment);
    } else if (torc_object_option(object, SUBJECT, GxB_FORMAT) == GxB_BY_ROW && c->ncols > 0) {
        walk_rows(c, it, handle.matrix, environment);
    } else {
        walk_matrix(c, it, handle.matrix, environment);
    }
}
