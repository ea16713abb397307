/* torc.c: the command line of the tool torc. */
#include "tool.h"

#include <stdio.h>
#include <string.h>
#include <torc/torc.h>

static const char usage[] =
    "usage: torc run PROGRAM [ARGUMENT ...]   run it with GrB_mxm on the GPU\n"
    "       torc explain FILE.mtx [--n N] [--semiring plus-times-fp32] [--json]\n"
    "                                        show which kernel would multiply it, and why\n"
    "       torc info                         show device, GraphBLAS and cache\n"
    "       torc calibrate                    measure this machine, when idle, for the cost model\n"
    "       torc version\n"
    "       torc --help\n"
    "\n"
    "Environment, all optional:\n"
    "  TORC_BURBLE=1             say on standard error where each call ran, and why\n"
    "  TORC_BACKEND=auto|cuda|reference|off\n"
    "  TORC_DEVICE=N             CUDA device\n"
    "  TORC_MEMORY_LIMIT=BYTES   that torc may hold on the device; K, M, G are understood\n"
    "  TORC_CACHE_DIR=FOLDER     of compiled kernels\n"
    "  TORC_FORCE=cpu|gpu        skip the cost model\n"
    "  TORC_KERNEL=NAME          which kernel multiplies, as torc explain names them; yang, huang\n";

static int fail(const char *problem, const char *argument)
{
    fprintf(stderr, "torc: %s%s%s; torc --help tells more\n", problem, argument ? ": " : "",
        argument ? argument : "");
    return TORC_EXIT_FAILED;
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        return fail("no command given", NULL);
    }
    const char *command = argv[1];
    if (!strcmp(command, "run")) {
        return argc > 2 ? torc_run(argv + 2) : fail("run needs a program", NULL);
    }
    if (!strcmp(command, "explain")) {
        return torc_explain(argc - 1, argv + 1);
    }
    if (argc > 2) {
        return fail("unexpected argument", argv[2]);
    }
    if (!strcmp(command, "info")) {
        return torc_info();
    }
    if (!strcmp(command, "calibrate")) {
        return torc_tool_calibrate();
    }
    if (!strcmp(command, "version") || !strcmp(command, "--version")) {
        printf("torc %d.%d.%d\n", TORC_VERSION_MAJOR, TORC_VERSION_MINOR, TORC_VERSION_PATCH);
        return 0;
    }
    if (!strcmp(command, "help") || !strcmp(command, "--help") || !strcmp(command, "-h")) {
        fputs(usage, stdout);
        return 0;
    }
    return fail("unknown command", command);
}

int main(int argc, char **argv)
{
    int status = run_command(argc, argv);
    if (status == 0 && (fflush(stdout) != 0 || ferror(stdout))) {
        fprintf(stderr, "torc: standard output cannot be written\n");
        return TORC_EXIT_FAILED;
    }
    return status;
}
