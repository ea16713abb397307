#!/bin/sh
# test_unknown_ways_out.sh TOOL PROGRAM GRAPHBLAS: where GraphBLAS has a function that hands out arrays and that torc
# does not know, nothing stays on the device, and one line says so. Such a library is GRAPHBLAS with a name changed.
tool=$1
program=$2
library=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD
export TORC_BACKEND=reference TORC_FORCE=gpu TORC_BURBLE=1

fail() {
    cat "$work/error" >&2
    echo "test_unknown_ways_out.sh: $*" >&2
    exit 1
}

soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
LC_ALL=C sed 's/GxB_unpack_HyperHash/GxB_unpack_HyperNova/g' "$library" >"$work/$soname" || exit 1
"$program" each >"$work/alone" 2>"$work/error" || fail "the program fails alone"

"$tool" run "$program" each >"$work/torc" 2>"$work/error" || fail "it fails under torc"
grep -q 'results stayed on the device' "$work/error" || fail "nothing stays where all is known"
! grep -q 'no result stays' "$work/error" || fail "all is known"

LD_LIBRARY_PATH="$work:$LD_LIBRARY_PATH" "$tool" run "$program" each >"$work/torc" 2>"$work/error" ||
    fail "it fails with the changed library"
cmp "$work/alone" "$work/torc" || fail "the results differ"
[ "$(grep -c 'no result stays on the device: .* GxB_unpack_HyperNova$' "$work/error")" -eq 1 ] || fail "not one line"
! grep -q 'results stayed' "$work/error" || fail "something stayed"
grep -q 'calls on the device' "$work/error" || fail "products run there all the same"
