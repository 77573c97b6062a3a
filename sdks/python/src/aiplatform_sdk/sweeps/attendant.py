"""Looks after one trial: gives its values to the search, and stops it by a command where it is bad."""

from __future__ import annotations

import logging
import threading
import uuid
from typing import Any

from ..backoff import Backoff
from ..client import Run
from ..errors import PlatformError, PlatformUnreachableError
from .pruning import Pruning, Rungs, best_of
from .search import Goal, Search, Trial, TrialState

log = logging.getLogger("aiplatform_sdk")

max_points = 5_000
look_s = 1
"""How long one look waits for news."""
ended_states = {"completed", "failed", "aborted"}
passing = {429, 500, 502, 503, 504}


class Attendant:
    """Of one trial whose run there is."""

    def __init__(
        self, trial: Trial, run: Run, search: Search, *, metric: str, goal: Goal, pruning: Pruning | None
    ) -> None:
        self.trial = trial
        self.run = run
        self._search = search
        self._metric = metric
        self._goal = goal
        self._pruning = pruning
        self._rungs = Rungs(pruning.every, search.reached(trial.number)) if pruning is not None else None
        self._sequence: int | None = None
        self._pruned_at = trial.pruned_at
        self._is_commanded = False

    def look(self, wait_s: int = look_s) -> bool:
        """Takes what is new within `wait_s`; whether the job has ended. Raises as the client does."""
        news: dict[str, Any] = (
            {} if self._sequence is None else {"after_sequence": self._sequence, "wait_seconds": wait_s}
        )
        found = self.run.metrics(self._metric, max_points=max_points, **news)
        self._sequence = found["sequence"]
        if found["status"] in ended_states:
            return True
        if self._rungs is not None and self._pruned_at is None:
            self._compare(self._rungs, _points_of(found["series"].get(self._metric)))
        if self._pruned_at is not None and not self._is_commanded:
            self._stop()
        return False

    def look_until(self, closed: threading.Event) -> None:
        """Looks until the job ends or the event is set, through outages of the platform."""
        backoff, failures = Backoff(), 0
        while not closed.is_set():
            try:
                if self.look():
                    return
                failures = 0
            except (PlatformUnreachableError, PlatformError) as error:
                if isinstance(error, PlatformError) and error.status not in passing:
                    log.warning("trial %d is not compared any longer: %s", self.trial.number, error)
                    return
                failures += 1
                closed.wait(backoff.pause_s(failures))

    def settle(self) -> TrialState:
        """Once the job has ended: tells the search what became of the trial."""
        state = self.run.refresh().state
        curve = self.run.metrics(self._metric, max_points=max_points)["series"].get(self._metric)
        value = best_of((value for _, value in _points_of(curve)), self._goal)
        if self._pruned_at is not None and self._stop(wait=True) == "applied":
            became: TrialState = "pruned"
        elif state == "completed" and value is not None:
            became = "completed"
        else:
            became, value = "failed", None
        self._search.settle(self.trial.number, became, value)
        log.info("trial %d %s: %s", self.trial.number, became, value)
        return became

    def _compare(self, rungs: Rungs, points: list[tuple[int, float]]) -> None:
        for step, value in rungs.take(points):
            if self._search.is_bad(self.trial.number, step, value):
                # Remembered first: after a kill, it is stopped all the same.
                self._search.remember(self.trial.number, pruned_at=step)
                self._pruned_at = step
                return

    def _stop(self, *, wait: bool = False) -> str:
        """The command's status. It is one command, however often it is sent."""
        action = self._pruning.by if self._pruning is not None else "abort"
        key = str(uuid.uuid5(uuid.UUID(self.run.id), "pruned"))
        status = self.run.command(action, idempotency_key=key, wait=wait)["status"]
        self._is_commanded = True
        return status


def _points_of(series: dict[str, list[float | str]] | None) -> list[tuple[int, float]]:
    """Steps and values; what is no finite number comes as a text."""
    if series is None:
        return []
    return [(int(step), float(value)) for step, value in zip(series["steps"], series["values"], strict=True)]
