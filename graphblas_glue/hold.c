#include "hold.h"
#include "session.h"
#include <pthread.h>
#include <stdlib.h>

/* A hypersparse matrix has two device forms: compact, and with all its rows. */
typedef struct held_matrix {
    GrB_Matrix matrix;
    torc_sparse *copies[2];
    struct held_matrix *next;
} held_matrix;

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static held_matrix *held_list;

static held_matrix **find(GrB_Matrix matrix)
{
    held_matrix **link = &held_list;
    while (*link && (*link)->matrix != matrix) {
        link = &(*link)->next;
    }
    return link;
}

static void destroy_copies(held_matrix *held)
{
    for (int i = 0; i < 2; i++) {
        torc_sparse_destroy(held->copies[i]);
        held->copies[i] = NULL;
    }
}

bool torc_hold_has_copy(const torc_product *product)
{
    pthread_mutex_lock(&list_mutex);
    held_matrix *held = *find(product->sparse_matrix);
    bool has_copy = held && held->copies[product->is_compact];
    pthread_mutex_unlock(&list_mutex);
    return has_copy;
}

torc_status torc_hold_sparse(
    torc_sparse **S, bool *is_held, const torc_product *product, torc_context *context)
{
    pthread_mutex_lock(&list_mutex);
    held_matrix *held = *find(product->sparse_matrix);
    torc_status status = TORC_SUCCESS;
    *is_held = held;
    if (!held) {
        pthread_mutex_unlock(&list_mutex);
        return torc_product_upload_sparse(S, product, false, context);
    }
    torc_sparse **copy = &held->copies[product->is_compact];
    if (!*copy) {
        status = torc_product_upload_sparse(copy, product, true, context);
    }
    *S = *copy;
    pthread_mutex_unlock(&list_mutex);
    return status;
}

void torc_hold_forget_copies(void)
{
    pthread_mutex_lock(&list_mutex);
    for (held_matrix *held = held_list; held; held = held->next) {
        destroy_copies(held);
    }
    pthread_mutex_unlock(&list_mutex);
}

GrB_Info torc_matrix_hold(GrB_Matrix A)
{
    if (!A) {
        return GrB_NULL_POINTER;
    }
    GrB_Info info = GrB_SUCCESS;
    pthread_mutex_lock(&list_mutex);
    held_matrix **link = find(A);
    if (!*link) {
        *link = calloc(1, sizeof **link);
        if (*link) {
            (*link)->matrix = A;
        } else {
            info = GrB_OUT_OF_MEMORY;
        }
    }
    pthread_mutex_unlock(&list_mutex);
    return info;
}

GrB_Info torc_matrix_release(GrB_Matrix A)
{
    torc_session_lock(); /* another thread may be multiplying with the copy */
    pthread_mutex_lock(&list_mutex);
    held_matrix **link = find(A), *held = *link;
    if (held) {
        *link = held->next;
        destroy_copies(held);
        free(held);
    }
    pthread_mutex_unlock(&list_mutex);
    torc_session_release();
    return GrB_SUCCESS;
}
