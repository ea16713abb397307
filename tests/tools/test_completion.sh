#!/usr/bin/env bash
# test_completion.sh COMPLETION TORC DEMO: what bash is told to complete: every command of --help, the options of a
# command or a demo, files.
set -eu
completion=$1 torc=$2 demo=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=/dev/null
. "$completion"

expect() { # EXPECTED FUNCTION WORDS...: the last word is being completed
    local expected=$1 function=$2
    shift 2
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    "$function" "$1" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
    local reply=" ${COMPREPLY[*]} "
    [ "$reply" = " $expected " ] || { echo "$*: completed as$reply" >&2; exit 1; }
}
for command in run explain tune info doctor report calibrate version; do
    expect $command _torc "$torc" $command
done
expect 'calibrate' _torc "$torc" c
expect '--help --version' _torc "$torc" --
expect '--json' _torc "$torc" explain --j
expect '--semiring' _torc "$torc" tune x.mtx --s
touch "$work/a.mtx" "$work/run.log" "$work/run.sh"
chmod +x "$work/run.sh"
expect "$work/a.mtx" _torc "$torc" explain "$work/a"
expect "$work/run.log" _torc "$torc" report "$work/run.l"
expect "$work/run.sh" _torc "$torc" run "$work/r"
expect '--parents' _torc_demo "$demo" --rmat 5 --pa
expect '--version' _torc_demo "$demo" --v
expect "$work/a.mtx" _torc_demo "$demo" "$work/a"
[ "$(complete -p torc)" = 'complete -o filenames -F _torc torc' ]
echo 'completion: as expected'
