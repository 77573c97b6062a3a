"""A client on asyncio, used as the one that blocks: so both are held to the same tests."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any


class Blocking:
    """Waits for what the client's methods answer; iterators and objects of the client are used in the same way."""

    def __init__(self, wrapped: object, loop: asyncio.AbstractEventLoop) -> None:
        self._wrapped = wrapped
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        return self._shown(getattr(self._wrapped, name))

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        assert callable(self._wrapped)
        return self._shown(self._wrapped(*arguments, **named))

    def __repr__(self) -> str:
        return repr(self._wrapped)

    def _shown(self, value: Any) -> Any:
        if inspect.isawaitable(value):
            return self._shown(self._loop.run_until_complete(_result_of(value)))
        if isinstance(value, AsyncIterator):
            return self._each(value)
        is_of_client = type(value).__module__.startswith("aiplatform_sdk.client._async")
        return Blocking(value, self._loop) if is_of_client or callable(value) else value

    def _each(self, values: AsyncIterator[Any]) -> Iterator[Any]:
        end = object()
        while (value := self._loop.run_until_complete(_result_of(anext(values, end)))) is not end:
            yield self._shown(value)


async def _result_of(value: Any) -> Any:
    return await value
