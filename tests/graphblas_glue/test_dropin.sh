#!/bin/sh
# test_dropin.sh TOOL PROGRAM: PROGRAM under `torc run` on the reference executor prints what it prints alone, and
# the tool's exit statuses are env's.
tool=$1
program=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD

fail() {
    echo "test_dropin.sh: $*" >&2
    exit 1
}

for start in '' own_allocator; do
    "$program" $start >"$work/alone" || fail "the program fails alone"
    TORC_BACKEND=reference TORC_FORCE=gpu TORC_BURBLE=1 \
        "$tool" run "$program" $start >"$work/torc" 2>"$work/burble" || fail "the program fails under torc run"
    cmp "$work/alone" "$work/torc" || fail "the results differ"
    calls=$(grep -c reference "$work/burble")
    [ "$calls" -ge 14 ] || { cat "$work/burble" >&2; fail "only $calls calls ran on the reference"; }
    grep -q '^torc: total' "$work/burble" || fail "no totals"
    [ "$(tail -n 1 "$work/burble")" = 'after the end' ] || fail "the session outlives GrB_finalize"
    TORC_BACKEND=off "$tool" run "$program" $start >"$work/torc" 2>"$work/burble" || fail "it fails with torc off"
    cmp "$work/alone" "$work/torc" || fail "the results differ with torc off"
    [ ! -s "$work/burble" ] || fail "output that nobody asked for"
done

# One line where nothing is multiplied, if it is asked for; and one where nothing can be loaded.
TORC_BURBLE=1 "$tool" run -- true >"$work/out" 2>"$work/burble" || fail "true fails"
grep -qx 'torc: loaded into true (process [0-9]*), 0 calls' "$work/burble" || { cat "$work/burble" >&2; fail "no line of true"; }
TORC_BACKEND=reference TORC_FORCE=gpu TORC_BURBLE=1 "$tool" run "$program" 2>&1 >/dev/null | grep -q ', 0 calls' && fail "0 calls of some"
printf 'int main(void) { return 7; }\n' >"$work/main.c"
if cc -static "$work/main.c" -o "$work/static" 2>/dev/null; then # where libc.a is there
    TORC_BURBLE=1 PATH=/nowhere:$work:$PATH "$tool" run static 2>"$work/burble"
    [ $? -eq 7 ] || fail "a static program does not run"
    grep -qx 'torc: not loaded into static, which is linked statically' "$work/burble" || fail "no line of a static program"
    "$tool" run "$work/static" 2>"$work/burble"
    [ ! -s "$work/burble" ] || fail "output that nobody asked for"
fi

# A program without GraphBLAS is not disturbed, and an earlier LD_PRELOAD is kept behind the drop-in.
[ "$("$tool" run echo undisturbed)" = undisturbed ] || fail "echo is disturbed"
preload=$(LD_PRELOAD=libm.so.6 "$tool" run sh -c 'echo "$LD_PRELOAD"')
case $preload in
*/libtorc_dropin.so:libm.so.6) ;;
*) fail "LD_PRELOAD is $preload" ;;
esac

expect_status() {
    expected=$1
    shift
    "$tool" "$@" >/dev/null 2>"$work/error"
    status=$?
    [ $status -eq "$expected" ] || fail "torc $*: exit status $status, not $expected"
    [ "$expected" -lt 125 ] || [ "$(wc -l <"$work/error")" -eq 1 ] || fail "torc $*: not one line of error"
}
touch "$work/plain"
expect_status 3 run sh -c 'exit 3'
expect_status 127 run "$work/absent"
expect_status 126 run "$work/plain"
expect_status 125 run
expect_status 125 run --
expect_status 125 run --verbose true
expect_status 0 run -- true
expect_status 127 run -- --help
for command in run explain info doctor report calibrate version; do
    expect_status 0 $command --help
    "$tool" $command --help | grep -q "^usage: torc $command" || fail "torc $command --help tells of something else"
done
expect_status 125 nonsense
expect_status 125
expect_status 125 calibrate now
[ "$(TORC_BACKEND=off "$tool" calibrate 2>&1)" = 'torc calibrate: nothing to calibrate for: no usable device' ] || fail "torc calibrate without a device"
[ "$(TORC_BACKEND=reference timeout 20 "$tool" calibrate 2>&1)" = \
    'torc calibrate: nothing to calibrate for: the reference executor is no device' ] || fail "torc calibrate for the reference"
expect_status 0 version
expect_status 0 --help
expect_status 0 info
TORC_BACKEND=reference TORC_DEVICE=64 "$tool" info | grep -q '^device     none: the reference executor has no such device$' ||
    fail "torc info of a device that does not exist"
"$tool" info | grep -q '^GraphBLAS  [0-9]*\.[0-9]*\.[0-9]*, .*: supported' || fail "torc info finds no GraphBLAS"
