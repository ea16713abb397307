#!/usr/bin/env bash
# test_python_documentation.sh TOOL FOLDER REQUIREMENT [ALONE]: the examples that python-graphblas documents leave the same
# with and without torc (python_documentation.py), in a virtual environment of environment.sh. README and docstrings come
# with the package. docs/ and notebooks/ are in its repository alone: without GitHub they are left out, and a line says so.
# Exit status 77: there is no such environment.
set -u
tool=$1 folder=$2
here=$(dirname "$0")
"$here/environment.sh" "${@:2}" || exit $?
python=$folder/bin/python
version=$("$python" -c 'import importlib.metadata as m; print(m.version("python-graphblas"))') || exit 1
pages=$folder/repository
repository=https://github.com/python-graphblas/python-graphblas
if [ ! -d "$pages" ]; then
    timeout 30 git -c advice.detachedHead=false clone -q --depth 1 --branch "$version" "$repository" "$pages" ||
        { echo "without docs/ and notebooks/: GitHub is out of reach"; pages=; }
fi
export PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 # one: other tests run beside it
exec "$here/../demos/test_same_output.sh" "$tool" "$python" "$here/python_documentation.py" ${pages:+"$pages"}
