"""test_bench_programs.py PROGRAMS FOLDER: bench/programs tells answers that agree from those that do not. The bench's
program and torc are scripts here, which print made figures."""

import subprocess
import sys
from pathlib import Path

HEADER = "program,graph,scale,vertices,edges,steps,whole_s,settled_s,read_s,exact,sum,bound"

programs, folder = sys.argv[1], Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)


def write_script(name, text):
    script = folder / name
    script.write_text("#!/bin/sh\n" + text)
    script.chmod(0o755)


def run(torc, *options):
    """The status and the lines that bench/programs leaves where under torc `torc` is printed, or run."""
    write_script("torc-bench-programs", f"""
case $1 in --list) echo alpha; exit;; esac
echo {HEADER}
echo alpha,rmat,20,1048576,16000000,20,8,4,1,00ff,100.5,0.25
""")
    write_script("torc", torc if torc.startswith(("exit", "exec")) else f"echo {HEADER}\necho {torc}\n")
    done = subprocess.run([sys.executable, programs, "--bin", str(folder), "--graphs", "rmat", *options],
                          stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


def alpha(steps="20", exact="00ff", total="100.5"):
    return f"alpha,rmat,20,1048576,16000000,{steps},2,0.5,1,{exact},{total},0.25"


status, text = run(alpha())
assert status == 0, text
assert "alpha,rmat,20,1048576,16000000,20,8,4,1,2,0.5,1,200.0000,25.0000,4.000,8.000,agree\n" in text, text
assert "whole 4.000, settled 8.000 times as fast" in text, text

status, text = run(alpha(total="100.7"))
assert status == 0 and ",agree\n" in text, text

for wrong in (alpha(total="100.8"), alpha(total="100.2"), alpha(total="nan"), alpha(exact="00fe"), alpha(steps="21")):
    status, text = run(wrong)
    assert status == 1 and ",DIFFER\n" in text, text

status, text = run("exit 3")
assert status == 1 and "# alpha on rmat, scale 20, torc: exit status 3\n" in text, text

status, text = run("exec sleep 60", "--limit", "2")
assert status == 1 and "torc: out of time\n" in text, text

status, text = run(alpha(), "--scales", "18,20", "--limit", "0")
assert status == 1 and "# out of time: 2 of 2 not begun\n" in text, text
