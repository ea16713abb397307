"""report_plot.py: plots as SVG text, from the standard library alone: panels with linear or logarithmic axes, on which
points, lines, labels and bars are drawn, and a legend below. Points differ in shape besides colour."""

import math
from html import escape

COLOURS = ["#1f6fb4", "#d9630d", "#2c8a3d", "#b3262a", "#7a53a8", "#80502c", "#c94f9c", "#5f6670", "#8f8c12",
           "#12939a", "#3b3fb8"]
SHAPES = [  # around 0, 0, of about the same area
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-3.6 -3.6h7.2v7.2h-7.2z",
    "M0 -4.8L4.8 3.6H-4.8z",
    "M0 -5.2L5.2 0L0 5.2L-5.2 0z",
]


class Axis:
    """Maps values to 0..1. Ticks at powers (log) or at the values named; slanted ones have room for names."""

    def __init__(self, low, high, label, is_log=True, ticks=None, is_slanted=False):
        self.low, self.high, self.label, self.is_log, self.is_slanted = low, high, label, is_log, is_slanted
        self.ticks = self._ticks() if ticks is None else ticks

    def place(self, value):
        if self.is_log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def _ticks(self):
        """The coarsest of three series of round numbers that gives four ticks or more."""
        for digits in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7)):
            ticks = [m * 10.0**e for e in range(-9, 10) for m in digits if self.low <= m * 10.0**e <= self.high]
            if len(ticks) >= 4:
                break
        return [(t, f"{t:g}") for t in ticks]


def log_axis(values, label, include=()):
    """An axis that holds all values, with a margin."""
    values = list(values) + list(include)
    return Axis(min(values) / 1.25, max(values) * 1.25, label)


class Figure:
    """Panels in a row-major grid; each panel is drawn on by its methods."""

    def __init__(self, title, subtitle, columns=1, panel=(720, 360)):
        self.title, self.subtitle, self.columns, self.panel = title, subtitle, columns, panel
        self.panels, self.legend = [], []

    def add_panel(self, x, y, title=""):
        number = len(self.panels)
        left = 70 + number % self.columns * (self.panel[0] + 80)
        top = 82 + number // self.columns * (self.panel[1] + 80)
        self.panels.append(Panel(x, y, left, top, *self.panel, title))
        return self.panels[-1]

    def text(self):
        rows = math.ceil(len(self.panels) / self.columns)
        width = 50 + self.columns * (self.panel[0] + 80)
        per_line = max(1, (width - 70) // 150)
        legend_top = 82 + rows * (self.panel[1] + 80)
        height = legend_top + 20 * math.ceil(len(self.legend) / per_line) + 10
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            'font-family="sans-serif" font-size="12" fill="#222">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
            f'<text x="70" y="28" font-size="16" font-weight="bold">{escape(self.title)}</text>',
            f'<text x="70" y="47" fill="#555">{escape(self.subtitle)}</text>',
        ]
        for panel in self.panels:
            parts += panel.parts
        for i, (label, place, is_hollow) in enumerate(self.legend):
            x, y = 70 + i % per_line * 150, legend_top + i // per_line * 20
            parts.append(marker(x, y - 4, place, is_hollow))
            parts.append(f'<text x="{x + 10}" y="{y}">{escape(label)}</text>')
        return "\n".join(parts + ["</svg>\n"])


def colour_of(place):
    return COLOURS[place % len(COLOURS)]


def marker(x, y, place, is_hollow=False, title=""):
    fill = f'fill="white" stroke="{colour_of(place)}" stroke-width="1.5"' if is_hollow else f'fill="{colour_of(place)}"'
    return (f'<path d="{SHAPES[place % len(SHAPES)]}" transform="translate({x:.1f} {y:.1f})" {fill}>'
            f'<title>{escape(title)}</title></path>')


class Panel:
    def __init__(self, x, y, left, top, width, height, title):
        self.x, self.y = x, y
        self.left, self.top, self.width, self.height = left, top, width, height
        self.parts = []
        self._frame(title)

    def at(self, x, y):
        return self.left + self.width * self.x.place(x), self.top + self.height * (1 - self.y.place(y))

    def _frame(self, title):
        right, bottom = self.left + self.width, self.top + self.height
        for value, label in self.x.ticks:
            px = self.left + self.width * self.x.place(value)
            self.parts.append(f'<path d="M{px:.1f} {self.top}V{bottom}" stroke="#e4e4e4"/>')
            place = f'transform="translate({px + 4:.1f} {bottom + 12}) rotate(-40)" text-anchor="end" font-size="10"'
            if not self.x.is_slanted:
                place = f'x="{px:.1f}" y="{bottom + 16}" text-anchor="middle"'
            self.parts.append(f'<text {place}>{escape(label)}</text>')
        for value, label in self.y.ticks:
            py = bottom - self.height * self.y.place(value)
            self.parts.append(f'<path d="M{self.left} {py:.1f}H{right}" stroke="#e4e4e4"/>')
            self.parts.append(f'<text x="{self.left - 6}" y="{py + 4:.1f}" text-anchor="end">{escape(label)}</text>')
        self.parts.append(f'<rect x="{self.left}" y="{self.top}" width="{self.width}" height="{self.height}" '
                          'fill="none" stroke="#888"/>')
        middle = self.left + self.width / 2
        self.parts.append(f'<text x="{middle:.1f}" y="{bottom + 34}" text-anchor="middle">{escape(self.x.label)}</text>')
        self.parts.append(f'<text transform="translate({self.left - 50},{self.top + self.height / 2:.1f}) rotate(-90)" '
                          f'text-anchor="middle">{escape(self.y.label)}</text>')
        self.parts.append(f'<text x="{self.left}" y="{self.top - 8}" font-weight="bold">{escape(title)}</text>')

    def point(self, x, y, place, is_hollow=False, title=""):
        self.parts.append(marker(*self.at(x, y), place, is_hollow, title))

    def line(self, points, colour, dashes="", width=2):
        path = " ".join("{:.1f},{:.1f}".format(*self.at(x, y)) for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
                          f'stroke-dasharray="{dashes}"/>')

    def label(self, x, y, text, anchor="start"):
        """Text above a place."""
        px, py = self.at(x, y)
        self.parts.append(f'<text x="{px:.1f}" y="{py - 8:.1f}" text-anchor="{anchor}">{escape(text)}</text>')

    def bar(self, x, y, base, colour, share, title=""):
        """A bar from base to y, around x, as wide as `share` of one unit of a linear x axis."""
        (left, top), (right, bottom) = self.at(x - share / 2, max(y, base)), self.at(x + share / 2, min(y, base))
        self.parts.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
                          f'height="{max(bottom - top, 1):.1f}" fill="{colour}"><title>{escape(title)}</title></rect>')
