#!/bin/sh
# test_traffic.sh TOOL COUNTER CHAIN DEMOS: what goes to the device and back, in bytes. In a chain of products the dense
# operand of the first and the result of the last, and the sparse matrix once. Whole programs: their dense matrices a
# few times, whatever the number of their steps.
tool=$1
counter=$2
chain=$3
demos=$4
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD
export TORC_BACKEND=reference TORC_FORCE=gpu

fail() {
    cat "$work/error" >&2
    echo "test_traffic.sh: $*" >&2
    exit 1
}

count() { # PROGRAM ...: sets sent and fetched
    LD_PRELOAD=$counter "$tool" run "$@" >/dev/null 2>"$work/error" || fail "$* fails"
    sent=$(sed -n 's/^traffic: \([0-9]*\) sent, .*/\1/p' "$work/error")
    fetched=$(sed -n 's/^traffic: .* sent, \([0-9]*\) fetched/\1/p' "$work/error")
    [ -n "$fetched" ] || fail "$*: nothing was counted"
}

dense=$((140000 * 4 * 8)) sparse=$((140001 * 8 + 280000 * (8 + 8)))
count "$chain" chain
[ "$fetched" -eq $dense ] || fail "a chain fetches $fetched bytes, not its result of $dense"
[ "$sent" -ge $dense ] && [ "$sent" -le $((dense + sparse)) ] || fail "a chain sends $sent bytes, its operands are $dense and $sparse"

dense=$((8192 * 64 * 8))
count "$demos/pagerank" --rmat 13 --seeds 64 --steps 20
[ $((sent + fetched)) -le $((6 * dense)) ] || fail "pagerank moves $sent + $fetched bytes, its dense matrices have $dense"
dense=$((8192 * 64)) # boolean
count "$demos/bfs" --rmat 13 --sources 64
[ $((sent + fetched)) -le $((8 * dense)) ] || fail "bfs moves $sent + $fetched bytes, its boolean matrices have $dense"
dense=$((16384 * 64 * 8))
count "$demos/paths" --rmat 14 --sources 64
[ $((sent + fetched)) -le $((5 * dense)) ] || fail "paths moves $sent + $fetched bytes, its dense matrices have $dense"
