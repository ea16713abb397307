/* algebra_text.h: a semiring of paths as text, and the C that follows from it.
 *
 *     # Cheapest paths; among these the ones with the fewest edges
 *     type      { double cost; int64_t hops; }
 *     edge      { z.cost = w; z.hops = 1; }
 *     better    { x.cost < y.cost || (x.cost == y.cost && x.hops < y.hops) }
 *     multiply  { z.cost = x.cost + y.cost; z.hops = x.hops + y.hops; }
 *     source    { 0, 0 }
 *     nothing   { INFINITY, 0 }
 *     show      { "%g in %lld", x.cost, (long long)x.hops }
 *
 * Seven parts in any order, each a name and C between braces: the members of a struct, `path`; z of an edge
 * of weight w; whether x is better than y, from which add follows; z of the path x with y after it; the path
 * that goes nowhere; what is worse than any path; arguments of printf. Two values of which none is better
 * must be the same value. Outside of braces # begins a comment.
 */
#ifndef TORC_ALGEBRA_TEXT_H
#define TORC_ALGEBRA_TEXT_H

#include <stdbool.h>

enum { TORC_ALGEBRA_ERROR = 256 };

/* As GraphBLAS takes them: a typedef of `path`; path_add and path_multiply, each z = f (x, y) on path,
 * path_better with z bool. path_multiply extends y by the edge x, as Aᵀ ⊕.⊗ X has them. host: all of that
 * once, and what the host needs beside it, to be compiled: path_edge (z, weight), path_extend (z, path,
 * edge), path_is_better (x, y), path_show (text, size, x), path_source, path_nothing, path_size. */
typedef struct torc_algebra_text {
    char *type, *add, *multiply, *better, *host;
} torc_algebra_text;

/* argument: the text itself, which has a brace, or the name of a file that holds it. false, with one line in
 * error; release is due in both cases. */
bool torc_algebra_text_read(torc_algebra_text *text, const char *argument, char error[TORC_ALGEBRA_ERROR]);

void torc_algebra_text_release(torc_algebra_text *text);

#endif
