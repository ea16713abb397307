#!/bin/sh
# test_dropin_numpy.sh TOOL PROGRAM NUMPY OTHER POOL: under `torc run` large blocks of a GraphBLAS that was started with
# numpy's allocator (NUMPY) are the arena's, and go in and out as they do alone. Other allocators keep theirs: OTHER, the
# same in a module of another name, and POOL, whose blocks are not libc's.
tool=$1
program=$2
numpy=$3
other=$4
pool=$5
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TORC_BACKEND=reference
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD

fail() {
    echo "test_dropin_numpy.sh: $*" >&2
    cat "$work/errors" >&2
    exit 1
}

blocks() { sed -n 's/^blocks of the module: //p' "$work/errors"; }

for module in "$numpy" "$other" "$pool"; do
    "$program" "$module" >"$work/alone" 2>"$work/errors" || fail "$module: the program fails alone"
    expected=$(blocks)
    [ "$module" = "$numpy" ] && expected=$((expected - 1))
    for force in cpu gpu; do
        TORC_FORCE=$force "$tool" run "$program" "$module" >"$work/torc" 2>"$work/errors" ||
            fail "$module: the program fails under torc"
        cmp "$work/alone" "$work/torc" || fail "$module: the results differ"
        [ "$(blocks)" = "$expected" ] || fail "$module: not $expected but $(blocks) blocks are the module's"
    done
done
exit 0
