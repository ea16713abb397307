#include "brief_lock.h"
#include "process.h"
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
    pthread_mutex_lock(&mutex);
}

static void survive_forks(void)
{
    static const torc_fork_handlers handlers = {lock, torc_brief_unlock, torc_brief_unlock};
    torc_process_at_fork(&handlers);
}

void torc_brief_lock(void)
{
    pthread_once(&once, survive_forks);
    lock();
}

void torc_brief_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}
