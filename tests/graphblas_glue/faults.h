/* faults.h: failures ordered from what a test is linked with: the reference executor (faults_of_reference.c),
 * host memory (faults_of_host_memory.c), or the GPU, where every call to the CUDA runtime and to its compiler
 * can be made to fail (faults_of_cuda.c). */
#ifndef TORC_TEST_FAULTS_H
#define TORC_TEST_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

/* Where TORC_BURBLE says that a call ran which met no failure. */
extern const char torc_fault_place[];

/* Before the first call of torc in this process: torc_trace_begin, for that place, where no kernel has been
 * compiled yet. False: no such device. */
bool torc_fault_begin(void);
void torc_fault_end(void);

/* Let the call-th call (0 is the next) fail, and if it lasts all that follow; negative: none. */
void torc_fault_at(int64_t call, bool lasts);

/* Calls to go before that one; negative: it has failed, or none was asked to. */
int64_t torc_fault_calls_left(void);

/* What is taken and not given back: 0 for nothing. */
int64_t torc_fault_held(void);

#endif
