/* away_content.c: content leaves for the device, is read and written there, and comes home. */
#include "arena.h"
#include "arena_range.h"
#include "away.h"
#include "beside.h"
#include "burble.h"
#include "clock.h"
#include "resident.h"
#include "session.h"
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* How many results of a maker came home unused in a row, by the maker's last bits. */
enum { MAKERS = 256, PATIENCE = 2, TRIAL = 16 };
static unsigned char unused_results[MAKERS];

static atomic_bool has_lost;

/* Single elements that the host has written are in the array from now on. */
bool torc_resident_settle(torc_resident *r)
{
    return torc_elements_flush(r->elements, r->context, r->copy.data) == TORC_SUCCESS;
}

/* While kernels are compiled beside the program, operations that lack theirs run on the CPU: what comes home
 * for them may be used on the device the next time. */
static void note_return(torc_resident *r)
{
    unsigned char *unused = &unused_results[r->maker % MAKERS];
    if (r->maker != TORC_NO_MAKER && r->was_used) {
        *unused = 0;
    } else if (r->maker != TORC_NO_MAKER && !torc_beside_is_under_way()) {
        *unused = (unsigned char)(*unused < UINT8_MAX ? *unused + 1 : PATIENCE);
    }
    r->was_read = false;
}

/* Uses of a maker's results clear its count of unused ones: one that comes home after many uses tells little.
 */
void torc_resident_note_use(torc_resident *r)
{
    r->was_used = true;
    unused_results[r->maker % MAKERS] = 0;
}

/* Content that the host has read, and that nothing on the device has used, counts as having come home. */
void torc_resident_end_journey(torc_resident *r)
{
    if (r->was_read && !r->was_used) {
        note_return(r);
    }
    r->was_read = false;
}

static bool is_cuda(torc_context *context)
{
    torc_device_info info;
    return torc_context_info(&info, context) == TORC_SUCCESS && strcmp(info.backend, "cuda") == 0;
}

/* The device can write to pinned pages even while nobody may touch them. */
static bool fetch_into_block(const torc_resident *r, void *block)
{
    return torc_arena_is_pinned(block) && is_cuda(r->context) &&
           torc_memory_download(r->context, block, r->copy.data, r->size) == TORC_SUCCESS;
}

/* Where there are no addresses for a second block, or it cannot be put in the place of the first, as in a
 * process that has nearly as many mappings as it may: past the protection, a piece at a time. Who has the
 * device has the piece. */
static bool fetch_in_pieces(const torc_resident *r, void *block)
{
    enum { PIECE = 1 << 16 };
    static char piece[PIECE];
    int memory = open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
    bool is_there = memory >= 0;
    for (size_t at = 0; at < r->size && is_there; at += PIECE) {
        size_t size = r->size - at < PIECE ? r->size - at : PIECE;
        off_t place = (off_t)((uintptr_t)block + at);
        is_there = torc_memory_download(r->context, piece, (char *)r->copy.data + at, size) == TORC_SUCCESS &&
                   pwrite(memory, piece, size, place) == (ssize_t)size;
    }
    if (memory >= 0) {
        close(memory);
    }
    return is_there;
}

/* Others lie aside until all of them are there. */
static bool fetch_aside(const torc_resident *r, void *block)
{
    size_t size;
    torc_arena_block(block, NULL, &size);
    char *room = mmap(NULL, size + TORC_ARENA_PAGE, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        return fetch_in_pieces(r, block);
    }
    char *content = room + (TORC_ARENA_PAGE - (uintptr_t)room % TORC_ARENA_PAGE) % TORC_ARENA_PAGE;
    size_t before = (size_t)(content - room);
    torc_range_choose_pages(content, size, r->size);
    bool is_there = torc_memory_download(r->context, content, r->copy.data, r->size) == TORC_SUCCESS &&
                    torc_away_put_pages(block, content);
    if (!is_there) {
        munmap(content, size);
    }
    if (before > 0) {
        munmap(room, before);
    }
    munmap(content + size, TORC_ARENA_PAGE - before);
    return is_there || fetch_in_pieces(r, block);
}

