/* dropin_signals.h: the drop-in sees what the program does with SIGSEGV. */
#ifndef TORC_DROPIN_SIGNALS_H
#define TORC_DROPIN_SIGNALS_H

/* Allow content to be away from now on. Called before GraphBLAS is started. */
void torc_dropin_watch_signals(void);

#endif
