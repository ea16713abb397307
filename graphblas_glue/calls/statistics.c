#include "statistics.h"
#include "arena.h"
#include "away.h"
#include "burble.h"
#include "c_locale.h"
#include "process.h"
#include "residency.h"
#include "session.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reason_count {
    _Atomic(const char *) text;
    atomic_uint_fast64_t calls;
} reason_count;

/* Times in nanoseconds: integers can be added atomically. */
typedef struct side_count {
    atomic_uint_fast64_t calls, time, predicted_calls, predicted_time, measured_time;
    reason_count reasons[TORC_MXM_REASONS];
} side_count;

static side_count cpu, device;
static atomic_uint_fast64_t bytes_in, bytes_out, bytes_spared, calls_burbled;

static void add(atomic_uint_fast64_t *sum, double amount)
{
    atomic_fetch_add_explicit(sum, (uint_fast64_t)amount, memory_order_relaxed);
}

/* A reason beyond the last place is not counted by itself. */
static void count_reason(reason_count *reasons, const char *why)
{
    for (int i = 0; i < TORC_MXM_REASONS; i++) {
        const char *text = atomic_load(&reasons[i].text);
        if (!text && atomic_compare_exchange_strong(&reasons[i].text, &text, why)) {
            text = why;
        }
        if (text == why || strcmp(text, why) == 0) {
            add(&reasons[i].calls, 1);
            return;
        }
    }
}

static void register_burble(void)
{
    torc_session_at_close(torc_statistics_burble);
    atexit(torc_statistics_burble);
}

/* Programs may end without GrB_finalize. */
static void burble_at_the_end(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_burble);
}

torc_traffic torc_traffic_of(const torc_workload *work)
{
    return (torc_traffic){
        work->in_pinned + work->in_staged, work->out_pinned + work->out_staged, work->spared};
}

static bool is_summarised(void)
{
    return torc_session_settings()->burble == TORC_LOG_SUMMARY;
}

void torc_statistics_count(const torc_call_record *record)
{
    burble_at_the_end();
    side_count *side = record->is_on_device ? &device : &cpu;
    const torc_workload *work = record->work;
    add(&side->calls, 1);
    add(&side->time, 1e9 * record->seconds);
    count_reason(side->reasons, record->why);
    if (work) {
        add(&side->predicted_calls, 1);
        add(&side->predicted_time, 1e9 * (record->is_on_device ? record->cost.gpu : record->cost.cpu));
        add(&side->measured_time, 1e9 * record->seconds);
    }
    torc_traffic traffic = {0};
    if (work && record->is_on_device) {
        traffic = torc_traffic_of(work);
        add(&bytes_in, traffic.in);
        add(&bytes_out, traffic.out);
        add(&bytes_spared, traffic.spared);
    }
    if (is_summarised()) {
        bool is_known = work && record->is_on_device;
        torc_summary_add(&(torc_summary_call){.name = record->name,
            .is_on_device = record->is_on_device,
            .seconds = record->seconds,
            .traffic = is_known ? &traffic : NULL,
            .predicted_cpu = is_known ? &record->cost.cpu : NULL});
    }
}

static atomic_uint_fast64_t dense_calls, dense_time;

void torc_statistics_count_dense(const char *name, double seconds, uint64_t bytes_sent)
{
    burble_at_the_end();
    add(&dense_calls, 1);
    add(&dense_time, 1e9 * seconds);
    add(&bytes_in, (double)bytes_sent);
    if (torc_session_settings()->burble >= TORC_LOG_CALLS) {
        torc_burble_dense(name, seconds);
    }
    if (is_summarised()) {
        torc_summary_add(&(torc_summary_call){.name = name, .is_on_device = true, .seconds = seconds});
    }
}

static void read_side(torc_mxm_side *side, side_count *counts)
{
    side->calls = counts->calls;
    side->seconds = 1e-9 * (double)counts->time;
    side->predicted_calls = counts->predicted_calls;
    side->predicted_seconds = 1e-9 * (double)counts->predicted_time;
    side->measured_seconds = 1e-9 * (double)counts->measured_time;
    for (int i = 0; i < TORC_MXM_REASONS; i++) {
        side->reasons[i].text = counts->reasons[i].text;
        side->reasons[i].calls = counts->reasons[i].calls;
    }
}

