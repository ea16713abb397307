/* rates.h: how fast this machine does what decides between CPU and GPU.
 *
 * Rates are measured once per machine: all by `torc calibrate`, those of bus and memory also when a process
 * first uses the device. Until then they are those of one machine. They are kept in a text file beside the
 * compiled kernels:
 *
 *     torc rates 2
 *     device, driver, processor, processors, GraphBLAS, torc    the key, each in a line
 *     NAME INTEGER                                              one line per rate, in the order below
 *     sum HEX                                                   checksum of all lines before
 *
 * The file's name is the hash of the key. A file that is not exactly this, because it is damaged, cut or of
 * another machine, counts as absent. Files appear whole, by rename.
 */
#ifndef TORC_RATES_H
#define TORC_RATES_H

#include "binding.h"

/* X(enumerator, name, default of each thread, default at most, unit). A default is the smaller of threads
 * times the first, unless that is 0, and the second. `s`: seconds; otherwise bytes or multiplications a
 * second.
 *
 * Bus, pages, memory and device: one H200 with 16 cores, 2026-11-21. CPU: between what a thread of
 * SuiteSparse 7.4.0 does on that machine and on an AMD EPYC, where D is in the caches (bench/results/
 * 2026-11-21-epyc-suitesparse-rates.txt, 2026-11-22-epyc-suitesparse-forms.csv); torc calibrate repeats both.
 */
#define TORC_RATES_MAP(X)                                                                                    \
    X(CALL, "call", 0, 100e-6, "s")                   /* of a call on the device: reasoned */                \
    X(START, "start", 0, 0.25, "s")                   /* creating the device context: 0.242 */               \
    X(IN_PINNED, "in_pinned", 0, 50e9, "B/s")         /* to the device: 52 */                                \
    X(IN_STAGED, "in_staged", 6.5e9, 50e9, "B/s")     /* through a pinned ring: 7 by one thread, 54 by 16 */ \
    X(OUT_PINNED, "out_pinned", 0, 50e9, "B/s")       /* from the device: 55 */                              \
    X(OUT_STAGED, "out_staged", 6.5e9, 50e9, "B/s")   /* likewise: 54 by 16 */                               \
    X(FRESH, "fresh", 1.8e9, 12e9, "B/s")             /* pages of 4 KiB made by touching: 1.9, 13 by 16 */   \
    X(DEVICE_COPY, "device_copy", 0, 4e12, "B/s")     /* read and written: 4.3 */                            \
    X(GATHER, "gather", 0, 2e12, "B/s")               /* rows of B: 3.5 to 5.5 */                            \
    X(RANDOM, "random", 6.5e9, 100e9, "B/s")          /* lines anywhere in memory: 9 by one thread */        \
    X(CACHED, "cached", 25e9, 400e9, "B/s")           /* lines of the last-level cache: reasoned */          \
    X(CACHE_OF_ONE, "cache_of_one", 0, 1 << 20, "B")  /* of one processor, the largest */                    \
    X(CACHE_OF_ALL, "cache_of_all", 0, 32 << 20, "B") /* of all */                                           \
    X(CPU_ACCUMULATED, "accumulated", 6e9, 1e15, "/s") /* plus into a full C, or D not read: 1.6 to 9 */     \
    X(CPU_PLUS, "plus", 1.6e9, 1e15, "/s")             /* and times, lxor, lxnor, ...: 1 to 1.9 */           \
    X(CPU_LOGICAL, "logical", 4e9, 1e15, "/s")         /* lor and land stop early: 1.2 to 8.1 */             \
    X(CPU_ANY, "any", 4e9, 1e15, "/s")                 /* takes one term a result: 0.4 to 6 */               \
    X(CPU_MIN_MAX, "min_max", 0.55e9, 1e15, "/s")      /* 0.4 to 0.6 */                                      \
    X(CPU_GENERIC, "generic", 0.14e9, 1e15, "/s")      /* casts and user-defined operators: 0.1 to 0.16 */   \
    X(CPU_DOUBT, "doubt", 55e6, 1e15, "/s")  /* terms that a bitmap has or lacks, as if at random */         \
    X(CPU_VISIT, "visit", 200e6, 1e15, "/s") /* elements of a C that terms are scattered into */

typedef enum torc_rate {
#define X(name, text, each, most, unit) TORC_RATE_##name,
    TORC_RATES_MAP(X)
#undef X
        TORC_RATE_COUNT
} torc_rate;

typedef struct torc_machine_rates {
    double of[TORC_RATE_COUNT];
} torc_machine_rates;

/* Processors that this process may use. */
int torc_processors(void);

void torc_rates_default(torc_machine_rates *rates, int processors);

/* What is known of this machine without measuring: the defaults, and the sizes of caches, as Linux says. */
void torc_rates_of_machine(torc_machine_rates *rates);

const char *torc_rate_name(torc_rate rate);
const char *torc_rate_unit(torc_rate rate);

/* The key: this machine, as far as it is known without opening the device. */
enum { TORC_RATES_KEY = 1024 };
void torc_rates_key(char key[TORC_RATES_KEY], const torc_binding *graphblas);

/* The file of that key in the folder. load: false, and *rates untouched, if there is no good one; store:
 * false if it could not be written. */
bool torc_rates_load(torc_machine_rates *rates, const char *folder, const char *key);
bool torc_rates_store(const torc_machine_rates *rates, const char *folder, const char *key);

/* The rates of all processors that this process goes by: from the file, or else the defaults. Any thread. */
const torc_machine_rates *torc_rates_get(void);

/* The bus is measured by copies of so many bytes. */
#define TORC_BUS_BYTES ((size_t)64 << 20)

/* Seconds that a copy takes to the device, or back, through a pinned ring. Its first chunk of 16 MiB does not
 * travel while it is packed, or is unpacked once it has travelled: so 8 MiB go to an H200 at 13 GB/s and come
 * back at 27, where rates measured by longer copies are 30 and 46
 * (bench/results/2026-11-24-h200-staging.txt). */
double torc_rates_staged_in(const torc_machine_rates *rates, double bytes);
double torc_rates_staged_out(const torc_machine_rates *rates, double bytes);

/* Rates of `threads` threads, from those that all processors reach together. Each thread has its share of
 * all, or its default if that is more, since a few threads may fill the bus. Rates of the device stay. */
torc_machine_rates torc_rates_of_threads(const torc_machine_rates *all, int threads, int processors);

/* The same from this process's rates, for a call that may use so many threads. Any thread. */
torc_machine_rates torc_rates_for_call(int threads);

/* Called by the thread that has the device, in a call that may use so many threads. The first time, if
 * nothing was stored, it measures what takes but a moment; not with fewer threads than processors, since
 * later processes go by what is stored. */
void torc_rates_meet_device(torc_context *context, int threads);

/* Has this process measured? It is the first one on its machine then, and paid for that. Any thread. */
bool torc_rates_are_new(void);

/* Called when a call is done: measures the rest beside the program, if it was not yet, and stores all. */
void torc_rates_measure_beside(void);

/* Rates of a device that follow from what its driver tells. */
void torc_rates_know_device(torc_machine_rates *rates, const torc_device_info *info);

#endif
