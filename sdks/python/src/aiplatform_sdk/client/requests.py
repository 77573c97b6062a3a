"""What is repeated, paged and waited for: the rules of the client, without any transport."""

from __future__ import annotations

import os
import re
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl, quote, urlsplit

from ..backoff import Backoff
from ..contract import IDEMPOTENT_OPERATIONS
from ..errors import PlatformError, SdkError

Json = dict[str, Any]
News = TypeVar("News")
Progress = Callable[[News], object]
"""Is called with each answer while something is waited for."""

passing = {429, 502, 503, 504}
"""Statuses after which a request had no effect, or may be repeated without a second one."""
repeatable = {"GET", "HEAD", "PUT", "DELETE"}
_keyed = [
    (method, re.compile("^" + re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)) + "$"))
    for method, path in (operation.split(" ", 1) for operation in IDEMPOTENT_OPERATIONS)
]
_command = re.compile(r"/training/[^/]+/commands$")
_next_link = re.compile(r'<([^>]+)>;\s*rel="?next"?')
max_page = 1_000
max_failures_of_stream = 100


class NotSettledError(SdkError):
    """What was waited for did not come within the time."""


@dataclass(frozen=True)
class RetryPolicy:
    """How often, and for how long, a request is repeated."""

    max_retries: int = 3
    backoff: Backoff = field(default_factory=Backoff)
    timeout_s: float = 60.0
    """Longest wait for an answer."""

    def pause_s(self, attempt: int, error: SdkError) -> float | None:
        """The pause after an attempt that failed; None where the error is final."""
        asked = None
        if isinstance(error, PlatformError):
            if error.status not in passing:
                return None
            asked = error.retry_after_s
        pause = self.backoff.pause_s(attempt) if asked is None else asked
        return min(pause, self.backoff.max_s)


def address_and_key(url: str | None, key: str | None) -> tuple[str, str]:
    """What is not given comes from `PLATFORM_URL` and `PLATFORM_API_KEY`. Raises SdkError without a key."""
    credential = key or os.environ.get("PLATFORM_API_KEY", "")
    if not credential:
        raise SdkError("PLATFORM_API_KEY is not set: set it, or give the key")
    return url or os.environ.get("PLATFORM_URL", "http://127.0.0.1:8080"), credential


def repeatable_headers(method: str, path: str, headers: Mapping[str, str] | None) -> tuple[dict[str, str], bool]:
    """The headers of a request, with an `Idempotency-Key` where the operation takes one; whether it may be repeated."""
    sent = dict(headers or {})
    takes_key = any(method == keyed and pattern.match(path) for keyed, pattern in _keyed)
    if takes_key:
        sent.setdefault("idempotency-key", str(uuid.uuid4()))
    is_command = method == "POST" and _command.search(path) is not None
    return sent, method in repeatable or takes_key or is_command


class Page(NamedTuple):
    """A page of a list: where it is, and how many entries are still wanted."""

    path: str
    query: Mapping[str, Any]
    left: int | None

    def asked(self) -> dict[str, Any]:
        return dict(self.query) if self.left is None else {**self.query, "limit": min(self.left, max_page)}

    def after(self, read: int, headers: Mapping[str, str]) -> Page | None:
        """The page behind this one, of which so many entries were read; None where there is none, or none is wanted."""
        left = None if self.left is None else self.left - read
        link = _next_link.search(headers.get("link", ""))
        if link is None or left == 0:
            return None
        address = urlsplit(link[1])
        return Page(address.path, dict(parse_qsl(address.query)), left)


def first_page(path: str, query: Mapping[str, Any] | None, limit: int | None) -> Page:
    return Page(path, {name: value for name, value in (query or {}).items() if value is not None}, limit)


class ServerSentEvent(NamedTuple):
    id: str
    kind: str
    data: bytes


class EventParser:
    """Server-sent events from lines. An event that is not complete is left out."""

    def __init__(self) -> None:
        self._id, self._kind, self._data = "", "message", list[bytes]()

    def take(self, raw: bytes) -> ServerSentEvent | None:
        """The event that ends with this line."""
        line = raw.rstrip(b"\r")
        if not line:
            event = ServerSentEvent(self._id, self._kind, b"\n".join(self._data)) if self._data else None
            self._kind, self._data = "message", []
            return event
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
        elif name == b"event":
            self._kind = value.decode()
        elif name == b"id":
            self._id = value.decode()
        return None


class Deadline:
    """The end of a wait; None: there is none."""

    def __init__(self, within_s: float | None) -> None:
        self._within_s = within_s
        self._end = float("inf") if within_s is None else time.monotonic() + within_s

    def check(self, what: str) -> None:
        """Raises NotSettledError once the time is over."""
        if time.monotonic() > self._end:
            raise NotSettledError(f"{what} after {self._within_s:g} s")

    def seconds(self, longest: int) -> int:
        """How long one request may wait."""
        left = self._end - time.monotonic()
        return longest if left > longest else max(1, int(left))


def quoted(part: str) -> str:
    return quote(part, safe="")
