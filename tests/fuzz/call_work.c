/* call_work.c: see call_work.h. */
#include "call_work.h"
#include "checked_call.h"
#include "reference.h"
#include "require.h"
#include "session.h"
#include <string.h>

static void begin(void)
{
    torc_trace_begin();
    TORC_REQUIRE(GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS);
    TORC_REQUIRE(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, 1) == GrB_SUCCESS);
}

/* Of the burble line: "torc: where, why; ...". */
static void count_call(fuzz_tally *tally, const checked_call *check)
{
    const char *where = strchr(check->trace.text, ' ');
    tally->calls++;
    tally->on_device += check->is_on_device;
    tally->refused += check->is_refused;
    tally->in_other_format += check->has_other_format;
    if (where) {
        torc_fuzz_count_place(tally, where + 1, strcspn(where + 1, ";"), 1);
    }
}

static bool make(uint64_t seed, fuzz_tally *tally)
{
    random_call call;
    torc_random_call_draw(&call, seed);
    checked_call check = torc_checked_call(&call);
    bool is_same = !check.difference;
    count_call(tally, &check);
    if (!is_same) {
        fprintf(stderr, "%s\n%s%s", check.difference, torc_random_call_describe(&call), check.trace.text);
    }
    torc_random_call_free(&call);
    return is_same;
}

static void end(void)
{
    torc_session_close();
    TORC_REQUIRE(torc_reference_bytes_held() == 0);
    TORC_REQUIRE(GrB_finalize() == GrB_SUCCESS);
}

const fuzz_work torc_call_work = {begin, make, end, NULL, NULL};
