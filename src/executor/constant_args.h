/* constant_args.h: the arguments of a compiled-in product's launch; all else is in the kernel's text. Plain
 * C, read by the host and by NVRTC. */
#ifndef TORC_CONSTANT_ARGS_H
#define TORC_CONSTANT_ARGS_H

typedef struct torc_constant_args {
    const void *b;
    void *c;
} torc_constant_args;

#endif
