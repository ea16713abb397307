#!/usr/bin/env bash
# test_same_output.sh TOOL PROGRAM ARGUMENT...: the program prints the same with and without torc, lines on time apart,
# and ends with the same status. torc runs on its reference executor wherever it can, and must somewhere, or must have
# seen calls at least where WHERE=cpu.
set -u
tool=$1
shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="verify_asan_link_order=0:${ASAN_OPTIONS-}" # the sanitizer wants to be first in LD_PRELOAD

"$@" 2>"$work/alone-error" | grep -v '^time' >"$work/alone"
alone=${PIPESTATUS[0]}
TORC_BACKEND=reference TORC_FORCE=gpu TORC_BURBLE=1 "$tool" run "$@" 2>"$work/burble" | grep -v '^time' >"$work/torc"
torc=${PIPESTATUS[0]}

grep -v '^torc: ' "$work/burble" >"$work/torc-error"
diff "$work/alone" "$work/torc" && diff "$work/alone-error" "$work/torc-error" || exit 1
[ "$alone" -eq "$torc" ] || { echo "exit status $alone alone, $torc under torc"; exit 1; }
[ -s "$work/alone" ] || { echo "no output"; exit 1; }
echo "GrB_mxm by: $(sed -n 's/^torc: \([a-z]*\).*/\1/p' "$work/burble" | sort | uniq -c | tr -s ' \n' ' ')"
grep -q "^torc: ${WHERE:-reference}" "$work/burble"
