/* csr_check.h: checks a CSR matrix, except for the content of its arrays: torc_csr_check reads that too. */
#ifndef TORC_CSR_CHECK_H
#define TORC_CSR_CHECK_H

#include "context.h"

/* TORC_SUCCESS, or another status; then torc_context_error has the text. */
torc_status torc_csr_refuse(torc_context *context, const torc_csr *csr);

#endif
