"""The platform's REST API from Python."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any

from ..requests import RetryPolicy
from .connection import AsyncConnection
from .models import AsyncDeployments, AsyncModels
from .runs import AsyncPipelines, AsyncRuns


class AsyncPlatform:
    """The platform, as one key sees it.

    Requests are repeated up to three times where that is safe: reads, replacements, removals, commands, and creations,
    which carry an `Idempotency-Key`.
    """

    def __init__(self, url: str | None = None, key: str | None = None, *, retry: RetryPolicy | None = None) -> None:
        """What is not given comes from `PLATFORM_URL` and `PLATFORM_API_KEY`."""
        self._connection = AsyncConnection(url, key, retry)
        self.pipelines = AsyncPipelines(self._connection)
        """What is trained again and again."""
        self.runs = AsyncRuns(self._connection)
        """Attempts of pipelines: create, find, get."""
        self.models = AsyncModels(self._connection)
        """What training has produced."""
        self.deployments = AsyncDeployments(self._connection)
        """Models that answer."""

    async def request(
        self, method: str, path: str, *, body: Any = None, query: Mapping[str, Any] | None = None, **options: Any
    ) -> Any:
        """Any operation of the API: the body of its answer."""
        return await self._connection.json(method, path, body=body, query=query, **options)

    def pages(
        self, path: str, query: Mapping[str, Any] | None = None, *, limit: int | None = None
    ) -> AsyncIterator[Any]:
        """The entries of any list of the API, over all its pages."""
        return self._connection.pages(path, query, limit=limit)

    def events(self, path: str, query: Mapping[str, Any] | None = None) -> AsyncIterator[Any]:
        """The events of any stream of the API, across interruptions."""
        return self._connection.events(path, query)

    async def close(self) -> None:
        await self._connection.close()

    async def __aenter__(self) -> AsyncPlatform:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
