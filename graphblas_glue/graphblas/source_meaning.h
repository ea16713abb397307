/* source_meaning.h: does C source mean on the device, as C++, what it means on the host? */
#ifndef TORC_SOURCE_MEANING_H
#define TORC_SOURCE_MEANING_H

#include <stdbool.h>

/* false where the compiler would take it all the same:
 *   types with pointers, which are the host's, and members that C++ counts or lays out otherwise
 *   enums, which are unsigned in C; a list of plain constants is not one
 *   long double, which is double there
 *   sizeof of a character or a comparison, which C++ gives other types
 *   keywords of C++ that are names in C, #if, and names that begin with two underscores
 *   objects that outlive a call and may change, and functions that call themselves: source_state.h
 * What it refuses by itself, it refuses: c_names.cuh. */
bool torc_source_keeps_meaning(const char *source);

#endif
