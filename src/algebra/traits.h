/* traits.h: the halves of a semiring on their own. */
#ifndef TORC_TRAITS_H
#define TORC_TRAITS_H

#include <torc/elementwise.h>

/* The traits of multiply, whatever add is. is_exact is not filled in. */
torc_traits torc_multiply_traits(torc_semiring semiring);

/* Is it one that user-defined operators can have? */
bool torc_is_user_type(const torc_user_type *user);

/* Does the monoid exist on its type? */
bool torc_reduction_is_supported(torc_reduction reduction);

#endif
