/* program_work.c: see program_work.h. */
#include "program_work.h"
#include "check.h"
#include "operators.h"
#include "print.h"
#include "require.h"
#include "run.h"
#include <GraphBLAS.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <torc/graphblas.h>

enum { POOL_SIZES = 64 };

/* Without GraphBLAS's pool of freed blocks: of a block that 7.4.0 frees twice the program dies that does it,
 * not another one after it. */
static void begin(void)
{
    int64_t no_pool[POOL_SIZES] = {0};
    TORC_REQUIRE(GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS);
#ifdef GxB_JIT_C_CONTROL
    TORC_REQUIRE(GxB_Global_Option_set(GxB_JIT_C_CONTROL, GxB_JIT_OFF) == GrB_SUCCESS);
#endif
    TORC_REQUIRE(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, 1) == GrB_SUCCESS);
    TORC_REQUIRE(GxB_Global_Option_set(GxB_MEMORY_POOL, no_pool) == GrB_SUCCESS);
}

/* Of this process. The drop-in is not linked, and counts its own calls. */
static int64_t count_device_steps(void)
{
    GrB_Info (*get)(torc_mxm_statistics *);
    torc_mxm_statistics statistics = TORC_MXM_STATISTICS_INIT;
    void *address = dlsym(RTLD_DEFAULT, "torc_mxm_statistics_get");
    memcpy(&get, &address, sizeof address);
    TORC_REQUIRE(!get || get(&statistics) == GrB_SUCCESS);
    return (int64_t)(statistics.device.calls + statistics.other_calls);
}

static void tell(const program *p, const program_check *check)
{
    fprintf(stderr, "seed %llu: %s\n", (unsigned long long)p->seed, check->difference);
    if (check->failed_step < p->nsteps) {
        torc_step_print(stderr, check->failed_step, &p->steps[check->failed_step]);
    }
}

static bool make(uint64_t seed, fuzz_tally *tally)
{
    static program p;
    program_check check;
    int64_t before = count_device_steps();
    torc_program_draw(&p, seed);
    torc_program_check(&check, &p, NULL);
    torc_own_handles_free();
    tally->calls++;
    tally->steps += check.nrun;
    tally->refused += check.nskipped;
    tally->in_other_format += check.formats;
    tally->on_device += count_device_steps() - before;
    if (check.is_abandoned) {
        const char *name = torc_step_name(p.steps[check.failed_step].kind);
        torc_fuzz_count_place(tally, name, strlen(name), 1);
    }
    if (!check.is_same) {
        tell(&p, &check);
    }
    return check.is_same;
}

static void end(void)
{
    TORC_REQUIRE(GrB_finalize() == GrB_SUCCESS);
}

static void begin_without_torc(void)
{
    setenv("TORC_BACKEND", "off", 1);
    begin();
}

static bool make_again(void *seed)
{
    return make(*(uint64_t *)seed, &(fuzz_tally){0});
}

bool torc_program_fails_anyway(uint64_t seed)
{
    static const fuzz_work without_torc = {begin_without_torc, make, end, NULL, NULL};
    return torc_fuzz_apart(&without_torc, make_again, &seed, true) != FUZZ_SAME;
}

const fuzz_work torc_program_work = {begin, make, end, torc_program_fails_anyway, torc_has_had_threads};