GrB_Info torc_mxm_statistics_get(torc_mxm_statistics *statistics)
{
    if (!statistics) {
        return GrB_NULL_POINTER;
    }
    if (statistics->version != TORC_MXM_STATISTICS_VERSION) {
        return GrB_INVALID_VALUE;
    }
    bool is_ours = torc_process_is_ours();
    torc_arena_counts arena = is_ours ? torc_arena_count() : (torc_arena_counts){0};
    *statistics = (torc_mxm_statistics){.version = TORC_MXM_STATISTICS_VERSION,
        .bytes_in = bytes_in,
        .bytes_out = bytes_out,
        .bytes_spared = bytes_spared,
        .device_bytes = is_ours ? torc_residency_count().bytes_held : 0,
        .arena_bytes_used = arena.in_use,
        .arena_bytes_kept = arena.kept,
        .arena_bytes_pinned = arena.pinned,
        .other_calls = dense_calls};
    read_side(&statistics->cpu, &cpu);
    read_side(&statistics->device, &device);
    return GrB_SUCCESS;
}

/* ---- The summary -------------------------------------------------------------------------------------- */

static void print_side(FILE *to, const torc_mxm_side *side, const char *where)
{
    if (side->calls == 0) {
        return;
    }
    fprintf(to, "torc: total, %" PRIu64 " calls on the %s: %.3f s", side->calls, where, side->seconds);
    if (side->predicted_calls > 0) {
        fprintf(to, "; %" PRIu64 " predicted: %.3f s, measured %.3f s", side->predicted_calls,
            side->predicted_seconds, side->measured_seconds);
    }
    fprintf(to, "\n");
    for (int i = 0; i < TORC_MXM_REASONS && side->reasons[i].text; i++) {
        fprintf(to, "torc: total, %" PRIu64 " on the %s: %s\n", side->reasons[i].calls, where,
            side->reasons[i].text);
    }
}

/* No word that a line of a call has for where it ran, nor GrB_mxm: scripts count those. */
void torc_statistics_burble(void)
{
    torc_mxm_statistics s = TORC_MXM_STATISTICS_INIT;
    torc_mxm_statistics_get(&s);
    uint_fast64_t calls = s.cpu.calls + s.device.calls + s.other_calls;
    if (torc_session_settings()->burble == TORC_LOG_NOTHING ||
        atomic_exchange(&calls_burbled, calls) == calls) {
        return;
    }
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (!memory) {
        return;
    }
    torc_c_locale locale = torc_c_locale_begin();
    torc_summary_print(memory);
    print_side(memory, &s.device, "device");
    print_side(memory, &s.cpu, "processor");
    if (torc_arena_count().is_used_up) {
        fprintf(memory, "torc: total, the addresses of the arena are used up: new large blocks are libc's\n");
    }
    if (s.device.calls + s.other_calls > 0) {
        fprintf(memory,
            "torc: total, %.1f MB to the device, %.1f MB back, %.1f MB spared; now on it %.1f MB\n",
            1e-6 * (double)s.bytes_in, 1e-6 * (double)s.bytes_out, 1e-6 * (double)s.bytes_spared,
            1e-6 * (double)s.device_bytes);
    }
    if (s.other_calls > 0) {
        fprintf(memory, "torc: total, %" PRIu64 " other operations on the device: %.3f s\n", s.other_calls,
            1e-9 * (double)dense_time);
    }
    torc_residency_counts stayed = torc_residency_count();
    if (stayed.journeys > 0) {
        torc_away_counts why = torc_away_count();
        fprintf(memory,
            "torc: total, %" PRIu64 " results stayed on the device, %.1f MB; %" PRIu64
            " came home, %.1f MB in %.3f s: %" PRIu64 " touched, %" PRIu64 " asked for\n",
            stayed.journeys, 1e-6 * (double)stayed.bytes_left, stayed.returns,
            1e-6 * (double)stayed.bytes_returned, stayed.return_seconds, why.touched, why.asked);
    }
    if (s.arena_bytes_used + s.arena_bytes_kept > 0) {
        fprintf(memory,
            "torc: total, memory of torc's allocator: %.1f MB in use, %.1f MB kept, %.1f MB pinned\n",
            1e-6 * (double)s.arena_bytes_used, 1e-6 * (double)s.arena_bytes_kept,
            1e-6 * (double)s.arena_bytes_pinned);
    }
    torc_c_locale_end(locale);
    fclose(memory);
    if (text) {
        torc_log_write(text);
    }
    free(text);
}
