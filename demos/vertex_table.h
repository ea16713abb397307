/* vertex_table.h: the result of every vertex, as --output asks for it: tab-separated lines of a source, a
 * vertex and what was found of it. Vertices that a source does not reach have no line.
 */
#ifndef TORC_VERTEX_TABLE_H
#define TORC_VERTEX_TABLE_H

#include "demo.h"

/* A column of the table: a matrix with a row or a column for each source. */
typedef struct torc_vertex_column {
    const char *title;
    GrB_Matrix matrix;
    bool is_by_row;
    bool is_vertex; /* its values are vertices, and shown by name */
} torc_vertex_column;

enum { TORC_VERTEX_COLUMNS = 2 /* at most */ };

/* Lines of vertices with an entry in the first of them. Nothing is done where no table is asked for. Returns
 * what GraphBLAS returned; the demo fails where the file cannot be written. */
GrB_Info torc_vertex_table(torc_demo *demo, const torc_vertex_column *columns, int count);

/* The same by hand: the file with its head, or NULL where none is asked for, or it cannot be written. */
FILE *torc_vertex_table_open(torc_demo *demo, const char *titles);
void torc_vertex_table_close(torc_demo *demo, FILE *file);

#endif
