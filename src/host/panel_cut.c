#include "panel_cut.h"

int64_t torc_panel_begin(const torc_panel_cut *p, int64_t panel)
{
    int64_t unit = p->columns / p->all >= TORC_MAX_VECTOR ? TORC_MAX_VECTOR : 1, at = panel + p->skipped;
    int64_t begin = at == p->all ? p->columns : at * p->columns / p->all / unit * unit;
    return p->first + begin;
}

int64_t torc_panel_width(const torc_panel_cut *p, int64_t panel)
{
    return torc_panel_begin(p, panel + 1) - torc_panel_begin(p, panel);
}

int64_t torc_widest_panel(const torc_panel_cut *p)
{
    int64_t widest = 0;
    for (int64_t panel = -p->skipped; panel < p->all - p->skipped; panel++) {
        int64_t width = torc_panel_width(p, panel);
        widest = width > widest ? width : widest;
    }
    return widest;
}

torc_panel_cut torc_cut_panels(int64_t first, int64_t end, int64_t width)
{
    int64_t columns = end - first, count = (columns + width - 1) / width;
    return (torc_panel_cut){first, columns, count, 0, count};
}

torc_panel_cut torc_cut_share(int64_t ncols, int64_t width, const torc_host_share *share)
{
    torc_panel_cut p = torc_cut_panels(0, ncols, width);
    p.skipped = p.all * share->share / share->shares;
    p.count = p.all * (share->share + 1) / share->shares - p.skipped;
    return p;
}
