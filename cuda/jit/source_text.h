/* source_text.h: pieces of C++ text that all kinds of kernels have: types, monoids, multiplies. */
#ifndef TORC_SOURCE_TEXT_H
#define TORC_SOURCE_TEXT_H

#include "kernel_source.h"

/* The text under construction; it stays within its room, and says when it would not. */
typedef struct torc_text {
    char *characters; /* TORC_SOURCE_SIZE */
    size_t length;
    bool is_whole;
} torc_text;

__attribute__((format(printf, 2, 3))) void torc_text_append(torc_text *to, const char *format, ...);

/* "torc::access_array" */
const char *torc_text_access(torc_access access);

/* What values of a type, `alias` in the kernel, are stored as. */
const char *torc_text_stored(const char *alias, torc_type type);

/* using `alias` = the type, with a check that the kernel means the same by it. user_name: of an opaque type;
 * NULL: as many bytes. */
void torc_text_append_type(torc_text *to, const char *alias, torc_type type, const char *user_name);

/* Is there text of all that is user-defined? */
bool torc_text_has_source(torc_semiring semiring);

/* The semiring's own text, if it has some, which comes before its types. */
void torc_text_append_source(torc_text *to, torc_semiring semiring);

/* using x_type, y_type and z_type = those of multiply. */
void torc_text_append_types(torc_text *to, torc_semiring semiring, torc_traits traits);

/* using monoid = add, on z_type. */
void torc_text_append_monoid(torc_text *to, torc_semiring semiring, torc_type z_type);

/* struct `name`, whose call is that of the user-defined function. */
void torc_text_append_call(torc_text *to, const char *name, const char *function);

/* using multiply = multiply, on x_type, y_type and z_type. */
void torc_text_append_multiply(torc_text *to, torc_semiring semiring);

#endif
