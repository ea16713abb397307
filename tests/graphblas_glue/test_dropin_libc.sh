#!/bin/sh
# test_dropin_libc.sh TOOL OWN_REALLOC DEEPBIND PLUGIN: programs whose realloc or free is not the drop-in's do under
# `torc run` what they do alone. Where that is so when GraphBLAS starts it stays with libc's allocator, and a line says
# so.
tool=$1
own_realloc=$2
deepbind=$3
plugin=$4
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TORC_FORCE=gpu TORC_BACKEND=reference TORC_BURBLE=1

fail() {
    echo "test_dropin_libc.sh: $*" >&2
    cat "$work/errors" >&2
    exit 1
}

"$own_realloc" GrB_init >"$work/alone" 2>"$work/errors" || fail "own_realloc fails alone"
"$tool" run "$own_realloc" GrB_init >"$work/torc" 2>"$work/errors" || fail "own_realloc fails under torc"
cmp "$work/alone" "$work/torc" || fail "own_realloc: the results differ"
line="torc: GraphBLAS stays with libc's allocator: realloc of this process is not torc's"
[ "$(grep -c "^$line\$" "$work/errors")" -eq 1 ] || fail "own_realloc: not one line says so"
grep -q '^libc$' "$work/errors" || fail "own_realloc: blocks are not libc's"

"$deepbind" "$plugin" >"$work/alone" 2>"$work/errors" || fail "deepbind fails alone"
"$tool" run "$deepbind" "$plugin" >"$work/torc" 2>"$work/errors" || fail "deepbind fails under torc"
cmp "$work/alone" "$work/torc" || fail "deepbind: the results differ"
