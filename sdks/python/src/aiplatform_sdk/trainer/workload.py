"""The user's training, as the agent loads, saves and publishes it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .artifacts import Export
from .checkpoints import Checkpoint, CheckpointStore
from .journal import Position
from .state import OnDevices, Releasable, State, WarmStart

checkpoint_every_s = 60.0


@dataclass(frozen=True)
class StepPlan:
    """What `steps` was called with."""

    total: int
    state: State
    checkpoint_every: int | None
    keep: int
    export: Export | None
    publish: bool


class Workload:
    """State, step and overrides; nothing of it knows the platform."""

    def __init__(self, plan: StepPlan, directory: Path, job: dict[str, Any]) -> None:
        self.plan = plan
        self.step = 0
        """Steps taken."""
        self.total = plan.total
        self.overrides: dict[str, Any] = {}
        self.loaded = True
        self.store = CheckpointStore(
            directory / "checkpoints",
            max_count=plan.keep,
            metric=job.get("primary_metric") or "",
            maximize=job.get("primary_metric_goal") != "minimize",
        )
        self._directory = directory
        self._saved_at = time.monotonic()

    @property
    def devices(self) -> list[str]:
        if not self.loaded:
            return []
        state = self.plan.state
        return state.devices if isinstance(state, OnDevices) else ["cpu"]

    @property
    def device_memory(self) -> int | None:
        state = self.plan.state
        return state.device_memory if isinstance(state, OnDevices) else None

    def is_due(self, now: float) -> bool:
        """Whether the step just taken is one after which to save; `now` is on the clock of `time.monotonic()`."""
        every = self.plan.checkpoint_every
        if every is not None:
            return self.step % every == 0
        return now - self._saved_at >= checkpoint_every_s

    def prepare(self, position: Position) -> None:
        """Loads a position. Raises RefusedError, with everything as it was, when the checkpoint is not intact."""
        if position.checkpoint_id is None:
            return
        checkpoint, path = self.store.verified(position.checkpoint_id)
        state = self.plan.state
        if position.weights_only and isinstance(state, WarmStart):
            # All but the weights is as it was before the first step, whatever this process has done since.
            state.load(self.store.verified(self.store.list()[0].id)[1])
            state.load_weights(path)
        else:
            state.load(path)
        self.loaded = True
        self.step = checkpoint.step
        self.overrides.clear()
        self.overrides.update({**checkpoint.overrides, **position.overrides})

    def apply_changes(self, position: Position) -> None:
        """Overrides that took effect before the next step, when it is taken again."""
        for change in position.changes:
            if change.step == self.step:
                self.overrides.update(change.overrides)

    def save(self, *, segment: int, metrics: dict[str, float], pinned: set[str]) -> Checkpoint:
        saved = self.store.save(
            self.plan.state,
            step=self.step,
            segment=segment,
            metrics=dict(metrics),
            overrides=dict(self.overrides),
            pinned=pinned,
        )
        self._saved_at = time.monotonic()
        return saved

    def release(self) -> str:
        """Lets go of devices and memory; says what that freed."""
        state = self.plan.state
        if not isinstance(state, Releasable):
            return "kept in memory"
        if not self.loaded:
            return "released before"
        detail = state.release()
        self.loaded = False
        return detail

    def publish(self, checkpoint_id: str, upload: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
        """Stores a checkpoint as the job's result, exported where the user says how."""
        checkpoint, path = self.store.verified(checkpoint_id)
        export = self.plan.export
        if export is None:
            form = str(getattr(self.plan.state, "format", "checkpoint"))
            return {**upload(path), "format": form, "metrics": checkpoint.metrics}
        self.prepare(Position(checkpoint_id))
        results = self._directory / "results"
        results.mkdir(exist_ok=True)
        result = results / f"{checkpoint_id}.{os.getpid()}"
        try:
            form = export(result)
            return {**upload(result), "format": form, "metrics": checkpoint.metrics}
        finally:
            result.unlink(missing_ok=True)
