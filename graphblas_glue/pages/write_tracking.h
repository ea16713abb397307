/* write_tracking.h: has anybody written to these pages? The kernel is asked, by userfaultfd in asynchronous
 * write-protect mode and PAGEMAP_SCAN (Linux 6.7 or later, no privilege needed):
 *
 *     arm        pages are write-protected; the first write to each lifts that, inside the kernel
 *     written    which of them has somebody written to since?
 *     disarm     the protection goes, and with it the cost of the first write
 *
 * Writes of every thread are seen, and those that the kernel makes for the process, as read(2) does. Not seen
 * is what goes around the page tables: DMA of a device, or of io_uring, into memory that was pinned for it
 * before. Memory that is given back and touched again counts as written, and so do pages of a file that is
 * mapped over a part of the range, whoever writes to it.
 *
 * Where the kernel cannot (too old, a sandbox that forbids it), nothing can be armed, and everything counts
 * as written. A child of fork starts with nothing armed. Ranges are whole pages of private anonymous memory.
 * Arming is not counted: whoever arms a range again deceives those who still rely on the first time. Any
 * thread, no lock.
 */
#ifndef TORC_WRITE_TRACKING_H
#define TORC_WRITE_TRACKING_H

#include <stdbool.h>
#include <stddef.h>

bool torc_tracking_is_available(void);

/* false: not tracked. used: what of it anybody will ask about, whole pages; the rest is armed so that no huge
 * page is split, and may be absent. */
bool torc_tracking_arm(void *pages, size_t size, size_t used);

/* Bytes of the first run of pages that have been written to since the range was armed: 0 where nobody has
 * written to it, all of it where that is not certain. */
size_t torc_tracking_written(const void *pages, size_t size);

void torc_tracking_disarm(void *pages, size_t size);

#endif
