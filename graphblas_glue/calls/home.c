#include "home.h"
#include "away.h"
#include "put_off.h"
#include "session.h"
#include "view.h"
#include <pthread.h>

/* false also while nothing is away: then there is no need to look. */
static bool open_view(torc_view *view, void *object)
{
    const torc_binding *graphblas = torc_binding_get();
    return object && torc_away_is_any() && graphblas && graphblas->is_known &&
           torc_view_open(view, graphblas, object) == GrB_SUCCESS;
}

void torc_bring_home(void *object)
{
    torc_view view;
    torc_put_off_settle(object);
    if (open_view(&view, object)) {
        torc_away_ask(view.values);
        torc_away_ask(view.bitmap);
    }
}

void torc_complete_away(void *object)
{
    torc_view view;
    const char *why;
    int cancels;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    bool is_away = open_view(&view, object) &&
                   (torc_away_journey(view.values) != 0 || torc_away_journey(view.bitmap) != 0);
    torc_context *context = is_away ? torc_session_acquire(&why, 0) : NULL;
    if (context) {
        torc_context_wait(context);
        torc_session_release();
    }
    pthread_setcancelstate(cancels, NULL);
}
