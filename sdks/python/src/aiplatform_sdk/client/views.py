"""How notebooks show what the client answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from html import escape
from typing import Any

from .curve import svg_of

max_curves = 6
points_of_curve = 200


class NotebookView(ABC):
    """Shows itself with its curves."""

    @abstractmethod
    def to_html(self) -> str: ...

    def _repr_html_(self) -> str:
        return self.to_html()


class AsyncNotebookView(ABC):
    """Has its curves as HTML. A notebook does not wait while it draws, so it shows `__repr__` alone."""

    @abstractmethod
    async def to_html(self) -> str: ...


def html_of_run(name: str, status: str, series: Mapping[str, Any]) -> str:
    """Name, state, and up to six curves as SVG."""
    curves = [
        (metric, each["steps"], [float(value) for value in each["values"]])
        for metric, each in list(series.items())[:max_curves]
    ]
    return f"<div><b>{escape(name)}</b> {escape(status)}<br>{svg_of(curves)}</div>"
