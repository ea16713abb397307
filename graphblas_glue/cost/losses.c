#include "losses.h"
#include "profit.h"
#include <stdatomic.h>

static _Atomic double lost;

void torc_losses_add(double seconds)
{
    double before = lost;
    if (seconds > 0) {
        while (!atomic_compare_exchange_weak(&lost, &before, before + seconds)) {
        }
        torc_profit_add(seconds);
    }
}

double torc_losses_get(void)
{
    return lost;
}
