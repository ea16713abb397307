/* version.h: the differences between versions of SuiteSparse:GraphBLAS, all of them in one place.
 *
 * Options were renumbered in 8.0. The iterator's layout changed in 10.0, when matrices got 32-bit integers.
 * Complex division got other special cases in 8.0. Packing also forgets a matrix's name and whether it may
 * have a hyper-hash from 9.0 on, and its hints for integer widths from 10.0 on.
 */
#ifndef TORC_VERSION_H
#define TORC_VERSION_H

#include <stdbool.h>

enum { TORC_HINT_COUNT = 3 };

/* Numbers of options are 0 where the version lacks them. */
typedef struct torc_numbers {
    unsigned major, minor; /* from this minor version on, until the next major one */
    int hyper_switch, bitmap_switch, sparsity_status, sparsity_control;
    int malloc_function, free_function;
    int nthreads, descriptor_nthreads;
    int name, hyper_hash;
    int axb_method, axb_gustavson;      /* the hint in a descriptor, and the first of its values but 0 */
    int is_readonly;                    /* are C's arrays the program's? */
    int integer_hints[TORC_HINT_COUNT]; /* of row indices, column indices and offsets */
    bool keeps_small_blocks;            /* instead of freeing them, and writes to them */
    bool divides_complex_as_torc;       /* later ones differ where a part is zero or not finite */
    bool options_clear_errors;          /* GxB_*_Option_set clears the text of an error of before */
    bool matrices_clear_errors;         /* so do, of a matrix alone, GxB_*_Option_set and GrB_*_set */
    bool has_mixed_integers;            /* the iterator has a 32-bit and a 64-bit pointer of each array */
} torc_numbers;

/* The option that holds the library's version has number 9 before 8.0, and 7005 since. Each library refuses
 * the other number, so that asking for both tells the version. Names of files and sonames do not tell, since
 * wheels rename theirs; GrB_getVersion tells the version of the API. */
enum { TORC_LIBRARY_VERSION_BEFORE_8 = 9, TORC_LIBRARY_VERSION_SINCE_8 = 7005 };

/* NULL for a version that torc was not written for. */
const torc_numbers *torc_version_numbers(const unsigned version[3]);

#endif
