"""Requests that are repeated where that is safe."""

from __future__ import annotations

import json
import os
import re
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from ..backoff import Backoff
from ..contract import IDEMPOTENT_OPERATIONS
from ..errors import PlatformError, PlatformUnreachableError, SdkError, StreamFailedError
from ..gateway import Answer, Gateway

Json = dict[str, Any]

passing = {429, 502, 503, 504}
"""Statuses after which a request had no effect, or may be repeated without a second one."""
repeatable = {"GET", "HEAD", "PUT", "DELETE"}
_keyed = [
    (method, re.compile("^" + re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path)) + "$"))
    for method, path in (operation.split(" ", 1) for operation in IDEMPOTENT_OPERATIONS)
]
_command = re.compile(r"/training/[^/]+/commands$")
_next_link = re.compile(r'<([^>]+)>;\s*rel="?next"?')


class NotSettledError(SdkError):
    """What was waited for did not come within the time."""


@dataclass(frozen=True)
class RetryPolicy:
    """How often, and for how long, a request is repeated."""

    max_retries: int = 3
    backoff: Backoff = field(default_factory=Backoff)
    timeout_s: float = 60.0
    """Longest wait for an answer."""


class Connection:
    """One address and one key; threads may share it."""

    def __init__(self, url: str | None, key: str | None, retry: RetryPolicy | None = None) -> None:
        address = url or os.environ.get("PLATFORM_URL", "http://127.0.0.1:8080")
        credential = key or os.environ.get("PLATFORM_API_KEY", "")
        if not credential:
            raise SdkError("PLATFORM_API_KEY is not set: set it, or give the key")
        self._gateway = Gateway(address, credential)
        self._retry = retry or RetryPolicy()

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        data: bytes | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Answer:
        """Raises PlatformError when it is refused, PlatformUnreachableError without an answer after all attempts."""
        sent = dict(headers or {})
        takes_key = any(method == keyed and pattern.match(path) for keyed, pattern in _keyed)
        if takes_key:
            sent.setdefault("idempotency-key", str(uuid.uuid4()))
        may_repeat = method in repeatable or takes_key or (method == "POST" and _command.search(path) is not None)
        wait_s = timeout_s or self._retry.timeout_s
        attempts = 1 + (self._retry.max_retries if may_repeat else 0)
        for attempt in range(1, attempts + 1):
            try:
                return self._gateway.request(
                    method, path, body=body, data=data, query=query, headers=sent, timeout_s=wait_s
                )
            except PlatformUnreachableError:
                if attempt == attempts:
                    raise
                time.sleep(self._retry.backoff.pause_s(attempt))
            except PlatformError as error:
                if attempt == attempts or error.status not in passing:
                    raise
                time.sleep(self._pause_s(attempt, error))
        raise AssertionError("an attempt answers or raises")

    def json(self, method: str, path: str, **options: Any) -> Any:
        """The answer's body. Options as those of `request`."""
        answer = self.request(method, path, **options)
        return answer.json() if answer.body else None

    def pages(self, path: str, query: Mapping[str, Any] | None = None, *, limit: int | None = None) -> Iterator[Any]:
        """The entries of a list over all its pages, at most `limit` of them."""
        left = limit
        asked = {name: value for name, value in (query or {}).items() if value is not None}
        while True:
            if left is not None:
                asked["limit"] = min(left, 1_000)
            answer = self.request("GET", path, query=asked)
            for entry in answer.json():
                if left is not None:
                    if left == 0:
                        return
                    left -= 1
                yield entry
            link = _next_link.search(answer.headers.get("link", ""))
            if link is None or left == 0:
                return
            address = urlsplit(link[1])
            path, asked = address.path, dict(parse_qsl(address.query))

    def events(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """The events of a stream, which is opened again where it breaks off, until the platform ends it."""
        last_id = ""
        failures = 0
        while True:
            headers = {"accept": "text/event-stream", **({"last-event-id": last_id} if last_id else {})}
            try:
                stream = self._gateway.stream("GET", path, query=query, headers=headers)
                for identifier, kind, data in _events_of(iter(stream)):
                    failures = 0
                    if kind == "error":
                        raise StreamFailedError(data)
                    last_id = identifier or last_id
                    yield json.loads(data)
                return
            except StreamFailedError as error:
                if error.code != "unavailable":
                    raise
            except PlatformError as error:
                if error.status not in passing:
                    raise
            except PlatformUnreachableError:
                if failures >= 100:
                    raise
            failures += 1
            time.sleep(self._retry.backoff.pause_s(failures))

    def close(self) -> None:
        self._gateway.close()

    def _pause_s(self, attempt: int, error: PlatformError) -> float:
        asked = error.retry_after_s
        pause = self._retry.backoff.pause_s(attempt) if asked is None else asked
        return min(pause, self._retry.backoff.max_s)


def _events_of(lines: Iterator[bytes]) -> Iterator[tuple[str, str, bytes]]:
    """Id, name and data of server-sent events. An event that is not complete is left out."""
    identifier, kind, data = "", "message", list[bytes]()
    for raw in lines:
        line = raw.rstrip(b"\r")
        if not line:
            if data:
                yield identifier, kind, b"\n".join(data)
            kind, data = "message", []
            continue
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            data.append(value)
        elif name == b"event":
            kind = value.decode()
        elif name == b"id":
            identifier = value.decode()


def deadline(within_s: float | None) -> float:
    return float("inf") if within_s is None else time.monotonic() + within_s
