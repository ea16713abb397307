#include "rates.h"
#include "beside.h"
#include "burble.h"
#include "c_locale.h"
#include "cache_file.h"
#include "clock.h"
#include "doubt_rate.h"
#include "memory_rate.h"
#include "rates_measure.h"
#include "session.h"
#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double each, most;
    const char *unit;
} table[TORC_RATE_COUNT] = {
#define X(name, text, each, most, unit) {text, each, most, unit},
    TORC_RATES_MAP(X)
#undef X
};

const char *torc_rate_name(torc_rate rate)
{
    return table[rate].name;
}

const char *torc_rate_unit(torc_rate rate)
{
    return table[rate].unit;
}

int torc_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

void torc_rates_default(torc_machine_rates *rates, int processors)
{
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        double all = table[i].each * processors;
        rates->of[i] = all > 0 && all < table[i].most ? all : table[i].most;
    }
}

/* alone: bytes a second at which the first chunk is packed or unpacked. rate: of TORC_BUS_BYTES, with it. */
static double staged(double bytes, double rate, double alone)
{
    static const double CHUNK = 16 << 20;
    double rest = 1 / rate - CHUNK / (double)TORC_BUS_BYTES / alone;
    return bytes * fmax(rest, 0) + fmin(bytes, CHUNK) / alone;
}

double torc_rates_staged_in(const torc_machine_rates *rates, double bytes)
{
    return staged(bytes, rates->of[TORC_RATE_IN_STAGED], 19e9);
}

double torc_rates_staged_out(const torc_machine_rates *rates, double bytes)
{
    return staged(bytes, rates->of[TORC_RATE_OUT_STAGED], 58e9);
}

torc_machine_rates torc_rates_of_threads(const torc_machine_rates *all, int threads, int processors)
{
    torc_machine_rates rates = *all;
    for (int i = 0; i < TORC_RATE_COUNT && threads < processors; i++) {
        if (table[i].each > 0) {
            double each = fmax(all->of[i] / processors, table[i].each);
            rates.of[i] = fmin(threads * each, all->of[i]);
        }
    }
    return rates;
}

/* ---- Caches ------------------------------------------------------------------------------------------- */

/* The first line of a file about one of processor 0's caches; false if there is none. */
static bool read_cache(char line[128], int index, const char *what)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, what);
    FILE *file = fopen(path, "re");
    bool is_read = file && fgets(line, 128, file);
    if (file) {
        fclose(file);
    }
    return is_read;
}

/* A hexadecimal mask, with commas. */
static int count_bits(const char *mask)
{
    int count = 0;
    for (; *mask; mask++) {
        char digit[2] = {*mask, '\0'};
        count += __builtin_popcountl(strtoul(digit, NULL, 16));
    }
    return count;
}

/* The largest that one processor has to itself, and the last, as often as the processors have it. */
static void read_caches(torc_machine_rates *rates, int processors)
{
    char level[128], size[128], sharers[128];
    for (int i = 0; read_cache(level, i, "level"); i++) {
        if (read_cache(size, i, "size") && read_cache(sharers, i, "shared_cpu_map")) {
            double bytes = 1024 * (double)strtol(size, NULL, 10); /* "1024K" */
            int sharing = count_bits(sharers),
                caches = sharing > 0 ? (processors + sharing - 1) / sharing : 1;
            int number = atoi(level);
            if (number == 2 && bytes > 0) {
                rates->of[TORC_RATE_CACHE_OF_ONE] = bytes;
            } else if (number == 3 && bytes > 0) {
                rates->of[TORC_RATE_CACHE_OF_ALL] = bytes * caches;
            }
        }
    }
}

void torc_rates_of_machine(torc_machine_rates *rates)
{
    torc_rates_default(rates, torc_processors());
    read_caches(rates, torc_processors());
}

/* ---- The key ------------------------------------------------------------------------------------------ */

/* Read the first line of a file in /proc that begins with the name and a colon: the rest of it, or "". */
static void read_proc(char *value, int size, const char *path, const char *name)
{
    char line[512];
    FILE *file = fopen(path, "re");
    value[0] = '\0';
    while (file && !value[0] && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, name, strlen(name)) == 0) {
            snprintf(value, (size_t)size, "%.*s", (int)strcspn(colon + 1, "\n"), colon + 1);
        }
    }
    if (file) {
        fclose(file);
    }
}

/* The models of all devices, in the order of their places on the bus. */
static void read_models(char *models, size_t size)
{
    glob_t paths;
    models[0] = '\0';
    if (glob("/proc/driver/nvidia/gpus/*/information", 0, NULL, &paths) != 0) {
        return;
    }
    for (size_t i = 0; i < paths.gl_pathc; i++) {
        char model[64];
        size_t length = strlen(models);
        read_proc(model, sizeof model, paths.gl_pathv[i], "Model");
        snprintf(models + length, size - length, "%s", model);
    }
    globfree(&paths);
}

/* The driver tells its version and its devices in /proc, though some sandboxes hide that. */
void torc_rates_key(char key[TORC_RATES_KEY], const torc_binding *graphblas)
{
    char models[320], driver[160], processor[160];
    read_models(models, sizeof models);
    read_proc(driver, sizeof driver, "/proc/driver/nvidia/version", "NVRM version");
    read_proc(processor, sizeof processor, "/proc/cpuinfo", "model name");
    snprintf(key, TORC_RATES_KEY,
        "device %d of%s\ndriver%s\nprocessor%s\nprocessors %d\nGraphBLAS %u.%u.%u\ntorc %d.%d.%d\n",
        torc_session_settings()->options.device, models, driver, processor, torc_processors(),
        graphblas->version[0], graphblas->version[1], graphblas->version[2], TORC_VERSION_MAJOR,
        TORC_VERSION_MINOR, TORC_VERSION_PATCH);
}

