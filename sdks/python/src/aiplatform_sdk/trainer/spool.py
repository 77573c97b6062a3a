"""Batches that the platform has not confirmed."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any, NamedTuple

from .columns import encoded, followed_by, thinned

Batch = dict[str, Any]
"""A report as the platform takes it, without attachment, counter and segment."""

max_files = 64
"""Files kept; above it the oldest unsent ones are merged and thinned."""
max_log_lines = 200
max_log_chars = 200_000
max_phases = 50
max_media = 100
max_media_chars = 200_000
_name = re.compile(r"^(\d+)-(\d+)-(\d+)\.report$")


class SpooledBatch(NamedTuple):
    """A batch on disk."""

    counter: int
    segment: int
    step: int
    """Every point of the segment up to this step is in this batch or an earlier one."""


class ReportSpool:
    """One file for each batch, written before it is sent.

    A process that is killed sends the same batches under the same counters again. Files are not synced: what a crash of
    the machine loses is trained again. The newest file stays when it is confirmed, because its name tells a new process
    how far the reports went.
    """

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._lock = threading.Lock()
        found = (_name.match(path.name) for path in directory.iterdir())
        self._batches = sorted(SpooledBatch(*map(int, match.groups())) for match in found if match)
        self._counter = self._batches[-1].counter if self._batches else 0
        # Batches up to here may have reached the platform; they must no longer change.
        self._offered_through = self._counter
        self._durable_through = 0

    @property
    def newest(self) -> SpooledBatch | None:
        """Confirmed or not."""
        return self._batches[-1] if self._batches else None

    @property
    def unconfirmed(self) -> int:
        with self._lock:
            return sum(batch.counter > self._durable_through for batch in self._batches)

    def add(self, batch: Batch, *, segment: int, step: int) -> None:
        """Numbers and keeps a batch. Raises OSError when the disk does not take it; nothing has changed then."""
        with self._lock:
            spooled = SpooledBatch(self._counter + 1, segment, step)
            self._write(spooled, batch)
            self._counter += 1
            self._batches.append(spooled)
            while len(self._batches) > max_files and self._thin_oldest():
                pass

    def offer(self) -> tuple[SpooledBatch, bytes] | None:
        """The first unconfirmed batch, as JSON; from now on it no longer changes."""
        with self._lock:
            spooled = next((each for each in self._batches if each.counter > self._durable_through), None)
            if spooled is None:
                return None
            self._offered_through = max(self._offered_through, spooled.counter)
            return spooled, self._path_of(spooled).read_bytes()

    def media(self) -> list[dict[str, Any]]:
        """Of all batches that are not confirmed."""
        with self._lock:
            waiting = [self._read(each) for each in self._batches if each.counter > self._durable_through]
        return [medium for batch in waiting for medium in batch.get("media", [])]

    def confirm(self, counter: int) -> None:
        """The platform has everything up to this counter, or will never take it."""
        with self._lock:
            self._durable_through = max(self._durable_through, counter)
            self._counter = max(self._counter, counter)
            for batch in [each for each in self._batches[:-1] if each.counter <= counter]:
                self._remove(batch)

    def drop_above(self, segment: int) -> None:
        """Drops the batches of later segments: the platform does not have these any longer."""
        with self._lock:
            for batch in [each for each in self._batches if each.segment > segment]:
                self._remove(batch)

    def _thin_oldest(self) -> bool:
        for at, (older, newer) in enumerate(zip(self._batches, self._batches[1:], strict=False)):
            if older.counter > self._offered_through and older.segment == newer.segment:
                self._write(newer, _merged(self._read(older), self._read(newer)))
                self._remove(self._batches[at])
                return True
        return False

    def _read(self, spooled: SpooledBatch) -> Batch:
        batch: Batch = json.loads(self._path_of(spooled).read_bytes())
        return batch

    def _write(self, spooled: SpooledBatch, batch: Batch) -> None:
        path = self._path_of(spooled)
        new = path.with_name(f"{path.name}.new")
        new.write_bytes(encoded(batch))
        new.replace(path)

    def _remove(self, spooled: SpooledBatch) -> None:
        self._path_of(spooled).unlink(missing_ok=True)
        self._batches.remove(spooled)

    def _path_of(self, spooled: SpooledBatch) -> Path:
        return self._directory / f"{spooled.counter}-{spooled.segment}-{spooled.step}.report"


def newest_lines(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As many of the newest lines as one report takes."""
    kept: list[dict[str, Any]] = []
    left = max_log_chars
    for line in reversed(lines[-max_log_lines:]):
        left -= len(line["message"])
        if left < 0:
            break
        kept.insert(0, line)
    return kept


def first_media(media: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As many of the first as one report takes."""
    kept: list[dict[str, Any]] = []
    left = max_media_chars
    for medium in media[:max_media]:
        left -= len(json.dumps(medium))
        if left < 0 and kept:
            break
        kept.append(medium)
    return kept


def _thinned_media(media: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every second one, the newest among them, until one report takes them."""
    while len(first_media(media)) < len(media):
        media = media[(len(media) + 1) % 2 :: 2]
    return media


def _merged(older: Batch, newer: Batch) -> Batch:
    """Two neighbours as one batch of about the size of one."""
    columns = followed_by(older.get("columns", []), newer.get("columns", []))
    return {
        **newer,
        "columns": [thinned(column) for column in columns],
        "phases": (older.get("phases", []) + newer.get("phases", []))[-max_phases:],
        "logs": newest_lines(older.get("logs", []) + newer.get("logs", [])),
        "media": _thinned_media(older.get("media", []) + newer.get("media", [])),
    }
