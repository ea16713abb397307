#!/bin/sh
# test_dropin_blocks.sh TOOL PROGRAM DROPIN: under `torc run` PROGRAM's large blocks are the arena's where it leaves
# GraphBLAS with libc's functions, cross the border to libc's free and back, and the results stay what they are; its
# own functions, TORC_BACKEND=off, and a drop-in that came too late leave it with libc's.
tool=$1
program=$2
dropin=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD
export TORC_FORCE=gpu

fail() {
    echo "test_dropin_blocks.sh: $*" >&2
    exit 1
}

expect() { # OWNER BACKEND COMMAND ...
    owner=$1
    backend=$2
    shift 2
    TORC_BACKEND=$backend "$@" >"$work/out" 2>"$work/owner" || { cat "$work/out" "$work/owner" >&2; fail "$* fails"; }
    cmp "$work/alone" "$work/out" || fail "$*: the results differ"
    [ "$(cat "$work/owner")" = "$owner" ] || { cat "$work/owner" >&2; fail "$*: blocks are not of $owner"; }
}

"$program" GrB_init >"$work/alone" 2>/dev/null || fail "the program fails alone"
expect libc reference "$program" GxB_init
expect arena reference "$tool" run "$program" GrB_init
expect arena reference "$tool" run "$program" GxB_init
expect libc reference "$tool" run "$program" own
expect libc reference "$tool" run "$program" own_free
expect libc off "$tool" run "$program" GrB_init
expect libc reference "$program" late "$dropin"