static void note_loss(void)
{
    if (!atomic_exchange(&has_lost, true)) {
        torc_burble_note("the device is lost, with content that was only there: GrB_PANIC from now on");
    }
}

bool torc_residency_has_lost(void)
{
    return atomic_load_explicit(&has_lost, memory_order_relaxed);
}

/* Sealed before anybody can write to it, the copy serves on; the caller has the device, and nobody else
 * changes the list. */
bool torc_resident_bring_home(torc_resident *r)
{
    void *block = (void *)torc_resident_memory(r);
    if (!torc_away_begin_landing(block, r->journey)) {
        return true; /* it was freed */
    }
    double start = torc_clock();
    r->is_landing = true;
    bool is_there = torc_resident_settle(r);
    torc_residents_unlock();
    is_there = is_there && (fetch_into_block(r, block) || fetch_aside(r, block));
    torc_residents_lock();
    r->is_landing = false;
    r->journey = 0;
    if (is_there && r->size >= TORC_ARENA_SMALLEST) { /* a small array would be read */
        torc_resident_seal(r);
    }
    note_return(r);
    if (!is_there) {
        note_loss();
    }
    torc_residents_counts.returns += is_there;
    torc_residents_counts.bytes_returned += is_there ? r->size : 0;
    torc_residents_counts.return_seconds += torc_clock() - start;
    torc_away_land(block);
    torc_arena_note_travel(block, r->size);
    return is_there;
}

static torc_resident *find_journey(uint64_t journey)
{
    torc_resident *r = torc_residents;
    while (r && r->journey != journey) {
        r = r->next;
    }
    return r;
}

bool torc_residents_bring_memory_home(const void *p)
{
    uint64_t journey = torc_away_journey(p);
    torc_resident *r = journey != 0 ? find_journey(journey) : NULL;
    return !r || torc_resident_bring_home(r);
}

bool torc_residency_bring_home(const void *p)
{
    torc_residents_enter();
    bool is_there = torc_residents_bring_memory_home(p);
    torc_residents_unlock();
    return is_there;
}

void torc_resident_return(void *block)
{
    torc_session_lock();
    torc_residency_bring_home(block);
    torc_session_release();
}

void torc_residents_bring_all_home(void)
{
    for (torc_resident *r = torc_residents; r; r = r->next) {
        if (torc_resident_is_away(r)) {
            torc_resident_bring_home(r);
        }
    }
}

/* The CUDA driver may fork while this thread has the device. */
void torc_residency_return_all(void)
{
    bool is_mine = torc_session_is_mine();
    if (!torc_away_is_any()) { /* and nothing leaves any more */
        return;
    }
    if (!is_mine) {
        torc_session_lock();
    }
    torc_residents_lock();
    torc_residents_bring_all_home();
    torc_residents_unlock();
    if (!is_mine) {
        torc_session_release();
    }
}

/* Other copies of that memory hold what it was before: no seal breaks when its block leaves. */
static void forget_others(const torc_resident *kept, const void *memory)
{
    for (torc_resident *r = torc_residents, *next; r; r = next) {
        next = r->next;
        bool names_it = false;
        for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
            names_it = names_it || r->origin.arrays[i].memory == memory;
        }
        if (names_it && r != kept) {
            torc_resident_drop_name(r); /* one that is lent is destroyed when it is given back */
            if (r->lends == 0) {
                torc_resident_destroy(r);
            }
        }
    }
}

/* What comes home again and again is pinned, like all that travels. It is when it leaves: pinning would break
 * the seal of what has come home. */
