/* torc.c: the command line of the tool torc. */
#include "tool.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <torc/torc.h>

static const char usage[] =
    "usage: torc run PROGRAM [ARGUMENT ...]   run it with products and dense operations on the GPU\n"
    "       torc explain FILE.mtx [--n N] [--semiring plus-times-fp32] [--json]\n"
    "                                        show which kernel would multiply it, and why\n"
    "       torc tune FILE.mtx [--n N] [--semiring plus-times-fp32] [--json]\n"
    "                                        time kernels on it, and keep which is the fastest\n"
    "       torc info                         show device, GraphBLAS and cache\n"
    "       torc doctor                       say what is missing, and what to do about it\n"
    "       torc report LOG                   draw what TORC_LOG=LOG torc run PROGRAM told, as HTML\n"
    "       torc calibrate                    measure this machine, when idle, for the cost model\n"
    "       torc version\n"
    "       torc --help, torc COMMAND --help\n"
    "\n"
    "Environment, all optional:\n"
    "  TORC_BURBLE=1|program|summary     say on standard error where each call ran, and why; also where its\n"
    "                            operands were; or a table at the end\n"
    "  TORC_LOG=FILE             say it in that file; %p is the number of the process\n"
    "  TORC_BACKEND=auto|cuda|reference|off\n"
    "  TORC_DEVICE=N             CUDA device\n"
    "  TORC_DEVICES=all|N,N      several CUDA devices as one\n"
    "  TORC_MEMORY_LIMIT=BYTES   that torc may hold on the device; K, M, G are understood\n"
    "  TORC_CACHE_DIR=FOLDER     of compiled kernels\n"
    "  TORC_FORCE=cpu|gpu        skip the cost model\n"
    "  TORC_KERNEL=NAME          which kernel multiplies, as torc explain names them; yang, huang\n"
    "  TORC_PRECISION=exact|fp32|tf32    how exact sums have to be\n";

static const struct {
    const char *command, *text;
} helps[] = {
    {"run",
        "usage: torc run [--] PROGRAM [ARGUMENT ...]\n"
        "\n"
        "Run PROGRAM, found as a shell finds it, with products (GrB_mxm, GrB_mxv, GrB_vxm) and operations "
        "on dense\n"
        "matrices and vectors intercepted: on the GPU where that is faster, and by SuiteSparse:GraphBLAS "
        "otherwise.\n"
        "The program must load GraphBLAS as a shared library, and needs no change.\n"
        "TORC_BURBLE=1 torc run PROGRAM says where each call ran, and why. After -- a program's name may "
        "begin with\n"
        "a dash. The exit status is the program's; 125, 126 or 127 where it could not be started.\n"},
    {"explain",
        "usage: torc explain FILE.mtx[.gz] [OPTIONS]\n"
        "\n"
        "Say which kernels could multiply the matrix of a Matrix Market file by a dense one, how long each "
        "should\n"
        "take on this machine's device, or an H200 where there is none, which one torc chooses, and why. "
        "Nothing is\n"
        "computed.\n"
        "  --n N                        columns of the dense matrix (32)\n"
        "  --semiring ADD-MULTIPLY-TYPE   as plus-times-fp32, which is the default, or min-plus-fp64\n"
        "  --json                       for programs\n"},
    {"tune",
        "usage: torc tune FILE.mtx[.gz] [OPTIONS]\n"
        "\n"
        "Multiply the matrix of a Matrix Market file by a dense one with each of the kernels that are "
        "predicted to\n"
        "be the fastest, and, where it is small, with some that have it compiled in; print what each "
        "takes, and\n"
        "keep which is the fastest for torc_sparse_tune. Then the same with the matrix's rows reordered, "
        "and after\n"
        "how many products that pays. Needs a GPU, which should have nothing else to do, and may take a "
        "minute or\n"
        "two. The options --n, --semiring and --json are those of torc explain.\n"},
    {"info", "usage: torc info\n"
             "\n"
             "Show torc's version, the device or why there is none, the run-time compiler, the folder of "
             "compiled\n"
             "kernels, and the GraphBLAS that a program would meet.\n"},
    {"doctor",
        "usage: torc doctor\n"
        "\n"
        "Say of each thing that a program needs on the GPU whether it is there: driver, device, run-time "
        "compiler,\n"
        "GraphBLAS, the folder of compiled kernels, write tracking, memory; and what to do about what is "
        "missing.\n"
        "The exit status is 0 where nothing is missing, and 1 otherwise.\n"},
    {"report",
        "usage: torc report LOG >PAGE.html\n"
        "\n"
        "Write a page of HTML about a run, on standard output: a timeline of its calls, where each ran, the "
        "bytes "
        "that\n"
        "moved, and what stayed on the device. LOG is what TORC_LOG=LOG torc run PROGRAM wrote, or what "
        "TORC_BURBLE=1\n"
        "wrote to standard error; other lines in it are left out. The page needs nothing else, and has no "
        "scripts.\n"},
    {"calibrate", "usage: torc calibrate\n"
                  "\n"
                  "Measure the rates of this machine that decide between CPU and GPU, print them, and keep "
                  "them for later\n"
                  "runs. It takes some seconds on the device and on all processors, which should have "
                  "nothing else to do.\n"},
    {"version", "usage: torc version\n"},
};

