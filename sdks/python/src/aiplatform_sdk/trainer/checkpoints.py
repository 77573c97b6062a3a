"""Checkpoints in a directory."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import time
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..errors import SdkError
from .durable_files import move_durably, replace_durably
from .reporter import timestamp
from .state import State


class RefusedError(SdkError):
    """A command cannot be applied as requested; its sender receives the message."""


@dataclass(frozen=True)
class Checkpoint:
    """A saved training state."""

    id: str
    step: int
    segment_index: int
    metrics: dict[str, float]
    """Measured at this very step, by name."""
    sha256: str
    size_bytes: int
    created_at: str
    number: int
    """Grows by one with each checkpoint of the directory."""
    overrides: dict[str, Any] = field(default_factory=dict)
    """In force when it was saved."""


class CheckpointStore:
    """A checkpoint is two files: the state, and a label that is written last. Without it there is none."""

    def __init__(self, directory: Path, *, max_count: int, metric: str = "", maximize: bool = True) -> None:
        """Opens the directory, making it if need be. What a crash has left half-written is deleted.

        Kept are the `max_count` newest, the first, the best by `metric`, and the pinned ones.
        """
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._max_count = max(1, max_count)
        self._metric = metric
        self._sign = 1 if maximize else -1
        self._pruned: set[str] = set()
        """By the platform; not deleted yet."""
        found = [Checkpoint(**json.loads(path.read_bytes())) for path in directory.glob("*.json")]
        self._stored = sorted(found, key=lambda each: each.number)
        known = {name for each in self._stored for name in (f"{each.id}.json", f"{each.id}.checkpoint")}
        for path in directory.iterdir():
            if path.name not in known:
                path.unlink(missing_ok=True)

    def list(self) -> tuple[Checkpoint, ...]:
        """Oldest first."""
        return tuple(self._stored)

    def find(self, checkpoint_id: str) -> Checkpoint:
        """Raises RefusedError when it is not kept."""
        for stored in self._stored:
            if stored.id == checkpoint_id:
                return stored
        raise RefusedError(f"checkpoint {checkpoint_id} is no longer kept by this trainer")

    def best(self) -> Checkpoint | None:
        """By the primary metric, else the newest."""
        measured = [each for each in self._stored if self._metric in each.metrics]
        if measured:
            return max(measured, key=lambda each: (self._sign * each.metrics[self._metric], each.number))
        return self._stored[-1] if self._stored else None

    def verified(self, checkpoint_id: str) -> tuple[Checkpoint, Path]:
        """The file of a checkpoint. Raises RefusedError when it is not kept or damaged."""
        checkpoint = self.find(checkpoint_id)
        path = self._path_of(checkpoint.id)
        if not path.exists() or digest_of(path) != (checkpoint.sha256, checkpoint.size_bytes):
            raise RefusedError(f"checkpoint {path} is damaged: its checksum does not match its content")
        return checkpoint, path

    def save(
        self,
        state: State,
        *,
        step: int,
        segment: int,
        metrics: dict[str, float],
        overrides: dict[str, Any],
        pinned: set[str],
    ) -> Checkpoint:
        """Returns when the checkpoint is durable; then deletes what need not be kept."""
        checkpoint_id = str(uuid.uuid4())
        path = self._path_of(checkpoint_id)
        new = path.with_name(f"{path.name}.new")
        state.save(new)
        sha256, size = digest_of(new)
        move_durably(new, path)
        stored = Checkpoint(
            id=checkpoint_id,
            step=step,
            segment_index=segment,
            metrics={name: value for name, value in metrics.items() if math.isfinite(value)},
            sha256=sha256,
            size_bytes=size,
            created_at=timestamp(time.time()),
            number=self._stored[-1].number + 1 if self._stored else 1,
            overrides=overrides,
        )
        replace_durably(self._label_of(checkpoint_id), json.dumps(asdict(stored)).encode())
        self._stored.append(stored)
        self._prune({*pinned, checkpoint_id})
        return stored

    def discard(self, checkpoint_ids: Iterable[str], *, pinned: set[str]) -> None:
        """Deletes what the platform has pruned: a pinned one once it is not pinned at a save, and never the first."""
        self._pruned.update({each.id for each in self._stored}.intersection(checkpoint_ids))
        # What the disk does not delete now is tried again with the next save.
        with contextlib.suppress(OSError):
            self._prune(pinned)

    def message(self, checkpoint: Checkpoint) -> dict[str, Any]:
        """As the platform takes it."""
        members = asdict(checkpoint)
        del members["number"], members["overrides"]
        return {**members, "uri": self._path_of(checkpoint.id).absolute().as_uri()}

    def _path_of(self, checkpoint_id: str) -> Path:
        return self._directory / f"{checkpoint_id}.checkpoint"

    def _label_of(self, checkpoint_id: str) -> Path:
        return self._directory / f"{checkpoint_id}.json"

    def _prune(self, pinned: set[str]) -> None:
        best = self.best()
        surplus = {each.id for each in self._stored[: -self._max_count] if each is not best}
        # From the first one a warm restart takes what it does not take from its checkpoint.
        for stored in self._stored[1:]:
            if stored.id in pinned or stored.id not in surplus | self._pruned:
                continue
            self._label_of(stored.id).unlink(missing_ok=True)
            self._path_of(stored.id).unlink(missing_ok=True)
            self._stored.remove(stored)
            self._pruned.discard(stored.id)


def digest_of(path: Path) -> tuple[str, int]:
    """SHA-256 and size of what the file has."""
    digest = hashlib.sha256()
    size = 0
    for block in blocks_of(path):
        digest.update(block)
        size += len(block)
    return digest.hexdigest(), size


def blocks_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            yield block
