"""Plots as inline SVG: dots with their intervals, curves with theirs, and what was published as diamonds.

Colours are CSS classes of the page, so that they follow its light and dark dress.
"""

import math
from collections.abc import Sequence
from html import escape

from driftline.reproduction.report import Row, number, with_interval

_WIDTH, _LEFT, _RIGHT = 760, 250, 30
_LINE, _TOP, _BOTTOM = 22, 12, 34
_CURVE_HEIGHT = 300
_N_COLOURS = 6


def dot_plot(rows: Sequence[Row]) -> str:
    """Draw one figure: a line a system, a dot with its interval, a diamond for each published value."""
    low, high, log = _range(rows)
    scale = _Scale(low, high, _LEFT, _WIDTH - _RIGHT, log=log)
    height = _TOP + _LINE * len(rows) + _BOTTOM
    parts = _axis(scale, rows[0], _TOP, height - _BOTTOM)
    for i, row in enumerate(rows):
        y = _TOP + _LINE * i + _LINE / 2
        name = f"{row.domain} · {row.system}"
        if i and row.domain != rows[i - 1].domain:
            parts.append(
                f'<line class="rule" x1="0" x2="{_WIDTH}" y1="{y - _LINE / 2:.1f}" y2="{y - _LINE / 2:.1f}"/>'
            )
        parts.append(f'<text class="name" x="{_LEFT - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(name)}</text>')
        colour = f"c{_colour(row, rows)}"
        told = f"<title>{escape(name)}: {escape(with_interval(row))}</title>"
        line = f'x1="{scale(row.low):.1f}" x2="{scale(row.high):.1f}" y1="{y:.1f}" y2="{y:.1f}"'
        parts.append(f'<line class="interval {colour}" {line}>{told}</line>')
        parts.append(f'<circle class="ours {colour}" cx="{scale(row.value):.1f}" cy="{y:.1f}" r="5">{told}</circle>')
        parts += [_diamond(scale(p.value), y, p.value, p.source, percent=row.percent) for p in row.published]
    return _svg(parts, height, f"{rows[0].figure}, by domain and system")


