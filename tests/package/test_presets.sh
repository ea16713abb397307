#!/bin/sh
# test_presets.sh ROOT: every preset has a tree of its own, and no script changes what a preset says of the compiler: with
# another one CMake drops all that it knows of a tree, and builds it again as something else.
cd "$1" || exit 1
folders=$(sed -n 's/.*"binaryDir": "\([^"]*\)".*/\1/p' CMakePresets.json)
presets=$(sed -n '/"configurePresets"/,/"buildPresets"/s/.*{"name": "\([^"]*\)".*/\1/p' CMakePresets.json)
[ "$(echo "$presets" | wc -l)" -gt 5 ] || { echo "presets: $presets" >&2; exit 1; }
for preset in $presets; do
    [ "$(echo "$folders" | grep -c "/build/$preset\$")" -eq 1 ] || { echo "no build/$preset, or two of it" >&2; exit 1; }
done
! grep -nE -e '--preset.*(COMPILER|WARNING_AS_ERROR|C_FLAGS)' scripts/*
