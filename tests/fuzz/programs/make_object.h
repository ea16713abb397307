/* make_object.h: a new object on one side. */
#ifndef TORC_FUZZ_MAKE_OBJECT_H
#define TORC_FUZZ_MAKE_OBJECT_H

#include "objects.h"

object_handle torc_object_make(const side *g, bool is_vector, const object_recipe *recipe);

#endif
