#include "bench_facts.h"

void bench_facts_write(FILE *csv, const torc_device_facts *f)
{
    fprintf(csv, "# facts: %d %d %d %zu %zu %zu %.6g %.6g\n", f->compute_capability, f->multiprocessors,
        f->threads, f->block_shared, f->multiprocessor_shared, f->l2_bytes, f->clock, f->bandwidth);
}

void bench_facts_read(torc_device_facts *f, const char *line)
{
    sscanf(line, "# facts: %d %d %d %zu %zu %zu %lf %lf", &f->compute_capability, &f->multiprocessors,
        &f->threads, &f->block_shared, &f->multiprocessor_shared, &f->l2_bytes, &f->clock, &f->bandwidth);
}
