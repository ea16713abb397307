#include "bench_provenance.h"
#include <stdio.h>
#include <string.h>

void bench_first_line(char *line, int size, const char *command)
{
    snprintf(line, (size_t)size, "unknown");
    FILE *pipe = popen(command, "r");
    if (pipe && fgets(line, size, pipe)) {
        line[strcspn(line, "\n")] = '\0';
    }
    if (pipe) {
        pclose(pipe);
    }
}
