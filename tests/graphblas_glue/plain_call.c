/* plain_call.c: see plain_call.h. */
#include "plain_call.h"
#include <criterion/criterion.h>

random_call torc_plain_call(torc_semiring semiring, GrB_Index m, GrB_Index k, GrB_Index n)
{
    random_call call = {.same_as = {OPERAND_C, OPERAND_M, OPERAND_A, OPERAND_B}};
    const GrB_Index nrows[] = {m, m, m, k}, ncols[] = {n, n, k, n};
    const int formats[] = {GxB_SPARSE, GxB_SPARSE, GxB_SPARSE, GxB_FULL};
    const double densities[] = {0, 0.5, 0.3, 1};
    cr_assert(torc_built_in_semiring(&call.semiring, semiring));
    for (int i = 0; i < OPERAND_COUNT; i++) {
        call.recipes[i] = (matrix_recipe){
            .seed = (uint64_t)i + 1,
            .nrows = nrows[i],
            .ncols = ncols[i],
            .type = (value_type)semiring.type,
            .style = STYLE_EXACT,
            .format = formats[i],
            .density = densities[i],
        };
    }
    return call;
}
