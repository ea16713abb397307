/* device_facts.h: what is known of a GPU: the kernels it can run, and how fast it is. Selection and
 * prediction are pure functions of these facts. So the facts are what the driver says of a model, never
 * measurements: two GPUs of one kind choose the same kernels and give the same bits. */
#ifndef TORC_DEVICE_FACTS_H
#define TORC_DEVICE_FACTS_H

#include <torc/torc.h>

typedef struct torc_device_facts {
    int compute_capability; /* 90 for 9.0 */
    int multiprocessors;
    int threads;                                /* that a multiprocessor holds */
    size_t block_shared, multiprocessor_shared; /* bytes of shared memory that each can have */
    size_t l2_bytes;
    double clock;     /* cycles per second of a multiprocessor */
    double bandwidth; /* bytes per second of the device's memory */
} torc_device_facts;

/* Facts that the driver does not tell are those of a usual GPU, as below. */
torc_device_facts torc_device_facts_of(const torc_device_info *info);

/* Fill in facts that are 0: from the usual GPU of that compute capability, or from an H200 if that is 0 too.
 */
torc_device_facts torc_device_complete(torc_device_facts facts);

/* Can it run kernels with tiles? They use barriers that came with Hopper, and most of the shared memory that
 * a block has there. value_size: bytes of a value of A, 0 if A has no array of them. */
bool torc_device_has_tiles(const torc_device_facts *device, size_t value_size);

/* Can it run kernels with bricks? */
bool torc_device_has_bricks(const torc_device_facts *device);

#endif
