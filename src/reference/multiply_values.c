#include "reference.h"

torc_status torc_multiply_values(
    void *z, torc_semiring semiring, const void *a, torc_type a_type, const void *b, torc_type b_type)
{
    torc_traits traits = torc_semiring_traits(semiring);
    torc_value x = {0}, y = {0};
    if (!z) {
        return TORC_NULL_POINTER;
    }
    if (!traits.is_supported || traits.is_positional || semiring.definition ||
        (traits.reads_a && (!a || !torc_can_cast(traits.x_type, a_type))) ||
        (traits.reads_b && (!b || !torc_can_cast(traits.y_type, b_type)))) {
        return TORC_UNSUPPORTED;
    }
    if (traits.reads_a) {
        torc_cast(&x, traits.x_type, a, a_type);
    }
    if (traits.reads_b) {
        torc_cast(&y, traits.y_type, b, b_type);
    }
    torc_reference_multiply(semiring.multiply, semiring.type)(z, &x, &y);
    return TORC_SUCCESS;
}
