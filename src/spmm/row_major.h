/* row_major.h: dense operands brought into row-major order on the device, and C back. */
#ifndef TORC_ROW_MAJOR_H
#define TORC_ROW_MAJOR_H

#include "context.h"
#include "dense.h"

/* B as it is, or its arrays in workspace: values if they are read, and its bitmap. */
torc_status torc_bring_b(torc_dense *view, torc_context *context, const torc_dense *B, bool reads_b);

/* C as it is, or arrays for it in workspace, with what is read of it. The update's mask comes along. */
torc_status torc_bring_c(torc_dense *view, torc_update *update, torc_context *context, const torc_dense *C);

/* C from where it was computed. */
torc_status torc_take_back(torc_context *context, const torc_dense *C, const torc_dense *view);

#endif
