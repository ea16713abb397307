/* random_semiring.h: semirings as programs have them: built in, or their own from built-in parts; those that
 * torc has, and others. */
#ifndef TORC_RANDOM_SEMIRING_H
#define TORC_RANDOM_SEMIRING_H

#include "value_types.h"

typedef struct random_semiring {
    char name[96];
    bool has_source; /* torc has it by its source */
    bool is_known;   /* torc has it, as: */
    torc_semiring known;
    value_type type; /* of its results; multiply takes known.type */
    GrB_Semiring handle;
    GrB_Semiring own_semiring; /* to be freed; NULL where the handle is built in */
    GrB_Monoid own_monoid;
} random_semiring;

/* The one that GraphBLAS has; without handle and name, and false, where it has none of that name. It need not
 * be freed. */
bool torc_built_in_semiring(random_semiring *semiring, torc_semiring known);

void torc_random_semiring_draw(random_semiring *semiring, uint64_t *stream);
void torc_random_semiring_free(random_semiring *semiring);

/* A handle that GraphBLAS exports, by its name: "GrB_DESC_T0". It must exist. */
void *torc_graphblas_handle(const char *name);

/* An operator, by its name and type: "PLUS", "FP32". Not each is there on each type. */
bool torc_graphblas_has_operator(const char *name, const char *type);
GrB_BinaryOp torc_graphblas_operator(const char *name, const char *type);

#endif
