/* random_call.h: one GrB_mxm call, drawn at random from everything that a caller may write.
 *
 * What SuiteSparse 7.4.0 itself answers wrongly or dies of is kept out: see random_call.c. */
#ifndef TORC_RANDOM_CALL_H
#define TORC_RANDOM_CALL_H

#include "random_matrix.h"
#include "random_semiring.h"

enum { OPERAND_C, OPERAND_M, OPERAND_A, OPERAND_B, OPERAND_COUNT };

/* How far two right answers may differ. */
typedef enum call_tolerance {
    TOLERANCE_NONE,
    TOLERANCE_SUM,      /* floating-point sums in another order */
    TOLERANCE_ANY,      /* any of the products */
    TOLERANCE_LONE_NAN, /* 7.4.0 takes a NaN alone under min or max for a NaN or for the identity */
} call_tolerance;

typedef struct random_call {
    uint64_t seed;
    random_semiring semiring;
    call_tolerance tolerance;
    matrix_recipe recipes[OPERAND_COUNT];
    int same_as[OPERAND_COUNT]; /* the operand that is the same object, or itself */
    bool has_mask;
    GrB_BinaryOp accum;
    value_type accum_type;
    char accum_name[32];
    bool transpose_a, transpose_b, has_complement, has_replace, has_structure;
    char desc_name[32];
    bool has_own_desc;
    GrB_Descriptor desc, own_desc; /* the second is to be freed; NULL where the first is built in */
} random_call;

/* Calls of a series of random_chance.h share what decides which kernel runs, and so a few kernels. */
void torc_random_call_draw(random_call *call, uint64_t seed);
/* After a change of what the descriptor says, or of a shape. */
void torc_random_call_set_descriptor(random_call *call);

/* Has it a dimension beyond what can be walked through? Then torc makes no promise where it computes. */
bool torc_random_call_is_huge(const random_call *call);

void torc_random_call_free(random_call *call);

#endif
