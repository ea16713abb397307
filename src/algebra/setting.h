/* setting.h: variables of the environment. A program that runs with more rights than its user obeys none. */
#ifndef TORC_SETTING_H
#define TORC_SETTING_H

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The variable's text; NULL: it is unset or empty. */
static inline const char *torc_setting(const char *name)
{
    const char *text = secure_getenv(name);
    return text && *text ? text : NULL;
}

/* Say once, on standard error, that the text is ignored, and what is allowed. */
static inline void torc_setting_refuse(
    atomic_flag *is_said, const char *name, const char *text, const char *meaning)
{
    if (!atomic_flag_test_and_set(is_said)) {
        fprintf(stderr, "torc: %s=%s is ignored: it is %s\n", name, text, meaning);
    }
}

#endif
