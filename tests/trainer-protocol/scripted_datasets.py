"""Versions of datasets that the scripted platform has a run read."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

Json = dict[str, Any]

rows_file = (Path(__file__).parent / "rows.parquet").read_bytes()
"""2,000 rows, as the platform writes them: `id` from 0, `value` half of it, and `text`, missing in each seventh row."""


class ScriptedDatasets:
    """What the run reads, and how it is downloaded."""

    def __init__(self, run_path: str) -> None:
        self.versions: list[Json] = []
        """As trainers are told."""
        self.is_told = True
        """Whether they are: platforms of earlier versions did not tell."""
        self.files: dict[str, bytes] = {}
        """By the ids of versions."""
        self.cuts: list[int] = []
        """Bytes after which the next downloads break off; 0: before the first one."""
        self.has_arrived: Callable[[], bool] = lambda: True
        """Waited for before a download breaks off."""
        self.given = 0
        """Bytes of the version that the trainer has, once those before the break have arrived."""
        self.asked: list[tuple[str, str | None]] = []
        """Version and range of each download."""
        self.refusals: list[tuple[int, Json]] = []
        """Of the next downloads."""
        self._run_path = run_path

    def read(self, name: str, content: bytes = rows_file) -> Json:
        """Has the run read a version."""
        version = {
            "name": name,
            "dataset_id": str(uuid.uuid4()),
            "version_id": str(uuid.uuid4()),
            "number": len(self.versions) + 1,
            "content_sha256": hashlib.sha256(content).hexdigest(),
            "row_count": 2_000,
            "size_bytes": len(content),
        }
        self.versions.append(version)
        self.files[version["version_id"]] = content
        return version

    def answer(self, path: str, headers: Any) -> tuple[int, bytes, int | None]:
        """Status and body of a download, and after how many bytes it breaks off."""
        version_id = path.split("/")[-2]
        self.asked.append((version_id, headers.get("range")))
        if self.refusals:
            status, body = self.refusals.pop(0)
            return status, json.dumps(body).encode(), None
        if path != f"{self._run_path}/datasets/{version_id}/content" or version_id not in self.files:
            return 404, b'{"detail": "Not found"}', None
        content = self.files[version_id]
        cut = self.cuts.pop(0) if self.cuts else None
        etag = next(f'"{each["content_sha256"]}"' for each in self.versions if each["version_id"] == version_id)
        part = re.fullmatch(r"bytes=(\d+)-", headers.get("range", ""))
        if part is None or headers.get("if-range") != etag:
            self.given = cut or 0
            return 200, content, cut
        self.given = int(part[1]) + (cut or 0)
        return 206, content[int(part[1]) :], cut