static int fail(const char *problem, const char *argument)
{
    fprintf(stderr, "torc: %s%s%s; torc --help tells more\n", problem, argument ? ": " : "",
        argument ? argument : "");
    return TORC_EXIT_FAILED;
}

static bool is_help(const char *argument)
{
    return !strcmp(argument, "--help") || !strcmp(argument, "-h");
}

/* Of one command, or NULL. */
static const char *find_help(const char *command)
{
    for (size_t i = 0; i < sizeof helps / sizeof helps[0]; i++) {
        if (!strcmp(command, helps[i].command)) {
            return helps[i].text;
        }
    }
    return NULL;
}

/* What follows the options, of which it has none. */
static int run_program(char **argv)
{
    if (argv[0] && !strcmp(argv[0], "--")) {
        argv++;
    } else if (argv[0] && argv[0][0] == '-') {
        return fail("run takes no option; a program of such a name comes after --", argv[0]);
    }
    return argv[0] ? torc_run(argv) : fail("run needs a program", NULL);
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        return fail("no command given", NULL);
    }
    const char *command = argv[1];
    const char *help = argc > 2 && is_help(argv[2]) ? find_help(command) : NULL;
    if (help) {
        fputs(help, stdout);
        return 0;
    }
    if (!strcmp(command, "run")) {
        return run_program(argv + 2);
    }
    if (!strcmp(command, "explain")) {
        return torc_explain(argc - 1, argv + 1);
    }
    if (!strcmp(command, "tune")) {
        return torc_tune(argc - 1, argv + 1);
    }
    if (!strcmp(command, "report")) {
        return argc == 3 ? torc_report(argv[2]) : fail("report needs one log", NULL);
    }
    if (argc > 2) {
        return fail("unexpected argument", argv[2]);
    }
    if (!strcmp(command, "info")) {
        return torc_info();
    }
    if (!strcmp(command, "doctor")) {
        return torc_doctor();
    }
    if (!strcmp(command, "calibrate")) {
        return torc_tool_calibrate();
    }
    if (!strcmp(command, "version") || !strcmp(command, "--version")) {
        printf("torc %d.%d.%d\n", TORC_VERSION_MAJOR, TORC_VERSION_MINOR, TORC_VERSION_PATCH);
        return 0;
    }
    if (!strcmp(command, "help") || is_help(command)) {
        fputs(usage, stdout);
        return 0;
    }
    return fail("unknown command", command);
}

int main(int argc, char **argv)
{
    int status = run_command(argc, argv);
    if (status <= 1 && (fflush(stdout) != 0 || ferror(stdout))) {
        fprintf(stderr, "torc: standard output cannot be written\n");
        return TORC_EXIT_FAILED;
    }
    return status;
}
