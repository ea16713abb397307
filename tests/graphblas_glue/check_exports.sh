#!/bin/sh
# check_exports.sh LIBRARY SYMBOL ...: LIBRARY needs no libgraphblas, exports these symbols and no other, but for functions
# of GraphBLAS that it stands before, and stays once it is loaded: what it has registered cannot be taken back.
library=$1
shift
readelf --dynamic "$library" >/dev/null || exit 1
if readelf --dynamic "$library" | grep NEEDED | grep -i graphblas | grep -v '\[libtorc_graphblas\.so'; then
    echo "$library needs a GraphBLAS" >&2
    exit 1
fi
readelf --dynamic "$library" | grep -q NODELETE || { echo "$library can be unloaded" >&2; exit 1; }
expected=$(printf '%s\n' "$@" | sort)
actual=$(nm --dynamic --defined-only "$library" |
    awk '$3 !~ /^(_init|_fini|_edata|_end|__bss_start|(GrB|GxB)_.*)$/ { print $3 }' | sort)
[ "$actual" = "$expected" ] || {
    echo "$library exports:" $actual >&2
    echo "and should export:" $expected >&2
    exit 1
}