/* ---- The file ----------------------------------------------------------------------------------------- */

static void name_of(char name[64], const char *key)
{
    snprintf(name, 64, "%016" PRIx64 ".rates", torc_cache_sum(key));
}

/* Seconds are written in nanoseconds: integers, which no locale writes in its own way. */
static double scale_of(int rate)
{
    return table[rate].unit[0] == 's' ? 1e9 : 1;
}

static void print_file(char text[TORC_CACHE_FILE], const torc_machine_rates *rates, const char *key)
{
    int length = snprintf(text, TORC_CACHE_FILE, "torc rates 2\n%s", key);
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        length += snprintf(text + length, (size_t)(TORC_CACHE_FILE - length), "%s %" PRId64 "\n",
            table[i].name, (int64_t)llround(rates->of[i] * scale_of(i)));
    }
    torc_cache_seal(text);
}

/* Whatever the numbers read are, the file must be what they would be written as. */
static bool parse_file(torc_machine_rates *rates, const char *text, const char *key)
{
    torc_machine_rates found;
    char expected[TORC_CACHE_FILE];
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        char line[64];
        snprintf(line, sizeof line, "\n%s ", table[i].name);
        const char *at = strstr(text, line);
        found.of[i] = at ? (double)strtoll(at + strlen(line), NULL, 10) / scale_of(i) : 0;
        if (!(found.of[i] > 0)) {
            return false;
        }
    }
    print_file(expected, &found, key);
    if (strcmp(text, expected) != 0) {
        return false;
    }
    *rates = found;
    return true;
}

bool torc_rates_load(torc_machine_rates *rates, const char *folder, const char *key)
{
    char name[64], text[TORC_CACHE_FILE];
    name_of(name, key);
    return torc_cache_read(text, folder, name) && parse_file(rates, text, key);
}

bool torc_rates_store(const torc_machine_rates *rates, const char *folder, const char *key)
{
    char name[64], text[TORC_CACHE_FILE];
    name_of(name, key);
    print_file(text, rates, key);
    return torc_cache_write(folder, name, text);
}

/* ---- This process ------------------------------------------------------------------------------------- */

static pthread_once_t found_once = PTHREAD_ONCE_INIT;
static torc_machine_rates found, measured;
static char found_key[TORC_RATES_KEY];
static bool is_stored;
static int processors;
static atomic_bool has_met; /* written by who has the device */
static _Atomic(const torc_machine_rates *) current;

static void find_rates(void)
{
    char folder[TORC_CACHE_FOLDER];
    const torc_binding *graphblas = torc_binding_get();
    processors = torc_processors();
    torc_rates_of_machine(&found);
    if (graphblas) {
        torc_rates_key(found_key, graphblas);
        is_stored = torc_cache_folder(folder) && torc_rates_load(&found, folder, found_key);
    }
    atomic_store(&current, &found);
}

const torc_machine_rates *torc_rates_get(void)
{
    pthread_once(&found_once, find_rates);
    return atomic_load(&current);
}

torc_machine_rates torc_rates_for_call(int threads)
{
    const torc_machine_rates *all = torc_rates_get();
    return torc_rates_of_threads(all, threads, processors);
}

/* Rates of moving bytes on the device follow from its memory's bandwidth. */
void torc_rates_know_device(torc_machine_rates *rates, const torc_device_info *info)
{
    static const double COPIED = .82, GATHERED = .41; /* of what an H200 has by its clock: the defaults */
    if (info->bandwidth > 0) {
        rates->of[TORC_RATE_DEVICE_COPY] = COPIED * info->bandwidth;
        rates->of[TORC_RATE_GATHER] = GATHERED * info->bandwidth;
    }
}

static char folder_of_rates[sizeof((torc_device_info *)0)->cache_dir];
static atomic_bool lacks_processor_rates;

/* Measured in processor time of this thread: the time that the program leaves is enough. */
static void measure_processors(void)
{
    static torc_machine_rates complete; /* nobody reads it until it is current */
    torc_beside_give_way();
    complete = *atomic_load(&current);
    torc_doubt_rate_measure(&complete, processors);
    torc_memory_rate_measure(&complete, processors);
    atomic_store(&current, &complete);
    if (folder_of_rates[0]) {
        torc_rates_store(&complete, folder_of_rates, found_key);
    }
}

bool torc_rates_are_new(void)
{
    return has_met;
}

void torc_rates_measure_beside(void)
{
    bool is_lacking = true;
    if (atomic_compare_exchange_strong(&lacks_processor_rates, &is_lacking, false) &&
        !torc_beside_start(measure_processors)) {
        atomic_store(&lacks_processor_rates, true); /* something else is under way: later */
    }
}

void torc_rates_meet_device(torc_context *context, int threads)
{
    torc_device_info info;
    const torc_machine_rates *before = torc_rates_get();
    if (has_met || is_stored || threads < processors || torc_context_info(&info, context) != TORC_SUCCESS ||
        strcmp(info.backend, "cuda") != 0) {
        return;
    }
    has_met = true;
    double start = torc_clock();
    measured = *before; /* nobody reads it until it is current */
    torc_rates_know_device(&measured, &info);
    if (torc_rates_measure_bus(&measured, context) != TORC_SUCCESS) {
        return;
    }
    atomic_store(&current, &measured);
    memcpy(folder_of_rates, info.cache_dir, sizeof folder_of_rates);
    atomic_store(&lacks_processor_rates, true);
    char text[80];
    torc_c_locale locale = torc_c_locale_begin();
    snprintf(text, sizeof text, "the bus was measured in %.3f s, once on a machine", torc_clock() - start);
    torc_c_locale_end(locale);
    torc_burble_note(text);
}
