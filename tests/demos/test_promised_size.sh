#!/bin/sh
# test_promised_size.sh PROGRAM ...: a file of some 70 bytes that promises more vertices than any machine has memory for
# is refused by its size, before memory is asked for; with --any-size that is asked for.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="allocator_may_return_null=1:$ASAN_OPTIONS"
printf '%%%%MatrixMarket matrix coordinate pattern general\n%s %s 1\n1 2\n' 999999999999999 999999999999999 >"$work/big.mtx"

expect() { # WORDS, then the command
    words=$1
    shift
    "$@" >"$work/out" 2>"$work/error" && { echo "accepted: $*" >&2; exit 1; }
    grep -q -- "$words" "$work/error" || { echo "$*: no '$words' in:" >&2; cat "$work/error" >&2; exit 1; }
}
for program; do
    expect 'this machine has .*--any-size' "$program" "$work/big.mtx"
    expect 'this machine has .*--any-size' "$program" --from 1 "$work/big.mtx"
    expect 'not enough memory' "$program" --any-size "$work/big.mtx"
done
