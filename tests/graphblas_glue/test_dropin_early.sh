#!/bin/sh
# test_dropin_early.sh TOOL PROGRAM: the device is opened early for a program that gained by it last time, or that is not
# known and holds much, and for no other. PROGRAM (early_program) runs under `torc run`.
tool=$1
program=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cache=$work/cache
list=$cache/programs
mkdir -m 700 "$cache"
export TORC_BACKEND=reference TORC_BURBLE=1 TORC_CACHE_DIR="$cache"
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD

fail() {
    echo "test_dropin_early.sh: $*" >&2
    cat "$work/burble" >&2
    exit 1
}

run() { # COMMAND ...: under torc; sets early
    "$tool" run "$@" 2>"$work/burble" || fail "$* ends with $?"
    early=$(grep -c 'opened early' "$work/burble")
}

expect_early() { run "$program"; [ "$early" = 1 ] || fail "not opened early: $*"; }
expect_late() { run "$program"; [ "$early" = 0 ] || fail "opened early: $*"; }

"$program" store "$cache" 2>"$work/burble" || fail "no rates"
IDLE=1 run "$program"
[ ! -e "$list" ] || fail "a program that did not gain is remembered"
TORC_FORCE=gpu run "$program"
[ ! -e "$list" ] || fail "a program that was forced is remembered"
TORC_DEVICE=9999 "$program" store "$cache" 2>"$work/burble" || fail "no rates"
TORC_BACKEND=cuda TORC_DEVICE=9999 run "$program"
[ ! -e "$list" ] || fail "a program that found no device is remembered"
TORC_CACHE_DIR=$work/none run "$program"
[ ! -e "$work/none" ] || fail "a folder was made"
chmod 770 "$cache"
expect_late "the first time"
[ ! -e "$list" ] || fail "a folder that others may write to was used"
chmod 700 "$cache"
expect_late "the first time"
[ "$(stat -c %a "$list")" = 600 ] || fail "the list is not private"
expect_early "the second time"
expect_early "the third time"
run "$program" argument
[ "$early" = 0 ] || fail "another command line is another program"
touch "$work/script" "$work/other"
run "$program" "$work/script"
[ "$early" = 0 ] || fail "another script is another program"
run "$program" "$work/script"
[ "$early" = 1 ] || fail "the same script is the same program"
run "$program" "$work/other"
[ "$early" = 0 ] || fail "a third script is a third program"
cp "$program" "$work/copy"
run "$work/copy"
[ "$early" = 0 ] || fail "a copy is another program"

cp "$list" "$work/list"
printf x >>"$list"
expect_late "from a list that was written to"
head -c 40 "$work/list" >"$list"
expect_late "from a list that was cut"
head -c 100000 /dev/zero >"$list"
expect_late "from a list that is none"
expect_early "from the list that took its place"

IDLE=1 run "$program"
[ "$early" = 1 ] || fail "what it will do is not known yet"
expect_late "after it had gained nothing"
expect_early "after it gained again"

export LARGE=1
expect_trial() { # WHETHER ARGUMENT
    run "$program" "$2"
    [ "$(grep -c 'matrices are large' "$work/burble")" = "$1" ] || fail "tried for its matrices: not $1 times"
}
expect_early "gained before, whatever it holds"
[ "$(grep -c 'matrices are large' "$work/burble")" = 0 ] || fail "opened twice"
IDLE=1 expect_trial 1 large
IDLE=1 expect_trial 0 large
expect_trial 0 large
grep -q 'gained by it last time' "$work/burble" && fail "not known to have gained yet"
expect_trial 0 large
grep -q 'gained by it last time' "$work/burble" || fail "it has gained, though it did not at first"
expect_trial 1 other
TORC_FORCE=cpu expect_trial 0 third
exit 0
