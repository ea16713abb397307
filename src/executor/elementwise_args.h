/* elementwise_args.h: what one element-wise launch is given: C⟨mask⟩ = accum (C, T), T(i,j) = operation
 * (A(i,j), B(i,j)). Plain C, read by the host, by nvcc and by NVRTC.
 *
 * C is nlines lines of `length` places: rows of a row-major C, columns of a column-major one. Element number
 * (line, place) is
 *
 *     C, its bitmap, its mask, its old values     line·ldc + place
 *     A and its bitmap, without lists             line·ld + place                      of the operand
 *     A and its bitmap, with lists                lines[line]·ld + places[place]·step  a list that is NULL
 *                                                                                      names each itself
 *
 * and B likewise. Where the kernel is flat there is one line, of lines of flat_length. i is the line and j
 * the place, or with by_column the other way round.
 *
 * An operand whose access is iso has one value: values[0], in device memory, or if that is NULL, `value`.
 * Values in these arguments begin at the first byte of their words.
 */
#ifndef TORC_ELEMENTWISE_ARGS_H
#define TORC_ELEMENTWISE_ARGS_H

#include "fixed_width.h"

typedef struct torc_elementwise_operand {
    const void *values;    /* of the operand's stored type */
    const uint8_t *bitmap; /* 0: absent */
    int64_t ld, step;
    const uint64_t *lines, *places;
    uint64_t value[2];
} torc_elementwise_operand;

typedef struct torc_elementwise_args {
    int64_t nlines, length, flat_length;
    uint8_t by_column;
    torc_elementwise_operand a, b;
    uint64_t thunk[2];          /* int64, or where the operator compares values, its type */
    uint64_t alpha[2], beta[2]; /* of the types of the operator's x and y */
    void *c;
    int64_t ldc;
    uint8_t *c_bitmap;
    const uint8_t *mask;
    const void *old_c; /* c itself, or one value in device memory */
    uint8_t mask_complement, mask_replace;
} torc_elementwise_args;

#endif
