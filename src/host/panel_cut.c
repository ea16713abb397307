#include "panel_cut.h"

int64_t torc_panel_begin(const torc_panel_cut *p, int64_t panel)
{
    int64_t unit = p->columns / p->count >= TORC_MAX_VECTOR ? TORC_MAX_VECTOR : 1;
    int64_t begin = panel == p->count ? p->columns : panel * p->columns / p->count / unit * unit;
    return p->first + begin;
}

int64_t torc_panel_width(const torc_panel_cut *p, int64_t panel)
{
    return torc_panel_begin(p, panel + 1) - torc_panel_begin(p, panel);
}

int64_t torc_widest_panel(const torc_panel_cut *p)
{
    int64_t widest = 0;
    for (int64_t panel = 0; panel < p->count; panel++) {
        int64_t width = torc_panel_width(p, panel);
        widest = width > widest ? width : widest;
    }
    return widest;
}

torc_panel_cut torc_cut_panels(int64_t first, int64_t end, int64_t width)
{
    int64_t columns = end - first;
    return (torc_panel_cut){first, columns, (columns + width - 1) / width, 1};
}

int64_t torc_panel_steps(const torc_panel_cut *p)
{
    return (p->count + p->abreast - 1) / p->abreast;
}

int64_t torc_panel_of(const torc_panel_cut *p, int64_t step, int64_t number)
{
    int64_t panel = number * torc_panel_steps(p) + step;
    return panel < p->count ? panel : -1;
}

int64_t torc_panel_turn(const torc_panel_cut *p, int64_t panel)
{
    int64_t steps = torc_panel_steps(p);
    return panel % steps * p->abreast + panel / steps;
}
