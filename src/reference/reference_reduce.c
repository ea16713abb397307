/* reference_reduce.c: one round of a reduction, in the order that reduce_args.h fixes. */
#include "reference.h"
#include <stdlib.h>
#include <string.h>

/* Sums that may be absent, each with room for a value. */
typedef struct sums {
    unsigned char *values;
    bool *is_present;
} sums;

typedef struct round {
    const torc_reduce_kernel *kernel;
    const torc_reduce_args *args;
    torc_type type;
    size_t size;
    torc_function add;
    sums partial;             /* of lanes; of places */
    unsigned char *x, *spare; /* room for a value each */
} round;

/* partial[to] = partial[to] + value, where there are any. */
static void add_to(const round *r, int64_t to, const void *value, bool is_present)
{
    unsigned char *sum = r->partial.values + (size_t)to * r->size;
    if (!is_present) {
        return;
    }
    if (r->partial.is_present[to]) {
        r->add(r->spare, sum, value);
        value = r->spare;
    }
    memcpy(sum, value, r->size);
    r->partial.is_present[to] = true;
}

static void add_partial(const round *r, int64_t to, int64_t from)
{
    add_to(r, to, r->partial.values + (size_t)from * r->size, r->partial.is_present[from]);
}

static void add_element(const round *r, int64_t to, int64_t line, int64_t place)
{
    int64_t at = line * r->args->ld + place;
    if (r->kernel->a_is_bitmap && !r->args->a_bitmap[at]) {
        return;
    }
    size_t offset = r->kernel->a_access == TORC_ACCESS_ISO ? 0 : (size_t)at;
    const char *stored = (const char *)r->args->a + offset * torc_type_size(r->kernel->a_type);
    if (r->type > TORC_OPAQUE) {
        add_to(r, to, stored, true);
    } else {
        torc_cast(r->x, r->type, stored, r->kernel->a_type);
        add_to(r, to, r->x, true);
    }
}

static void clear(const round *r, int64_t count)
{
    memset(r->partial.is_present, 0, (size_t)count * sizeof *r->partial.is_present);
}

static void store(const round *r, int64_t from, int64_t at)
{
    unsigned char *c = (unsigned char *)r->args->c + (size_t)at * r->size;
    if (r->partial.is_present[from]) {
        memcpy(c, r->partial.values + (size_t)from * r->size, r->size);
    } else {
        torc_reference_identity(c, r->kernel->reduction);
    }
    if (r->kernel->c_is_bitmap) {
        r->args->c_bitmap[at] = r->partial.is_present[from];
    }
}

/* Fold `count` partials, `apart` from each other, into the first: each time the second half is added to the
 * first. */
static void fold(const round *r, int64_t first, int64_t count, int64_t apart)
{
    for (int64_t stride = count / 2; stride > 0; stride /= 2) {
        for (int64_t t = 0; t < stride; t++) {
            add_partial(r, first + t * apart, first + (t + stride) * apart);
        }
    }
}

static void reduce_chunk(const round *r, int64_t line, int64_t begin, int64_t at)
{
    enum { GROUP = 32 };
    int64_t left = r->args->length - begin;
    int64_t count = left < TORC_REDUCE_CHUNK ? left : TORC_REDUCE_CHUNK;
    clear(r, TORC_REDUCE_LANES);
    for (int64_t e = 0; e < count; e++) {
        add_element(r, e / TORC_REDUCE_ADJACENT % TORC_REDUCE_LANES, line, begin + e);
    }
    for (int64_t group = 0; group < TORC_REDUCE_LANES; group += GROUP) {
        fold(r, group, GROUP, 1);
    }
    fold(r, 0, TORC_REDUCE_LANES / GROUP, GROUP);
    store(r, 0, at);
}

static void reduce_along(const round *r)
{
    for (int64_t line = 0; line < r->args->nlines; line++) {
        int64_t chunk = 0;
        do {
            reduce_chunk(r, line, chunk * TORC_REDUCE_CHUNK, line * r->args->ldc + chunk);
            chunk++;
        } while (chunk * TORC_REDUCE_CHUNK < r->args->length);
    }
}

static void reduce_across(const round *r)
{
    int64_t nlines = r->args->nlines, length = r->args->length, strip = 0;
    do {
        int64_t begin = strip * TORC_REDUCE_STRIP, end = begin + TORC_REDUCE_STRIP;
        clear(r, length);
        for (int64_t line = begin; line < end && line < nlines; line++) {
            for (int64_t place = 0; place < length; place++) {
                add_element(r, place, line, place);
            }
        }
        for (int64_t place = 0; place < length; place++) {
            store(r, place, strip * r->args->ldc + place);
        }
        strip++;
    } while (strip * TORC_REDUCE_STRIP < nlines);
}

torc_status torc_reference_reduce(const torc_reduce_kernel *kernel, const torc_reduce_args *args)
{
    const torc_reduction *reduction = &kernel->reduction;
    round r = {kernel, args, reduction->type, torc_type_size(reduction->type)};
    r.add = reduction->add == TORC_USER_MONOID ? reduction->definition->add_on_host
                                               : torc_reference_add(reduction->add, reduction->type);
    if (!r.add) {
        return TORC_UNSUPPORTED;
    }
    size_t count = kernel->is_across ? (size_t)args->length : TORC_REDUCE_LANES;
    r.partial.values = malloc((count + 1) * r.size);
    r.partial.is_present = malloc((count + 1) * sizeof *r.partial.is_present);
    r.x = malloc(r.size);
    r.spare = malloc(r.size);
    bool has_memory = r.partial.values && r.partial.is_present && r.x && r.spare;
    if (has_memory && kernel->is_across) {
        reduce_across(&r);
    } else if (has_memory) {
        reduce_along(&r);
    }
    free(r.partial.values);
    free(r.partial.is_present);
    free(r.x);
    free(r.spare);
    return has_memory ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}
