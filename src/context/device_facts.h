/* device_facts.h: what is known of a GPU: which kernels it can run, and how fast. Selection and prediction
 * are pure functions of these facts, so they are what the driver says of a model, never what was measured:
 * two GPUs of one kind choose the same kernels, and give the same bits. */
#ifndef TORC_DEVICE_FACTS_H
#define TORC_DEVICE_FACTS_H

#include <torc/torc.h>

/* 0: unknown. */
typedef struct torc_device_facts {
    int compute_capability; /* 90 for 9.0 */
    int multiprocessors;
    int threads;                                /* that a multiprocessor holds */
    size_t block_shared, multiprocessor_shared; /* bytes of shared memory that each can have */
    size_t l2_bytes;
    double clock;     /* cycles per second of a multiprocessor */
    double bandwidth; /* bytes per second of the device's memory */
} torc_device_facts;

torc_device_facts torc_device_facts_of(const torc_device_info *info);

/* What is unknown, as the usual GPU of that compute capability has it; where that is unknown, an H200. */
torc_device_facts torc_device_complete(torc_device_facts facts);

/* Can it run kernels with tiles, where a value of A has so many bytes, 0 if it is no array? They wait at
 * barriers of Hopper and later, and take most of the shared memory that a block has there. */
bool torc_device_has_tiles(const torc_device_facts *complete, size_t value_size);

/* Can it run kernels with bricks? */
bool torc_device_has_bricks(const torc_device_facts *complete);

#endif
