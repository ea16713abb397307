/* environment.c: options from environment variables. It is in this room because one of them names a kernel.
 */
#include "joined_executor.h"
#include "selection.h"
#include "setting.h"

#include <limits.h>
#include <string.h>
#include <torc/torc.h>

/* Each leaves the options as they were where the text means nothing: false. */
typedef bool parse_function(torc_options *options, const char *text);

static bool parse_backend(torc_options *options, const char *text)
{
    static const struct {
        const char *name;
        torc_backend_choice choice;
    } backends[] = {
        {"auto", TORC_BACKEND_AUTO},
        {"cuda", TORC_BACKEND_CUDA},
        {"reference", TORC_BACKEND_REFERENCE},
        {"off", TORC_BACKEND_OFF},
    };
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++) {
        if (strcmp(text, backends[i].name) == 0) {
            options->backend = backends[i].choice;
            return true;
        }
    }
    return false;
}

/* Decimal digits at the start of text: no sign, no blanks. */
static bool parse_count(unsigned long long *count, const char **rest, const char *text)
{
    if (*text < '0' || *text > '9') {
        return false;
    }
    char *end;
    *count = strtoull(text, &end, 10);
    *rest = end;
    return *count < ULLONG_MAX; /* that much is an overflow */
}

static bool parse_memory_limit(torc_options *options, const char *text)
{
    static const char suffixes[] = "KMG";
    unsigned long long count;
    const char *rest;
    if (!parse_count(&count, &rest, text)) {
        return false;
    }
    int shift = 0;
    const char *suffix = *rest ? strchr(suffixes, *rest) : NULL;
    if (suffix) {
        shift = 10 * (int)(suffix - suffixes + 1);
        rest++;
    }
    if (*rest != '\0' || count > SIZE_MAX >> shift) {
        return false;
    }
    options->memory_limit = (size_t)count << shift;
    return true;
}

static bool parse_device(torc_options *options, const char *text)
{
    unsigned long long count;
    const char *rest;
    if (!parse_count(&count, &rest, text) || *rest != '\0' || count > INT_MAX) {
        return false;
    }
    options->device = (int)count;
    return true;
}

static bool parse_devices(torc_options *options, const char *text)
{
    if (!torc_joined_is_list(text)) {
        return false;
    }
    options->devices = text;
    return true;
}

static bool parse_cache_dir(torc_options *options, const char *text)
{
    if (strlen(text) >= sizeof((torc_device_info *)0)->cache_dir) {
        return false;
    }
    options->cache_dir = text;
    return true;
}

static bool parse_kernel(torc_options *options, const char *text)
{
    if (!torc_rule_exists(text)) {
        return false;
    }
    options->kernel = text;
    return true;
}

static bool parse_precision(torc_options *options, const char *text)
{
    static const char *const names[] = {
        [TORC_PRECISION_EXACT] = "exact", [TORC_PRECISION_FP32] = "fp32", [TORC_PRECISION_TF32] = "tf32"};
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++) {
        if (strcmp(text, names[i]) == 0) {
            options->precision = (torc_precision)i;
            return true;
        }
    }
    return false;
}

static struct {
    const char *name, *meaning;
    parse_function *parse;
    atomic_flag is_refused;
} settings[] = {
    {"TORC_BACKEND", "auto, cuda, reference or off", parse_backend, ATOMIC_FLAG_INIT},
    {"TORC_DEVICE", "a number", parse_device, ATOMIC_FLAG_INIT},
    {"TORC_DEVICES", "all, or at most 16 numbers with commas between", parse_devices, ATOMIC_FLAG_INIT},
    {"TORC_MEMORY_LIMIT", "a number of bytes, or one with K, M or G", parse_memory_limit, ATOMIC_FLAG_INIT},
    {"TORC_CACHE_DIR", "a folder, its name of less than 512 bytes", parse_cache_dir, ATOMIC_FLAG_INIT},
    {"TORC_KERNEL", "yang, huang or a name that torc explain prints, not constant/...", parse_kernel,
        ATOMIC_FLAG_INIT},
    {"TORC_PRECISION", "exact, fp32 or tf32", parse_precision, ATOMIC_FLAG_INIT},
};

void torc_options_from_environment(torc_options *options)
{
    *options = (torc_options)TORC_OPTIONS_INIT;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *text = torc_setting(settings[i].name);
        if (text && !settings[i].parse(options, text)) {
            torc_setting_refuse(&settings[i].is_refused, settings[i].name, text, settings[i].meaning);
        }
    }
}
