/* away_program.h: objects whose content is on the device when the program runs under torc, and what programs
 * do to look at content. What is printed must be the same with and without torc. */
#ifndef TORC_AWAY_PROGRAM_H
#define TORC_AWAY_PROGRAM_H

#include <GraphBLAS.h>

enum { ROWS = 140000, COLS = 4 };

#define TRY(call) require((call) == GrB_SUCCESS, #call)

/* Ends the program. */
void require(bool condition, const char *what);

/* Pages of 2 MiB of torc's allocator that no system call can read; 0 without torc. */
int away_count(void);

/* Is content away? True without torc. */
bool away_is_any(void);

void away_make_operands(void);

/* A product that has been used by another one, so that torc goes on leaving such on the device. */
GrB_Matrix away_matrix(bool is_full);
GrB_Matrix away_matrix_by_col(bool is_full);
GrB_Vector away_vector(bool is_full);

/* C = A * B, alone. */
void away_multiply(GrB_Matrix C);

/* C = A * D */
void away_multiply_by(GrB_Matrix C, GrB_Matrix D);

/* A * (... (A * B)) */
GrB_Matrix away_chain(int length);

/* Give an array to the kernel, which must be able to read it, and add it to the line to print. */
void show_bytes(const void *array, size_t size);

/* Values whose entry is there; NULL: all are. */
void show_values(const double *values, const int8_t *bitmap, size_t count);
void show_matrix(GrB_Matrix C);
void show_vector(GrB_Vector v);

/* End the line. */
void show(const char *name);

/* away_ways_out.c: every function that hands out arrays. */
void away_ways_out(void);
void away_short_of_addresses(void);
void away_short_of_mappings(void);
void away_short_of_memory(void);

/* away_controls.c: content that is told to be sparse while it is away. */
void away_controls(void);
void away_shared(void);
void away_asked(void);
void away_shut_in(void);

/* away_formats.c: what SuiteSparse computes with what is away. */
void away_formats(void);

#endif
