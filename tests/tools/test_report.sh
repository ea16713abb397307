#!/usr/bin/env bash
# test_report.sh TORC PROGRAM: the page that torc report makes of a log: well-formed, self-contained, and with the numbers
# of the log. Log lines are text, whatever they hold.
set -eu
torc=$1
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS="verify_asan_link_order=0:${ASAN_OPTIONS-}" # the sanitizer wants to be first in LD_PRELOAD

refuse() { # TEXT, then the arguments
    local text=$1
    shift
    ! "$torc" report "$@" >"$work/out" 2>"$work/error" || { echo "accepted: $*"; exit 1; }
    grep -qF -- "$text" "$work/error" || { echo "missing: $text"; cat "$work/error"; exit 1; }
    [ "$(wc -l <"$work/error")" -eq 1 ] && [ ! -s "$work/out" ]
}
refuse 'No such file' "$work/none"
refuse 'no line of torc' /dev/null
refuse 'needs one log'
refuse 'needs one log' a b

TORC_BACKEND=reference TORC_FORCE=gpu TORC_LOG=$work/run.log "$torc" run "$program" >"$work/out"
"$torc" report "$work/run.log" >"$work/run.html"

# Two products of the device, of which one stays; another operation; one of the CPU, without a time of its own; markup.
cat >"$work/odd.log" <<'END'
what the program says
torc: cuda, worth it; GrB_mxm plus_times fp32; A 4x4; B 4x2; 2000.000 ms (upload 0.1, multiply 0.2, finish 0.3); 1.500 MB to the device, 0.250 MB back, 0.000 MB spared; at 3.000000 s
torc: cuda, worth it; GrB_mxm <b>&"_times fp32; A 4x4; B 4x2; 500.000 ms; 0.000 MB to the device, 0.250 MB back, 2.125 MB spared; result stays; at 4.000000 s
torc: device; GrB_apply; 250.000 ms; at 4.500000 s
torc: cpu, <script>alert(1)</script>; GrB_mxv plus_times fp32; A unread; B unread; 125.000 ms
torc: cpu, why; GrB_mxv; 1 ms; at nan s
torc: cpu, why; GrB_mxv; 1 ms; at 1e99 s
torc: total, 2 calls on the device: 2.500 s
END
printf 'torc: cpu, \377 no ASCII; GrB_mxm; 1 ms; at 5 s\n' >>"$work/odd.log"
"$torc" report "$work/odd.log" >"$work/odd.html"

for page in run odd; do
    ! grep -qiE '<script|<link|https?:|url\(|@import|src=' "$work/$page.html" || { echo "$page.html needs others"; exit 1; }
done
command -v python3 >/dev/null || { echo "torc report: not parsed, there is no python3"; exit 0; }
python3 - "$work" <<'PYTHON'
import html.parser, re, sys

class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.open, self.cells, self.rects, self.text = [], [[]], [], ""
        self.feed(open(path, encoding="ascii").read())
        self.close()
        assert self.open == [], self.open
    def handle_starttag(self, tag, attributes):
        if tag == "rect":
            self.rects.append(dict(attributes))
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")
        if tag not in ("meta",):
            self.open.append(tag)
    def handle_startendtag(self, tag, attributes):
        pass
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
    def handle_data(self, data):
        self.text += data
        if self.open and self.open[-1] in ("td", "th", "code") and self.cells[-1]:
            self.cells[-1][-1] += data

folder = sys.argv[1]
run, odd = Page(folder + "/run.html"), Page(folder + "/odd.html")
lines = open(folder + "/run.log").read().splitlines()
on_device = sum(line.startswith("torc: reference, ") for line in lines)
on_cpu = sum(line.startswith("torc: cpu, ") for line in lines)
rows = {tuple(row[:2]): row[2:] for row in run.cells if len(row) == 8}
assert int(rows["GrB_mxm", "products, device"][0]) == on_device > 10
assert int(rows["GrB_mxm", "products, CPU"][0]) == on_cpu > 1
assert rows["forced", "products, device"][0] == str(on_device)
assert "torc: total" not in run.text and "total, " in run.text

rows = {tuple(row[:2]): row[2:] for row in odd.cells if len(row) == 8}
assert rows["GrB_mxm", "products, device"] == ["2", "2500.000", "1.5", "0.5", "2.1", "1"], rows
assert rows["GrB_apply", "other, device"] == ["1", "250.000", "", "", "", ""], rows
assert rows["GrB_mxv", "products, CPU"][:2] == ["1", "125.000"], rows
assert rows["<script>alert(1)</script>", "products, CPU"][0] == "1", rows
assert rows["? no ASCII", "products, CPU"][0] == "1", rows
assert "at 1e99 s" in odd.text
assert '<b>&"_times' in odd.text and "what the program says" not in odd.text
# From 1 s to 5 s over 940 units: the first product lasts half of it, and the next begins after it.
bars = [r for r in odd.rects if r["class"].startswith("lane")]
assert [r["class"] for r in bars] == ["lane0", "lane0", "lane1", "lane2", "lane2"], bars
assert abs(float(bars[0]["width"]) - 470) < 1 and abs(float(bars[0]["x"]) - 130) < 1, bars
assert float(bars[1]["x"]) > float(bars[0]["x"]) + float(bars[0]["width"]), bars
assert len([r for r in odd.rects if r["class"].startswith("strip")]) == 1 + 2 + 1, odd.rects
PYTHON
echo "torc report: as expected"
