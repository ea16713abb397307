/* explanation.h: what selection knows of a product and makes of it, to be printed. */
#ifndef TORC_EXPLANATION_H
#define TORC_EXPLANATION_H

#include "floor.h"
#include "prediction.h"
#include "schedule.h"
#include "selection.h"

typedef struct torc_candidate {
    torc_spmm_kernel kernel;
    torc_prediction time;
    char name[TORC_KERNEL_NAME];
} torc_candidate;

enum { TORC_SHOWN_SCHEDULES = 3 };

typedef struct torc_explanation {
    const char *path, *semiring;
    int64_t ncols;    /* of B and C, N */
    bool is_packed;   /* booleans, 64 columns a word */
    bool is_assumed;  /* no device: selection is told of an H200 */
    char device[128]; /* its name */
    torc_statistics rows;
    torc_problem problem;
    double bandwidth;                               /* of a copy on the device: bytes per second */
    double compulsory, gather;                      /* seconds that bytes take at that bandwidth */
    torc_candidate candidates[TORC_MAX_CANDIDATES]; /* as selection orders them */
    int count;
    const char *rule; /* TORC_KERNEL, or empty */
    char chosen[TORC_KERNEL_NAME], yang[TORC_KERNEL_NAME], huang[TORC_KERNEL_NAME];
    /* Of schedules with the matrix in the kernel's text: how many of each verdict, and the best that are
     * kept; none where the matrix is too large. */
    int nschedules, nkept, verdicts[TORC_VERDICT_COUNT];
    torc_candidate_schedule schedules[TORC_SHOWN_SCHEDULES];
} torc_explanation;

void torc_explanation_print(const torc_explanation *explanation);
void torc_explanation_print_json(const torc_explanation *explanation);

#endif
