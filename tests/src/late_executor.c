/* late_executor.c: see late_executor.h. */
#include "late_executor.h"
#include "splitmix.h"
#include <criterion/criterion.h>

enum { WORK, SENT, FETCHED, QUEUES, DEVICES = 8, MOST = 4096 };

typedef struct operation operation;

/* NULL for act: a wait until a queue has come so far. */
struct operation {
    torc_status (*act)(torc_device *device, const operation *o);
    int device, queue, end;
    torc_lines lines;
    int byte;
    torc_spmm_kernel kernel;
    torc_spmm_args args;
    void *to;
    const void *from;
    int64_t ldto, ldfrom, nrows, ncols;
    size_t size;
    torc_dense X;
    uint64_t *words;
    bool complement;
};

typedef struct late_queue {
    operation operations[MOST];
    int begin, end;
} late_queue;

static late_queue queues[DEVICES][QUEUES];
static torc_device *devices[DEVICES];
static int ndevices;
static uint64_t seed;
static int64_t turns;

static const torc_executor *plain(void)
{
    return torc_executor_reference();
}

static int number_of(const torc_device *device)
{
    int d = 0;
    while (d < ndevices && devices[d] != device) {
        d++;
    }
    cr_assert(d < DEVICES);
    ndevices = d == ndevices ? d + 1 : ndevices;
    devices[d] = (torc_device *)device;
    return d;
}

static torc_status queue(torc_device *device, int number, operation o)
{
    late_queue *q = &queues[number_of(device)][number];
    cr_assert(q->end < MOST);
    q->operations[q->end++] = o;
    return TORC_SUCCESS;
}

/* What is queued from now on waits for what the other queue has by now. */
static void wait_for(torc_device *device, int number, torc_device *other, int other_number)
{
    int d = number_of(other);
    queue(
        device, number, (operation){.device = d, .queue = other_number, .end = queues[d][other_number].end});
}

/* The next operation, which waits for nothing; NULL: there is none, or it waits. */
static const operation *next_of(int device, int number)
{
    late_queue *q = &queues[device][number];
    while (q->begin < q->end) {
        const operation *o = &q->operations[q->begin];
        if (o->act || queues[o->device][o->queue].begin < o->end) {
            return o->act ? o : NULL;
        }
        q->begin++;
    }
    return NULL;
}

static bool is_any_left(void)
{
    bool is_any = false;
    for (int i = 0; i < ndevices * QUEUES; i++) {
        const late_queue *q = &queues[i / QUEUES][i % QUEUES];
        is_any = is_any || q->begin < q->end;
    }
    return is_any;
}

/* In each queue in order, the queues in no order but that of waits. */
static torc_status flush(void)
{
    torc_status status = TORC_SUCCESS;
    int last = -1;
    while (is_any_left()) {
        int ready[DEVICES * QUEUES], count = 0;
        for (int i = 0; i < ndevices * QUEUES; i++) {
            if (next_of(i / QUEUES, i % QUEUES)) {
                ready[count++] = i;
            }
        }
        if (count > 0) { /* else waits have ended, which others wait for */
            int chosen = ready[random_below(&seed, count)];
            const operation *o = next_of(chosen / QUEUES, chosen % QUEUES);
            turns += last >= 0 && chosen != last;
            last = chosen;
            torc_status done = o->act(devices[chosen / QUEUES], o);
            queues[chosen / QUEUES][chosen % QUEUES].begin++;
            status = status == TORC_SUCCESS ? done : status;
        }
    }
    for (int i = 0; i < ndevices * QUEUES; i++) {
        queues[i / QUEUES][i % QUEUES].begin = queues[i / QUEUES][i % QUEUES].end = 0;
    }
    return status;
}

/* ---- What is queued ----------------------------------------------------------------------------------- */

static torc_status do_copy(torc_device *device, const operation *o)
{
    return plain()->send(device, &o->lines);
}

static torc_status do_receive(torc_device *device, const operation *o)
{
    return plain()->receive(device, device, &o->lines);
}

static torc_status do_set(torc_device *device, const operation *o)
{
    return plain()->set(device, &o->lines, o->byte);
}

static torc_status do_spmm(torc_device *device, const operation *o)
{
    return plain()->spmm(device, &o->kernel, &o->args);
}

static torc_status do_transpose(torc_device *device, const operation *o)
{
    return plain()->transpose_dense(device, o->to, o->ldto, o->from, o->ldfrom, o->nrows, o->ncols, o->size);
}

static torc_status do_pack(torc_device *device, const operation *o)
{
    return plain()->pack_bits(device, o->words, &o->X);
}

static torc_status do_unpack(torc_device *device, const operation *o)
{
    return plain()->unpack_bits(device, &o->X, o->words);
}

static torc_status do_mask(torc_device *device, const operation *o)
{
    return plain()->mask_bits(device, o->words, o->from, o->nrows, o->complement);
}

static torc_status late_send(torc_device *device, const torc_lines *lines)
{
    return queue(device, SENT, (operation){.act = do_copy, .lines = *lines});
}

