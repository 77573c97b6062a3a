"""Files of media that are not uploaded yet."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .media import File

log = logging.getLogger("aiplatform_sdk")

max_bytes = 268_435_456
"""Kept while the platform is away; what comes above it is not shown."""


class MediaFiles:
    """By their SHA-256, in a directory. The training thread keeps them, the sender removes them."""

    def __init__(self, directory: Path, named: Iterable[str]) -> None:
        """`named`: what spooled reports name. Anything else was uploaded, or is of a step that is taken again."""
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._lock = threading.Lock()
        kept = set(named)
        for path in directory.iterdir():
            if path.name not in kept:
                path.unlink()
        self._bytes = sum(path.stat().st_size for path in directory.iterdir())

    def keep(self, file: File) -> dict[str, Any] | None:
        """How a report names the file; None where there is no room for it."""
        sha256 = hashlib.sha256(file.content).hexdigest()
        path = self._directory / sha256
        with self._lock:
            if not path.exists():
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


def files_of(media: list[dict[str, Any]]) -> list[str]:
    """Digests of the files that media name."""
    return [medium["file"]["sha256"] for medium in media if "file" in medium]
