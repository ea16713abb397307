/* simt.cpp: a grid on one processor. Each thread of a block is a fiber, which runs until it must meet others:
 * in a shuffle, a vote, a barrier. Once none can go on, those go on who have all met. What hardware leaves
 * undefined ends the program with its place: a mask without the caller or with a thread that has returned, a
 * shuffle from a lane that is not in it, threads that wait for each other for ever. So does a thread that loads
 * before its turn, or returns without having taken it. */
#include "simt.h"
#include "emulated_kernels.h"
#include "spmm_args.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

torc_simt_place threadIdx, blockIdx, gridDim;
unsigned char *torc_simt_shared;

/* The address sanitizer's, where it is there: which stack runs now. */
extern "C" {
__attribute__((weak)) void __sanitizer_start_switch_fiber(void **kept, const void *stack, size_t size);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(
    void *kept, const void **from_stack, size_t *from_size);
}

namespace
{

constexpr int WARP = 32;
constexpr size_t STACK = 128 << 10;
constexpr int RUBBISH = 0xA5;

enum state { READY, WAITING, RETURNED };

/* Somebody that runs, on a stack of its own. */
struct runner {
    void *at[5]; /* as __builtin_setjmp has it */
    const void *stack;
    size_t size;
    void *kept;
};

struct fiber : runner {
    bool is_started;
    ucontext_t start;
    state now;
    bool had_turn;
    torc_simt_call call;
    uint64_t received;
};

runner scheduler;
fiber fibers[TORC_PANEL_THREADS];
fiber *running;
torc_emulated_entry *entry;
const void *arguments;
int threads;

[[noreturn]] void fail(const fiber &thread, const char *what)
{
    fprintf(stderr, "emulated block (%u,%u,%u), thread %d, %s:%d, mask %08x: %s\n", blockIdx.x, blockIdx.y,
        blockIdx.z, static_cast<int>(&thread - fibers), thread.call.file, thread.call.line, thread.call.mask,
        what);
    abort();
}

void leave(runner &from, const runner &to)
{
    if (__sanitizer_start_switch_fiber) {
        __sanitizer_start_switch_fiber(&from.kept, to.stack, to.size);
    }
}

void arrive(runner &here, runner *from)
{
    if (__sanitizer_finish_switch_fiber) {
        __sanitizer_finish_switch_fiber(
            here.kept, from ? &from->stack : nullptr, from ? &from->size : nullptr);
    }
}

/* Not inlined: gcc loses the place where it would come out again in the function that jumps. */
[[noreturn]] __attribute__((noinline)) void jump(runner &to)
{
    __builtin_longjmp(to.at, 1);
}

void give_way(fiber &self)
{
    leave(self, scheduler);
    if (!__builtin_setjmp(self.at)) {
        jump(scheduler);
    }
    arrive(self, &scheduler);
}

/* A fiber serves one block after another. */
void run_thread()
{
    fiber &self = *running;
    arrive(self, &scheduler);
    for (;;) {
        entry(arguments);
        torc_simt_need_turn();
        self.now = RETURNED;
        give_way(self);
    }
}

void resume(fiber &thread)
{
    running = &thread;
    threadIdx.x = static_cast<unsigned>(&thread - fibers);
    leave(scheduler, thread);
    if (!__builtin_setjmp(scheduler.at)) {
        if (thread.is_started) {
            jump(thread);
        }
        thread.is_started = true;
        setcontext(&thread.start);
    }
    arrive(scheduler, nullptr);
}

void prepare(fiber &thread)
{
    if (!thread.is_started) {
        void *stack = malloc(STACK);
        if (!stack || getcontext(&thread.start)) {
            abort();
        }
        thread.stack = thread.start.uc_stack.ss_sp = stack;
        thread.size = thread.start.uc_stack.ss_size = STACK;
        makecontext(&thread.start, run_thread, 0);
    }
    thread.now = READY;
    thread.had_turn = false;
}

bool is_named(const fiber &caller, int thread)
{
    const int me = static_cast<int>(&caller - fibers);
    if (caller.call.kind == TORC_SIMT_SYNCTHREADS) {
        return fibers[thread].now != RETURNED;
    }
    return thread / WARP == me / WARP && (caller.call.mask >> thread % WARP & 1);
}

bool have_all_come(const fiber &caller)
{
    if (caller.call.kind == TORC_SIMT_PHASE) {
        const auto *barrier = reinterpret_cast<const torc_simt_barrier *>(caller.call.value);
        return barrier->ended % 2 != static_cast<uint32_t>(caller.call.from) % 2;
    }
    for (int i = 0; i < threads; i++) {
        if (!is_named(caller, i)) {
            continue;
        }
        const fiber &other = fibers[i];
        if (other.now == RETURNED) {
            fail(caller, "waits for a thread that has returned");
        }
        if (other.now != WAITING || other.call.kind != caller.call.kind ||
            other.call.mask != caller.call.mask) {
            return false;
        }
    }
    return true;
}

uint64_t received_by(const fiber &caller)
{
    const int me = static_cast<int>(&caller - fibers), first = me / WARP * WARP;
    uint64_t bits = 0;
    if (caller.call.kind == TORC_SIMT_SHUFFLE) {
        const int width = caller.call.width, lane = me % WARP;
        const int from = first + lane / width * width + (caller.call.from & (width - 1));
        if (!is_named(caller, from)) {
            fail(caller, "shuffles from a lane that is not in the mask");
        }
        return fibers[from].call.value;
    }
    for (int i = first; i < first + WARP && i < threads; i++) {
        bits |= static_cast<uint64_t>(is_named(caller, i) && fibers[i].call.value) << i % WARP;
    }
    return bits;
}

/* Let all go on who have met; false: nobody has. */
bool release_some()
{
    bool any = false, is_barrier_closed = false; /* what one thread of the block finds out holds for all */
    for (int i = 0; i < threads; i++) {
        const bool is_at_barrier = fibers[i].call.kind == TORC_SIMT_SYNCTHREADS;
        if (fibers[i].now != WAITING || (is_at_barrier && is_barrier_closed)) {
            continue;
        }
        if (!have_all_come(fibers[i])) {
            is_barrier_closed = is_barrier_closed || is_at_barrier;
            continue;
        }
        for (int j = i; j < threads; j++) { /* lower ones would have been first */
            if (is_named(fibers[i], j)) {
                fibers[j].received = received_by(fibers[j]);
            }
        }
        for (int j = threads - 1; j >= i; j--) {
            if (is_named(fibers[i], j)) {
                fibers[j].now = READY;
            }
        }
        any = true;
    }
    return any;
}

void run_block(bool is_reversed)
{
    for (int i = 0; i < threads; i++) {
        prepare(fibers[i]);
    }
    for (;;) {
        fiber *waiting = nullptr;
        for (int n = 0; n < threads; n++) {
            fiber &thread = fibers[is_reversed ? threads - 1 - n : n];
            if (thread.now == READY) {
                resume(thread);
            }
            waiting = thread.now == WAITING ? &thread : waiting;
        }
        if (!waiting) {
            return;
        }
        if (!release_some()) {
            fail(*waiting, "waits for ever");
        }
    }
}

} // namespace

