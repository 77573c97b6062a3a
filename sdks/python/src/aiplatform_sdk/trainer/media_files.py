"""Files of media that are not uploaded yet."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from .media import File

log = logging.getLogger("aiplatform_sdk")

max_bytes = 268_435_456
"""Kept while the platform is away; what comes above it is not shown."""
sweep_every_s = 10.0
"""Least time between two looks for files that are no longer named."""


class MediaFiles:
    """By their SHA-256, in a directory. Those who log keep them, the sender removes them."""

    def __init__(self, directory: Path, named: Callable[[], Iterable[str]]) -> None:
        """`named`: what is still to be reported names these. Anything else was uploaded, or is of a step that is taken
        again, or of one that was undone or thinned; it goes at the start, and when there is no room for another file.
        """
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._named = named
        self._lock = threading.Lock()
        self._bytes = 0
        self._next_sweep = 0.0
        self._sweep()

    def keep(self, file: File) -> dict[str, Any] | None:
        """How a report names the file; None where there is no room for it."""
        sha256 = hashlib.sha256(file.content).hexdigest()
        path = self._directory / sha256
        with self._lock:
            if not path.exists():
                if self._bytes + len(file.content) > max_bytes and time.monotonic() >= self._next_sweep:
                    self._sweep()
                if self._bytes + len(file.content) > max_bytes:
                    log.warning("a file of media is not shown: %s bytes wait already", self._bytes)
                    return None
                try:
                    new = path.with_name(f"{sha256}.new")
                    new.write_bytes(file.content)
                    new.replace(path)
                except OSError as error:
                    log.warning("a file of media is not shown: %s", error)
                    return None
                self._bytes += len(file.content)
        return {"sha256": sha256, "media_type": file.media_type, "size_bytes": len(file.content)}

    def path_of(self, sha256: str) -> Path | None:
        """None where it was uploaded before."""
        path = self._directory / sha256
        return path if path.exists() else None

    def remove(self, digests: Iterable[str]) -> None:
        with self._lock:
            for sha256 in digests:
                path = self._directory / sha256
                if path.exists():
                    self._bytes -= path.stat().st_size
                    path.unlink()

    def _sweep(self) -> None:
        kept = set(self._named())
        for path in self._directory.iterdir():
            if path.name not in kept:
                path.unlink(missing_ok=True)
        self._bytes = sum(path.stat().st_size for path in self._directory.iterdir())
        self._next_sweep = time.monotonic() + sweep_every_s


def files_of(media: list[dict[str, Any]]) -> list[str]:
    """Digests of the files that media name."""
    return [medium["file"]["sha256"] for medium in media if "file" in medium]
