#include "home.h"
#include "away.h"
#include "put_off.h"
#include "view.h"

void torc_bring_home(void *object)
{
    const torc_binding *graphblas = torc_binding_get();
    torc_view view;
    torc_put_off_settle(object);
    if (!object || !torc_away_is_any() || !graphblas || !graphblas->is_known ||
        torc_view_open(&view, graphblas, object) != GrB_SUCCESS) {
        return;
    }
    torc_away_ask(view.values);
    torc_away_ask(view.bitmap);
}
