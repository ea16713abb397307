/* reference_update.c: C⟨mask⟩ = accum (C, T), element by element. */
#include "reference.h"
#include <string.h>

void torc_reference_update(const torc_reference_store *store, int64_t at, const void *t, bool is_present)
{
    size_t size = torc_type_size(store->type);
    char *c = (char *)store->c + (size_t)at * size;
    bool is_read = store->old_access != TORC_ACCESS_NONE;
    bool was_present = is_read && (!store->c_bitmap || store->c_bitmap[at]);
    bool is_allowed = !store->mask || (store->mask[at] != 0) != store->mask_complement;
    if (store->old_access == TORC_ACCESS_ISO) {
        memcpy(c, store->old_c, size);
    }
    if (!is_allowed) {
        is_present = was_present && !store->mask_replace;
    } else if (store->has_accum && was_present) {
        if (is_present) {
            torc_reference_multiply(store->accum, store->type)(c, c, t);
        }
        is_present = true;
    } else {
        memcpy(c, t, size);
    }
    if (store->c_bitmap) {
        store->c_bitmap[at] = is_present;
    }
}
