/* A program's own business with SIGSEGV goes on beside away content: its handler gets the faults that are not
 * torc's, and no others; sigaction tells of it; and nobody keeps a touch from being seen. The drop-in's
 * sigaction and its kin are linked in (dropin_signals.c).
 *
 * Each test has a process of its own. A `signal` in a test's head is what it must die of. */
#include "away.h"
#include "away_block.h"
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <torc/graphblas.h>
#include <unistd.h>

TestSuite(away_signals, .init = away_start, .timeout = 120);

/* ---- A page of the program's own that faults ----------------------------------------------------------- */

static volatile char *page;
static size_t page_size;
static volatile int handled;
static void *volatile handled_address;
static volatile bool was_on_alternate;
static sigjmp_buf before_fault;

static void make_page(void)
{
    page_size = (size_t)sysconf(_SC_PAGESIZE);
    page = mmap(NULL, page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert(page != MAP_FAILED);
}

static void close_page(void)
{
    mprotect((void *)page, page_size, PROT_NONE);
}

static void open_page(int number)
{
    stack_t stack;
    handled += number == SIGSEGV;
    sigaltstack(NULL, &stack);
    was_on_alternate = stack.ss_flags & SS_ONSTACK;
    mprotect((void *)page, page_size, PROT_READ | PROT_WRITE);
}

static void open_page_at(int number, siginfo_t *info, void *context)
{
    handled_address = context ? info->si_addr : NULL;
    open_page(number);
}

static void jump(int number)
{
    handled += number == SIGSEGV;
    siglongjmp(before_fault, 1);
}

static struct sigaction action_of(void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    return action;
}

static struct sigaction action_with_info(int flags)
{
    struct sigaction action = {.sa_sigaction = open_page_at, .sa_flags = SA_SIGINFO | flags};
    sigemptyset(&action.sa_mask);
    return action;
}

static void install(const struct sigaction *action)
{
    cr_assert_eq(sigaction(SIGSEGV, action, NULL), 0);
}

static struct sigaction installed(void)
{
    struct sigaction now;
    cr_assert_eq(sigaction(SIGSEGV, NULL, &now), 0);
    return now;
}

static void fault_here(size_t offset)
{
    page[offset] = 1;
}

/* Away content in between concerns the program's handler nothing. */
static void expect_faults_apart(uint64_t *block)
{
    int before = handled;
    cr_expect(away_holds(block, 40));
    cr_expect_eq(handled, before);
    fault_here(100);
    cr_expect_eq(handled, before + 1);
    cr_assert_neq(away_leave(block, 41), 0);
    close_page();
    fault_here(200);
    cr_expect_eq(handled, before + 2);
    cr_expect(away_holds(block, 41));
    cr_expect_eq(handled, before + 2);
    cr_expect_eq(torc_away_count().touched, 2);
}

Test(away_signals, a_handler_from_before)
{
    struct sigaction action = action_of(open_page, 0);
    make_page();
    install(&action);
    expect_faults_apart(away_new(40));
}

Test(away_signals, a_handler_from_before_with_info)
{
    struct sigaction action = action_with_info(0);
    make_page();
    install(&action);
    expect_faults_apart(away_new(40));
    cr_expect_eq(handled_address, (void *)(page + 200));
}

Test(away_signals, a_handler_from_after)
{
    struct sigaction action = action_of(open_page, SA_NODEFER);
    uint64_t *block = away_new(40);
    make_page();
    install(&action);
    expect_faults_apart(block);
}

Test(away_signals, a_handler_from_after_with_info)
{
    struct sigaction action = action_with_info(0);
    uint64_t *block = away_new(40);
    make_page();
    install(&action);
    expect_faults_apart(block);
    cr_expect_eq(handled_address, (void *)(page + 200));
}

/* System V's is libc's signal under the strict macros of ISO C; its handler serves once. */
void (*__sysv_signal(int, void (*)(int)))(int);

Test(away_signals, handlers_by_signal)
{
    uint64_t *block = away_new(40);
    make_page();
    signal(SIGSEGV, SIG_DFL);
    cr_expect_eq(signal(SIGSEGV, open_page), SIG_DFL);
    expect_faults_apart(block);
    cr_expect_eq(__sysv_signal(SIGSEGV, open_page), open_page);
    cr_assert_neq(away_leave(block, 42), 0);
    cr_expect(away_holds(block, 42));
    close_page();
    fault_here(3);
    cr_expect_eq(signal(SIGSEGV, SIG_IGN), SIG_DFL);
    cr_expect_eq(signal(SIGSEGV, SIG_DFL), SIG_IGN);
}

/* By their other names. */
void (*sysv_signal(int, void (*)(int)))(int);
void (*bsd_signal(int, void (*)(int)))(int);

Test(away_signals, handlers_by_signals_other_names)
{
    uint64_t *block = away_new(40);
    make_page();
    ssignal(SIGSEGV, SIG_DFL);
    cr_expect_eq(ssignal(SIGSEGV, open_page), SIG_DFL);
    cr_expect_eq(installed().sa_flags, SA_RESTART);
    expect_faults_apart(block);
    cr_expect_eq(sysv_signal(SIGSEGV, open_page), open_page);
    cr_assert_neq(away_leave(block, 42), 0);
    cr_expect(away_holds(block, 42));
    close_page();
    fault_here(3);
    cr_expect_eq(bsd_signal(SIGSEGV, open_page), SIG_DFL);
    cr_assert_neq(away_leave(block, 43), 0);
    cr_expect(away_holds(block, 43));
}

Test(away_signals, a_handler_that_serves_once)
{
    struct sigaction action = action_of(open_page, (int)SA_RESETHAND);
    uint64_t *block = away_new(40);
    make_page();
    install(&action);
    fault_here(1);
    cr_expect_eq(handled, 1);
    cr_expect(away_holds(block, 40));
    cr_expect_eq(installed().sa_handler, SIG_DFL);
}

Test(away_signals, a_handler_that_served_once_does_not_again, .signal = SIGSEGV)
{
    struct sigaction action = action_of(open_page, (int)SA_RESETHAND);
    away_new(40);
    make_page();
    install(&action);
    fault_here(1);
    close_page();
    fault_here(1);
}

Test(away_signals, a_handler_may_be_left_by_a_jump)
{
    struct sigaction action = action_of(jump, 0);
    uint64_t *block = away_new(40);
    make_page();
    install(&action);
    for (volatile int i = 0; i < 10; i++) {
        if (sigsetjmp(before_fault, 1) == 0) {
            fault_here(7);
            cr_assert_fail("page is closed");
        }
        cr_assert(away_holds(block, 40 + (uint64_t)i));
        cr_assert_neq(away_leave(block, 41 + (uint64_t)i), 0);
    }
    cr_expect_eq(handled, 10);
}

/* As Python's faulthandler does. */
static void restore_and_raise(int number)
{
    signal(number, SIG_DFL);
    raise(number);
    _exit(3);
}

Test(away_signals, a_handler_may_restore_the_default_and_raise, .signal = SIGSEGV)
{
    away_new(40);
    make_page();
    signal(SIGSEGV, restore_and_raise);
    fault_here(1);
}

/* ---- Told ---------------------------------------------------------------------------------------------- */

Test(away_signals, sigaction_tells_the_programs_own)
{
    struct sigaction before = action_of(open_page, SA_RESTART), after = action_with_info(SA_ONSTACK), old;
    install(&before);
    uint64_t *block = away_new(40);
    cr_expect(installed().sa_handler == open_page && !(installed().sa_flags & SA_SIGINFO));
    cr_assert_eq(sigaction(SIGSEGV, &after, &old), 0);
    cr_expect(old.sa_handler == open_page && (old.sa_flags & SA_RESTART));
    cr_expect(installed().sa_sigaction == open_page_at && (installed().sa_flags & SA_ONSTACK));
    install(&old);
    cr_expect_eq(installed().sa_handler, open_page);
    cr_expect(away_holds(block, 40));
}

/* ---- Neither handled nor torc's ------------------------------------------------------------------------ */

Test(away_signals, by_default_a_fault_ends_the_process, .signal = SIGSEGV)
{
    away_new(40);
    make_page();
    signal(SIGSEGV, SIG_DFL);
    fault_here(1);
}

Test(away_signals, nobody_ignores_a_fault, .signal = SIGSEGV)
{
    away_new(40);
    make_page();
    signal(SIGSEGV, SIG_IGN);
    fault_here(1);
}

Test(away_signals, a_fault_of_the_program_in_a_block_is_its_own, .signal = SIGSEGV)
{
    uint64_t *block = away_new(40);
    signal(SIGSEGV, SIG_DFL);
    cr_assert(away_holds(block, 40));
    mprotect(block, AWAY_WORDS, PROT_NONE);
    block[0] = 1;
}

Test(away_signals, what_was_sent_ends_the_process_by_default, .signal = SIGSEGV)
{
    away_new(40);
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    _exit(3);
}

Test(away_signals, what_was_sent_may_be_handled_or_ignored)
{
    uint64_t *block = away_new(40);
    make_page();
    signal(SIGSEGV, SIG_IGN);
    raise(SIGSEGV);
    signal(SIGSEGV, open_page);
    raise(SIGSEGV);
    kill(getpid(), SIGSEGV);
    cr_expect_eq(handled, 2);
    cr_expect(away_holds(block, 40));
}

/* As the kernel tells of a signal; or as nobody but a program can, with all that it says itself. */
static void send(int code, void *address)
{
    siginfo_t info = {.si_signo = SIGSEGV, .si_code = code};
    info.si_addr = address;
    cr_assert_eq(syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGSEGV, &info), 0);
}

