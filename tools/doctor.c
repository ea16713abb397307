/* doctor.c: torc doctor: all that a program needs to compute on the GPU, a line for each: is it there, and
 * what is to be done where it is missing? */
#include "tool.h"

#include "binding.h"
#include "finding.h"

#include <stdarg.h>
#include <stdio.h>

static void write_what(torc_finding *finding, const char *format, va_list values)
{
    vsnprintf(finding->what, sizeof finding->what, format, values);
}

torc_finding torc_found(const char *format, ...)
{
    torc_finding finding = {.is_there = true};
    va_list values;
    va_start(values, format);
    write_what(&finding, format, values);
    va_end(values);
    return finding;
}

torc_finding torc_missing(const char *remedy, const char *format, ...)
{
    torc_finding finding = {.remedy = remedy};
    va_list values;
    va_start(values, format);
    write_what(&finding, format, values);
    va_end(values);
    return finding;
}

static torc_finding find_graphblas(void)
{
    const torc_binding *graphblas = torc_load_graphblas() ? torc_binding_get() : NULL;
    if (!graphblas) {
        return torc_missing(
            "install libgraphblas-dev; a program that brings its own, as python-graphblas does, "
            "needs none here",
            "none on the loader's path");
    }
    const unsigned *version = graphblas->version;
    const char *path = torc_library_path(&graphblas->library);
    return graphblas->is_known
               ? torc_found("%u.%u.%u, %s", version[0], version[1], version[2], path)
               : torc_missing(
                     "use SuiteSparse:GraphBLAS 7.4, or 8.2 to 10: with another all calls stay on the CPU",
                     "%u.%u.%u is not supported, %s", version[0], version[1], version[2], path);
}

int torc_doctor(void)
{
    static const struct {
        const char *name;
        torc_finding (*find)(void);
    } checks[] = {
        {"driver", torc_find_driver},
        {"device", torc_find_device},
        {"compiler", torc_find_compiler},
        {"GraphBLAS", find_graphblas},
        {"kernel cache", torc_find_cache},
        {"write tracking", torc_find_write_tracking},
        {"limits", torc_find_limits},
    };
    int nmissing = 0;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        torc_finding finding = checks[i].find();
        printf("%-16s%s: %s\n", checks[i].name, finding.is_there ? "ok" : "missing", finding.what);
        if (!finding.is_there) {
            printf("%-16s%s\n", "", finding.remedy);
            nmissing++;
        }
    }
    return nmissing == 0 ? 0 : 1;
}
