# torc.bash: completion by bash for torc and its demos: commands, options and files. What there is, --help tells.
# shellcheck shell=bash

# The options that a program or a command of torc has, or the commands, one a line.
_torc_options() {
    "$@" --help 2>/dev/null | grep -oE -- '(^|[[ ])--[a-z][a-z-]*' | grep -oE -- '--.*' | sort -u
}
_torc_commands() {
    "$1" --help 2>/dev/null | sed -nE 's/^(usage:|  *) *torc ([a-z]+).*/\2/p' | sort -u
}

_torc_reply() { # OPTIONS OF compgen, the last the word
    mapfile -t COMPREPLY < <(compgen "$@")
}

_torc_demo() {
    local program=${1/#\~/$HOME} word=$2
    case $word in
    -*) _torc_reply -W "$(_torc_options "$program")" -- "$word" ;;
    *) _torc_reply -f -- "$word" ;;
    esac
}

_torc() {
    local program=${1/#\~/$HOME} word=$2 command=${COMP_WORDS[1]-}
    if [ "$COMP_CWORD" -eq 1 ]; then
        _torc_reply -W "$(_torc_commands "$program") --help --version" -- "$word"
    elif [ "$command" = run ] && declare -F _command_offset >/dev/null; then
        _command_offset 2
    elif [ "$command" = run ] && [ "$COMP_CWORD" -eq 2 ]; then
        _torc_reply -A command -A directory -- "$word"
    else
        case $word in
        -*) _torc_reply -W "$(_torc_options "$program" "$command")" -- "$word" ;;
        *) _torc_reply -f -- "$word" ;;
        esac
    fi
}

complete -o filenames -F _torc torc
complete -o filenames -F _torc_demo torc-bfs torc-pagerank torc-paths
