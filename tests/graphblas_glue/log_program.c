/* log_program.c: what the environment asks of the log, and a line that goes there. */
#include "log.h"
#include <stdio.h>

int main(void)
{
    printf("%d\n", (int)torc_log_asked(NULL));
    torc_log_write("torc: told\n");
    return 0;
}
