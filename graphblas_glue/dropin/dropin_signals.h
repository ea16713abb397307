/* dropin_signals.h: the drop-in sees what the program does with SIGSEGV. */
#ifndef TORC_DROPIN_SIGNALS_H
#define TORC_DROPIN_SIGNALS_H

/* From now on content may be away. Before GraphBLAS is started. */
void torc_dropin_watch_signals(void);

#endif
