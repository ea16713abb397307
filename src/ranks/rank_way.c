/* rank_way.c: the way by which content travels: from device to device where all ranks can, else by MPI
 * through host memory. All ranks always have the same: they choose it together, and where it fails on one,
 * all give it up.
 *
 * No rank waits for its own exchange alone: it might never end where another rank failed. */
#include "rank_operands.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

typedef struct rank_identity {
    torc_exchange_identity of;
    int64_t has_some;
} rank_identity;

/* Until all have come to that stage, or one has failed. own: what the rank's last call gave. */
static bool settle(const torc_ranks *ranks, torc_status own, torc_exchange_stage wanted)
{
    enum { GOOD, PENDING, FAILED, TRIES = 1000 };
    int state, worst;
    do {
        torc_exchange_stage stage = TORC_EXCHANGE_PENDING;
        for (int i = 0; i < TRIES && own == TORC_SUCCESS && stage < wanted; i++) {
            own = torc_exchange_progress(&stage, ranks->exchange);
            if (stage < wanted) {
                sched_yield(); /* NCCL's own thread may have this processor only */
            }
        }
        state = own != TORC_SUCCESS ? FAILED : stage < wanted ? PENDING : GOOD;
        MPI_Allreduce(&state, &worst, 1, MPI_INT, MPI_MAX, ranks->communicator);
    } while (worst == PENDING);
    return worst == GOOD;
}

static void go_by_mpi(torc_ranks *ranks, const char *way)
{
    torc_exchange_destroy(ranks->exchange, true);
    ranks->exchange = NULL;
    ranks->writes = false;
    ranks->way = way;
}

/* Two ranks of one device, or a rank without a way: why none of them goes from device to device. NULL: all
 * do. */
static const char *find_obstacle(const rank_identity *identities, int count)
{
    for (int r = 0; r < count; r++) {
        if (!identities[r].has_some) {
            return "by MPI: not every rank has a GPU and NCCL";
        }
        if (identities[r].of.version != identities[0].of.version) {
            return "by MPI: ranks have different versions of NCCL";
        }
    }
    for (int r = 0; r < count; r++) {
        for (int other = 0; other < r; other++) {
            if (memcmp(identities[r].of.device, identities[other].of.device,
                    sizeof identities[r].of.device) == 0) {
                return "by MPI: two ranks have one GPU";
            }
        }
    }
    return NULL;
}

/* All ranks see the same. */
static const char *look_for_obstacle(const torc_ranks *ranks)
{
    rank_identity own = {.has_some = 0},
                  *identities = malloc((size_t)(unsigned)ranks->count * sizeof *identities);
    const char *obstacle = "by MPI: not enough host memory";
    if (torc_ranks_agree(ranks, identities ? TORC_SUCCESS : TORC_OUT_OF_MEMORY) == TORC_SUCCESS) {
        own.has_some = torc_exchange_identify(&own.of, ranks->context) == TORC_SUCCESS;
        MPI_Allgather(
            &own, sizeof own, MPI_BYTE, identities, sizeof *identities, MPI_BYTE, ranks->communicator);
        obstacle = find_obstacle(identities, ranks->count);
    }
    free(identities);
    return obstacle;
}

void torc_ranks_open_way(torc_ranks *ranks)
{
    torc_exchange_unique_id id;
    ranks->way = ranks->count == 1 ? "nowhere: one rank" : look_for_obstacle(ranks);
    if (ranks->way) {
        return;
    }
    memset(&id, 0, sizeof id);
    torc_status status =
        ranks->number == 0 ? torc_exchange_make_unique_id(&id, ranks->context) : TORC_SUCCESS;
    if (torc_ranks_agree(ranks, status) == TORC_SUCCESS) {
        MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, ranks->communicator);
        ranks->way = "from GPU to GPU";
        status = torc_exchange_create(&ranks->exchange, ranks->context, &id, ranks->number, ranks->count);
        if (settle(ranks, status, TORC_EXCHANGE_QUEUED)) {
            torc_ranks_open_writing(ranks);
            return;
        }
    }
    go_by_mpi(ranks, "by MPI: NCCL could not begin");
}

void torc_ranks_close_way(torc_ranks *ranks)
{
    bool is_good = ranks->exchange && settle(ranks, TORC_SUCCESS, TORC_EXCHANGE_DONE);
    torc_exchange_destroy(ranks->exchange, !is_good);
}

bool torc_ranks_move(
    torc_ranks *ranks, torc_status own, int turn, const torc_exchange_piece *pieces, int count)
{
    own = own == TORC_SUCCESS ? torc_exchange_move(ranks->exchange, turn, pieces, count) : own;
    bool is_good = settle(ranks, own, TORC_EXCHANGE_QUEUED);
    if (!is_good) {
        go_by_mpi(ranks, "by MPI: NCCL failed");
    }
    return is_good;
}

torc_status torc_ranks_guard(torc_ranks *ranks)
{
    if (!ranks->exchange || settle(ranks, TORC_SUCCESS, TORC_EXCHANGE_DONE)) {
        return TORC_SUCCESS;
    }
    go_by_mpi(ranks, "by MPI: NCCL failed");
    return torc_ranks_agree(ranks, TORC_DEVICE_ERROR);
}

const char *torc_ranks_way(const torc_ranks *ranks)
{
    return ranks ? ranks->way : "";
}
