/* print_settings.c: what the environment asks of the engine, and whether this process runs with rights that
 * its user has not (exit status 3 where it does). */
#include <stdio.h>
#include <sys/auxv.h>
#include <torc/torc.h>

int main(void)
{
    torc_options options;
    torc_options_from_environment(&options);
    printf("%d %d %zu %s %s %d\n", options.backend, options.device, options.memory_limit,
        options.cache_dir ? options.cache_dir : "-", options.kernel ? options.kernel : "-",
        options.precision);
    return getauxval(AT_SECURE) ? 3 : 0;
}
