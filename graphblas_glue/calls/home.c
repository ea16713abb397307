#include "home.h"
#include "away.h"
#include "put_off.h"
#include "seal.h"
#include "session.h"
#include "view.h"
#include <pthread.h>

static bool open_view(torc_view *view, void *object)
{
    const torc_binding *graphblas = torc_binding_get();
    return graphblas && graphblas->is_known && torc_view_open(view, graphblas, object) == GrB_SUCCESS;
}

/* Where nothing is away, and no copy is trusted, there is no need to look. */
void torc_hand_out(void *object)
{
    torc_view view;
    torc_put_off_settle(object);
    if (!object || (!torc_away_is_any() && !torc_seal_is_any())) {
        return;
    }
    if (!open_view(&view, object)) {
        torc_seal_forget_all();
        return;
    }
    torc_away_ask(view.values);
    torc_away_ask(view.bitmap);
    const void *const arrays[] = {view.ptr, view.hyper, view.idx, view.bitmap, view.values};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        torc_seal_forget(arrays[i]);
    }
}

void torc_complete_away(void *object)
{
    torc_view view;
    const char *why;
    int cancels;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    bool is_away = object && torc_away_is_any() && open_view(&view, object) &&
                   (torc_away_journey(view.values) != 0 || torc_away_journey(view.bitmap) != 0);
    torc_context *context = is_away ? torc_session_acquire(&why, 0) : NULL;
    if (context) {
        torc_context_wait(context);
        torc_session_release();
    }
    pthread_setcancelstate(cancels, NULL);
}
