#include "missing_kernels.h"
#include "beside.h"
#include "brief_lock.h"
#include "session.h"
#include <stdatomic.h>

enum { MOST = 16, PATIENCE = 100, MOST_HOPELESS = 256 };

typedef struct missing_kernel {
    uint64_t operation;
    uint64_t asked; /* the time, in questions, when the program last asked for it; 0: none is missing here */
} missing_kernel;

static missing_kernel table[MOST]; /* under the brief lock */
static uint64_t now;
static atomic_int count; /* a look without the lock */

/* By their numbers: of two with one place the last one. */
static struct hopeless_kernel {
    _Atomic uint64_t operation;
    atomic_int refusals; /* still to come */
} hopeless[MOST_HOPELESS];

static missing_kernel *find(uint64_t operation)
{
    for (int i = 0; i < MOST; i++) {
        if (table[i].asked > 0 && table[i].operation == operation) {
            return &table[i];
        }
    }
    return NULL;
}

static void forget(missing_kernel *missing)
{
    missing->asked = 0;
    atomic_fetch_sub(&count, 1);
}

static void forget_old(void)
{
    for (int i = 0; i < MOST; i++) {
        if (table[i].asked > 0 && now - table[i].asked > PATIENCE) {
            forget(&table[i]);
        }
    }
}

void torc_missing_kernels_give_up(uint64_t operation)
{
    struct hopeless_kernel *place = &hopeless[operation % MOST_HOPELESS];
    place->operation = operation;
    place->refusals = PATIENCE;
}

static bool is_hopeless(uint64_t operation)
{
    struct hopeless_kernel *place = &hopeless[operation % MOST_HOPELESS];
    return place->refusals > 0 && place->operation == operation && place->refusals-- > 0;
}

bool torc_missing_kernels_hold_back(uint64_t operation, double bytes)
{
    if (is_hopeless(operation)) {
        return true;
    }
    if (atomic_load(&count) == 0) {
        return false;
    }
    bool is_compiling = torc_beside_is_under_way();
    torc_brief_lock();
    now++;
    missing_kernel *missing = find(operation);
    bool is_tried = missing && !is_compiling;
    if (is_tried) {
        forget(missing);
    } else if (missing) {
        missing->asked = now;
    }
    forget_old();
    bool others_wait = bytes < TORC_WORTH_FETCHING && atomic_load(&count) > 0;
    bool is_held = !is_tried && (missing || others_wait);
    torc_brief_unlock();
    return is_held;
}

bool torc_missing_kernels_send_home(double bytes)
{
    if (atomic_load(&count) > 0) {
        torc_brief_lock();
        now++;
        forget_old();
        torc_brief_unlock();
    }
    return bytes < TORC_WORTH_FETCHING && atomic_load(&count) > 0;
}

/* Where the table is full the operation is not waited for. */
static void add(uint64_t operation)
{
    for (int i = 0; i < MOST; i++) {
        if (table[i].asked == 0) {
            table[i] = (missing_kernel){operation, ++now};
            atomic_fetch_add(&count, 1);
            return;
        }
    }
}

void torc_missing_kernels_compile(uint64_t operation)
{
    torc_brief_lock();
    if (!find(operation)) {
        add(operation);
    }
    torc_brief_unlock();
    torc_session_compile_beside();
}
