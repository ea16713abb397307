#!/usr/bin/env bash
# test_python_documentation.sh TOOL FOLDER REQUIREMENT [ALONE]: the examples that come with python-graphblas leave the same
# with and without torc (python_documentation.py), in a virtual environment of environment.sh. Exit status 77: there is no
# such environment.
set -u
tool=$1 folder=$2
here=$(dirname "$0")
"$here/environment.sh" "${@:2}" || exit $?
python=$folder/bin/python
export PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 # one: other tests run beside it
exec "$here/../demos/test_same_output.sh" "$tool" "$python" "$here/python_documentation.py"
