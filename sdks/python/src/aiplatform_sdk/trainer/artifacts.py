"""Files that a job stores in the platform."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..backoff import Backoff
from ..errors import PlatformError, PlatformUnreachableError
from ..gateway import Gateway
from .checkpoints import RefusedError, digest_of

Export = Callable[[Path], str]
"""Writes the loaded state as the job's result to a new file, and answers its format, such as `onnx`."""

max_part_bytes = 16 << 20
max_attempts = 8
passing = (408, 409, 429, 502, 503, 504)
"""Statuses of a refusal that may be another one in a moment."""


def upload(gateway: Gateway, path: Path, *, closed: threading.Event, backoff: Backoff) -> dict[str, Any]:
    """Stores a file in the platform, going on where an earlier attempt broke off; returns how to name it.

    Raises RefusedError when the platform does not take it, PlatformUnreachableError after `max_attempts` attempts.
    """
    sha256, size = digest_of(path)
    target = f"/platform/artifacts/{sha256}/upload"
    failures = 0
    while not closed.is_set():
        try:
            standing = gateway.request("GET", target).json()
            if standing["complete"]:
                return {"uri": f"artifact:sha256:{sha256}", "sha256": sha256, "size_bytes": size}
            _send_part(gateway, target, path, offset=standing["received_bytes"], size=size)
            failures = 0
        except PlatformUnreachableError:
            failures = _next_failure(failures)
        except PlatformError as error:
            if error.status not in passing:
                raise RefusedError(f"the file was not taken: {error}") from error
            failures = _next_failure(failures)
        closed.wait(backoff.pause_s(failures))
    raise PlatformUnreachableError("the trainer was closed before the file was stored")


def store(gateway: Gateway, path: Path) -> None:
    """Stores a small file, which its SHA-256 is the name of, by one request.

    Raises RefusedError when the platform does not take it, PlatformUnreachableError when it may take it later.
    """
    headers = {"content-type": "application/octet-stream"}
    try:
        gateway.request("PUT", f"/platform/artifacts/{path.name}", data=path.read_bytes(), headers=headers)
    except PlatformError as error:
        if error.status in passing:
            raise PlatformUnreachableError(f"the file was not taken yet: {error}") from error
        raise RefusedError(f"the file was not taken: {error}") from error


def _send_part(gateway: Gateway, target: str, path: Path, *, offset: int, size: int) -> None:
    with path.open("rb") as file:
        file.seek(offset)
        part = file.read(max_part_bytes)
    headers = {
        "content-type": "application/octet-stream",
        "upload-offset": str(offset),
        "upload-length": str(size),
    }
    gateway.request("PATCH", target, data=part, headers=headers)


def _next_failure(failures: int) -> int:
    if failures + 1 >= max_attempts:
        raise PlatformUnreachableError(f"the file could not be stored in {max_attempts} attempts")
    return failures + 1
