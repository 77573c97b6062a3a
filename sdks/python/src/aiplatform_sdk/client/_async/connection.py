"""Requests that are repeated where that is safe."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from ...async_gateway import AsyncGateway
from ...errors import PlatformError, PlatformUnreachableError, StreamFailedError
from ...http_messages import Answer
from ..requests import (
    EventParser,
    Page,
    RetryPolicy,
    address_and_key,
    first_page,
    max_failures_of_stream,
    passing,
    repeatable_headers,
)


class AsyncConnection:
    """One address and one key."""

    def __init__(self, url: str | None, key: str | None, retry: RetryPolicy | None = None) -> None:
        self._gateway = AsyncGateway(*address_and_key(url, key))
        self._retry = retry or RetryPolicy()

    async def request(
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
        sent, may_repeat = repeatable_headers(method, path, headers)
        wait_s = timeout_s or self._retry.timeout_s
        attempts = 1 + (self._retry.max_retries if may_repeat else 0)
        for attempt in range(1, attempts + 1):
            try:
                return await self._gateway.request(
                    method, path, body=body, data=data, query=query, headers=sent, timeout_s=wait_s
                )
            except (PlatformUnreachableError, PlatformError) as error:
                pause_s = self._retry.pause_s(attempt, error)
                if attempt == attempts or pause_s is None:
                    raise
            await self._gateway.pause(pause_s)
        raise AssertionError("an attempt answers or raises")

    async def json(self, method: str, path: str, **options: Any) -> Any:
        """The answer's body. Options as those of `request`."""
        answer = await self.request(method, path, **options)
        return answer.json() if answer.body else None

    async def pages(
        self, path: str, query: Mapping[str, Any] | None = None, *, limit: int | None = None
    ) -> AsyncIterator[Any]:
        """The entries of a list over all its pages, at most `limit` of them."""
        page: Page | None = first_page(path, query, limit)
        while page is not None:
            answer = await self.request("GET", page.path, query=page.asked())
            entries = answer.json()[: page.left]
            for entry in entries:
                yield entry
            page = page.after(len(entries), answer.headers)

    async def events(self, path: str, query: Mapping[str, Any] | None = None) -> AsyncIterator[Any]:
        """The events of a stream, which is opened again where it breaks off, until the platform ends it."""
        last_id = ""
        failures = 0
        while True:
            headers = {"accept": "text/event-stream", **({"last-event-id": last_id} if last_id else {})}
            parser = EventParser()
            try:
                stream = await self._gateway.stream("GET", path, query=query, headers=headers)
                async for line in stream:
                    event = parser.take(line)
                    if event is None:
                        continue
                    failures = 0
                    if event.kind == "error":
                        raise StreamFailedError(event.data)
                    last_id = event.id or last_id
                    yield json.loads(event.data)
                return
            except StreamFailedError as error:
                if error.code != "unavailable":
                    raise
            except PlatformError as error:
                if error.status not in passing:
                    raise
            except PlatformUnreachableError:
                if failures >= max_failures_of_stream:
                    raise
            failures += 1
            await self.pause(self._retry.backoff.pause_s(failures))

    async def pause(self, seconds: float) -> None:
        await self._gateway.pause(seconds)

    async def close(self) -> None:
        await self._gateway.close()
