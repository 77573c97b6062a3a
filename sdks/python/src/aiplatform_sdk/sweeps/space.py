"""What a sweep varies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import SdkError

Value = float | int | str | bool


class SweepError(SdkError):
    """A sweep cannot be run as it was declared."""


@dataclass(frozen=True)
class Float:
    """A number from `low` to `high`, both included. `log`: small ones are tried as often as large ones."""

    low: float
    high: float
    log: bool = False
    step: float | None = None


@dataclass(frozen=True)
class Int:
    """A whole number from `low` to `high`, both included. `log`: small ones are tried as often as large ones."""

    low: int
    high: int
    log: bool = False
    step: int = 1


class Choice:
    """One of the options, which have no order."""

    def __init__(self, *options: Value) -> None:
        self.options = options

    def __repr__(self) -> str:
        return f"Choice{self.options}"


Dimension = Float | Int | Choice
Space = Mapping[str, Dimension]


def check_space(space: Space) -> None:
    """Raises SweepError that names each key whose dimension has no values."""
    found = [f"{key}: {problem}" for key, each in space.items() if (problem := _problem_of(each)) is not None]
    if not space:
        found.append("declare at least one key")
    if found:
        raise SweepError("the space is not valid: " + "; ".join(found))


def _problem_of(dimension: Dimension) -> str | None:
    if isinstance(dimension, Choice):
        return None if dimension.options else "give at least one option"
    if not dimension.low <= dimension.high:
        return f"low is {dimension.low} and has to be at most high, {dimension.high}"
    if dimension.step is not None and dimension.step <= 0:
        return f"step is {dimension.step} and has to be above 0"
    if not dimension.log:
        return None
    if dimension.low <= 0:
        return f"low is {dimension.low} and has to be above 0 with log"
    return "give log or step" if dimension.step not in (None, 1) else None
