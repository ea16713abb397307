"""test_bench_report.py REPORT FOLDER: the report of a made CSV says what it must, and its drawings are well-formed."""

import subprocess
import sys
import xml.dom.minidom
from pathlib import Path

HEADER = ("matrix,rows,cols,nnz,mean,max_row,N,type,semiring,contender,cache,ms,compulsory_ms,gather_ms,over_floor,"
          "error,identical,prepare_ms")


def row(matrix, n, contender, ms, identical="yes", semiring="plus_times"):
    return (f"{matrix},1000,1000,16000,16.00,40,{n},fp32,{semiring},{contender},warm,{ms},0.1,0.3,{ms / 0.1},1e-7,"
            f"{identical},0.5")


ROWS = [
    # 4 and 1 times faster than the better algorithm: geomean 2
    row("uniform", 4, "torc selected", 0.5), row("uniform", 4, "torc lanes=1 vector=4", 0.5),
    row("uniform", 4, "cusparse CSR_ALG1", 2.0), row("uniform", 4, "cusparse CSR_ALG2", 3.0, "no"),
    # the selector could have been 0.8 of what it was
    row("band", 4, "torc selected", 1.0), row("band", 4, "torc lanes=2 vector=2", 0.8),
    row("band", 4, "cusparse CSR_ALG1", 1.0),
    row("band", 32, "torc selected", 1.0), row("band", 32, "cusparse CSR_ALG1", 3.0),
    row("band", 32, "torc selected", 7.0, semiring="min_plus"),
]

report, folder = sys.argv[1], Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
(folder / "made.csv").write_text("# device: none\n" + HEADER + "\n" + "\n".join(ROWS) + "\n")
subprocess.run([sys.executable, report, folder, folder / "made.csv"], check=True)
text = (folder / "report.md").read_text()
for line in (
    "- made.csv: device: none",
    "| 4 | 2 | 2.00 | 1.00 (band N=4) | 4.00 (uniform N=4) |",
    "| 32 | 1 | 3.00 | 3.00 (band N=32) | 3.00 (band N=32) |",
    "| all | 3 | 2.29 | 1.00 (band N=4) | 4.00 (uniform N=4) |",  # the cube root of 12
    "| 4 | 2 | 0.89 | 0.80 (band N=4) | 1.00 (uniform N=4) |",  # the square root of 0.8
    "| band | 4 | 0.100 | 0.300 | 1.000 | 0.800 lanes=2 vector=2 | 1.000 CSR_ALG1 |",
    "| cusparse CSR_ALG2 | 1.0e-07 | 0 | 1 |",
    "## min_plus, fp32, warm L2",
):
    assert line in text, f"missing: {line}\n{text}"
for kind in ("speedup", "matrices", "roofline"):
    drawing = xml.dom.minidom.parse(str(folder / f"{kind}-plus_times-fp32-warm.svg"))
    assert len(drawing.getElementsByTagName("title")) >= 3, kind  # a point or bar a case
assert not (folder / "speedup-min_plus-fp32-warm.svg").exists()  # no rival
