"""A curve as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

width, height, margin = 480, 160, 8
colours = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b")


def svg_of(curves: Sequence[tuple[str, Sequence[float], Sequence[float]]]) -> str:
    """Named curves, each in its own scale; values that are no finite numbers are left out."""
    lines, names = [], []
    for number, (name, steps, values) in enumerate(curves):
        points = [(x, y) for x, y in zip(steps, values, strict=False) if math.isfinite(y)]
        if not points:
            continue
        colour = colours[number % len(colours)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in _scaled(points))
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{path}"/>')
        names.append(f'<tspan fill="{colour}" dx="8">{escape(name)} {points[-1][1]:.4g}</tspan>')
    title = f'<text x="{margin}" y="14" font-family="sans-serif" font-size="11">{"".join(names)}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">{"".join(lines)}{title}</svg>'
    )


def _scaled(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return [
        (_place(x, min(xs), max(xs), margin, width - margin), _place(y, min(ys), max(ys), height - margin, 20))
        for x, y in points
    ]


def _place(value: float, low: float, high: float, start: float, end: float) -> float:
    share = (value - low) / (high - low) if high > low else 0.5
    return start + share * (end - start)
