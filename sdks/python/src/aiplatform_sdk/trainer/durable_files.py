"""Files that survive a crash, and the claim of a directory."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO, ClassVar

from ..errors import SdkError


class DirectoryInUseError(SdkError):
    """Another process works in the directory."""


def sync(path: Path) -> None:
    """Returns when what is written at the path is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_durably(path: Path, content: bytes) -> None:
    """Replaces a file: after a crash it has its old content or the new one."""
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(content)
    move_durably(new, path)


def move_durably(new: Path, path: Path) -> None:
    """Gives a file that is complete its name."""
    sync(new)
    new.replace(path)
    sync(path.parent)


class DirectoryClaim:
    """Makes the directory and claims it for this process; the claim ends with the process."""

    _claimed: ClassVar[set[Path]] = set()

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory.resolve()
        if self._directory in self._claimed:
            raise DirectoryInUseError(f"{directory} is in use by another trainer of this process")
        self._file: IO[str] = (directory / "process.lock").open("a+")
        try:
            # A lock of this kind is not passed on to the processes that a data loader forks.
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.seek(0)
            owner = self._file.read().strip() or "another one"
            self._file.close()
            raise DirectoryInUseError(f"{directory} is in use by process {owner}") from None
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()
        self._claimed.add(self._directory)

    def release(self) -> None:
        self._claimed.discard(self._directory)
        self._file.close()
