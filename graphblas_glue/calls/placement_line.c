#include "placement_line.h"
#include "away.h"
#include "c_locale.h"
#include "log.h"
#include "placement.h"
#include "session.h"
#include <stdio.h>

bool torc_placement_line_asked(void)
{
    return torc_session_settings()->burble == TORC_LOG_PROGRAM;
}

void torc_placement_line_add(torc_placement_line *operands, const char *name, const torc_view *view)
{
    bool is_away = torc_away_journey(view->values) != 0 || torc_away_journey(view->bitmap) != 0;
    double sent = torc_bytes_to_place(view, true);
    char *end = operands->text + operands->length;
    size_t room = sizeof operands->text - operands->length;
    torc_c_locale locale = torc_c_locale_begin();
    int length = is_away                     ? snprintf(end, room, "; %s away", name)
                 : torc_view_is_listed(view) ? snprintf(end, room, "; %s sparse", name)
                 : view->iso                 ? snprintf(end, room, "; %s one value", name)
                 : sent > 0 ? snprintf(end, room, "; %s home, %.3f MB to send", name, 1e-6 * sent)
                            : snprintf(end, room, "; %s home, with a copy on the device", name);
    torc_c_locale_end(locale);
    operands->length += length > 0 && (size_t)length < room ? (size_t)length : 0;
}

void torc_placement_line_write(const torc_placement_line *operands, const char *name,
    const torc_traffic *traffic, double device, double cpu)
{
    char line[TORC_PLACEMENT_LINE + 240], bytes[100] = "";
    torc_c_locale locale = torc_c_locale_begin();
    if (traffic) {
        snprintf(bytes, sizeof bytes, "; %.3f MB to send, %.3f MB back, %.3f MB there", 1e-6 * traffic->in,
            1e-6 * traffic->out, 1e-6 * traffic->spared);
    }
    snprintf(line, sizeof line, "torc: placed; %s%s%s; predicted %.3f ms on the device, %.3f ms on the CPU\n",
        name, operands->text, bytes, 1e3 * device, 1e3 * cpu);
    torc_c_locale_end(locale);
    torc_log_write(line);
}
