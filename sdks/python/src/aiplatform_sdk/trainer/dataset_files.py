"""Files of versions of datasets by their digests: trainers that use the same directory fetch a version once."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import logging
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..backoff import Backoff
from ..errors import PlatformError, PlatformUnreachableError, SdkError
from ..gateway import ByteStream, Gateway
from .artifacts import max_attempts
from .checkpoints import digest_of
from .durable_files import move_durably
from .stop_flag import StopFlag

log = logging.getLogger("aiplatform_sdk")

passing = (408, 429, 502, 503, 504)
"""Statuses of a refusal that may be another one in a moment."""
leftover_s = 86_400.0
"""Age at which a part that nothing was added to is removed."""
lock_pause_s = 0.2
stopped_early = "stopped before the data was there"


class DatasetError(SdkError):
    """A version of a dataset cannot be read; the message says what to do."""


class DatasetDigestError(DatasetError):
    """What was downloaded is not what the run was created with. It is removed."""


class FetchStoppedError(PlatformUnreachableError):
    """The trainer was stopped before the data was there."""


@dataclass(frozen=True)
class RunDataset:
    """A version of a dataset that a run reads, as the platform names it."""

    name: str
    dataset_id: str
    version_id: str
    number: int
    content_sha256: str
    row_count: int
    size_bytes: int

    @classmethod
    def of(cls, told: dict[str, Any]) -> RunDataset:
        """From what the platform tells, which may have more members in a later version."""
        return cls(**{name: told[name] for name in cls.__dataclass_fields__})


class DatasetFiles:
    """A directory of them. Threads and processes may share it; whatever is in it may be removed at any time."""

    def __init__(self, gateway: Gateway, run_path: str, directory: Path) -> None:
        """`run_path`: of the run in the REST API."""
        self._gateway = gateway
        self._run_path = run_path
        self._directory = directory
        self._stopped = StopFlag()
        self._backoff = Backoff()
        self._lock = threading.Lock()
        self._verified: set[Path] = set()
        self._answer: ByteStream | None = None
        """That is read now."""

    def give_up(self) -> None:
        """Fetches nothing more, and ends the download under way. For another thread or a handler of a signal."""
        self._stopped.set()
        if (answer := self._answer) is not None:
            answer.shutdown()

    def assert_goes_on(self) -> None:
        """Raises FetchStoppedError after it was given up."""
        if self._stopped.is_set():
            raise FetchStoppedError(stopped_early)

    def path_of(self, version: RunDataset) -> Path:
        """The file of a version, fetched and verified.

        Raises DatasetError when it cannot be had, DatasetDigestError when it has other bytes, PlatformUnreachableError
        after `max_attempts` attempts in a row that brought nothing, FetchStoppedError when it is given up.
        """
        path = self._directory / f"{version.content_sha256}.parquet"
        with self._lock:
            if path in self._verified and path.exists():
                return path
            try:
                self._directory.mkdir(parents=True, exist_ok=True)
                with self._claim(path.with_suffix(".lock")):
                    self._make_sure(version, path)
            except OSError as error:
                raise DatasetError(
                    f"the file of {version.name!r} cannot be kept in {self._directory} ({error}): "
                    "free some space, or set DATASET_DIRECTORY to another directory"
                ) from error
            self._verified.add(path)
        return path

    def _make_sure(self, version: RunDataset, path: Path) -> None:
        if path.exists():
            if digest_of(path)[0] == version.content_sha256:
                return
            log.warning("%s has other bytes than its name says: it is fetched again", path)
            path.unlink()
        self._sweep()
        part = path.with_suffix(".part")
        self._fetch(version, part)
        sha256, _ = digest_of(part)
        if sha256 != version.content_sha256:
            part.unlink()
            raise DatasetDigestError(
                f"what was downloaded of {version.name!r} has the SHA-256 {sha256} instead of "
                f"{version.content_sha256}, and is removed: try again; if it happens again, tell the operator"
            )
        move_durably(part, path)
        log.info("fetched %s, version %d, %d bytes", version.name, version.number, version.size_bytes)

    def _fetch(self, version: RunDataset, part: Path) -> None:
        """Goes on with what an attempt before has left, also of another process."""
        failures = 0
        while not self._stopped.is_set():
            size = part.stat().st_size if part.exists() else 0
            if size >= version.size_bytes:
                return
            self._assert_room(version, version.size_bytes - size)
            try:
                self._go_on(version, part, size)
            except PlatformUnreachableError as error:
                cause: SdkError = error
            except PlatformError as error:
                if error.status not in passing:
                    raise DatasetError(f"the platform does not give {version.name!r}: {error}") from error
                cause = error
            else:
                continue
            if self._stopped.is_set():
                break
            grown = part.exists() and part.stat().st_size > size
            failures = 1 if grown else failures + 1
            if failures >= max_attempts:
                raise PlatformUnreachableError(f"{version.name!r} could not be fetched: {cause}") from cause
            log.info("fetching %s goes on soon: %s", version.name, cause)
            self._stopped.wait(self._backoff.pause_s(failures))
        raise FetchStoppedError(stopped_early)

    def _go_on(self, version: RunDataset, part: Path, size: int) -> None:
        headers = {"range": f"bytes={size}-", "if-range": f'"{version.content_sha256}"'} if size else {}
        path = f"{self._run_path}/datasets/{version.version_id}/content"
        # A thread that waits for an answer to begin is not woken by a signal.
        opened = self._stopped.result_of(lambda: self._gateway.download(path, headers=headers), ByteStream.close)
        if opened is None:
            return
        with opened as answer:
            self._answer = answer
            if self._stopped.is_set():
                return
            is_rest = answer.status == 206
            room = version.size_bytes - (size if is_rest else 0)
            with part.open("ab" if is_rest else "wb") as file:
                for piece in answer:
                    # Longer than it should be, it has another digest; it is not let grow without end.
                    file.write(piece[: room + 1])
                    # A process that is killed leaves all of it.
                    file.flush()
                    room -= len(piece)
                    if room < 0 or self._stopped.is_set():
                        return
        if room > 0:
            raise PlatformUnreachableError(f"the answer ended {room} bytes early")

    def _assert_room(self, version: RunDataset, missing: int) -> None:
        free = shutil.disk_usage(self._directory).free
        if free < missing:
            raise DatasetError(
                f"{version.name!r} needs {missing} more bytes, and the disk of {self._directory} has {free}: "
                "free some, or set DATASET_DIRECTORY to another directory"
            )

    def _sweep(self) -> None:
        """Removes parts that no trainer has gone on with."""
        for part in self._directory.glob("*.part"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - part.stat().st_mtime > leftover_s:
                    part.unlink()

    @contextlib.contextmanager
    def _claim(self, path: Path) -> Iterator[None]:
        """Waits until no other trainer fetches the file. The claim ends with the process."""
        with path.open("a") as file:
            while not _is_locked(file):
                if self._stopped.wait(lock_pause_s):
                    raise FetchStoppedError(stopped_early)
            try:
                yield
            finally:
                # A process that was forked meanwhile has the file open, too.
                fcntl.flock(file, fcntl.LOCK_UN)


def _is_locked(file: IO[str]) -> bool:
    """Locks a file where no one else has: it also holds against another trainer of this process."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN):
            return False
        raise
    return True