Test(away_signals, what_was_sent_touches_nothing_whatever_it_says)
{
    uint64_t *block = away_new(40);
    make_page();
    signal(SIGSEGV, open_page);
    send(SI_QUEUE, block);
    cr_expect_eq(handled, 1);
    cr_expect_neq(torc_away_journey(block), 0);
}

/* The access succeeds when it is repeated: only where it does not, it is the program's. */
Test(away_signals, a_fault_in_a_block_that_is_home_by_then_is_nobodys)
{
    uint64_t *block = away_new(40);
    make_page();
    signal(SIGSEGV, open_page);
    cr_assert(away_holds(block, 40));
    send(SEGV_ACCERR, block + 5);
    cr_expect_eq(handled, 0);
    send(SEGV_ACCERR, block + 5);
    cr_expect_eq(handled, 1);
}

/* libc's sigaction, as somebody finds it who does not ask for it by name. */
Test(away_signals, a_handler_put_in_torcs_place_gives_way_when_the_next_block_leaves)
{
    void *address = dlsym(RTLD_NEXT, "sigaction");
    torc_sigaction set;
    struct sigaction action = action_of(open_page, 0);
    memcpy(&set, &address, sizeof set);
    uint64_t *block = away_new(40);
    torc_away_ask(block);
    make_page();
    cr_assert_eq(set(SIGSEGV, &action, NULL), 0);
    cr_assert_neq(away_leave(block, 40), 0);
    expect_faults_apart(block);
}

