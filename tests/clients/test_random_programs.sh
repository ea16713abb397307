#!/usr/bin/env bash
# test_random_programs.sh PROGRAM FOLDER REQUIREMENT [ALONE]: PROGRAM, torc-fuzz-programs-later, finds no difference under
# the GraphBLAS that a package of PyPI brings (environment.sh). Exit status 77: there is no such environment.
set -u
program=$1 folder=$2
here=$(dirname "$0")
"$here/environment.sh" "${@:2}" || exit $?
libraries=$(echo "$folder"/lib/python3*/site-packages/suitesparse_graphblas.libs)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# Under the name by which the program asks for its GraphBLAS
name=$(ldd "$program" | sed -n 's/^[[:space:]]*\(libgraphblas[^ ]*\).*/\1/p')
ln -s "$libraries"/libgraphblas* "$work/$name" || exit 1
export LD_LIBRARY_PATH="$work:$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export TORC_BACKEND=reference TORC_FORCE=gpu
# shellcheck disable=SC2086
"$program" ${TORC_TEST_PROGRAMS:---programs 120}
