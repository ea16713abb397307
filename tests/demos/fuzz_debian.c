/* fuzz_debian.c: any bytes at all as the input of torc_graph_read_debian. */
#include "fuzz_reader.h"
#include "graph_debian.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return torc_fuzz_reader(data, size, torc_graph_read_debian);
}
