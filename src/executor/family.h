/* family.h: the families of kernels of products, in one table. A family is a way to share A's entries among
 * threads. The table has what every room must know of a family; select/families.h has when it is legal and
 * what it costs. */
#ifndef TORC_FAMILY_H
#define TORC_FAMILY_H

#include <stdbool.h>

/* Splits: Yang, Buluc, Owens, Design Principles for Sparse Matrix Multiplication on the GPU, Euro-Par 2018.
 * Row caching: coalesced sparse-row caching of Huang et al. */
typedef enum torc_family {
    TORC_ROWS,            /* row split: a row, or a segment of a long one, one entry after another */
    TORC_CACHED_ROWS,     /* the same, entries of A staged in shared memory instead of handed round */
    TORC_PARALLEL_ROWS,   /* the same, several entries at once */
    TORC_SLICES,          /* nonzero split: TORC_SLICE_NNZ entries, whatever their rows, one after another */
    TORC_BUNDLES,         /* row split: TORC_BUNDLE_ROWS rows, short ones, one after another */
    TORC_STREAMED,        /* nonzero split: a block streams several slices through shared memory */
    TORC_PARALLEL_SLICES, /* nonzero split, several entries at once */
    TORC_PANELS,          /* row split, one panel of columns after another; its rows of B in shared memory */
    TORC_TILES,           /* row split; rows of B that several rows of a block name in shared memory */
    TORC_BRICKS,          /* row split, a window of rows at once, by tensor cores */
    TORC_UNIFORM,         /* row split; all columns of C are equal: one is computed and copied */
    TORC_BLOCK_ROWS,      /* row split; a block has a long row, or a piece of one, a group a short one */
    TORC_FAMILIES
} torc_family;

/* What a family needs of A beside its CSR arrays, as spmm_args.h draws it. */
typedef enum torc_cut {
    TORC_CUT_BLOCKS, /* nothing: there is one block per multiprocessor, which finds its rows itself */
    TORC_CUT_SEGMENTS,
    TORC_CUT_PIECES,
    TORC_CUT_SLICES,
    TORC_CUT_BUNDLES,    /* the slices' arrays that say where rows end */
    TORC_CUT_TILES,      /* a plan, which takes as long as some products */
    TORC_CUT_PART_TILES, /* likewise: what kernels with tiles need instead where B is narrow */
    TORC_CUT_BRICKS,     /* likewise */
    TORC_CUTS
} torc_cut;

/* What a block keeps in shared memory. */
typedef enum torc_shared_memory {
    TORC_SHARED_LITTLE, /* so little that it does not limit anything */
    TORC_SHARED_STREAM, /* entries on their way: the multiprocessor's memory is for L1 and several blocks */
    TORC_SHARED_ALL     /* as much as a block can have */
} torc_shared_memory;

struct torc_spmm_kernel;

typedef struct torc_family_facts {
    const char *name, *suffix;   /* of its kernels, before the shape and after it */
    const char *header, *policy; /* in cuda/kernels/: its file, and in that its template of lanes, vector and
                                    number */
    torc_cut cut;
    torc_shared_memory shared;
    /* How many blocks shall fit on a multiprocessor (wanted_blocks.h); NULL: one. */
    int (*wanted_blocks)(const struct torc_spmm_kernel *kernel);
    int threads;       /* of a block */
    int ways;          /* entries of A that a group combines at once; 0: each kernel has its own number */
    int block_slices;  /* slices that a block takes together; 0: a group has one slice, or none */
    bool is_numbered;  /* kernels have a number, which follows the name: ways, or products */
    bool is_uniform;   /* one column of C is computed and copied to the others */
    bool is_of_papers; /* the rules of papers may choose it (select/selection.c) */
    bool is_of_all_rows, is_of_all_columns; /* it computes all rows of C, all columns, or nothing */
} torc_family_facts;

extern const torc_family_facts torc_families[TORC_FAMILIES];

#endif
