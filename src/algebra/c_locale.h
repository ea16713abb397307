/* c_locale.h: numbers with a point. In the program's locale one may be written as 1,5, which compilers and
 * `torc report` do not read. */
#ifndef TORC_C_LOCALE_H
#define TORC_C_LOCALE_H

#include <locale.h>

typedef struct torc_c_locale {
    locale_t c, before;
} torc_c_locale;

/* This thread writes as in the locale C, until torc_c_locale_end. Where there is no memory, nothing changes.
 */
static inline torc_c_locale torc_c_locale_begin(void)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (torc_c_locale){c, uselocale(c)};
}

static inline void torc_c_locale_end(torc_c_locale locale)
{
    uselocale(locale.before);
    if (locale.c) {
        freelocale(locale.c);
    }
}

#endif
