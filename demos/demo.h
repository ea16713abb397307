/* demo.h: what every demo does around its algorithm: options, the graph, the sources, GraphBLAS begun and
 * ended, one line where something is wrong.
 *
 * Exit status: 0; 1 where the input is bad, memory short or a check found a difference; 2 for wrong options.
 */
#ifndef TORC_DEMO_H
#define TORC_DEMO_H

#include <GraphBLAS.h>

#include "graph.h"
#include "json_writer.h"
#include "option_table.h"
#include "progress.h"
#include "svg_plot.h"

typedef struct torc_demo {
    const char *summary;    /* for --help */
    const char *more_help;  /* after the options, or NULL */
    const char *count_name; /* of the option for the number of sources */
    long wanted, most;      /* sources: default, and most that may be asked for */
    long top;               /* lines in a table */
    size_t bytes_each;      /* of what is kept of every vertex for every source, at least */
    bool has_no_sources;    /* set by an option: one column is for all */
    bool is_json;

    /* set when solve is called */
    torc_graph graph;
    uint64_t *sources, count;
    torc_progress progress;
    torc_json json;

    const char *file, *from, *plot, *output;
    long rmat_scale, grid_side;
    bool is_of_any_size; /* also where the machine has less memory than that takes */
    bool has_failed;
    double ready, seconds_reading; /* when the graph had been read, and how long that took */
} torc_demo;

/* A table or a plot shows this many sources at most. */
enum { TORC_SHOWN_SOURCES = 5 };

/* main. `own` are the options of the program; solve gets the graph and the sources and returns what GraphBLAS
 * returned; `program` is handed on to it. */
int torc_demo_main(torc_demo *demo, const torc_option *own, int argc, char **argv,
    GrB_Info (*solve)(torc_demo *demo, void *program), void *program);

/* One line on standard error; the exit status will be 1. */
void torc_demo_fail(torc_demo *demo, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Lines on the graph and its sources, in text or JSON. torc_demo_end closes what this opened. */
void torc_demo_begin(torc_demo *demo, uint64_t nedges);
void torc_demo_end(torc_demo *demo);

/* All sources were compared with `with`, and none differed unless the demo has failed. */
void torc_demo_checked(torc_demo *demo, const char *with);

/* Seconds of `steps` steps, in GrB_mxm and in all, and of the program up to now, but for reading the graph:
 * what a user waits for. Nothing else that is printed changes from run to run. */
void torc_demo_times(torc_demo *demo, const char *whole, double mxm, double total, uint64_t steps);

/* Write the charts where --plot asks for them. */
void torc_demo_plot(torc_demo *demo, const torc_plot *plots, int count);

#endif
