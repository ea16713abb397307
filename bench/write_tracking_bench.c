/* write_tracking_bench.c: what write tracking costs on this machine, for 1 GiB: arming, asking, and writing
 * all of it by one thread. Huge pages, as the arena's, are split after the first round; pages of 4 KiB are
 * what malloc gives. */
#include "write_tracking.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>

enum { ROUNDS = 5, HUGE_PAGE = 2 << 20 };

static const size_t size = (size_t)1 << 30;

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static double write_all(char *memory)
{
    double start = milliseconds();
    memset(memory, 1, size);
    return milliseconds() - start;
}

static double ask(const char *memory, const char *expected)
{
    double start = milliseconds();
    bool is_written = torc_tracking_written(memory, size) > 0;
    double end = milliseconds();
    if (is_written != (*expected == 'w')) {
        printf("not %s!\n", expected);
    }
    return end - start;
}

static bool measure(const char *pages, int advice)
{
    char *mapped = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
        return false;
    }
    char *memory = mapped + HUGE_PAGE - (uintptr_t)mapped % HUGE_PAGE;
    madvise(memory, size, advice);
    printf("%s: first touch %.1f", pages, write_all(memory));
    printf(", written again %.1f\n", write_all(memory));
    for (int round = 0; round < ROUNDS; round++) {
        double start = milliseconds();
        torc_tracking_arm(memory, size, size);
        double armed = milliseconds() - start;
        printf("arm %.3f, ask %.3f", armed, ask(memory, "unwritten"));
        printf(", write %.1f", write_all(memory));
        printf(", ask %.3f\n", ask(memory, "written"));
    }
    torc_tracking_disarm(memory, size);
    printf("disarmed: write %.1f\n", write_all(memory));
    munmap(mapped, size + HUGE_PAGE);
    return true;
}

int main(void)
{
    struct utsname system;
    uname(&system);
    printf("Linux %s, 1 GiB, milliseconds\n", system.release);
    if (!torc_tracking_is_available() || !measure("huge pages", MADV_HUGEPAGE) ||
        !measure("pages of 4 KiB", MADV_NOHUGEPAGE)) {
        puts("no write tracking here, or no memory");
        return 1;
    }
    return 0;
}
