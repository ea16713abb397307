/* library.c: see library.h. The names of the loaded objects are collected first and looked into afterwards,
 * because dl_iterate_phdr holds a lock that dlopen takes in another order. */
#include "library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct name_list {
    size_t count, capacity;
    char **names;
} name_list;

static int append_name(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    name_list *list = data;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        char **names = realloc(list->names, capacity * sizeof *names);
        if (!names) {
            return 1;
        }
        list->names = names;
        list->capacity = capacity;
    }
    char *name = strdup(object->dlpi_name);
    if (!name) {
        return 1;
    }
    list->names[list->count++] = name;
    return 0;
}

/* A handle's symbol may come from the object's dependencies: this asks for the object itself. */
static bool is_defined_by(void *handle, const char *symbol)
{
    void *address = dlsym(handle, symbol);
    struct link_map *object, *owner;
    Dl_info info;
    return address && dlinfo(handle, RTLD_DI_LINKMAP, &object) == 0 &&
           dladdr1(address, &info, (void **)&owner, RTLD_DL_LINKMAP) && owner == object;
}

void *torc_library_find(char *path, size_t path_size)
{
    name_list list = {0, 0, NULL};
    dl_iterate_phdr(append_name, &list);
    void *found = NULL;
    if (path) {
        snprintf(path, path_size, "%s", "");
    }
    for (size_t i = 0; i < list.count; i++) {
        const char *name = list.names[i];
        if (!found && name[0]) { /* the program itself has no name */
            void *handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
            if (handle && is_defined_by(handle, "GrB_mxm") && is_defined_by(handle, "GrB_getVersion")) {
                found = handle;
                if (path) {
                    snprintf(path, path_size, "%s", name);
                }
            } else if (handle) {
                dlclose(handle);
            }
        }
        free(list.names[i]);
    }
    free(list.names);
    return found;
}

void *torc_library_symbol(const char *name)
{
    void *handle = torc_library_find(NULL, 0);
    return handle ? dlsym(handle, name) : NULL;
}
