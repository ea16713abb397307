#!/bin/sh
# test_install.sh BUILD LIBDIR CC CFLAGS: a program builds against what cmake --install lays down in a folder of its own,
# by find_package and by pkg-config, and computes through torc; the installed tool finds the installed drop-in.
build=$1
libdir=$2
cc=$3
cflags=$4
consumer=$(cd "$(dirname "$0")" && pwd)/consumer
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" # the sanitizer wants to be first in LD_PRELOAD

fail() {
    echo "test_install.sh: $*" >&2
    [ ! -s "$work/log" ] || tail -n 20 "$work/log" >&2
    exit 1
}

runs_on_torc() {
    TORC_BACKEND=reference TORC_FORCE=gpu TORC_BURBLE=1 "$@" 2>"$work/log" || fail "$* fails"
    grep -q '^torc: reference' "$work/log" || fail "$* does not compute through torc"
}

cmake --install "$build" --prefix "$prefix" >"$work/log" || fail "cmake --install fails"

cmake -G Ninja -S "$consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_C_FLAGS="$cflags" >"$work/log" 2>&1 || fail "find_package(torc) fails"
cmake --build "$work/consumer" >"$work/log" 2>&1 || fail "the program does not build with CMake"
runs_on_torc "$work/consumer/consumer"

if command -v pkg-config >/dev/null; then
    flags=$(PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig pkg-config --cflags --libs torc_graphblas) ||
        fail "pkg-config finds no torc_graphblas"
    # shellcheck disable=SC2086
    $cc $cflags "$consumer/consumer.c" -o "$work/by_pkg_config" $flags -lgraphblas -Wl,-rpath,"$prefix/$libdir" \
        >"$work/log" 2>&1 || fail "the program does not build with pkg-config"
    runs_on_torc "$work/by_pkg_config"
fi

runs_on_torc "$prefix/bin/torc" run "$prefix/bin/torc-pagerank" --rmat 8 >/dev/null
