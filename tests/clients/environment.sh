#!/usr/bin/env bash
# environment.sh FOLDER REQUIREMENT [ALONE]: a virtual environment with a package of PyPI, made once and kept in FOLDER;
# ALONE is one more, whose own requirements are passed over. Exit status 77: it cannot be made here.
set -u
folder=$1 requirement=$2 alone=${3-}
[ "$(cat "$folder/requirement" 2>/dev/null)" != "$requirement $alone" ] || exit 0
rm -rf "$folder"
install() {
    "$folder/bin/pip" install -q --retries 1 --disable-pip-version-check "$@"
}
# shellcheck disable=SC2086
python3 -m venv "$folder" && install $requirement && { [ -z "$alone" ] || install --no-deps "$alone"; } || {
    echo "skipped: no virtual environment with $requirement; is python3-venv installed, and PyPI in reach?"
    exit 77
}
echo "$requirement $alone" >"$folder/requirement"