static torc_status late_set(torc_device *device, const torc_lines *lines, int byte)
{
    return queue(device, SENT, (operation){.act = do_set, .lines = *lines, .byte = byte});
}

static torc_status late_fetch(torc_device *device, const torc_lines *lines)
{
    return queue(device, FETCHED, (operation){.act = do_copy, .lines = *lines});
}

static torc_status late_receive(torc_device *device, torc_device *other, const torc_lines *lines)
{
    (void)other;
    return queue(device, WORK, (operation){.act = do_receive, .lines = *lines});
}

static torc_status late_spmm(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    return queue(device, WORK, (operation){.act = do_spmm, .kernel = *kernel, .args = *args});
}

static torc_status late_transpose_dense(torc_device *device, void *to, int64_t ldto, const void *from,
    int64_t ldfrom, int64_t nrows, int64_t ncols, size_t size)
{
    return queue(device, WORK,
        (operation){.act = do_transpose,
            .to = to,
            .from = from,
            .ldto = ldto,
            .ldfrom = ldfrom,
            .nrows = nrows,
            .ncols = ncols,
            .size = size});
}

static torc_status late_pack_bits(torc_device *device, uint64_t *words, const torc_dense *X)
{
    return queue(device, WORK, (operation){.act = do_pack, .words = words, .X = *X});
}

static torc_status late_unpack_bits(torc_device *device, const torc_dense *X, const uint64_t *words)
{
    return queue(device, WORK, (operation){.act = do_unpack, .words = (uint64_t *)words, .X = *X});
}

static torc_status late_mask_bits(
    torc_device *device, uint64_t *words, const uint64_t *mask, int64_t count, bool complement)
{
    return queue(device, WORK,
        (operation){.act = do_mask, .words = words, .from = mask, .nrows = count, .complement = complement});
}

/* ---- What is not -------------------------------------------------------------------------------------- */

/* What each queue waits for is what the others had before. */
static torc_status late_fence(torc_device *device, bool sends_wait)
{
    const late_queue *own = queues[number_of(device)];
    int ends[] = {own[WORK].end, own[SENT].end, own[FETCHED].end};
    for (int q = 0; q < QUEUES; q++) {
        for (int other = 0; other < QUEUES; other++) {
            bool waits = q == WORK      ? other != WORK
                         : q == FETCHED ? other == WORK
                                        : sends_wait && other != SENT;
            if (waits) {
                queue(
                    device, q, (operation){.device = number_of(device), .queue = other, .end = ends[other]});
            }
        }
    }
    return TORC_SUCCESS;
}

static torc_status late_follow(torc_device *device, torc_device *other)
{
    for (int q = 0; q < QUEUES; q++) {
        wait_for(device, WORK, other, q);
    }
    return TORC_SUCCESS;
}

static torc_status late_wait(torc_device *device)
{
    torc_status status = flush();
    return status == TORC_SUCCESS ? plain()->wait(device) : status;
}

static void late_release(torc_device *device, void *memory)
{
    cr_assert(flush() == TORC_SUCCESS);
    plain()->release(device, memory);
}

static torc_status late_upload(torc_device *device, void *to, const void *from, size_t size)
{
    torc_status status = flush();
    return status == TORC_SUCCESS ? plain()->upload(device, to, from, size) : status;
}

static torc_status late_download(torc_device *device, void *to, const void *from, size_t size)
{
    torc_status status = flush();
    return status == TORC_SUCCESS ? plain()->download(device, to, from, size) : status;
}

static torc_status late_transpose_csr(torc_device *device, const torc_device_csr *T, const torc_device_csr *A)
{
    torc_status status = flush();
    return status == TORC_SUCCESS ? plain()->transpose_csr(device, T, A) : status;
}

static torc_status late_measure(
    torc_device *device, torc_partition *rows, torc_window *windows, const torc_device_csr *A)
{
    torc_status status = flush();
    return status == TORC_SUCCESS ? plain()->measure(device, rows, windows, A) : status;
}

static torc_status late_cut_rows(torc_device *device, const torc_partition *rows, const torc_device_csr *A)
{
    torc_status status = flush();
    return status == TORC_SUCCESS ? plain()->cut_rows(device, rows, A) : status;
}

int64_t torc_late_turns(void)
{
    return turns;
}

const torc_executor *torc_executor_late(uint64_t seed_of_turns)
{
    static torc_executor late;
    seed = seed_of_turns;
    ndevices = 0;
    late = *plain();
    late.wait = late_wait;
    late.release = late_release;
    late.upload = late_upload;
    late.download = late_download;
    late.send = late_send;
    late.set = late_set;
    late.fetch = late_fetch;
    late.fence = late_fence;
    late.follow = late_follow;
    late.receive = late_receive;
    late.transpose_dense = late_transpose_dense;
    late.pack_bits = late_pack_bits;
    late.unpack_bits = late_unpack_bits;
    late.mask_bits = late_mask_bits;
    late.spmm = late_spmm;
    late.transpose_csr = late_transpose_csr;
    late.measure = late_measure;
    late.cut_rows = late_cut_rows;
    return &late;
}
