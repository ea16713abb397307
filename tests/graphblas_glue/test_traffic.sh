#!/bin/sh
# test_traffic.sh TOOL COUNTER CHAIN DEMOS PACKED LATER: what goes to the device and back, in bytes. In a chain of products
# the dense operand of the first and the result of the last, and the sparse matrix once. Whole programs: their dense
# matrices a few times, whatever the number of their steps; with less memory than they use, a few times a step. Arrays
# that a program has packed: once, and again when they were handed out meanwhile, or the program has lent one to
# GraphBLAS 10, or given it an allocator of its own.
tool=$1
counter=$2
chain=$3
demos=$4
packed=$5
later=$6
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

# Sums have an order of their own on each side: of nine digits the last may differ by one.
same() { # FILE FILE
    paste "$1" "$2" | awk '{
        for (i = 1; i <= NF / 2; i++) {
            x = $i; y = $(i + NF / 2); d = x < y ? y - x : x - y
            if (x "" != y "" && (x y !~ /^[0-9.e-]+$/ || d > 1e-8 * x)) exit 1
        }
    }'
}

# Under a limit the answers are the same. The panels of products that do not fit are not counted.
spill() { # LIMIT DENSE MATRICES PROGRAM ...: at most so many dense matrices move
    limit=$1 dense=$2 most=$3
    shift 3
    TORC_BACKEND=off "$@" --output "$work/alone" >/dev/null 2>"$work/error" || fail "$* fails alone"
    export TORC_MEMORY_LIMIT="$limit"
    count "$@" --output "$work/torc"
    unset TORC_MEMORY_LIMIT
    same "$work/alone" "$work/torc" || fail "$* under a limit of $limit: the results differ"
    [ $((sent + fetched)) -le $((most * dense)) ] ||
        fail "$* under a limit of $limit moves $sent + $fetched bytes, its dense matrices have $dense"
}

dense=$((2048 * 64 * 8)) # without a limit 4.4 MB are used, four dense matrices
pagerank="$demos/pagerank --rmat 11 --seeds 64 --steps 4"
spill 2M $dense $((3 * 4 + 4)) $pagerank
spill 1500K $dense 3 $pagerank
spill 3M $dense 8 "$demos/paths" --rmat 11 --sources 64 # 2.7 MB, in 14 rounds
spill 1M $((4096 * 64 * 4)) 2 "$demos/bfs" --rmat 12 --sources 64 # 2.8 MB

"$tool" doctor | grep -q '^write tracking  ok' || { echo "this kernel tracks no writes: packed arrays are sent each time" >&2; exit 77; }
dense=$((140000 * 4 * 8)) sparse=$((140001 * 8 + 280000 * (8 + 8)))
count "$packed" again
[ "$sent" -ge $dense ] && [ "$sent" -le $((dense + sparse)) ] || fail "two products send $sent bytes, not B's $dense once"
count "$packed" handed_out
[ "$sent" -ge $((2 * dense)) ] || fail "$sent bytes are sent: what was handed out is trusted"
count "$later" load
[ "$sent" -ge $((2 * dense)) ] || fail "$sent bytes are sent: arrays are trusted that may have been lent"
count "$later" arena
[ "$sent" -ge $((2 * dense)) ] || fail "$sent bytes are sent: arrays are trusted that may have been freed unseen"
