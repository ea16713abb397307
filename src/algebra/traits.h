/* traits.h: the properties of a semiring's multiply and of its monoid, each without the other. */
#ifndef TORC_TRAITS_H
#define TORC_TRAITS_H

#include <torc/elementwise.h>

/* The traits of multiply, whatever add is. is_exact is not filled in. */
torc_traits torc_multiply_traits(torc_semiring semiring);

/* Can user-defined operators have such a type? */
bool torc_is_user_type(const torc_user_type *user);

/* Does the monoid exist on its type? */
bool torc_reduction_is_supported(torc_reduction reduction);

#endif
