#!/usr/bin/env bash
# test_python_client.sh TOOL FOLDER REQUIREMENT SCRIPT: the script, with a package of PyPI in a virtual environment,
# prints the same with and without torc. The environment is made once and kept in FOLDER. Exit status 77: it cannot be
# made here.
set -u
tool=$1 folder=$2 requirement=$3 script=$4
if [ "$(cat "$folder/requirement" 2>/dev/null)" != "$requirement" ]; then
    rm -rf "$folder"
    python3 -m venv "$folder" && "$folder/bin/pip" install -q --retries 1 --disable-pip-version-check "$requirement" || {
        echo "skipped: no virtual environment with $requirement; is python3-venv installed, and PyPI in reach?"
        exit 77
    }
    echo "$requirement" >"$folder/requirement"
fi
exec "$(dirname "$0")/../demos/test_same_output.sh" "$tool" "$folder/bin/python" "$script"
