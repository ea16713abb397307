#!/bin/sh
# test_dropin_raw_fork.sh TOOL PROGRAM: a child of _Fork finds results that had stayed on the device, and only its own
# product and sums are SuiteSparse's.
tool=$1
program=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TORC_FORCE=gpu TORC_BURBLE=1 TORC_BACKEND="${TORC_BACKEND:-reference}"
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD

"$program" >"$work/alone" || { echo "alone it ends with $?" >&2; exit 1; }
"$tool" run "$program" >"$work/torc" 2>"$work/burble" || { cat "$work/torc" "$work/burble" >&2; exit 1; }
cmp "$work/alone" "$work/torc" || exit 1
[ "$(grep -c '^torc: cpu' "$work/burble")" = 1 ] || { cat "$work/burble" >&2; exit 1; }
[ "$(grep -c '^torc: device; GrB_reduce' "$work/burble")" = 2 ] || { cat "$work/burble" >&2; exit 1; }
