#!/bin/sh
# test_dropin_sandbox.sh TOOL PROGRAM: PROGRAM, which enters a sandbox before its first product or after some, prints
# the same under `torc run` as alone.
tool=$1
program=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TORC_BACKEND="${TORC_BACKEND:-reference}" TORC_CACHE_DIR="$work"

for first in 0 2; do
    "$program" $first >"$work/alone"
    status=$?
    [ $status -eq 77 ] && exit 77
    [ $status -eq 159 ] && { echo "this system ends it alone: its libc makes calls that the sandbox lacks" >&2; exit 77; }
    [ $status -eq 0 ] || { echo "alone it ends with $status" >&2; exit 1; }
    for force in gpu ''; do
        TORC_FORCE=$force "$tool" run "$program" $first >"$work/torc" || { echo "under torc it ends with $?" >&2; exit 1; }
        cmp "$work/alone" "$work/torc" || exit 1
    done
done
