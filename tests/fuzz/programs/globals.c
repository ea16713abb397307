/* globals.c: see globals.h. */
#include "globals.h"
#include "require.h"
#include <stdbool.h>

static void require(GrB_Info info)
{
    TORC_REQUIRE(info == GrB_SUCCESS);
}

GrB_Info torc_globals_set_bitmap_switch(double value)
{
    double all[GxB_NBITMAP_SWITCH];
    for (int i = 0; i < GxB_NBITMAP_SWITCH; i++) {
        all[i] = value;
    }
    return GxB_Global_Option_set(GxB_BITMAP_SWITCH, all);
}

void torc_globals_restore(void)
{
    static bool is_kept;
    static GxB_Format_Value format;
    static double hyper_switch, bitmap_switches[GxB_NBITMAP_SWITCH];
    if (is_kept) {
        require(GxB_Global_Option_set(GxB_FORMAT, format));
        require(GxB_Global_Option_set(GxB_HYPER_SWITCH, hyper_switch));
        require(GxB_Global_Option_set(GxB_BITMAP_SWITCH, bitmap_switches));
    } else {
        require(GxB_Global_Option_get(GxB_FORMAT, &format));
        require(GxB_Global_Option_get(GxB_HYPER_SWITCH, &hyper_switch));
        require(GxB_Global_Option_get(GxB_BITMAP_SWITCH, bitmap_switches));
        is_kept = true;
    }
}
