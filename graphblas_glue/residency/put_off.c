#include "put_off.h"
#include "arena.h"
#include "away.h"
#include "brief_lock.h"
#include "matrix_settings.h"
#include "process.h"
#include "session.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

typedef struct note {
    GrB_Matrix matrix;
    int32_t control;
} note;

enum { MOST = 256 };

/* The last one is the latest; under torc_brief_lock. */
static note notes[MOST];
static atomic_int nnotes;

static note *find(GrB_Matrix A)
{
    for (int i = 0; i < nnotes; i++) {
        if (notes[i].matrix == A) {
            return &notes[i];
        }
    }
    return NULL;
}

static bool is_noted(GrB_Matrix A)
{
    torc_brief_lock();
    bool is = find(A);
    torc_brief_unlock();
    return is;
}

static bool take(int32_t *control, GrB_Matrix A)
{
    if (nnotes == 0) {
        return false;
    }
    torc_brief_lock();
    note *found = find(A);
    if (found) {
        *control = found->control;
        memmove(found, found + 1, (size_t)(notes + nnotes - (found + 1)) * sizeof *found);
        nnotes--;
    }
    torc_brief_unlock();
    return found;
}

/* Notes of the last session are of handles that are gone. */
static void forget_all(void)
{
    torc_brief_lock();
    nnotes = 0;
    torc_brief_unlock();
    torc_malloc_let_go();
}

/* Where a sparse format is allowed SuiteSparse converts what has few entries, at once. */
static bool allows_sparse(int32_t control)
{
    return control & (TORC_SPARSE | TORC_HYPERSPARSE);
}

/* ---- One thread, or several ---------------------------------------------------------------------------- */

static const char *_Atomic first_thread; /* its `self` */
static atomic_bool is_shared;            /* a second one was seen */
static _Thread_local char self;

static bool has_threads(void)
{
    const char *first = NULL;
    if (!atomic_compare_exchange_strong(&first_thread, &first, &self) && first != &self) {
        atomic_store(&is_shared, true);
    }
    return atomic_load(&is_shared);
}

/* ---- Settling ------------------------------------------------------------------------------------------ */

static pthread_mutex_t settling = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; /* converting looks at A again */
static atomic_int nsettling;

static void settle(GrB_Matrix A)
{
    const torc_binding *graphblas = torc_binding_get();
    int32_t control;
    torc_view view;
    if (take(&control, A) && graphblas && graphblas->is_known) {
        if (torc_view_open(&view, graphblas, A) == GrB_SUCCESS) {
            torc_away_ask(view.values);
            torc_away_ask(view.bitmap);
        }
        torc_malloc_keep(has_threads());
        torc_binding_set_option(graphblas, A, graphblas->numbers->sparsity_control, control);
        torc_malloc_keep(false);
    }
}

/* Is there anything to settle, or to wait for? */
static bool is_any(void)
{
    return nnotes > 0 || nsettling > 0;
}

/* Counted before the note is taken, so that another thread sees one or the other. */
static void begin_settling(void)
{
    nsettling++;
    pthread_mutex_lock(&settling);
}

static void end_settling(void)
{
    pthread_mutex_unlock(&settling);
    nsettling--;
}

void torc_put_off_settle(GrB_Matrix A)
{
    if (is_any()) {
        begin_settling();
        settle(A);
        end_settling();
    }
}

/* Not by who has the device, as GraphBLAS's own functions may be. */
bool torc_put_off_hold(GrB_Matrix A)
{
    if (!is_any() || torc_session_is_mine()) {
        return false;
    }
    begin_settling();
    if (has_threads()) {
        settle(A);
    }
    bool is_held = is_noted(A);
    if (!is_held) {
        end_settling();
    }
    return is_held;
}

void torc_put_off_let_go(void)
{
    end_settling();
}

void torc_put_off_settle_all(GrB_Matrix C, GrB_Matrix mask, GrB_Matrix A, GrB_Matrix B)
{
    torc_put_off_settle(C);
    torc_put_off_settle(mask);
    torc_put_off_settle(A);
    torc_put_off_settle(B);
}

