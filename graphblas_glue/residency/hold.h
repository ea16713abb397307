/* hold.h: matrices whose content the program has promised not to change (torc_matrix_hold). Their device
 * copies are trusted without a proof. */
#ifndef TORC_HOLD_H
#define TORC_HOLD_H

#include <torc/graphblas.h>

/* Who promises that the matrix stays as it is (origin.h): itself, where it is held; else NULL. Any thread. */
const void *torc_hold_voucher(GrB_Matrix matrix);

/* Is it held, and are its rows to be reordered? */
bool torc_hold_is_reordered(GrB_Matrix matrix);

#endif
