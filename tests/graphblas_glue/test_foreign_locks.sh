#!/bin/sh
# test_foreign_locks.sh TOOL PROGRAM PART ...: PROGRAM ends under `torc run` as it ends alone, and does not hang.
tool=$1
program=$2
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# The sanitizer wants to be first in LD_PRELOAD; who is left by a jump, or by exit, has not freed all.
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:$ASAN_OPTIONS"
export TORC_BACKEND=reference TORC_FORCE=gpu OMP_NUM_THREADS=1

for part in "$@"; do
    "$program" $part >"$work/alone"
    alone=$?
    timeout 120 "$tool" run "$program" $part >"$work/torc"
    status=$?
    [ $status -eq $alone ] || {
        echo "test_foreign_locks.sh: $part: exit status $status; alone $alone" >&2
        exit 1
    }
    cmp "$work/alone" "$work/torc" || exit 1
done
