#!/usr/bin/env bash
# test_tune.sh TORC: torc tune where there is nothing to tune, and what it refuses.
set -eu
torc=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset TORC_KERNEL

refuse() { # TEXT, then the arguments
    local text=$1
    shift
    ! "$torc" tune "$@" >"$folder/out" 2>&1 || { echo "accepted: $*"; exit 1; }
    grep -qF -- "$text" "$folder/out" || { echo "missing: $text"; cat "$folder/out"; exit 1; }
    [ "$(wc -l <"$folder/out")" -eq 1 ]
}

printf '%%%%MatrixMarket matrix coordinate real general\n3 5 4\n1 1 1\n1 5 2\n1 2 3\n3 3 4\n' >"$folder/a.mtx"
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 0\n' >"$folder/none.mtx"
export TORC_BACKEND=reference
refuse 'there is nothing to tune' "$folder/none.mtx"
refuse 'there is nothing to tune' "$folder/a.mtx"
refuse 'there is nothing to tune' "$folder/a.mtx" --n 8 --semiring min-plus-fp64 --json
refuse 'torc tune: ' "$folder/absent.mtx"
refuse 'which matrix?' --n 3
refuse 'not a number of columns' "$folder/a.mtx" --n 0
export TORC_BACKEND=off
refuse 'no usable device' "$folder/a.mtx"
echo "torc tune: as expected"
