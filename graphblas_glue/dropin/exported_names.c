/* exported_names.c: see exported_names.h. A loaded object's table of symbols has no end mark and no length;
 * its hash table tells how many symbols there are. */
#include "exported_names.h"
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tables {
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *hash, *gnu_hash;
} tables;

static bool read_tables(tables *found, const void *address)
{
    struct link_map *object = NULL;
    Dl_info info;
    *found = (tables){0};
    if (!address || !dladdr1(address, &info, (void **)&object, RTLD_DL_LINKMAP) || !object) {
        return false;
    }
    for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; entry++) {
        const void *table = (const void *)entry->d_un.d_ptr; /* glibc has made it an address */
        switch (entry->d_tag) {
        case DT_SYMTAB:
            found->symbols = table;
            break;
        case DT_STRTAB:
            found->names = table;
            break;
        case DT_HASH:
            found->hash = table;
            break;
        case DT_GNU_HASH:
            found->gnu_hash = table;
            break;
        default:
            break;
        }
    }
    return found->symbols && found->names && (found->hash || found->gnu_hash);
}

/* GNU's: number of buckets, first symbol, words of a filter, a shift; the filter; the buckets, each with its
 * first symbol; the symbols' hashes, of which the last one in a bucket is odd. */
static uint32_t count_gnu(const uint32_t *table)
{
    uint32_t nbuckets = table[0], first = table[1], last = 0;
    const uint32_t *buckets = table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof *table);
    for (uint32_t i = 0; i < nbuckets; i++) {
        last = buckets[i] > last ? buckets[i] : last;
    }
    while (last >= first && last > 0 && !(buckets[nbuckets + last - first] & 1)) {
        last++;
    }
    return last > 0 ? last + 1 : first;
}

const char *torc_exported_name(bool *is_read, const void *address, bool (*is_sought)(const char *))
{
    tables of;
    *is_read = read_tables(&of, address);
    uint32_t count = !*is_read ? 0 : of.hash ? of.hash[1] : count_gnu(of.gnu_hash);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = of.names + of.symbols[i].st_name;
        if (of.symbols[i].st_shndx != SHN_UNDEF && is_sought(name)) {
            return name;
        }
    }
    return NULL;
}
