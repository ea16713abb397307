/* bench_facts.h: what selection looks at of a device, as a line at the head of a CSV. */
#ifndef BENCH_FACTS_H
#define BENCH_FACTS_H

#include "device_facts.h"
#include <stdio.h>

void bench_facts_write(FILE *csv, const torc_device_facts *facts);

/* Nothing where the line is another one. */
void bench_facts_read(torc_device_facts *facts, const char *line);

#endif
