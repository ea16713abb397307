#!/bin/sh
# test_dropin_signals.sh TOOL PROGRAM: PROGRAM looks at results in handlers of signals, in threads of timers, and in
# threads that were started with SIGSEGV blocked; it sets actions of SIGSEGV in handlers and children. Under `torc run` it prints what it prints alone, and does not hang.
tool=$1
program=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:$ASAN_OPTIONS" # who is looked at in a handler is not freed
export TORC_BACKEND=reference TORC_FORCE=gpu OMP_NUM_THREADS=2

for part in timer suspend ppoll pselect epoll threads ask; do
    "$program" $part >"$work/alone" || exit 1
    timeout 120 env --block-signal=SEGV "$tool" run "$program" $part >"$work/torc" || {
        echo "test_dropin_signals.sh: $part: exit status $?" >&2
        exit 1
    }
    cmp "$work/alone" "$work/torc" || exit 1
done
