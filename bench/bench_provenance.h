/* bench_provenance.h: what the comments at the head of a CSV say of the machine and the commit. */
#ifndef BENCH_PROVENANCE_H
#define BENCH_PROVENANCE_H

typedef struct bench_provenance {
    char driver[64], date[32]; /* of the GPU; UTC */
    char commit[64];           /* TORC_COMMIT, where the environment has it */
} bench_provenance;

bench_provenance bench_provenance_now(void);

/* The first line that a shell command prints, "unknown" if it prints none. */
void bench_first_line(char *line, int size, const char *command);

#endif
