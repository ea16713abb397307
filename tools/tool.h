/* tool.h: the commands of the tool torc. Each returns the exit status of the process. */
#ifndef TORC_TOOL_H
#define TORC_TOOL_H

#include <stdbool.h>

/* Exit statuses, as env(1) has them. */
enum { TORC_EXIT_FAILED = 125, TORC_EXIT_NOT_EXECUTABLE = 126, TORC_EXIT_NOT_FOUND = 127 };

/* Become the program argv[0], found as a shell finds it, with arguments argv[1] .. and the drop-in loaded
 * before every library; returns only if that fails. */
int torc_run(char **argv);

/* Is the program, found as execvp finds it, one that no library can be loaded into? */
bool torc_is_static(const char *program);

/* Print the device, the GraphBLAS library and the folder of compiled kernels. */
int torc_info(void);

/* Print of each thing that a program needs whether it is there, and what to do if not: 1 where any is
 * missing. */
int torc_doctor(void);

/* Print the burble lines of a file as a page of HTML. */
int torc_report(const char *path);

/* Measure what decides between CPU and GPU, print it and keep it. */
int torc_tool_calibrate(void);

/* Load and initialise the GraphBLAS on the loader's path; false where there is none. */
bool torc_load_graphblas(void);

/* Print which kernel would compute a product with a matrix of a file, and why: argv[0] is "explain", then
 * FILE.mtx and options. */
int torc_explain(int argc, char **argv);

/* Time kernels on that product, print what each took, and keep which is the fastest: argv[0] is "tune". */
int torc_tune(int argc, char **argv);

#endif
