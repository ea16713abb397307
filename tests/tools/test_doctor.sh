#!/usr/bin/env bash
# test_doctor.sh TORC: torc doctor names everything that a program needs, says what to do about what is missing, and
# its exit status tells whether anything is.
set -eu
torc=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TORC_BACKEND TORC_CACHE_DIR TORC_MEMORY_LIMIT TORC_DEVICE XDG_CACHE_HOME
export HOME=$work/home

fail() {
    echo "test_doctor.sh: $*" >&2
    cat "$work/out" >&2
    exit 1
}
# What is so in every report.
examine() {
    status=0
    "$torc" doctor >"$work/out" || status=$?
    for name in driver device compiler GraphBLAS 'kernel cache' 'write tracking' limits; do
        [ "$(grep -cE "^$name +(ok|missing): ." "$work/out")" -eq 1 ] || fail "not one line of $name"
    done
    nmissing=$(grep -cE '^[A-Za-z ]{16}missing: ' "$work/out" || true)
    [ "$(grep -cE '^ {16}[a-z]' "$work/out" || true)" -eq "$nmissing" ] || fail "not a remedy for each of $nmissing"
    [ "$status" -eq $((nmissing > 0)) ] || fail "exit status $status, and $nmissing are missing"
}
expect() {
    examine
    grep -qE "^$1" "$work/out" || fail "no line like: $1"
}

mkdir "$HOME"
examine
if ! grep -qE '^device +ok' "$work/out"; then # one that it opens has a cache
    expect "kernel cache +ok: $HOME/.cache/torc, to be made"
    [ ! -e "$HOME/.cache" ] || fail "it makes folders"
    cd "$work"
    TORC_CACHE_DIR=here expect "kernel cache +ok: here, to be made"
    TORC_CACHE_DIR=here/below expect "kernel cache +ok: here/below, to be made"
    if [ -w / ]; then
        TORC_CACHE_DIR=/torc-of-no-name/below expect "kernel cache +ok: /torc-of-no-name/below, to be made"
    fi
fi
expect 'GraphBLAS +ok: [0-9]+\.[0-9]+\.[0-9]+, /'
TORC_BACKEND=off expect 'device +missing: TORC_BACKEND=off '
grep -q '^ *unset TORC_BACKEND$' "$work/out" || fail "no remedy for TORC_BACKEND"

mkdir -m 700 "$work/cache"
printf 123456 >"$work/cache/a.kernel"
export TORC_CACHE_DIR=$work/cache
expect "kernel cache +ok: $work/cache, writable, 1 files, 0.0 MB"
chmod 777 "$work/cache"
expect "kernel cache +missing: $work/cache: others may write to it"
TORC_CACHE_DIR=/dev/null/torc expect "kernel cache +missing: /dev/null/torc cannot be made"

TORC_MEMORY_LIMIT=5M expect 'limits +ok: .*5 MiB \(TORC_MEMORY_LIMIT\)'
ulimit -d $((100 << 30)) # 100 TiB
expect 'limits +missing: RLIMIT_DATA '

# A driver that does not start, and one that does.
if command -v cc >/dev/null; then
    cat >"$work/driver.c" <<'C'
int cuInit(unsigned flags) { return (int)flags + STATUS; }
int cuDriverGetVersion(int *version) { *version = 99010; return 0; }
int cuGetErrorString(int status, const char **text) { *text = status ? "no such thing" : "no error"; return 0; }
C
    for status in 0 100; do
        mkdir "$work/$status"
        cc -shared -fPIC -DSTATUS=$status "$work/driver.c" -o "$work/$status/libcuda.so.1"
    done
    LD_LIBRARY_PATH=$work/100 expect 'driver +missing: .*no such thing \(100\)'
    TORC_BACKEND=off LD_LIBRARY_PATH=$work/0 expect 'driver +ok: for programs up to CUDA 99.1'
fi
echo "torc doctor: as expected"
