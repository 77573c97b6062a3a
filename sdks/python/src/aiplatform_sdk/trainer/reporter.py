"""Collects what there is to report and cuts it into batches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from typing import Any

from .columns import Row, columns_of, thinned_rows
from .spool import Batch, ReportSpool, first_media, max_media, max_phases, newest_lines

max_points_of_batch = 10_000
max_points_in_memory = 200_000
"""What a full disk does not take waits in memory; above it every second step is forgotten."""
max_line_chars = 8_192
max_media_in_memory = 1_000
"""What a full disk does not take; above it the oldest are forgotten."""


def timestamp(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, timezone.utc).isoformat().replace("+00:00", "Z")


class Reporter:
    """Never waits for the platform. The training thread logs and commits; any thread may cut."""

    def __init__(self, spool: ReportSpool, segment: int, clock: Callable[[], float] = time.time) -> None:
        self._spool = spool
        self._segment = segment
        self._clock = clock
        self._lock = threading.Lock()
        # Held while a batch goes from memory to disk, so that batches are numbered in the order of their points.
        self._cut_lock = threading.RLock()
        self.full = threading.Event()
        """Set when there is a batch's worth of points."""
        self.staged: dict[str, float] = {}
        """What was logged of the step under way; it counts once the step is complete."""
        self._staged_media: list[dict[str, Any]] = []
        self._rows: list[Row] = []
        self._points = 0
        self._media: list[dict[str, Any]] = []
        self._held: list[Row] | None = None
        self._held_media: list[dict[str, Any]] = []
        self._held_opens_segment = False
        self._held_step = 0
        newest = spool.newest
        # Points of the segment up to this step were reported before: a crash or an undone command repeats them.
        self._reported_through = newest.step if newest and newest.segment == segment else 0
        self._step = self._cut_step = self._reported_through
        self._phases: list[dict[str, Any]] = []
        self._lines: list[dict[str, Any]] = []
        self._beat: dict[str, Any] = {}

    @property
    def points(self) -> int:
        """Points in memory that no batch has yet."""
        return self._points

    def stage(self, metrics: Mapping[str, float]) -> None:
        """Values of the step under way."""
        for value in metrics.values():
            if type(value) is not float:
                # Arrays and tensors of one number are numbers, too. Nothing is staged of values of which one is none.
                metrics = {name: float(value) for name, value in metrics.items()}
                break
        self.staged.update(metrics)

    def show(self, medium: dict[str, Any]) -> None:
        """Something beside numbers; it counts once the step is complete."""
        with self._lock:
            self._staged_media = [*self._staged_media, medium][-max_media:]

    def media(self) -> list[dict[str, Any]]:
        """What is shown and not on disk yet."""
        with self._lock:
            return [*self._staged_media, *self._held_media, *self._media]

    def commit(self, step: int) -> None:
        """The step is complete."""
        with self._lock:
            staged = self.staged
            self.staged = {}
            # Almost always: each step pays for what is done here.
            if self._held is None and not self._staged_media:
                if staged and step > self._reported_through:
                    self._rows.append((step, int(self._clock() * 1_000), staged))
                    self._points += len(staged)
                if step > self._step:
                    self._step = step
            else:
                self._commit_more(step, staged)
        if self._points >= max_points_of_batch:
            self.full.set()
            if self._points > max_points_in_memory:
                self._thin()

    def phase(self, phase: str, status: str) -> None:
        entry = {"phase": phase, "status": status, "at": timestamp(self._clock())}
        with self._lock:
            self._phases = [*self._phases, entry][-max_phases:]

    def line(self, message: str, source: str = "trainer") -> None:
        entry = {"message": message[:max_line_chars], "source": source, "timestamp": timestamp(self._clock())}
        with self._lock:
            self._lines = newest_lines([*self._lines, entry])

    def heartbeat(self, source: str, resources: dict[str, Any]) -> None:
        at = timestamp(self._clock())
        beat = {"heartbeat": {"at": at, "source": source}, "resources": {**resources, "observed_at": at}}
        with self._lock:
            self._beat = beat

    def hold(self, *, opens_segment: bool) -> None:
        """Points from now on wait until the platform has recorded the command; they may be of a segment it opens."""
        with self._cut_lock:
            self.cut()
            with self._lock:
                self._held, self._held_media = [], []
                self._held_opens_segment = opens_segment
                self._held_step = 0 if opens_segment else self._step

    def settle(self, segment: int) -> None:
        """The platform has recorded the command; `segment` is the active one now."""
        with self._cut_lock:
            if segment == self._segment and self._held is None:
                return
            self.cut()
            with self._lock:
                if segment != self._segment:
                    self._reported_through = self._cut_step = 0
                if self._held is not None:
                    self._step = self._held_step
                self._segment = segment
                self._rows.extend(self._held or [])
                self._media.extend(self._held_media)
                self._points = sum(len(row[2]) for row in self._rows)
                self._held, self._held_media = None, []
            self.cut()

    def follow(self, segment: int) -> None:
        """The platform was restored from a backup, and this is its active segment: points of later ones are dropped.

        Another segment will have the same number. Raises OSError as the disk does.
        """
        with self._cut_lock:
            if segment >= self._segment:
                self.settle(segment)
                return
            with self._lock:
                self._rows, self._media, self._points = [], [], 0
                self._held, self._held_media = None, []
                self._segment = segment
                self._reported_through = self._cut_step = 0
            # First: a spool without a file would forget its counter.
            self.cut()
            self._spool.drop_above(segment)

    def undo(self) -> None:
        """The command was undone: what it led to is forgotten, and what is repeated is not reported twice."""
        with self._lock:
            self._held, self._held_media = None, []
            self.staged, self._staged_media = {}, []
            self._reported_through = self._step

    def cut(self) -> bool:
        """Writes what is collected by now as batches; whether there was anything. Raises OSError as the disk does."""
        was_any, is_more = False, True
        with self._cut_lock:
            # What is logged meanwhile waits for the next time: a fast loop would make a batch of each few steps.
            while is_more:
                batch, rows, step, is_more = self._take()
                if batch is not None:
                    self._spool.add(batch, segment=self._segment, step=step)
                    self._cut_step = step
                    was_any = True
                    self._forget(batch, rows)
        return was_any

    def _take(self) -> tuple[Batch | None, int, int, bool]:
        """A batch, how many rows it has, its step, and whether there is more. They stay here until it is on disk."""
        with self._lock:
            count = len(self._rows) if self._points <= max_points_of_batch else _fitting(self._rows)
            media = first_media(self._media)
            leaves_media = len(media) < len(self._media)
            if leaves_media:
                # Its step says that everything up to it is on disk: points wait for the media that are too many.
                count, step = 0, self._cut_step
            else:
                step = self._step if count == len(self._rows) else self._rows[count - 1][0]
            rows = self._rows[:count]
            is_more = leaves_media or count < len(self._rows)
            batch: Batch = {"phases": self._phases, "logs": self._lines, "media": media, **self._beat}
        batch["columns"] = columns_of(rows)
        kept = {name: value for name, value in batch.items() if value}
        return (kept or None), count, step, is_more

    def _forget(self, batch: Batch, rows: int) -> None:
        with self._lock:
            del self._rows[:rows]
            self._points = sum(len(row[2]) for row in self._rows)
            taken = {id(entry) for name in ("phases", "logs", "media") for entry in batch.get(name, [])}
            self._media = [entry for entry in self._media if id(entry) not in taken]
            self._phases = [entry for entry in self._phases if id(entry) not in taken]
            self._lines = [entry for entry in self._lines if id(entry) not in taken]
            if self._beat.get("heartbeat") is batch.get("heartbeat"):
                self._beat = {}
            if self._points < max_points_of_batch:
                self.full.clear()

    def _commit_more(self, step: int, staged: dict[str, float]) -> None:
        """With media, or while a command is not recorded."""
        media = [{**medium, "step": step} for medium in self._staged_media]
        self._staged_media = []
        held = self._held
        if held is None:
            if step > self._reported_through:
                self._media = [*self._media, *media][-max_media_in_memory:]
                if staged:
                    self._rows.append((step, int(self._clock() * 1_000), staged))
                    self._points += len(staged)
            self._step = max(self._step, step)
            return
        if self._held_opens_segment or step > self._reported_through:
            self._held_media = [*self._held_media, *media][-max_media_in_memory:]
            if staged:
                held.append((step, int(self._clock() * 1_000), staged))
            if len(held) * len(staged) > max_points_in_memory:
                self._held = thinned_rows(held)
        self._held_step = step

    def _thin(self) -> None:
        with self._cut_lock, self._lock:
            if self._points > max_points_in_memory:
                self._rows = thinned_rows(self._rows)
                self._points = sum(len(row[2]) for row in self._rows)


def _fitting(rows: list[Row]) -> int:
    """How many of the first rows one batch takes."""
    points = 0
    for count, (_, _, metrics) in enumerate(rows):
        points += len(metrics)
        if count and points > max_points_of_batch:
            return count
    return len(rows)