/* Of several threads each may be writing to what is its own. A child that nobody was told of has no content.
 */
static bool is_alone(void)
{
    return atomic_load(&first_thread) == &self && !atomic_load(&is_shared) && !torc_session_is_mine() &&
           torc_process_is_ours() && !torc_process_is_borrowed();
}

void torc_put_off_settle_every(void)
{
    GrB_Matrix A = NULL;
    do {
        torc_brief_lock();
        A = nnotes > 0 && is_alone() ? notes[nnotes - 1].matrix : NULL;
        torc_brief_unlock();
        torc_put_off_settle(A);
    } while (A);
}

/* Who has the device has looked at the matrix before. */
static void settle_before_a_look(GrB_Matrix A)
{
    if (has_threads() && !torc_session_is_mine()) {
        torc_put_off_settle(A);
    }
}

void torc_put_off_begin(void)
{
    atomic_store(&first_thread, &self);
    atomic_store(&is_shared, false);
    torc_view_before(settle_before_a_look);
}

/* ---- Controls ------------------------------------------------------------------------------------------ */

static void start_in_child(void)
{
    settling = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    nsettling = 0;
}

/* Something is away: torc's locks have their handlers already, and so this one comes before they are taken.
 */
static void note_the_first(void)
{
    static const torc_fork_handlers handlers = {
        .prepare = torc_put_off_settle_every, .child = start_in_child};
    torc_process_at_fork(&handlers);
    torc_session_at_close(forget_all);
}

/* false: there are too many. */
static bool put(GrB_Matrix A, int32_t control)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    torc_brief_lock();
    note *found = find(A);
    if (!found && nnotes < MOST) {
        found = &notes[nnotes++];
    }
    if (found) {
        *found = (note){A, control};
    }
    torc_brief_unlock();
    pthread_once(&once, note_the_first);
    return found;
}

bool torc_put_off_control(GrB_Matrix A, int32_t control)
{
    const torc_binding *graphblas = torc_binding_get();
    torc_view view;
    int32_t noted;
    take(&noted, A);
    if (has_threads() || !torc_away_is_any() || !graphblas || !graphblas->is_known || !A || control <= 0 ||
        control > TORC_AUTOMATIC || !allows_sparse(control) ||
        torc_view_open(&view, graphblas, A) != GrB_SUCCESS) {
        return false;
    }
    bool is_away = torc_away_journey(view.values) != 0 || torc_away_journey(view.bitmap) != 0;
    return is_away && !torc_view_is_listed(&view) && put(A, control);
}

void torc_put_off_like(GrB_Matrix C, GrB_Matrix A)
{
    const torc_binding *graphblas = torc_binding_get();
    torc_brief_lock();
    note *found = find(A);
    int32_t control = found ? found->control : 0;
    torc_brief_unlock();
    if (control && !put(C, control)) { /* it comes home after all */
        torc_binding_set_option(graphblas, C, graphblas->numbers->sparsity_control, control);
    }
}

void torc_put_off_forget(GrB_Matrix A)
{
    int32_t noted;
    take(&noted, A);
}

GrB_Info torc_put_off_pack(GrB_Matrix C, const torc_binding *graphblas, torc_arrays *T)
{
    if (!T->values) {
        return graphblas->matrix_wait(C, GrB_MATERIALIZE); /* clears the text of an error of before */
    }
    int32_t control;
    bool is_noted = take(&control, C);
    GrB_Info info = GrB_SUCCESS;
    if (!is_noted) {
        info = torc_binding_get_option(graphblas, C, graphblas->numbers->sparsity_control, &control);
    }
    if (info != GrB_SUCCESS) {
        return info;
    }
    /* Automatic is what packing leaves. */
    bool waits = !has_threads() && control != TORC_AUTOMATIC && allows_sparse(control);
    info = torc_pack_away(C, graphblas, T, waits ? TORC_AUTOMATIC : control);
    bool is_put = !waits || put(C, control);
    if (info == GrB_SUCCESS && !is_put) { /* it comes home after all */
        torc_binding_set_option(graphblas, C, graphblas->numbers->sparsity_control, control);
    }
    return info;
}
