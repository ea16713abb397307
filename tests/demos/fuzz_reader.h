/* fuzz_reader.h: libFuzzer's bytes as a file, for the readers, which take a path. Whatever a reader makes of
 * them, its graph must hold together: edges between its vertices, or one line that says what is wrong.
 */
#ifndef TORC_FUZZ_READER_H
#define TORC_FUZZ_READER_H

#include <stddef.h>
#include <stdint.h>

#include "graph.h"

int torc_fuzz_reader(const uint8_t *data, size_t size, bool (*read)(torc_graph *graph, const char *path));

#endif
