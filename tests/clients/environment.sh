#!/usr/bin/env bash
# environment.sh FOLDER REQUIREMENT: a virtual environment with a package of PyPI, made once and kept in FOLDER. Exit status
# 77: it cannot be made here.
set -u
folder=$1 requirement=$2
[ "$(cat "$folder/requirement" 2>/dev/null)" != "$requirement" ] || exit 0
rm -rf "$folder"
python3 -m venv "$folder" && "$folder/bin/pip" install -q --retries 1 --disable-pip-version-check "$requirement" || {
    echo "skipped: no virtual environment with $requirement; is python3-venv installed, and PyPI in reach?"
    exit 77
}
echo "$requirement" >"$folder/requirement"
