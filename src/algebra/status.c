/* status.c: the text of each status. */
#include <torc/torc.h>

const char *torc_status_text(torc_status status)
{
    static const char *const texts[] = {
#define X(name, text) text,
        TORC_STATUS_MAP(X)
#undef X
    };
    size_t count = sizeof texts / sizeof texts[0];
    return (size_t)status < count ? texts[status] : "unknown status";
}
