#!/bin/sh
# check_ways_out.sh COMPILER HEADER SOURCE: each function of this GraphBLAS.h that hands out arrays stands in SOURCE
# (ways_out.c) with its number of arguments. Such a function has a parameter that points to a pointer; those that take
# arrays (pack, import), or hand out bytes or text of their own (serialize, error), are others.
compiler=$1
header=$2
source=$3

expected=$("$compiler" -E -P "$header" | tr -s ' \n\t' ' ' | grep -oE '\b(GrB|GxB)_[A-Za-z0-9_]+ ?\([^()]*\) ?;' |
    grep -E '\* ?\*|Container' | grep -vE '_(pack_|import_|load_|serialize|error|Option_get_)' |
    awk -F, '{ name = $1; sub(/ ?\(.*/, "", name); print name, NF - 1 }' | sort)
[ -n "$expected" ] || { echo "$header has none" >&2; exit 1; }
echo "$expected" | while read -r name arguments; do
    grep -qE "^ *X\($name, $arguments\)" "$source" ||
        { echo "$source lacks $name with $arguments arguments after the first" >&2; exit 1; }
done
