/* graph_debian.h: the package dependency graph of a Debian-like distribution, as apt knows it: an edge from
 * each package to each package that it depends on (Depends, Pre-Depends, Recommends).
 *
 * Which packages a name in such a field stands for:
 *   - versions "(>= 2.34)", architectures ":any" and restrictions "[amd64]", "<!nocheck>" are ignored;
 *   - of alternatives "a | b" each counts;
 *   - the name of a package is that package, whoever else provides the name;
 *   - any other name is each package that provides it, and nothing where none does.
 * The first stanza of a name counts, later ones (other versions or architectures) are skipped.
 */
#ifndef TORC_GRAPH_DEBIAN_H
#define TORC_GRAPH_DEBIAN_H

#include "graph.h"

/* Read stanzas as `apt-cache dumpavail` prints them, or as the Packages files of an archive hold them,
 * gzipped or not. path NULL: run apt-cache. */
bool torc_graph_read_debian(torc_graph *graph, const char *path);

#endif
