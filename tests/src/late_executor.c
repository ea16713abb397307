/* late_executor.c: see late_executor.h. */
#include "late_executor.h"
#include "splitmix.h"
#include <criterion/criterion.h>

enum { WORK, SENT, FETCHED, QUEUES, MOST = 256 };

typedef struct operation operation;

struct operation {
    torc_status (*act)(torc_device *device, const operation *o);
    int fences; /* before it */
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

static struct {
    operation operations[MOST];
    int begin, end;
} queues[QUEUES];
static uint64_t seed;
static int fences; /* since the queues were last empty */
static int64_t turns;

static const torc_executor *plain(void)
{
    return torc_executor_reference();
}

static torc_status queue(int number, operation o)
{
    cr_assert(queues[number].end < MOST);
    o.fences = fences;
    queues[number].operations[queues[number].end++] = o;
    return TORC_SUCCESS;
}

static const operation *head(int number)
{
    return queues[number].begin < queues[number].end ? &queues[number].operations[queues[number].begin]
                                                     : NULL;
}

/* What is sent has not waited since the queues were empty; work waits for what was queued before the last
 * fence before it, and what is fetched for the work of that. */
static bool is_ready(int number)
{
    const operation *own = head(number);
    bool is_ready = own;
    for (int q = 0; q < QUEUES && own && number != SENT; q++) {
        const operation *other = head(q);
        bool waits = number == WORK || q == WORK;
        is_ready = is_ready && (!waits || !other || other->fences >= own->fences);
    }
    return is_ready;
}

/* In each queue in order, the queues in none but that of fences. */
static torc_status flush(torc_device *device)
{
    torc_status status = TORC_SUCCESS;
    int last = -1;
    for (;;) {
        int ready[QUEUES], count = 0;
        for (int q = 0; q < QUEUES; q++) {
            if (is_ready(q)) {
                ready[count++] = q;
            }
        }
        if (count == 0) {
            break;
        }
        int chosen = ready[random_below(&seed, count)];
        const operation *o = &queues[chosen].operations[queues[chosen].begin++];
        turns += last >= 0 && chosen != last;
        last = chosen;
        torc_status done = o->act(device, o);
        status = status == TORC_SUCCESS ? done : status;
    }
    for (int q = 0; q < QUEUES; q++) {
        queues[q].begin = queues[q].end = 0;
    }
    fences = 0;
    return status;
}

/* ---- What is queued ----------------------------------------------------------------------------------- */

static torc_status do_copy(torc_device *device, const operation *o)
{
    return plain()->send(device, &o->lines);
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
    (void)device;
    return queue(SENT, (operation){.act = do_copy, .lines = *lines});
}

static torc_status late_set(torc_device *device, const torc_lines *lines, int byte)
{
    (void)device;
    return queue(SENT, (operation){.act = do_set, .lines = *lines, .byte = byte});
}

static torc_status late_fetch(torc_device *device, const torc_lines *lines)
{
    (void)device;
    return queue(FETCHED, (operation){.act = do_copy, .lines = *lines});
}

static torc_status late_spmm(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    (void)device;
    return queue(WORK, (operation){.act = do_spmm, .kernel = *kernel, .args = *args});
}

static torc_status late_transpose_dense(torc_device *device, void *to, int64_t ldto, const void *from,
    int64_t ldfrom, int64_t nrows, int64_t ncols, size_t size)
{
    (void)device;
    return queue(WORK, (operation){.act = do_transpose,
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
    (void)device;
    return queue(WORK, (operation){.act = do_pack, .words = words, .X = *X});
}

static torc_status late_unpack_bits(torc_device *device, const torc_dense *X, const uint64_t *words)
{
    (void)device;
    return queue(WORK, (operation){.act = do_unpack, .words = (uint64_t *)words, .X = *X});
}

static torc_status late_mask_bits(
    torc_device *device, uint64_t *words, const uint64_t *mask, int64_t count, bool complement)
{
    (void)device;
    return queue(WORK,
        (operation){.act = do_mask, .words = words, .from = mask, .nrows = count, .complement = complement});
}

/* ---- What is not -------------------------------------------------------------------------------------- */

static torc_status late_fence(torc_device *device, bool sends_wait)
{
    fences++;
    return sends_wait ? flush(device) : TORC_SUCCESS;
}

static torc_status late_wait(torc_device *device)
{
    torc_status status = flush(device);
    return status == TORC_SUCCESS ? plain()->wait(device) : status;
}

static void late_release(torc_device *device, void *memory)
{
    cr_assert(flush(device) == TORC_SUCCESS);
    plain()->release(device, memory);
}

static torc_status late_upload(torc_device *device, void *to, const void *from, size_t size)
{
    torc_status status = flush(device);
    return status == TORC_SUCCESS ? plain()->upload(device, to, from, size) : status;
}

static torc_status late_download(torc_device *device, void *to, const void *from, size_t size)
{
    torc_status status = flush(device);
    return status == TORC_SUCCESS ? plain()->download(device, to, from, size) : status;
}

int64_t torc_late_turns(void)
{
    return turns;
}

const torc_executor *torc_executor_late(uint64_t seed_of_turns)
{
    static torc_executor late;
    seed = seed_of_turns;
    late = *plain();
    late.wait = late_wait;
    late.release = late_release;
    late.upload = late_upload;
    late.download = late_download;
    late.send = late_send;
    late.set = late_set;
    late.fetch = late_fetch;
    late.fence = late_fence;
    late.transpose_dense = late_transpose_dense;
    late.pack_bits = late_pack_bits;
    late.unpack_bits = late_unpack_bits;
    late.mask_bits = late_mask_bits;
    late.spmm = late_spmm;
    return &late;
}
