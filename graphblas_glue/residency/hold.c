#include "hold.h"
#include "brief_lock.h"
#include "process.h"
#include "residency.h"
#include "session.h"
#include <pthread.h>
#include <stdlib.h>

typedef struct held_matrix {
    GrB_Matrix matrix;
    bool is_reordered;
    struct held_matrix *next;
} held_matrix;

static held_matrix *held_list;

static held_matrix **find(GrB_Matrix matrix)
{
    held_matrix **link = &held_list;
    while (*link && (*link)->matrix != matrix) {
        link = &(*link)->next;
    }
    return link;
}

const void *torc_hold_voucher(GrB_Matrix matrix)
{
    torc_brief_lock();
    bool is_held = *find(matrix);
    torc_brief_unlock();
    return is_held ? matrix : NULL;
}

bool torc_hold_is_reordered(GrB_Matrix matrix)
{
    torc_brief_lock();
    const held_matrix *held = *find(matrix);
    bool is_reordered = held && held->is_reordered;
    torc_brief_unlock();
    return is_reordered;
}

static GrB_Info hold(GrB_Matrix A, bool is_reordered)
{
    if (!A) {
        return GrB_NULL_POINTER;
    }
    if (!torc_process_is_ours()) {
        return GrB_SUCCESS;
    }
    GrB_Info info = GrB_SUCCESS;
    torc_brief_lock();
    held_matrix **link = find(A);
    if (!*link) {
        *link = calloc(1, sizeof **link);
        if (*link) {
            (*link)->matrix = A;
        } else {
            info = GrB_OUT_OF_MEMORY;
        }
    }
    if (*link && is_reordered) {
        (*link)->is_reordered = true;
    }
    torc_brief_unlock();
    return info;
}

GrB_Info torc_matrix_hold(GrB_Matrix A)
{
    return hold(A, false);
}

GrB_Info torc_matrix_hold_reordered(GrB_Matrix A)
{
    return hold(A, true);
}

GrB_Info torc_matrix_release(GrB_Matrix A)
{
    if (!torc_process_is_ours()) {
        return GrB_SUCCESS;
    }
    int cancels;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    torc_session_lock(); /* another thread may be multiplying with the copy */
    torc_brief_lock();
    held_matrix **link = find(A), *held = *link;
    if (held) {
        *link = held->next;
    }
    torc_brief_unlock();
    if (held) {
        free(held);
        torc_residency_evict_vouched(A);
    }
    torc_session_release();
    pthread_setcancelstate(cancels, NULL);
    return GrB_SUCCESS;
}
