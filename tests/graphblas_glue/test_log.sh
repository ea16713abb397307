#!/bin/sh
# test_log.sh TOOL PROGRAM LOGGER: what TORC_BURBLE=1 tells of PROGRAM goes to the file that TORC_LOG names, and
# TORC_BURBLE=summary tells it as a table. LOGGER
# (log_program) with the rights of somebody else obeys no TORC_LOG.
tool=$1
program=$2
logger=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD
export TORC_BACKEND=reference TORC_FORCE=gpu
export LC_ALL=C # what is said of an error is in the user's language
unset TORC_BURBLE TORC_LOG

fail() {
    echo "test_log.sh: $*" >&2
    head -n 5 "$work"/* >&2
    exit 1
}
no_times() {
    sed -E 's/[0-9]+\.[0-9]+/TIME/g' "$1"
}

# The same lines, in a file of the process, and nothing on standard error.
TORC_BURBLE=1 "$tool" run "$program" >"$work/out" 2>"$work/burble" || fail "the program fails"
sed -i '/^after the end$/d' "$work/burble"
(cd "$work" && TORC_LOG=log-%p "$tool" run "$program" >"$work/out2" 2>"$work/errors") || fail "it fails with a log"
[ ! -s "$work/errors" ] || fail "output beside the log"
log=$(echo "$work"/log-[0-9]*)
[ -f "$log" ] || fail "not one log"
no_times "$work/burble" >"$work/expected"
no_times "$log" | cmp - "$work/expected" || fail "the log has other lines"

# Processes add to one log.
for program_of_two in true env; do
    TORC_LOG=$work/log "$tool" run $program_of_two >"$work/out2" || fail "$program_of_two fails"
done
[ "$(grep -c '^torc: loaded into \(true\|env\) (process [0-9]*), 0 calls$' "$work/log")" -eq 2 ] || fail "one log of two processes"

# None where TORC_BURBLE says so; standard error where there can be none.
TORC_BURBLE=0 TORC_LOG=$work/none "$tool" run "$program" >"$work/out" || fail "the program fails"
[ ! -e "$work/none" ] || fail "a log that nobody asked for"
cannot() { # NAME ERROR NAME-THAT-IS-SAID
    TORC_LOG=$1 timeout 60 "$tool" run "$program" >"$work/out" 2>"$work/errors" || fail "it fails without its log"
    [ "$(head -n 1 "$work/errors")" = "torc: TORC_LOG=$3 cannot be written: $2" ] || fail "nothing is said of a log: $2"
    tail -n +2 "$work/errors" >"$work/rest"
    no_times "$work/rest" | cmp - "$work/expected" || fail "lines are lost: $2"
}
cannot "$work/nowhere/log" "No such file or directory" "$work/nowhere/log"
mkfifo "$work/pipe"
cannot "$work/pipe" "No such device or address" "$work/pipe" # nobody reads it
rm "$work/pipe"
long=/$(printf '%5000s' '' | tr ' ' x)
cannot "$long" "File name too long" "$(printf '%s' "$long" | head -c 4095)"
[ ! -e /dev/full ] || cannot /dev/full "No space left on device" /dev/full

# Neither a file that may not grow nor a reader that has gone ends the program.
{
    # what gcov would write of the program ends it
    (ulimit -f 0; GCOV_PREFIX=/dev/null TORC_LOG=$work/limited exec "$tool" run "$program" 2>&1)
    echo "status $?"
} | cat >"$work/out2"
grep -q "^torc: TORC_LOG=$work/limited cannot be written: File too large\$" "$work/out2" || fail "nothing is said of a limit"
grep -q '^status 0$' "$work/out2" || fail "it ends where its log may not grow"
{
    "$tool" run "$program" 2>&1 >/dev/null
    echo "status $?" >"$work/out2"
} | true
grep -q '^status 0$' "$work/out2" || fail "it ends where nobody reads"

# A table and the totals, and no line of a call.
TORC_BURBLE=summary "$tool" run "$program" 2>"$work/burble" >"$work/out2" || fail "it fails with a summary"
cmp "$work/out" "$work/out2" || fail "the results differ"
calls=$(grep -c '^torc: reference, .*; GrB_mxm' "$work/expected")
grep -qE "^torc: GrB_mxm +device +$calls +[0-9.]+ s +[0-9.]+ MB +[0-9.]+ MB +[0-9.]+ MB +-?[0-9.]+ s\$" "$work/burble" ||
    fail "no row of $calls calls"
grep -qE '^torc: GrB_mxm +processor +[1-9]' "$work/burble" || fail "no row of the processor"
grep -qE '^torc: total, [0-9.]+ MB to the device, [0-9.]+ MB back, [0-9.]+ MB spared; now on it [0-9.]+ MB$' "$work/burble" ||
    fail "no total of bytes"
grep -q '; GrB_mxm' "$work/burble" && fail "a summary tells of calls"

# Numbers have a point in every locale, so that `torc report` reads them.
localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2>/dev/null # where the system has the locale's source
for burble in program summary; do
    LOCPATH=$work LC_ALL=de_DE.UTF-8 TORC_BURBLE=$burble "$tool" run "$program" 2>"$work/burble" >"$work/out2" ||
        fail "it fails in another locale"
    grep -n '[0-9],[0-9]' "$work/burble" >"$work/commas" && fail "numbers with commas"
done

# Somebody else's rights.
[ "$(TORC_LOG=$work/told "$logger")" = lines ] && [ "$(cat "$work/told")" = 'torc: told' ] || fail "the logger does not log"
[ "$(id -u)" = 0 ] && chmod 755 "$work" && cp "$logger" "$work/program" &&
    chown 65534 "$work/program" 2>"$work/errors" && chmod 4755 "$work/program" || exit 0 # only root can try
TORC_LOG=$work/secret "$work/program" >"$work/out" 2>"$work/errors"
[ -s "$work/out" ] || exit 0
[ "$(cat "$work/out")" = nothing ] && [ ! -e "$work/secret" ] || fail "a program with the rights of another one obeys"
exit 0
