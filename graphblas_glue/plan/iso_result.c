#include "iso_result.h"
#include <string.h>

/* z ⊕ z = z; of pair's ones times and the equality of truths are so too. */
static bool keeps_value(torc_semiring semiring)
{
    switch (semiring.add) {
    case TORC_ANY_MONOID:
    case TORC_MIN_MONOID:
    case TORC_MAX_MONOID:
    case TORC_LOR_MONOID:
    case TORC_LAND_MONOID:
    case TORC_BOR_MONOID:
    case TORC_BAND_MONOID:
        return true;
    case TORC_TIMES_MONOID:
    case TORC_LXNOR_MONOID:
        return semiring.multiply == TORC_PAIR;
    default:
        return false;
    }
}

torc_iso_result torc_iso_result_plan(const torc_product *product, const torc_epilogue *epilogue)
{
    torc_iso_result iso = {.is_iso = false};
    const torc_view *S = product->sparse, *D = product->dense;
    torc_traits traits = torc_semiring_traits(product->semiring);
    if (keeps_value(product->semiring) && !epilogue->reads_old && (!traits.reads_a || S->iso) &&
        (!traits.reads_b || D->iso)) {
        iso.is_iso = torc_multiply_values(iso.value, product->semiring, S->values, product->sparse_type,
                         D->values, product->dense_type) == TORC_SUCCESS;
    }
    return iso;
}

torc_iso_result torc_iso_result_of(const void *value, torc_type type, torc_type result_type)
{
    torc_iso_result iso = {.is_iso = true};
    torc_cast(iso.value, result_type, value, type);
    return iso;
}

bool torc_iso_result_needs_no_kernel(
    const torc_iso_result *iso, const torc_product *product, const torc_epilogue *epilogue)
{
    return iso->is_iso && !product->is_compact && !epilogue->has_presence && !epilogue->is_full;
}

void *torc_iso_result_block(const torc_iso_result *iso, const torc_binding *graphblas, torc_type type)
{
    void *block = torc_host_allocate(graphblas, torc_type_size(type));
    return block ? memcpy(block, iso->value, torc_type_size(type)) : NULL;
}

torc_status torc_iso_result_store(
    torc_arrays *T, const torc_iso_result *iso, const torc_binding *graphblas, torc_type type)
{
    torc_host_release(graphblas, T->values);
    T->values = torc_iso_result_block(iso, graphblas, type);
    T->iso = true;
    return T->values ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}
