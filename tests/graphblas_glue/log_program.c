/* log_program.c: what the environment asks of the log, and a line that goes there. */
#include "log.h"
#include <stdio.h>

int main(void)
{
    puts(torc_log_asked(NULL) == TORC_LOG_NOTHING ? "nothing" : "lines");
    torc_log_write("torc: told\n");
    return 0;
}