uint64_t torc_simt_meet(const torc_simt_call &call)
{
    fiber &self = *running;
    self.call = call;
    self.now = WAITING;
    if (call.kind != TORC_SIMT_SYNCTHREADS && !is_named(self, static_cast<int>(&self - fibers))) {
        fail(self, "is not in its mask");
    }
    give_way(self);
    return self.received;
}

void torc_simt_take_turn()
{
    running->had_turn = true;
}

void torc_simt_need_turn()
{
    if (!running->had_turn) {
        fail(*running, "has not taken its turn");
    }
}

void torc_simt_launch(torc_emulated_entry *kernel, const void *args, unsigned gx, unsigned gy,
    unsigned gz, int block_threads, size_t shared, int is_reversed)
{
    const uint64_t blocks = static_cast<uint64_t>(gx) * gy * gz;
    entry = kernel;
    arguments = args;
    threads = block_threads;
    gridDim = {gx, gy, gz};
    torc_simt_shared = static_cast<unsigned char *>(malloc(shared));
    for (uint64_t n = 0; n < blocks; n++) {
        const uint64_t block = is_reversed ? blocks - 1 - n : n;
        blockIdx = {static_cast<unsigned>(block % gx), static_cast<unsigned>(block / gx % gy),
            static_cast<unsigned>(block / gx / gy)};
        memset(torc_simt_shared, RUBBISH, shared);
        run_block(is_reversed);
    }
    free(torc_simt_shared);
}
