#!/bin/sh
# test_privilege.sh PROGRAM FOLDER...: PROGRAM (print_settings), set-user-ID, obeys no variable of torc; and nothing in
# the FOLDERs of sources reads the environment another way than that which knows of privilege. Exit status 77: the
# former cannot be tried here.
program=$1
shift
if grep -rnw getenv "$@" --include='*.[ch]' --include='*.cu'; then
    echo "test_privilege.sh: getenv, where secure_getenv or torc_setting is due" >&2
    exit 1
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TORC_BACKEND=off TORC_DEVICE=7 TORC_MEMORY_LIMIT=5M TORC_CACHE_DIR="$work/cache" TORC_KERNEL=yang TORC_PRECISION=tf32
asked="3 7 5242880 $work/cache yang 2"
told=$("$program") || exit 1
[ "$told" = "$asked" ] || { echo "test_privilege.sh: \"$told\" instead of \"$asked\"" >&2; exit 1; }
chmod 755 "$work" && cp "$program" "$work/program" && chown 65534 "$work/program" && chmod 4755 "$work/program" || exit 77
told=$("$work/program")
[ $? -eq 3 ] || exit 77 # no program has more rights than its user here
[ "$told" = "0 0 0 - - 0" ] || { echo "test_privilege.sh: with another's rights it obeys: \"$told\"" >&2; exit 1; }
