#include "bench_provenance.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

bench_provenance bench_provenance_now(void)
{
    bench_provenance p;
    const char *named = getenv("TORC_COMMIT");
    time_t seconds = time(NULL);
    strftime(p.date, sizeof p.date, "%Y-%m-%d %H:%M UTC", gmtime(&seconds));
    bench_first_line(
        p.driver, sizeof p.driver, "nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null");
    bench_first_line(p.commit, sizeof p.commit, "git rev-parse --short HEAD 2>/dev/null");
    if (named) {
        snprintf(p.commit, sizeof p.commit, "%s", named);
    }
    return p;
}
