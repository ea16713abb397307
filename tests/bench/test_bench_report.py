"""test_bench_report.py REPORT FOLDER: the report of a made CSV says what it must, and its drawings are well-formed."""

import shutil
import subprocess
import sys
import xml.dom.minidom
from pathlib import Path

HEADER = ("matrix,rows,cols,nnz,mean,deviation,empty_rows,max_row,N,type,semiring,contender,cache,ms,predicted_ms,"
          "compulsory_ms,gather_ms,over_floor,error,bits,prepare_ms")


def row(matrix, n, contender, ms, bits="same", semiring="plus_times", error="1e-7", cache="warm", value_type="fp32"):
    return (f"{matrix},1000,1000,16000,16.00,4.00,0,40,{n},{value_type},{semiring},{contender},{cache},{ms},,0.1,0.3,{ms / 0.1},"
            f"{error},{bits},0.5")


ROWS = [
    # 4 and 1 times faster than the better algorithm: geomean 2
    row("uniform", 4, "torc selected", 0.5), row("uniform", 4, "torc rows/sequential/v4x1", 0.5),
    row("uniform", 4, "torc yang", 1.0), row("uniform", 4, "suitesparse C=AB", 50, ""),
    row("uniform", 4, "cusparse CSR_ALG1", 2.0), row("uniform", 4, "cusparse CSR_ALG2", 3.0, "differ"),
    # the selector could have been 0.8 of what it was
    row("band", 4, "torc selected", 1.0), row("band", 4, "torc rows/parallel4/v2x2", 0.8),
    row("band", 4, "cusparse CSR_ALG1", 1.0),
    row("band", 32, "torc selected", 1.0), row("band", 32, "cusparse CSR_ALG1", 3.0),
    row("web", 512, "torc selected", 4.0, cache="cold"), row("web", 512, "cusparse CSR_ALG2", 3.0, cache="cold"),
    row("band", 32, "torc selected", 7.0, semiring="min_plus", error="0"),
    row("band", 32, "cusparse SpMMOp", 9.0, "", semiring="min_plus", error="inf"),
    row("band", 32, "torc selected", 0.25, "", semiring="lor_land", error="0", value_type="bool"),
    row("band", 32, "column-major torc", 0.5, "", semiring="lor_land", error="0", value_type="bool"),
    row("band", 32, "column-major torc", 1.5), row("band", 32, "accumulating torc", 1.25),
    row("band", 32, "frontier-by-row torc", 2.0, "", semiring="any_secondi", error="0", value_type="int64"),
    row("band", 32, "frontier-by-column torc", 3.0, "", semiring="any_secondi", error="0", value_type="int64"),
]

report, folder = sys.argv[1], Path(sys.argv[2])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
page = folder / "performance.md"
page.write_text("# Performance\n\nBefore.\n\n<!-- bench/report: goals -->\nobsolete\n<!-- end -->\n\nAfter.\n")
(folder / "made.csv").write_text("# device: none\n# copy bandwidth: 1 GB/s, read and written\n# band fp32: plan 20.00 ms: of it\n" + HEADER + "\n" + "\n".join(ROWS) + "\n")
for _ in range(2):  # the second time in its own traces
    subprocess.run([sys.executable, report, folder, folder / "made.csv"], check=True)
text = page.read_text() + (folder / "performance-tables.md").read_text()
for line in (
    "- device: none",
    "| band | plus_times | fp32 | 32 | 1.000 | 1.250 | 1.25 |",
    "| band | any_secondi | int64 | 32 | 2.000 | 3.000 | 1.50 |",
    "| 4 | 2 | 2.00 | 1.00 (band N=4) | 4.00 (uniform N=4) |",
    "| 32 | 1 | 3.00 | 3.00 (band N=32) | 3.00 (band N=32) |",
    "| all | 3 | 2.29 | 1.00 (band N=4) | 4.00 (uniform N=4) |",  # the cube root of 12
    "| 4 | 2 | 0.89 | 0.80 (band N=4) | 1.00 (uniform N=4) |",  # the square root of 0.8
    "| 4 | 1 | 100.00 | 100.00 (uniform N=4) | 100.00 (uniform N=4) |",  # SuiteSparse
    "| torc selected | 2 | 0.894 | 0.80 (band N=4) | 1 |",
    "| Yang et al. | 1 | 0.500 | 0.50 (uniform N=4) | 1 |",
    "| band | 4 | 0.100 | 0.300 | 1.000 | 0.800 rows/parallel4/v2x2 | 1.000 CSR_ALG1 |",
    "| cusparse CSR_ALG2 | 1.0e-07 | 0 | 1 |",
    "| web | 512 | 4.000 | 3.000 CSR_ALG2 | 0.75 |",
    "## min_plus, fp32, warm L2",
    "| band | 32 | fp32 | 40 | 7.000 | right | 9.000 | WRONG | 0.5 |",
    "| selected over the best of cuSPARSE, fp32 | geomean ≥ 2.0, no case below 1.0 | geomean 2.29, least 1.00 (band N=4), "
    "0 of 3 below 1.0 |",
    "| uniform, N = 4, fp32 | 0.13 ms | 0.500 ms |",
    "| plan, in products of N = 32 | ≤ 10 | at most 20.5 (band fp32), median 20.5 |",
    "| band | lor_land | 32 | 0.250 | 1.000 | 4.00 |",
    "| band | lor_land | bool | 32 | 0.250 | 0.500 | 0.250 | 0.128 |",
    "| band | plus_times | fp32 | 32 | 1.000 | 1.500 | 0.500 | 0.512 |",
    "| bits of torc's kernels, run after run | the same | the same in 8 of 8 cases |",
    "Before.\n\n<!-- bench/report: goals -->\n\n| what |",
    "<!-- end -->\n\nAfter.\n",
):
    assert line in text, f"missing: {line}\n{text}"
assert "obsolete" not in text and "- device: none" not in page.read_text() and text.count("<!-- bench/report: goals -->") == 1
for kind in ("speedup", "matrices", "roofline"):
    drawing = xml.dom.minidom.parse(str(folder / "plots" / f"{kind}-plus_times-fp32-warm.svg"))
    assert len(drawing.getElementsByTagName("title")) >= 3, kind  # a point or bar a case
assert not (folder / "plots" / "speedup-min_plus-fp32-warm.svg").exists()  # nobody to compare with
