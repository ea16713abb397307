/* losses.h: what this process has lost on the CPU because the device was not open. Once that is as much as
 * opening takes it is opened, beside the program: the ski rental rule of decision.h. Any thread. */
#ifndef TORC_LOSSES_H
#define TORC_LOSSES_H

/* Seconds that one call has lost; less than 0: it has lost nothing. */
void torc_losses_add(double seconds);

double torc_losses_get(void);

#endif
