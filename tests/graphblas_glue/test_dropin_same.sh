#!/bin/sh
# test_dropin_same.sh TOOL PROGRAM ARGUMENT ...: PROGRAM, with each ARGUMENT in turn, prints the same under `torc run` as
# alone, forced and not. It ends with 77 where it cannot do at all what it is about.
tool=$1
program=$2
shift 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD
export TORC_BACKEND="${TORC_BACKEND:-reference}" TORC_CACHE_DIR="$work"

for argument; do
    "$program" "$argument" >"$work/alone"
    status=$?
    [ $status -eq 77 ] && exit 77
    [ $status -ge 128 ] && { echo "this system ends it alone" >&2; exit 77; } # such as a libc that the sandbox is too small for
    [ $status -eq 0 ] || { echo "alone it ends with $status" >&2; exit 1; }
    for force in gpu ''; do
        TORC_FORCE=$force "$tool" run "$program" "$argument" >"$work/torc" || { echo "under torc it ends with $?" >&2; exit 1; }
        cmp "$work/alone" "$work/torc" || exit 1
    done
done
