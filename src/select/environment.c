/* environment.c: the options that environment variables give. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <torc/torc.h>

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

static void parse_bytes(size_t *bytes, const char *text)
{
    static const char suffixes[] = "KMG";
    unsigned long long count;
    const char *rest;
    if (!parse_count(&count, &rest, text)) {
        return;
    }
    int shift = 0;
    const char *suffix = *rest ? strchr(suffixes, *rest) : NULL;
    if (suffix) {
        shift = 10 * (int)(suffix - suffixes + 1);
        rest++;
    }
    if (*rest == '\0' && count <= SIZE_MAX >> shift) {
        *bytes = (size_t)count << shift;
    }
}

static void parse_device(int *device, const char *text)
{
    unsigned long long count;
    const char *rest;
    if (parse_count(&count, &rest, text) && *rest == '\0' && count <= INT_MAX) {
        *device = (int)count;
    }
}

void torc_options_from_environment(torc_options *options)
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
    *options = (torc_options)TORC_OPTIONS_INIT;
    const char *backend = getenv("TORC_BACKEND");
    for (size_t i = 0; backend && i < sizeof backends / sizeof backends[0]; i++) {
        if (strcmp(backend, backends[i].name) == 0) {
            options->backend = backends[i].choice;
        }
    }
    const char *device = getenv("TORC_DEVICE");
    if (device) {
        parse_device(&options->device, device);
    }
    const char *limit = getenv("TORC_MEMORY_LIMIT");
    if (limit) {
        parse_bytes(&options->memory_limit, limit);
    }
    options->cache_dir = getenv("TORC_CACHE_DIR");
    options->kernel = getenv("TORC_KERNEL");
}
