#!/bin/sh
# test_away_programs.sh TOOL PROGRAM 'PART [OPTION]' ...: PROGRAM finds its results under `torc run`, where they are on
# the device when it looks, as it finds them alone.
tool=$1
program=$2
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# The sanitizer wants to be first in LD_PRELOAD; programs that end with content away have not freed it.
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:$ASAN_OPTIONS"
export TORC_BACKEND=reference TORC_FORCE=gpu

fail() {
    cat "$work/error" >&2
    echo "test_away_programs.sh: $*" >&2
    exit 1
}

for part in "$@"; do
    "$program" $part >"$work/alone" 2>"$work/error" || fail "$part fails alone"
    [ -s "$work/alone" ] || fail "$part prints nothing"
    unset TORC_MEMORY_LIMIT
    [ "$part" != many ] || export TORC_MEMORY_LIMIT=24M
    "$tool" run "$program" $part >"$work/torc" 2>"$work/error" || fail "$part fails under torc"
    cmp "$work/alone" "$work/torc" || fail "$part: the results differ"
done
