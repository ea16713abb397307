#!/usr/bin/env bash
# test_wheel.sh ROOT BUILD FOLDER REQUIREMENT: the wheel of a build tree installs without a network, its command runs, and
# python-graphblas, from the virtual environment in FOLDER, computes the same by `python -m torc run` and after
# torc.enable(). Exit status 77: python3-venv, pip or python-graphblas is missing.
set -u
root=$1 build=$2 folder=$3 requirement=$4
here=$(dirname "$0")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset TORC_BACKEND TORC_FORCE TORC_BURBLE TORC_LOG LD_PRELOAD

fail() {
    echo "test_wheel.sh: $*" >&2
    tail -n 20 "$work"/out* "$work"/error* >&2
    exit 1
}

wheel=$(python3 "$root/tools/python/make_wheel.py" "$build" "$work") || fail "no wheel"
python3 -m venv "$work/venv" || { echo "skipped: is python3-venv installed?"; exit 77; }
python=$work/venv/bin/python
"$python" -m pip install -q --no-index --disable-pip-version-check "$wheel" >"$work/out" || fail "it does not install"

# The command, by both ways; a script that is no program of GraphBLAS.
[ "$("$python" -m torc version)" = "$("$work/venv/bin/torc" --version)" ] || fail "two versions"
"$python" -m torc doctor >"$work/out"
[ $? -le 1 ] && grep -q '^kernel cache ' "$work/out" || fail "no torc doctor"
cat >"$work/plain.py" <<'END'
import sys, torc
torc.enable()
print(sys.argv[1:], any("libtorc_dropin.so" in line for line in open("/proc/self/maps")))
END
for run in '-m torc run' '-m torc run --' ''; do
    # shellcheck disable=SC2086
    [ "$("$python" $run "$work/plain.py" a 'b c')" = "['a', 'b c'] True" ] || fail "python $run plain.py"
done

"$here/environment.sh" "$folder" "$requirement" || exit $?
PYTHONPATH=$(echo "$folder"/lib/python3*/site-packages)
export PYTHONPATH
script=$here/python_graphblas.py
"$python" "$script" >"$work/alone" 2>"$work/error" || fail "the script fails alone"
export TORC_BACKEND=reference TORC_FORCE=gpu
"$python" -m torc run "$script" >"$work/out-run" 2>"$work/error" || fail "the script fails under torc run"
cmp "$work/alone" "$work/out-run" || fail "other results under torc run"

cat >"$work/enabled.py" <<'END'
import runpy, sys, torc
torc.enable()
torc.enable()
runpy.run_path(sys.argv[1])
END
TORC_LOG=$work/log "$python" "$work/enabled.py" "$script" >"$work/out-enabled" 2>"$work/error" ||
    fail "the script fails after torc.enable()"
cmp "$work/alone" "$work/out-enabled" || fail "other results after torc.enable()"
[ "$(grep -c '^torc: reference, ' "$work/log")" -gt 10 ] || fail "torc.enable() enables nothing"
# Arrays cross between numpy and GraphBLAS, whose allocator stays numpy's.
"$python" "$here/numpy_memory.py" >"$work/alone" 2>"$work/error" || fail "numpy_memory.py fails alone"
"$python" "$work/enabled.py" "$here/numpy_memory.py" >"$work/out-enabled" 2>"$work/error" || fail "arrays do not cross"
cmp "$work/alone" "$work/out-enabled" || fail "arrays have other contents"

"$python" -c 'import graphblas, torc; graphblas.init(); torc.enable()' >"$work/out" 2>"$work/error"
[ $? -eq 1 ] && tail -n 1 "$work/error" | grep -q 'comes too late' || fail "torc.enable() does not see GraphBLAS"
echo "the wheel: as expected"
