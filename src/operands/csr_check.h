/* csr_check.h: what is wrong with a CSR matrix, but for its content: torc_csr_check looks at that too. */
#ifndef TORC_CSR_CHECK_H
#define TORC_CSR_CHECK_H

#include "context.h"

/* TORC_SUCCESS, or what is wrong, which torc_context_error tells then. */
torc_status torc_csr_refuse(torc_context *context, const torc_csr *csr);

#endif
