"""Which values of a curve are compared with those of other trials."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from .search import Goal


@dataclass(frozen=True)
class Pruning:
    """When a trial is worse than the others at the same step, it is stopped by a command."""

    every: int
    """Steps between two comparisons."""
    min_trials: int = 5
    """So many trials have to be complete before one is stopped."""
    min_steps: int = 0
    """No trial is stopped before this step."""
    by: Literal["abort", "finish_from_checkpoint"] = "abort"
    """The command; the second one keeps a result."""
    pruner: Any = None
    """One of Optuna's pruners; default: the median one, with `min_trials` and `min_steps`."""


class Rungs:
    """The multiples of `every`, so that curves are compared at the same steps."""

    def __init__(self, every: int, reached: int) -> None:
        """`reached`: the last rung that was compared, 0 before."""
        self._every = every
        self._next = (reached // every + 1) * every
        self._last: float | None = None

    def take(self, points: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
        """For points in the order of their steps: the rungs that they reach, each with the value at it or before it."""
        found = []
        for step, value in points:
            rung = step // self._every * self._every
            if rung >= self._next:
                found.append((rung, value if rung == step or self._last is None else self._last))
                self._next = rung + self._every
            self._last = value
        return found


def best_of(values: Iterable[float], goal: Goal) -> float | None:
    """Of those that are finite; None where there is none."""
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return None
    return min(finite) if goal == "minimize" else max(finite)
