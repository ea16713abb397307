#!/bin/sh
# test_dropin_signals.sh TOOL PROGRAM: PROGRAM looks at results in handlers of signals, in threads of timers, and in
# threads that were started with SIGSEGV blocked; it sets actions of SIGSEGV in handlers and children. Under `torc run`,
# where the results are away, it prints what it prints alone, and does not hang.
tool=$1
program=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# The sanitizer wants to be first in LD_PRELOAD; the program does not free its matrices.
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:$ASAN_OPTIONS"
export TORC_BACKEND=reference TORC_FORCE=gpu TORC_BURBLE=1 OMP_NUM_THREADS=2

fail() {
    cat "$work/error" >&2
    echo "test_dropin_signals.sh: $*" >&2
    exit 1
}

for part in timer suspend ppoll pselect epoll threads ask; do
    "$program" $part >"$work/alone" 2>"$work/error" || fail "$part fails alone"
    timeout 120 env --block-signal=SEGV "$tool" run "$program" $part >"$work/torc" 2>"$work/error" ||
        fail "$part: exit status $?"
    grep -q 'result stays' "$work/error" || fail "$part: no result was away"
    cmp "$work/alone" "$work/torc" || fail "$part: the results differ"
done