def curve_plot(rows: Sequence[Row], x_name: str) -> str:
    """Draw one figure along a curve: a line a domain and system, with intervals and published values."""
    low, high, log = _range(rows)
    scale = _Scale(low, high, _TOP + _CURVE_HEIGHT, _TOP, log=log)
    places = [row.x or 0.0 for row in rows]
    across = _Scale(min(places), max(places), 60, _WIDTH - 200)
    parts = _curve_axes(scale, across, rows, x_name)
    names = list(dict.fromkeys((row.domain, row.system) for row in rows))
    shown = [
        name for name, only in zip(("domain", "system"), zip(*names, strict=True), strict=True) if len({*only}) > 1
    ]
    for i, (domain, system) in enumerate(names):
        colour = f"c{i % _N_COLOURS}"
        line = [row for row in rows if (row.domain, row.system) == (domain, system)]
        # Lines that meet at one place are moved apart a little, so that their intervals can be told.
        points = [(across(row.x or 0.0) + 3.0 * (i - len(names) / 2), scale(row.value), row) for row in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        parts.append(f'<polyline class="curve {colour}" points="{path}"/>')
        for x, y, row in points:
            told = f"<title>{escape(domain)}, {escape(system)}, {row.x:g}: {escape(with_interval(row))}</title>"
            span = f'x1="{x:.1f}" x2="{x:.1f}" y1="{scale(row.low):.1f}" y2="{scale(row.high):.1f}"'
            parts.append(f'<line class="interval thin {colour}" {span}>{told}</line>')
            parts.append(f'<circle class="ours {colour}" cx="{x:.1f}" cy="{y:.1f}" r="4">{told}</circle>')
            parts += [_diamond(x, scale(p.value), p.value, p.source, percent=row.percent) for p in row.published]
        name = system if shown == ["system"] else domain if shown == ["domain"] else f"{domain} · {system}"
        parts.append(
            f'<circle class="ours {colour}" cx="{_WIDTH - 180}" cy="{_TOP + 12 + 20 * i}" r="4"/>'
            f'<text class="name" x="{_WIDTH - 170}" y="{_TOP + 16 + 20 * i}">{escape(name)}</text>'
        )
    return _svg(parts, _TOP + _CURVE_HEIGHT + _BOTTOM + 14, f"{rows[0].figure} by {x_name}")


class _Scale:
    """From a value to a place on the page."""

    def __init__(self, low: float, high: float, start: float, end: float, *, log: bool = False) -> None:
        self.low, self.high, self.start, self.end, self.log = low, high, start, end, log

    def __call__(self, value: float) -> float:
        low, high, at = map(self._along, (self.low, self.high, value))
        share = (min(max(at, low), high) - low) / ((high - low) or 1.0)
        return self.start + share * (self.end - self.start)

    def _along(self, value: float) -> float:
        # Ranks run from 0 to millions.
        return math.log10(1 + max(value, 0.0)) if self.log else value

    def ticks(self) -> list[float]:
        """Return round values between both ends."""
        if self.log:
            return [0.0] + [10.0**e for e in range(int(math.log10(1 + self.high)) + 1)]
        span = (self.high - self.low) or 1.0
        step = 10 ** math.floor(math.log10(span / 4))
        step = next(step * m for m in (1, 2, 5, 10) if span / (step * m) <= 6)
        first = math.ceil(self.low / step - 1e-9)
        return [step * k for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _range(rows: Sequence[Row]) -> tuple[float, float, bool]:
    values = [x for row in rows for x in (row.low, row.high, row.value, *(p.value for p in row.published))]
    if rows[0].percent:
        return 0.0, 1.0, False
    low, high = min(0.0, *values), max(values)
    if "tau" in rows[0].figure:
        return math.floor(10 * low) / 10, 1.0, False
    return low, high or 1.0, high > 1000


def _axis(scale: _Scale, row: Row, top: float, bottom: float) -> list[str]:
    parts = []
    for tick in scale.ticks():
        x = scale(tick)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>')
        parts.append(
            f'<text class="tick" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{_tick(tick, row)}</text>'
        )
    return parts


def _curve_axes(scale: _Scale, across: _Scale, rows: Sequence[Row], x_name: str) -> list[str]:
    parts = []
    right, bottom = across.end + 15, _TOP + _CURVE_HEIGHT
    for tick in scale.ticks():
        y = scale(tick)
        parts.append(f'<line class="grid" x1="45" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="tick" x="40" y="{y + 4:.1f}" text-anchor="end">{_tick(tick, rows[0])}</text>')
    parts += [
        f'<text class="tick" x="{across(x):.1f}" y="{bottom + 18}" text-anchor="middle">{x:g}</text>'
        for x in sorted({row.x or 0.0 for row in rows})
    ]
    middle = (across.start + across.end) / 2
    parts.append(f'<text class="tick" x="{middle}" y="{bottom + 38}" text-anchor="middle">{escape(x_name)}</text>')
    return parts


def _tick(value: float, row: Row) -> str:
    return number(value, percent=True) if row.percent else f"{value:,.4g}"


def _diamond(x: float, y: float, value: float, source: str, *, percent: bool) -> str:
    told = f"published: {number(value, percent=percent)} ({source})"
    points = f"{x:.1f},{y - 6:.1f} {x + 6:.1f},{y:.1f} {x:.1f},{y + 6:.1f} {x - 6:.1f},{y:.1f}"
    return f'<polygon class="published" points="{points}"><title>{escape(told)}</title></polygon>'


def _colour(row: Row, rows: Sequence[Row]) -> int:
    return list(dict.fromkeys(other.system for other in rows)).index(row.system) % _N_COLOURS


def _svg(parts: Sequence[str], height: float, label: str) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" role="img" aria-label="{escape(label, quote=True)}">'
        + "".join(parts)
        + "</svg>"
    )
