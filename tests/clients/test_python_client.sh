#!/usr/bin/env bash
# test_python_client.sh TOOL SCRIPT FOLDER REQUIREMENT [ALONE]: the script, in a virtual environment with packages of PyPI
# (environment.sh), prints the same with and without torc. Exit status 77: there is no such environment.
set -u
tool=$1 script=$2 folder=$3
here=$(dirname "$0")
"$here/environment.sh" "${@:3}" || exit $?
exec "$here/../demos/test_same_output.sh" "$tool" "$folder/bin/python" "$script"
