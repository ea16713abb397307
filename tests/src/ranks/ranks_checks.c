/* ranks_checks.c: see ranks_checks.h. */
#include "ranks_checks.h"
#include <stdio.h>

int rank, nranks, failures;

void expect(bool condition, uint64_t seed, const char *what)
{
    if (!condition) {
        fprintf(stderr, "rank %d of %d, seed %lu: %s\n", rank, nranks, (unsigned long)seed, what);
        failures++;
    }
}

void require(torc_status status, uint64_t seed, const char *what)
{
    if (status != TORC_SUCCESS) {
        fprintf(stderr, "rank %d of %d, seed %lu: %s: %s\n", rank, nranks, (unsigned long)seed, what,
            torc_status_text(status));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void *put(torc_context *context, const void *host, size_t size)
{
    void *memory = NULL;
    require(torc_memory_allocate(&memory, context, size), 0, "memory");
    require(torc_memory_upload(context, memory, host, size), 0, "upload");
    return memory;
}

torc_dense put_rows(torc_context *context, int64_t begin, int64_t end, int64_t n, torc_type type,
    const double *values, const uint8_t *bitmap)
{
    torc_dense X = {end - begin, n, n, TORC_ROW_MAJOR, type, false, NULL, NULL};
    size_t cells = (size_t)((end - begin) * n);
    X.data = put(context, values + begin * n, cells * sizeof *values);
    X.bitmap = bitmap ? put(context, bitmap + begin * n, cells) : NULL;
    return X;
}

void release(torc_context *context, torc_dense *X)
{
    torc_memory_release(context, X->data);
    torc_memory_release(context, X->bitmap);
}
