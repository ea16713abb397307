/* objects.c: see objects.h. */
#include "objects.h"
#include "contents.h"
#include "require.h"
#include <math.h>

static void require(GrB_Info info)
{
    TORC_REQUIRE(info == GrB_SUCCESS);
}

void torc_object_free(program_object *object)
{
    const side *sides = torc_sides();
    for (int s = 0; s < SIDES && object->exists; s++) {
        require(object->is_vector ? sides[s].GrB_Vector_free(&object->handles[s].vector)
                                  : sides[s].GrB_Matrix_free(&object->handles[s].matrix));
    }
    *object = (program_object){0};
}

void torc_object_put(const side *g, program_state *state, int slot, object_handle handle, value_type type)
{
    program_object *object = &state->objects[slot];
    object_handle *old = &object->handles[g->index];
    object->is_vector = is_vector_slot(slot);
    require(object->is_vector ? g->GrB_Vector_free(&old->vector) : g->GrB_Matrix_free(&old->matrix));
    *old = handle;
    object->type = type;
    object->exists = true;
}

GrB_Index torc_object_nrows(const program_object *object)
{
    const side *model = &torc_sides()[MODEL];
    GrB_Index nrows;
    require(object->is_vector ? model->GrB_Vector_size(&nrows, object->handles[MODEL].vector)
                              : model->GrB_Matrix_nrows(&nrows, object->handles[MODEL].matrix));
    return nrows;
}

GrB_Index torc_object_ncols(const program_object *object)
{
    GrB_Index ncols = 1;
    if (!object->is_vector) {
        require(torc_sides()[MODEL].GrB_Matrix_ncols(&ncols, object->handles[MODEL].matrix));
    }
    return ncols;
}

GrB_Index torc_object_nvals(const program_object *object, int s)
{
    const side *sides = torc_sides();
    GrB_Index nvals;
    require(object->is_vector ? sides[s].GrB_Vector_nvals(&nvals, object->handles[s].vector)
                              : sides[s].GrB_Matrix_nvals(&nvals, object->handles[s].matrix));
    return nvals;
}

int torc_object_option(const program_object *object, int s, GxB_Option_Field field)
{
    const side *sides = torc_sides();
    int value = 0;
    require(object->is_vector ? sides[s].GxB_Vector_Option_get(object->handles[s].vector, field, &value)
                              : sides[s].GxB_Matrix_Option_get(object->handles[s].matrix, field, &value));
    return value;
}

void torc_object_wait(const program_object *object, int s)
{
    const side *sides = torc_sides();
    require(object->is_vector ? sides[s].GrB_Vector_wait(object->handles[s].vector, GrB_MATERIALIZE)
                              : sides[s].GrB_Matrix_wait(object->handles[s].matrix, GrB_MATERIALIZE));
}

bool torc_object_is_iso(const program_object *object, int s)
{
    const side *g = &torc_sides()[s];
    bool iso = false;
    require(object->is_vector ? g->GxB_Vector_iso(&iso, object->handles[s].vector)
                              : g->GxB_Matrix_iso(&iso, object->handles[s].matrix));
    return iso;
}

bool torc_object_is_valid(const program_object *object, int s)
{
    const side *g = &torc_sides()[s];
    GrB_Info info = object->is_vector
                        ? g->GxB_Vector_fprint(object->handles[s].vector, "v", GxB_SILENT, NULL)
                        : g->GxB_Matrix_fprint(object->handles[s].matrix, "A", GxB_SILENT, NULL);
    return info == GrB_SUCCESS;
}

/* The largest power of two that divides x, which is finite and not 0. */
static double grain_of(double x)
{
    int exponent;
    int64_t digits = (int64_t)ldexp(frexp(fabs(x), &exponent), 53);
    return ldexp((double)(digits & -digits), exponent - 53);
}

value_range torc_object_range(const program_object *object)
{
    value_range range = {.least = INFINITY, .grain = INFINITY, .is_finite = true};
    contents all = torc_contents_read(object, MODEL, READ_TUPLES);
    for (GrB_Index p = 0; p < all.nvals; p++) {
        double parts[2];
        int nparts = torc_value_get(parts, all.type, torc_contents_value(&all, p));
        for (int i = 0; i < nparts; i++) {
            double x = parts[i], size = fabs(x);
            range.is_finite &= isfinite(x) != 0;
            range.least = fmin(range.least, size);
            range.greatest = fmax(range.greatest, size);
            range.grain = x == 0 || !isfinite(x) ? range.grain : fmin(range.grain, grain_of(x));
        }
    }
    torc_contents_free(&all);
    return range;
}
