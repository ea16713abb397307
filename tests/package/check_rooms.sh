#!/bin/sh
# check_rooms.sh DECLARED DRAWING [ABSENT...]: the drawing has the rooms and arrows that the build declares, and no others.
# ABSENT: rooms that this build leaves out.
set -eu
declared=$1 drawing=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
sed -n 's/^subgraph .* \([a-z]*\) }$/\1/p; s/^[a-z]* -> [a-z]*$/&/p' "$declared" | sort >"$scratch/declared"
sed -n 's|^<title>\([a-z]*\)&#45;&gt;\([a-z]*\)</title>$|\1 -> \2|p; s|^<title>\([a-z]*\)</title>$|\1|p' "$drawing" |
    grep -vx rooms | sort >"$scratch/drawn"
for room; do
    grep -vx "$room\( -> .*\)*" "$scratch/drawn" >"$scratch/rest"
    mv "$scratch/rest" "$scratch/drawn"
done
[ -s "$scratch/declared" ]
diff "$scratch/declared" "$scratch/drawn" || {
    echo "$drawing is not what the build declares. Of a build of everything: dot -Tsvg $declared -o docs/rooms.svg"
    exit 1
}
