/* placement_line.h: TORC_BURBLE=program: a line before each call that the cost model was asked about. It says
 * where the operands are, what would be sent, and what both sides are predicted to take. The call's own line
 * follows, with the time that it took. */
#ifndef TORC_PLACEMENT_LINE_H
#define TORC_PLACEMENT_LINE_H

#include "summary.h"
#include "view.h"

enum { TORC_PLACEMENT_LINE = 400 };

/* All zeros: nothing is said yet. */
typedef struct torc_placement_line {
    char text[TORC_PLACEMENT_LINE];
    size_t length;
} torc_placement_line;

/* Does anybody want to know? */
bool torc_placement_line_asked(void);

void torc_placement_line_add(torc_placement_line *operands, const char *name, const torc_view *view);

/* name: of GraphBLAS's function. The predictions are seconds. traffic: of a product; NULL: operands tell. */
void torc_placement_line_write(const torc_placement_line *operands, const char *name,
    const torc_traffic *traffic, double device, double cpu);

#endif
