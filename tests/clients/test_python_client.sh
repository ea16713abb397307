#!/usr/bin/env bash
# test_python_client.sh TOOL FOLDER REQUIREMENT SCRIPT: the script, with a package of PyPI in a virtual environment
# (environment.sh), prints the same with and without torc. Exit status 77: there is no such environment.
set -u
tool=$1 folder=$2 requirement=$3 script=$4
here=$(dirname "$0")
"$here/environment.sh" "$folder" "$requirement" || exit $?
exec "$here/../demos/test_same_output.sh" "$tool" "$folder/bin/python" "$script"
