"""Requests and answers of the platform's gateway, whatever sends them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import urlencode

from .errors import PlatformError, PlatformUnreachableError

connect_timeout_s = 5.0


@dataclass(frozen=True)
class Answer:
    """An answer of the platform that is no error."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Raises PlatformUnreachableError for what is no JSON: something else than the platform has answered."""
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise PlatformUnreachableError(f"the answer is no JSON: {self.body[:80]!r}") from error


@dataclass(frozen=True)
class Message:
    """A request to one address with one key."""

    method: str
    path: str
    body: Any = None
    """Sent as JSON."""
    data: bytes | IO[bytes] | None = None
    """Sent as it is."""
    query: Mapping[str, Any] | None = None
    headers: Mapping[str, str] | None = None

    def url(self, address: str) -> str:
        query = f"?{urlencode(self.query, doseq=True)}" if self.query else ""
        return f"{address}{self.path}{query}"

    def content(self) -> bytes | IO[bytes] | None:
        return self.data if self.body is None else json.dumps(self.body, separators=(",", ":")).encode()

    def all_headers(self, key: str) -> dict[str, str]:
        own = {"authorization": f"Bearer {key}", "accept-encoding": "identity", **(self.headers or {})}
        return own if self.body is None else {**own, "content-type": "application/json"}


def answer_of(status: int, headers: Mapping[str, str], body: bytes) -> Answer:
    """Raises PlatformError for a status of 400 and above."""
    answer = Answer(status, {name.lower(): value for name, value in headers.items()}, body)
    if status >= 400:
        raise PlatformError(status, body, answer.headers)
    return answer
