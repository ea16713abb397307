#!/bin/sh
# test_man_page.sh PAGE PROGRAM: the page describes every option and command that PROGRAM --help names, and mandoc, where
# it is there, has no warning on it.
page=$1
program=$2
help=$("$program" --help) || exit 1
options=$(printf '%s\n' "$help" | grep -oE '(^|[ [])--[a-z][a-z-]*' | sed 's/.*--//' | sort -u)
commands=$(printf '%s\n' "$help" | sed -nE 's/^(usage:|  *) *torc ([a-z]+).*/\2/p')
[ -n "$options" ] || { echo "$program --help names no options" >&2; exit 1; }
status=0
for option in $options; do
    grep -qE "Fl -$option( |\$)" "$page" || { echo "$page: no --$option" >&2; status=1; }
done
for command in $commands; do
    grep -qE "^\\.It Cm $command( |\$)" "$page" || { echo "$page: no command $command" >&2; status=1; }
done
if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning "$page" || status=1
fi
exit $status
