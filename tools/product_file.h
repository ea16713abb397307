/* product_file.h: the product that explain and tune are asked about: a matrix of a file times a dense one. */
#ifndef TORC_PRODUCT_FILE_H
#define TORC_PRODUCT_FILE_H

#include <torc/torc.h>

typedef struct torc_product_question {
    const char *command, *path, *semiring_name;
    torc_semiring semiring;
    int64_t ncols; /* of the dense matrix */
    bool is_json;
} torc_product_question;

/* argv[0] is the command, then FILE.mtx, --n N, --semiring S and --json. 0, or the exit status: what is wrong
 * has been said. */
int torc_product_parse(torc_product_question *asked, int argc, char **argv);

/* A line on standard error; gives the exit status. */
int torc_product_fail(const char *command, const char *what, const char *problem);

/* The matrix of a file by rows, columns as they come. */
typedef struct torc_file_matrix {
    int64_t nrows, ncols, *row_ptr; /* nrows+1 */
    uint32_t *col_idx;
    double *values; /* 1 where the file has none */
    bool has_values;
} torc_file_matrix;

/* 0, or the exit status. The caller frees what was made, also on error. */
int torc_file_matrix_read(torc_file_matrix *matrix, const torc_product_question *asked);
void torc_file_matrix_free(torc_file_matrix *matrix);

#endif
