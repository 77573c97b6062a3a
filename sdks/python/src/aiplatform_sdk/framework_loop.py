"""The loop of a framework as the steps of a job: it is left and entered again where a command loads a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .errors import SdkError
from .trainer import State, Trainer

if TYPE_CHECKING:
    from .torch import FollowingTrainer


class LoopLeft(Exception):  # noqa: N818 - it says no error
    """Goes through the framework's loop, from its callback to the caller."""


class LoopEndedError(SdkError):
    """The framework ended its loop and has not taken the step that it was to take."""


class EnteredState(State, Protocol):
    """A state of which the framework takes a part where its loop begins."""

    entry: Path | None
    """The file that was loaded last: from there the loop is entered. None: from its beginning."""
    loads: int
    """How often a file was loaded."""


class FrameworkLoop:
    """The callback calls `next_step` before each step, when the one before and its metrics are complete."""

    def __init__(self, job: Trainer | FollowingTrainer, state: EnteredState, options: Mapping[str, Any]) -> None:
        """`options`: those of `Trainer.steps`."""
        self.job = job
        self._state = state
        self._options = options
        self._steps: Iterator[int] | None = None
        self._ended = False
        self._is_waiting = False
        """Whether a step was given that no loop has begun."""

    @property
    def is_entering(self) -> bool:
        """Whether the next step is the first of a loop that was entered again."""
        return self._is_waiting

    def next_step(self, total: int) -> None:
        """Returns when a step is to be taken. Raises LoopLeft when the loop has to be left before."""
        if self._is_waiting:
            self._is_waiting = False
            return
        if self._steps is None:
            self._steps = self.job.steps(total, self._state, **self._options)
        loads = self._state.loads
        if next(self._steps, None) is None:
            self._ended = True
            raise LoopLeft
        if self._state.loads != loads:
            self._is_waiting = True
            raise LoopLeft

    def run(self, enter: Callable[[], object]) -> None:
        """Enters the framework's loop until the job has ended or is to go on later."""
        while not self._ended:
            try:
                enter()
                self._finish()
            except LoopLeft:
                continue

    def _finish(self) -> None:
        """The framework has ended its loop by itself: the step that it took last is the last one of the job."""
        if self._is_waiting or self._steps is None:
            raise LoopEndedError("the loop ended before its first step: give it data, and more steps than it has taken")
        self.job.complete()
        self.next_step(0)
        raise LoopEndedError("the loop ended, and a command asks for another step: give it more steps")
