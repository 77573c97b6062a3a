# Generated from `client/_async` by `python scripts/generate.py`. Do not edit.
"""The platform's REST API from Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

from ..requests import RetryPolicy
from .connection import Connection
from .models import Deployments, Models
from .runs import Pipelines, Runs


class Platform:
    """The platform, as one key sees it.

    Requests are repeated up to three times where that is safe: reads, replacements, removals, commands, and creations,
    which carry an `Idempotency-Key`.
    """

    def __init__(self, url: str | None = None, key: str | None = None, *, retry: RetryPolicy | None = None) -> None:
        """What is not given comes from `PLATFORM_URL` and `PLATFORM_API_KEY`."""
        self._connection = Connection(url, key, retry)
        self.pipelines = Pipelines(self._connection)
        """What is trained again and again."""
        self.runs = Runs(self._connection)
        """Attempts of pipelines: create, find, get."""
        self.models = Models(self._connection)
        """What training has produced."""
        self.deployments = Deployments(self._connection)
        """Models that answer."""

    def request(
        self, method: str, path: str, *, body: Any = None, query: Mapping[str, Any] | None = None, **options: Any
    ) -> Any:
        """Any operation of the API: the body of its answer."""
        return self._connection.json(method, path, body=body, query=query, **options)

    def pages(self, path: str, query: Mapping[str, Any] | None = None, *, limit: int | None = None) -> Iterator[Any]:
        """The entries of any list of the API, over all its pages."""
        return self._connection.pages(path, query, limit=limit)

    def events(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """The events of any stream of the API, across interruptions."""
        return self._connection.events(path, query)

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Platform:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
