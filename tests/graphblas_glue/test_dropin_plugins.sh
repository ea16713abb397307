#!/bin/sh
# test_dropin_plugins.sh TOOL PROGRAM STUB1 STUB2 PRODUCT: PROGRAM (plugins_program) prints under `torc run` what it
# prints alone, with plugins that were linked to two GraphBLAS of their own, and with one that comes, goes and comes.
tool=$1
program=$2
first=$3
second=$4
product=$5
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# The sanitizer wants to be first in LD_PRELOAD, and takes for leaks what only a library that is closed by now knew.
export ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0:$ASAN_OPTIONS"
export TORC_FORCE=gpu OMP_NUM_THREADS=1 # an OpenMP that is unloaded takes the code of its threads along

fail() {
    echo "test_dropin_plugins.sh: $*" >&2
    cat "$work/torc" "$work/burble" >&2
    exit 1
}

compare() { # ARGUMENT ...
    "$program" "$@" >"$work/alone" || fail "the program fails alone"
    for backend in reference off; do
        TORC_BACKEND=$backend TORC_BURBLE=1 "$tool" run "$program" "$@" >"$work/torc" 2>"$work/burble" ||
            fail "$* fails under torc"
        cmp "$work/alone" "$work/torc" || fail "$*: the results differ with TORC_BACKEND=$backend"
        [ $backend = off ] || cp "$work/burble" "$work/reference"
    done
}

compare "$first" "$second"
grep -q 'mxm 1001' "$work/alone" && grep -q 'mxm 1002' "$work/alone" || fail "no two libraries"
compare close "$first" "$second" "$first"
compare close "$product" "$product" "$product"
[ "$(grep -c '^torc: .*GrB_mxm plus_times fp64' "$work/reference")" -eq 3 ] || fail "torc does not know the one that came again"
compare close "$first" "$product"
compare "$first" "$second" "$product"
