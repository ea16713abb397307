/* contents.h: all entries of an object, read in one of many ways, and compared. */
#ifndef TORC_FUZZ_CONTENTS_H
#define TORC_FUZZ_CONTENTS_H

#include "objects.h"

typedef struct contents {
    value_type type;
    GrB_Index nrows, ncols, nvals;
    GrB_Index *rows, *cols;
    char *values;
} contents;

static inline void *torc_contents_value(const contents *c, GrB_Index p)
{
    return c->values + p * torc_value_size(c->type);
}

/* With room for so many entries, of any shape. */
contents torc_contents_new(value_type type, GrB_Index nvals);

contents torc_contents_read(const program_object *object, int side, read_way way);
void torc_contents_free(contents *c);

/* NULL, or what differs: a string of this thread's. Where values are unsure only structure is compared. */
const char *torc_contents_compare(const contents *expected, contents *actual, bool has_unsure_values);

/* The same of settings. `formats` counts differences in structure and iso, which GraphBLAS does not promise.
 */
const char *torc_settings_compare(const program_object *object, int *formats);

#endif
