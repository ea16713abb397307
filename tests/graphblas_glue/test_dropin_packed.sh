#!/bin/sh
# test_dropin_packed.sh TOOL COUNTER PROGRAM LATER: arrays that a program packs into matrices are sent to the device once,
# and again when they were handed out, written to or freed meanwhile; or always, once it has lent one to GraphBLAS 10.
tool=$1
counter=$2
program=$3
later=$4
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD
export TORC_BACKEND=reference TORC_FORCE=gpu

fail() {
    cat "$work/error" >&2
    echo "test_dropin_packed.sh: $*" >&2
    exit 1
}

"$program" same >"$work/alone" 2>"$work/error" || fail "it fails alone"
"$tool" run "$program" same >"$work/torc" 2>"$work/error" || fail "it fails under torc"
cmp "$work/alone" "$work/torc" || fail "the results differ"

count() { # PROGRAM PART: sets sent
    LD_PRELOAD=$counter "$tool" run "$@" >/dev/null 2>"$work/error" || fail "$* fails"
    sent=$(sed -n 's/^traffic: \([0-9]*\) sent, .*/\1/p' "$work/error")
    [ -n "$sent" ] || fail "$*: nothing was counted"
}

"$tool" doctor | grep -q '^write tracking  ok' || { echo "this kernel tracks no writes: what is sent was not counted" >&2; exit 77; }
dense=$((140000 * 4 * 8)) sparse=$((140001 * 8 + 280000 * (8 + 8)))
count "$program" again
[ "$sent" -ge $dense ] && [ "$sent" -le $((dense + sparse)) ] || fail "two products send $sent bytes, not B's $dense once"
count "$program" handed_out
[ "$sent" -ge $((2 * dense)) ] || fail "$sent bytes are sent: what was handed out is trusted"
count "$later" load
[ "$sent" -ge $((2 * dense)) ] || fail "$sent bytes are sent: arrays are trusted that may have been lent"
