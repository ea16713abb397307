/* absent_cuda.c: cuda/ in a build without it: there is no CUDA executor. */
#include "backend.h"

const torc_executor *torc_executor_cuda(void)
{
    return NULL;
}
