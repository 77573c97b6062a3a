"""What proposes the values of trials and judges them, whichever library does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from .space import Value

TrialState = Literal["begun", "completed", "pruned", "failed"]
Goal = Literal["minimize", "maximize"]


@dataclass(frozen=True)
class Trial:
    """A run of a sweep, as the search remembers it."""

    number: int
    """From 0, in the order in which they were proposed."""
    values: dict[str, Value]
    """By the keys of the space."""
    state: TrialState
    value: float | None
    """Of the metric; None before the end, and of a trial that failed."""
    run_id: str | None
    """None until its run is created."""
    pruned_at: int | None
    """The step at which it was found bad."""
    launched: bool
    """Whether `launch` was called for it, and has returned."""


class Search(Protocol):
    """Every method returns when what it has changed is durable. Threads may share it."""

    @property
    def id(self) -> str:
        """Of this search and no other; the same after a restart."""
        ...

    def trials(self) -> Sequence[Trial]:
        """All that were proposed, in order."""
        ...

    def propose(self) -> Trial: ...

    def remember(
        self, number: int, *, run_id: str | None = None, pruned_at: int | None = None, launched: bool = False
    ) -> None: ...

    def reached(self, number: int) -> int:
        """The last step that `is_bad` was asked about; 0 before."""
        ...

    def is_bad(self, number: int, step: int, value: float) -> bool:
        """Takes a value of a step, and answers whether the trial need not go on."""
        ...

    def settle(self, number: int, state: TrialState, value: float | None) -> None:
        """The trial has ended. Safe to repeat."""
        ...
