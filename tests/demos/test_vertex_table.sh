#!/usr/bin/env bash
# test_vertex_table.sh BFS PAGERANK PATHS: --output writes the result of every vertex that is reached; edges without weights
# weigh 1 unless random weights are asked for. Output that cannot be written is an error.
set -eu
export LC_ALL=C # numbers with a point, errors in English
bfs=$1 pagerank=$2 paths=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# 1 -> 2 -> 3 -> 4, 1 -> 3, 5 alone; and the same with names for numbers
printf '%%%%MatrixMarket matrix coordinate pattern general\n5 5 4\n1 2\n2 3\n3 4\n1 3\n' >"$work/g.mtx"
printf '10 20\n20 30\n30 40\n10 30\n' >"$work/g.txt"

expect() { # EXPECTED PROGRAM ARGUMENTS...
    local expected=$1
    shift
    "$@" --output "$work/table" >"$work/out" || { echo "$* fails"; exit 1; }
    [ "$(tr '\t' ' ' <"$work/table")" = "$expected" ] || { echo "$*:"; cat "$work/out" "$work/table"; exit 1; }
}
expect 'source vertex level
1 1 0
1 2 1
1 3 1
1 4 2
3 3 0
3 4 1' "$bfs" --from 1,3 "$work/g.mtx"
expect 'source vertex level parent
20 20 0 20
20 30 1 20
20 40 2 30' "$bfs" --from 20 --parents "$work/g.txt"
expect 'source vertex value
1 1 0
1 2 1
1 3 1
1 4 2' "$paths" --from 1 "$work/g.mtx"
grep -q 'weight 1 for every edge' "$work/out"
expect 'source vertex value
2 2 0 in 0
2 3 1 in 1
2 4 2 in 2' "$paths" --from 2 --semiring 'type { double cost; int64_t hops; }
    edge { z.cost = w; z.hops = 1; } better { x.cost < y.cost || (x.cost == y.cost && x.hops < y.hops) }
    multiply { z.cost = x.cost + y.cost; z.hops = x.hops + y.hops; } source { 0, 0 } nothing { INFINITY, 0 }
    show { "%g in %lld", x.cost, (long long)x.hops }' "$work/g.mtx"

"$paths" --from 1 "$work/g.mtx" --random-weights --output "$work/random" | grep -q 'weights drawn with seed 1'
"$paths" --from 1 "$work/g.mtx" --weights 1 --output "$work/first" >"$work/out"
"$paths" --from 1 "$work/g.mtx" --weights 2 --output "$work/second" >"$work/out"
cmp "$work/random" "$work/first"
! cmp -s "$work/first" "$work/second" || { echo "two seeds draw the same weights"; exit 1; }
"$paths" --grid 3 | grep -q 'weights drawn with seed 1'

# Shares add up to one for each seed, and without seeds.
for arguments in '--from 1,3' --plain; do
    # shellcheck disable=SC2086
    "$pagerank" $arguments "$work/g.mtx" --output "$work/table" >"$work/out"
    awk 'NR > 1 { sum[$1] += $3; n++ } END { for (s in sum) if (sum[s] < .999 || sum[s] > 1.001) exit 1; exit n % 5 != 0 || n == 0 }' \
        "$work/table" || { cat "$work/table"; exit 1; }
done
grep -q '^everywhere	1	' "$work/table"

if "$bfs" --grid 3 --output "$work/none/table" >"$work/out" 2>"$work/error"; then
    echo "success without a table"
    exit 1
fi
grep -q 'none/table: No such file' "$work/error"
for arguments in --help --version '--grid 3'; do
    # shellcheck disable=SC2086
    if "$bfs" $arguments >/dev/full 2>"$work/error"; then
        echo "success of $arguments without output"
        exit 1
    fi
    grep -q 'standard output cannot be written' "$work/error"
done
echo "tables of vertices: as expected"
