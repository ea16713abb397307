/* run_scalar.c: objects of one value. */
#include "require.h"
#include "run.h"
#include <complex.h>

GrB_Scalar torc_new_scalar(const side *g, const program_step *s, double more)
{
    GrB_Scalar scalar = NULL;
    GrB_Info info = GrB_PANIC;
    GxB_FC64_t value = step_scalar(s) + more;
    value_path path = {creal(value), 1};
    TORC_REQUIRE(g->GrB_Scalar_new(&scalar, torc_value_handle(s->scalar_type)) == GrB_SUCCESS);
    if (s->lacks_value) {
        return scalar;
    }
    switch (s->scalar_type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        info = g->GrB_Scalar_setElement_##name(scalar, (ctype)value);                                        \
        break;
        VALUE_TYPE_MAP(X)
#undef X
    default:
        info = g->GrB_Scalar_setElement_UDT(scalar, &path);
        break;
    }
    TORC_REQUIRE(info == GrB_SUCCESS);
    return scalar;
}

void torc_take_scalar(const side *g, GrB_Scalar scalar, value_type type, step_answer *answer)
{
    GrB_Info info = GrB_PANIC;
    TORC_REQUIRE(g->GrB_Scalar_nvals(&answer->count, scalar) == GrB_SUCCESS);
    answer->has_value = answer->count > 0;
    answer->type = type;
    switch (type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        info = g->GrB_Scalar_extractElement_##name((ctype *)(void *)answer->value, scalar);                  \
        break;
        ANY_TYPE_MAP(X)
#undef X
    default:
        break;
    }
    TORC_REQUIRE(info == (answer->count > 0 ? GrB_SUCCESS : GrB_NO_VALUE));
}
