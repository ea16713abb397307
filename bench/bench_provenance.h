/* bench_provenance.h: what the comments at the head of a CSV say of the machine and the commit. */
#ifndef BENCH_PROVENANCE_H
#define BENCH_PROVENANCE_H

/* The first line that a shell command prints, "unknown" if it prints none. */
void bench_first_line(char *line, int size, const char *command);

#endif
