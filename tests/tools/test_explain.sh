#!/usr/bin/env bash
# test_explain.sh TORC: torc explain on small files: what it counts, what it prefers, what it refuses.
set -eu
torc=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TORC_BACKEND=off
unset TORC_KERNEL TORC_PRECISION

expect() { # TEXT in the last output
    grep -qF -- "$1" "$folder/out" || { echo "missing: $1"; cat "$folder/out"; exit 1; }
}
miss() { # TEXT in the last output
    ! grep -qF -- "$1" "$folder/out" || { echo "unexpected: $1"; cat "$folder/out"; exit 1; }
}
refuse() { # TEXT, then the arguments
    local text=$1
    shift
    ! "$torc" explain "$@" >"$folder/out" 2>&1 || { echo "accepted: $*"; exit 1; }
    expect "$text"
    [ "$(wc -l <"$folder/out")" -eq 1 ]
}

# 3 x 5 with rows of 3, 0 and 1; the same symmetric: rows of 2, 1 and 2
printf '%%%%MatrixMarket matrix coordinate real general\n3 5 4\n1 1 1\n1 5 2\n1 2 3\n3 3 4\n' >"$folder/a.mtx"
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 3\n' | gzip >"$folder/s.mtx.gz"

if "$torc" explain "$folder/a.mtx" >/dev/full 2>"$folder/out"; then
    echo "success without output"
    exit 1
fi
expect 'standard output cannot be written'

"$torc" explain "$folder/a.mtx" --n 8 >"$folder/out"
expect '3 x 5, 4 entries'
expect 'mean 1.33, standard deviation 1.25, longest 3, 1 empty'
expect 'columns  1.000 different ones an entry among 4096 consecutive entries, 1.000 among 65536; 0.250 groups of 8 among 32'
expect 'product  plus-times-fp32, N = 8'
expect 'assumed: NVIDIA H200, 132 multiprocessors'
expect 'rows/sequential/v4x2 '
expect 'chosen   '
expect 'compiled in, which torc tune times: 8192 schedules'
expect '         0  kept'
expect 'utilisation: fewer blocks than half of the multiprocessors'

# 200 x 200, the diagonal: tiles of up to three rows, a warp each
{ printf '%%%%MatrixMarket matrix coordinate real general\n200 200 200\n'; for i in $(seq 200); do echo "$i $i 1"; done; } >"$folder/d.mtx"
"$torc" explain "$folder/d.mtx" --n 32 >"$folder/out"
expect 'constant/2x32 '
expect 'registers, 100 blocks'
miss '         0  kept'

"$torc" explain "$folder/s.mtx.gz" --n 3 --semiring min-plus-fp64 >"$folder/out"
expect '3 x 3, 4 entries'
expect 'columns  0.750 different ones an entry'
expect 'rows/sequential/v1x4 '
miss '/v2x'

"$torc" explain "$folder/a.mtx" --semiring plus-pair-int32 >"$folder/out"
expect 'rows/uniform8/v4 '
miss sequential

"$torc" explain --n 256 --semiring lor-land-bool "$folder/s.mtx.gz" >"$folder/out"
TORC_KERNEL=rows/sequential/v1x8 "$torc" explain "$folder/a.mtx" --n 8 >"$folder/out"
expect 'chosen   rows/sequential/v1x8: TORC_KERNEL=rows/sequential/v1x8'
TORC_KERNEL=rows/bricks1/v1x32 "$torc" explain "$folder/a.mtx" --n 64 >"$folder/out" # another precision's
expect ': TORC_KERNEL=rows/bricks1/v1x32 cannot compute this; the least predicted time; '
TORC_KERNEL=yang "$torc" explain "$folder/a.mtx" --n 64 >"$folder/out"
expect ': TORC_KERNEL=yang'
miss 'cannot compute'
TORC_KERNEL=yang "$torc" explain "$folder/a.mtx" --semiring plus-pair-int32 >"$folder/out" # no kernel of the paper
expect ': TORC_KERNEL=yang cannot compute this; '
"$torc" explain "$folder/a.mtx" --n 64 >"$folder/out"
miss rows/bricks
TORC_PRECISION=fp32 "$torc" explain "$folder/a.mtx" --n 64 >"$folder/out"
expect 'rows/bricks3/v2x32'

"$torc" explain "$folder/a.mtx" --n 8 --json >"$folder/out"
if command -v python3 >/dev/null; then
    python3 - "$folder/out" <<'PYTHON'
import json, sys
told = json.load(open(sys.argv[1]))
assert (told["rows"], told["columns"], told["entries"], told["longest_row"], told["empty_rows"]) == (3, 5, 4, 3, 1)
assert (told["near_footprint"], told["far_footprint"], told["sector_footprint"]) == (1, 1, .25)
assert told["brick_footprint"] == 1
times = [c["predicted_us"] for c in told["candidates"]]
far = [time for time in times if time > 2 * min(times)]
assert times[len(times) - len(far):] == sorted(far) and len(times) > 5
assert told["chosen"] == told["candidates"][0]["kernel"]
for c in told["candidates"]:
    terms = [c[term] for term in ("memory", "gather", "lines", "threads", "launches")]
    assert max(terms) <= c["predicted_us"] * (1 + 1e-6) <= sum(terms) * (1 + 2e-6), c
PYTHON
fi

refuse 'No such file' "$folder/none.mtx"
refuse 'which matrix?' --n 3
refuse 'not a number of columns' "$folder/a.mtx" --n 0
refuse 'not a number of columns' "$folder/a.mtx" --n 2147483648
refuse 'no such semiring' "$folder/a.mtx" --semiring plus-times
refuse 'no such semiring' "$folder/a.mtx" --semiring lor-land-fp32
refuse '--frobnicate: not an option' "$folder/a.mtx" --frobnicate
refuse '-x: not an option' "$folder/a.mtx" -xyz
refuse '-x: not an option' -x "$folder/a.mtx"
refuse '--n: not an option, or without' "$folder/a.mtx" --n
long=$(printf 'l%.0s' {1..200})
refuse 'No such file' "$folder/$long/$long/$long/none.mtx"
refuse 'line 3' <(printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n2 1 1\n')
refuse 'fewer than one entry in 16 rows' \
    <(printf '%%%%MatrixMarket matrix coordinate real general\n4294967295 1 1\n1 1 1\n')
echo "torc explain: as expected"
