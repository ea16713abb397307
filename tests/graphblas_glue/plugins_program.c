/* plugins_program.c: a program without GraphBLAS, whose plugins bring it, each in a scope of its own.
 *
 *     plugins_program PLUGIN ...     loads each; has each run twice, in turn; closes them
 *     plugins_program close PLUGIN ...   loads one, has it run, closes it, and so the next
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

static void *load(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin) {
        puts(dlerror());
        exit(1);
    }
    return plugin;
}

static void run(void *plugin)
{
    void (*function)(void);
    void *address = dlsym(plugin, "plugin_run");
    memcpy(&function, &address, sizeof address);
    function();
}

/* Whatever its file is called. */
static bool is_graphblas_there(void)
{
    char line[512];
    bool is_there = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        is_there =
            is_there || (strstr(line, "graphblas") && !strstr(line, "torc_graphblas") && strstr(line, ".so"));
    }
    fclose(maps);
    return is_there;
}

int main(int argc, char **argv)
{
    bool closes = argc > 1 && strcmp(argv[1], "close") == 0;
    void *plugins[MOST];
    int count = 0;
    for (int i = closes ? 2 : 1; i < argc && count < MOST; i++) {
        void *plugin = load(argv[i]);
        run(plugin);
        if (closes) {
            dlclose(plugin);
            puts(is_graphblas_there() ? "GraphBLAS is still there" : "GraphBLAS is gone");
        } else {
            plugins[count++] = plugin;
        }
    }
    for (int i = 0; i < count; i++) {
        run(plugins[i]);
    }
    return 0;
}
