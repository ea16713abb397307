#include "profit.h"
#include "arena.h"
#include "burble.h"
#include "cache_file.h"
#include "clock.h"
#include "fnv1a.h"
#include "process.h"
#include "rates.h"
#include "session.h"
#include "trial.h"
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROGRAMS = 200, LINE = 18, LONGEST = 1024 /* of a path: what is beyond does not count */ };

static const char name[] = "programs", title[] = "torc programs 2\n";
static const char marks[] = "?-!+"; /* by torc_profit; the first is never written */

/* ---- The program -------------------------------------------------------------------------------------- */

/* Of the command line, with the zeros between arguments. */
static uint64_t hash_command_line(void)
{
    unsigned char text[1024];
    uint64_t number = TORC_FNV1A_START;
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t size;
    while (file >= 0 && (size = read(file, text, sizeof text)) > 0) {
        number = torc_fnv1a(number, text, (size_t)size);
    }
    if (file >= 0) {
        close(file);
    }
    return number;
}

uint64_t torc_profit_program(void)
{
    char path[LONGEST], text[LONGEST + 128];
    struct stat status;
    const torc_options *options = &torc_session_settings()->options;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0 || stat("/proc/self/exe", &status) != 0) {
        return 0;
    }
    snprintf(text, sizeof text, "%.*s %jd %jd.%09ld %016" PRIx64 " %d %d", (int)length, path,
        (intmax_t)status.st_size, (intmax_t)status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
        hash_command_line(), (int)options->backend, options->device);
    return torc_cache_sum(text);
}

/* ---- The file ----------------------------------------------------------------------------------------- */

/* The line of the program; NULL if there is none. */
static char *find_line(char *text, uint64_t program)
{
    char number[LINE + 1];
    snprintf(number, sizeof number, "%016" PRIx64 "\n", program);
    char *found = strstr(text + strlen(title), number);
    return found ? found - 1 : NULL;
}

static bool read_programs(char text[TORC_CACHE_FILE], const char *folder)
{
    return torc_cache_read(text, folder, name) && strncmp(text, title, strlen(title)) == 0;
}

torc_profit torc_profit_recall(const char *folder, uint64_t program)
{
    char text[TORC_CACHE_FILE];
    const char *line = read_programs(text, folder) ? find_line(text, program) : NULL;
    const char *mark = line ? strchr(marks, *line) : NULL;
    return mark ? (torc_profit)(mark - marks) : TORC_PROFIT_UNKNOWN;
}

static bool is_private(const char *folder)
{
    struct stat status;
    return stat(folder, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool torc_profit_remember(const char *folder, uint64_t program, torc_profit known)
{
    char text[TORC_CACHE_FILE];
    if (!is_private(folder)) {
        return false;
    }
    if (!read_programs(text, folder)) {
        snprintf(text, sizeof text, "%ssum ", title);
    }
    *strstr(text, "\nsum ") = '\0';
    strcat(text, "\n");
    char *line = find_line(text, program), *first = text + strlen(title);
    if (line) {
        memmove(line, line + LINE, strlen(line + LINE) + 1);
    }
    const size_t most = (size_t)(PROGRAMS - 1) * LINE;
    if (strlen(first) > most) {
        first[most] = '\0';
    }
    char written[LINE + 1];
    snprintf(written, sizeof written, "%c%016" PRIx64 "\n", marks[known], program);
    memmove(first + LINE, first, strlen(first) + 1);
    memcpy(first, written, LINE);
    torc_cache_seal(text);
    return torc_cache_write(folder, name, text);
}

torc_profit torc_profit_judge(
    torc_profit last_time, double gained, double hurdle, double start, double processors)
{
    bool has_lost = last_time == TORC_PROFIT_LOSS;
    if (hurdle > 1) {
        return TORC_PROFIT_LOSS;
    }
    if (gained > (has_lost ? start : start / processors)) {
        return TORC_PROFIT_SOME;
    }
    return has_lost ? TORC_PROFIT_LOSS : TORC_PROFIT_NONE;
}

/* ---- This process ------------------------------------------------------------------------------------- */

static _Atomic pid_t watched; /* 0: GraphBLAS was not started, or has ended */
static uint64_t this_program;
static double begun;
static torc_profit last_time;
static atomic_bool is_on_trial; /* the device was opened for what the program holds */
static _Atomic double gained, missed;

/* Once. What is known already is not written again. In a sandbox no system call is made. */
static void conclude(void)
{
    char folder[TORC_CACHE_FOLDER];
    bool is_ours = watched != 0 && torc_process_is_ours() && watched == getpid();
    watched = 0;
    if (!is_ours) {
        return;
    }
    torc_profit known = torc_session_device_state() == TORC_DEVICE_MISSING
                            ? TORC_PROFIT_NONE
                            : torc_profit_judge(last_time, gained, torc_trial_hurdle(),
                                  torc_rates_get()->of[TORC_RATE_START], torc_processors());
    bool is_of_use = known == TORC_PROFIT_LOSS || is_on_trial || last_time == TORC_PROFIT_SOME;
    bool is_news = known == TORC_PROFIT_SOME || (is_of_use && !torc_rates_are_new());
    if (known != last_time && is_news && torc_cache_folder(folder)) {
        torc_profit_remember(folder, this_program, known);
    }
}

/* Programs may end without GrB_finalize. */
static void conclude_at_the_end(void)
{
    torc_session_at_close(conclude);
    atexit(conclude);
}

/* Called in malloc, where no thread is cancelled. */
static void open_for_large_content(void)
{
    int cancels;
    if (watched != 0 && torc_session_device_state() == TORC_DEVICE_UNTRIED) {
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
        is_on_trial = true;
        torc_burble_note("the device is opened early: the program's matrices are large");
        torc_session_open_beside();
        pthread_setcancelstate(cancels, NULL);
    }
}

void torc_profit_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char folder[TORC_CACHE_FOLDER];
    const torc_settings *settings = torc_session_settings();
    this_program = torc_profit_program();
    if (settings->force != TORC_FORCE_NEITHER || settings->options.backend == TORC_BACKEND_OFF ||
        this_program == 0 || !torc_process_is_ours() || !torc_cache_folder(folder)) {
        return;
    }
    pthread_once(&once, conclude_at_the_end);
    watched = getpid();
    begun = torc_clock();
    gained = 0;
    is_on_trial = false;
    last_time = torc_profit_recall(folder, this_program);
    if (last_time == TORC_PROFIT_SOME) {
        torc_burble_note("the device is opened early: this program gained by it last time");
        torc_session_open_beside();
    } else if (last_time == TORC_PROFIT_UNKNOWN) {
        torc_arena_when_used(TORC_LARGE_CONTENT, open_for_large_content);
    }
}

bool torc_profit_is_expected(void)
{
    return watched != 0 && last_time == TORC_PROFIT_SOME;
}

static void add(_Atomic double *sum, double seconds)
{
    double before = *sum;
    while (!atomic_compare_exchange_weak(sum, &before, before + seconds)) {
    }
}

void torc_profit_add(double seconds)
{
    if (watched != 0 && torc_clock() - begun > torc_rates_get()->of[TORC_RATE_START]) {
        add(&gained, seconds);
    }
}

void torc_profit_miss(double seconds)
{
    if (seconds > 0) {
        add(&missed, seconds);
        torc_profit_add(seconds);
    }
}

double torc_profit_missed(void)
{
    return missed;
}
