#!/bin/sh
# test_settings.sh TOOL PROGRAM: settings that mean nothing are said once each on standard error, by name, and change
# nothing else. PROGRAM runs under `torc run`.
tool=$1
program=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD

fail() {
    echo "test_settings.sh: $*" >&2
    cat "$work/errors" >&2
    exit 1
}

"$program" >"$work/alone" 2>"$work/errors" || fail "the program fails alone"
TORC_BURBLE=yes TORC_FORCE=x TORC_MEMORY_LIMIT=12Q TORC_BACKEND=nonsense TORC_KERNEL=none TORC_PRECISION=fp16 TORC_DEVICE=first \
    "$tool" run "$program" >"$work/torc" 2>"$work/errors" || fail "the program fails under torc run"
cmp "$work/alone" "$work/torc" || fail "the results differ"
for setting in TORC_BURBLE=yes TORC_FORCE=x TORC_MEMORY_LIMIT=12Q TORC_BACKEND=nonsense TORC_KERNEL=none TORC_PRECISION=fp16 TORC_DEVICE=first; do
    [ "$(grep -c "^torc: $setting is ignored: " "$work/errors")" -eq 1 ] || fail "$setting is not said once"
done
[ "$(grep -c '^torc: ' "$work/errors")" -eq 7 ] || fail "more is said"
TORC_BURBLE='' TORC_FORCE='' TORC_MEMORY_LIMIT='' TORC_BACKEND='' TORC_KERNEL='' TORC_PRECISION='' TORC_DEVICE='' \
    "$tool" run "$program" >"$work/torc" 2>"$work/errors" || fail "the program fails with empty settings"
grep -q '^torc: ' "$work/errors" && fail "an empty setting is not an unset one"
exit 0