bool torc_residency_leave(torc_copy *copy, const torc_origin *origin, uint64_t maker)
{
    torc_resident *r = torc_resident_of(copy);
    const void *memory = origin->arrays[TORC_ORIGIN_VALUES].memory;
    if (torc_away_journey(memory) == 0) {
        torc_arena_pin_traveller(r->context, memory, r->size);
    }
    torc_residents_enter();
    bool is_gone = r->journey != 0 && torc_resident_memory(r) == memory && torc_resident_is_away(r);
    if (!is_gone) {
        uint64_t journey = torc_away_leave((void *)memory);
        is_gone = journey != 0;
        if (is_gone) {
            forget_others(r, memory);
            torc_resident_drop_name(r);
            r->origin = *origin;
            r->journey = journey;
            torc_residents_counts.journeys++;
            torc_residents_counts.bytes_left += r->size;
        }
    }
    torc_resident_end_journey(r);
    r->maker = maker;
    r->was_used = false;
    r->copy.is_filled = r->copy.is_filled || is_gone;
    torc_residents_unlock();
    return is_gone;
}

bool torc_residency_should_leave(uint64_t maker)
{
    torc_residents_enter();
    unsigned char *unused = &unused_results[maker % MAKERS];
    bool should = *unused < PATIENCE || *unused % TRIAL < 2; /* the second finds the first */
    *unused = (unsigned char)(*unused < PATIENCE ? *unused : *unused + 1);
    torc_residents_unlock();
    return should;
}

/* Nobody writes to what is on its way. */
static torc_resident *find_away(size_t *offset, const void *p, size_t size)
{
    uint64_t journey = torc_away_journey(p);
    torc_resident *r = journey != 0 ? find_journey(journey) : NULL;
    *offset = r ? (size_t)((const char *)p - (const char *)torc_resident_memory(r)) : 0;
    return r && !r->is_landing && *offset + size <= r->size ? r : NULL;
}

bool torc_residency_read(void *to, const void *p, size_t size)
{
    size_t offset;
    torc_residents_enter();
    torc_resident *r = find_away(&offset, p, size);
    bool is_read = r && torc_resident_settle(r) &&
                   torc_memory_download(r->context, to, (char *)r->copy.data + offset, size) == TORC_SUCCESS;
    if (is_read) {
        r->was_read = true;
    }
    torc_residents_unlock();
    return is_read;
}

static torc_resident *find_place(size_t *offset, const void *p, size_t size)
{
    torc_resident *r = find_away(offset, p, size);
    if (!r) {
        return NULL;
    }
    r->elements = r->elements ? r->elements : torc_elements_new(r->size);
    return r->elements ? r : NULL;
}

bool torc_residency_recall(void *to, const void *p, size_t size)
{
    size_t offset;
    torc_residents_enter();
    torc_resident *r = find_place(&offset, p, size);
    bool is_known = r && torc_elements_read(to, r->elements, offset, size);
    torc_residents_unlock();
    return is_known;
}

bool torc_residency_peek(void *to, const void *p, size_t size)
{
    size_t offset;
    torc_residents_enter();
    torc_resident *r = find_place(&offset, p, size);
    bool is_read =
        r &&
        (torc_elements_read(to, r->elements, offset, size) ||
            (torc_elements_are_few(r->elements) &&
                torc_elements_fetch(r->elements, r->context, r->copy.data, offset, size) == TORC_SUCCESS &&
                torc_elements_read(to, r->elements, offset, size)));
    torc_residents_unlock();
    return is_read;
}

bool torc_residency_note(void *p, const void *from, size_t size)
{
    size_t offset;
    torc_residents_enter();
    torc_resident *r = find_place(&offset, p, size);
    bool is_noted = r && torc_elements_write(r->elements, offset, from, size);
    torc_residents_unlock();
    return is_noted;
}

bool torc_residency_poke(void *p, const void *from, size_t size)
{
    size_t offset;
    torc_residents_enter();
    torc_resident *r = find_place(&offset, p, size);
    bool is_written =
        r && (torc_elements_write(r->elements, offset, from, size) ||
                 (torc_elements_are_few(r->elements) &&
                     torc_elements_empty(r->elements, r->context, r->copy.data) == TORC_SUCCESS &&
                     torc_elements_write(r->elements, offset, from, size)));
    torc_residents_unlock();
    return is_written;
}

void torc_residents_forget_loss(void)
{
    atomic_store(&has_lost, false);
}