/* Whoever started the process may have blocked it. */
Test(away_signals, that_are_blocked_from_before_may_be_unblocked)
{
    uint64_t faults = (uint64_t)1 << (SIGSEGV - 1), now = 0;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGSEGV);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &faults, NULL, sizeof faults), 0);
        cr_assert_eq((i ? sigprocmask : pthread_sigmask)(SIG_UNBLOCK, &set, NULL), 0);
        cr_assert_eq(syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &now, sizeof now), 0);
        cr_expect_eq(now & faults, 0);
    }
}

/* ---- Masks and stacks ---------------------------------------------------------------------------------- */

static void *touch_with_all_blocked(void *block)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    bool is_right = away_holds(block, 40);
    sigprocmask(SIG_BLOCK, &all, NULL);
    return (void *)(uintptr_t)(is_right && away_leave(block, 41) != 0 && away_holds(block, 41));
}

Test(away_signals, a_thread_that_blocks_all_may_touch)
{
    pthread_t thread;
    void *is_right;
    cr_assert_eq(pthread_create(&thread, NULL, touch_with_all_blocked, away_new(40)), 0);
    pthread_join(thread, &is_right);
    cr_expect_not_null(is_right);
}

static uint64_t *touched_in_handler;

static void touch_in_handler(int number)
{
    handled += number == SIGUSR1 && touched_in_handler[9] == 49;
}

Test(away_signals, a_handler_that_blocks_all_may_touch)
{
    struct sigaction action = action_of(touch_in_handler, 0);
    sigfillset(&action.sa_mask);
    touched_in_handler = away_new(40);
    cr_assert_eq(sigaction(SIGUSR1, &action, NULL), 0);
    raise(SIGUSR1);
    cr_expect_eq(handled, 1);
}

static void touch_in_fault(int number)
{
    handled += touched_in_handler[9] == 49;
    open_page(number);
}

Test(away_signals, the_handler_of_faults_may_touch)
{
    struct sigaction action = action_of(touch_in_fault, 0);
    sigfillset(&action.sa_mask);
    make_page();
    install(&action);
    touched_in_handler = away_new(40);
    fault_here(1);
    cr_expect_eq(handled, 2);
    cr_expect(away_holds(touched_in_handler, 40));
}

Test(away_signals, handlers_have_the_stack_that_the_program_gave)
{
    static char memory[64 << 10];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    struct sigaction action = action_of(open_page, SA_ONSTACK);
    uint64_t *block = away_new(40);
    make_page();
    cr_assert_eq(sigaltstack(&stack, NULL), 0);
    install(&action);
    expect_faults_apart(block);
    cr_expect(was_on_alternate);
}
