#!/usr/bin/env bash
# test_gpu_script.sh SOURCE: scripts/gpu says how it is called, and finds DEBS from where its caller is. A stand-in for
# dpkg ends it there.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/source/scripts" "$work/bin" "$work/here/debs"
cp "$1/scripts/gpu" "$work/source/scripts/"
touch "$work/here/debs/a.deb"
printf '#!/bin/sh\necho "$2"\nexit 9\n' >"$work/bin/dpkg"
chmod +x "$work/bin/dpkg"
export PATH=$work/bin:$PATH
unset OUT

fail() {
    echo "test_gpu_script.sh: $*, but: $(cat "$work/out")" >&2
    exit 1
}
run() { # STATUS, then the arguments
    local expected=$1 status=0
    shift
    (cd "$work/here" && "$work/source/scripts/gpu" "$@") >"$work/out" 2>&1 || status=$?
    [ $status -eq "$expected" ] || fail "exit status $expected of: $*"
}

run 2
grep -qx 'usage: scripts/gpu DEBS \[STEP...\]' "$work/out" || fail "its usage"
run 9 debs
grep -qx "$(realpath "$work")/here/debs/a.deb" "$work/out" || fail "the caller's DEBS"
run 1 nowhere
echo "scripts/gpu: as expected"
