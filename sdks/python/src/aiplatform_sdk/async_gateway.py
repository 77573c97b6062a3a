"""HTTP to the platform's gateway from a program that runs on asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import IO, Any

import aiohttp
from yarl import URL

from .errors import PlatformUnreachableError
from .http_messages import Answer, Message, answer_of, connect_timeout_s

max_header_bytes = 65_536
"""Of a line: the link to a next page repeats a long filter."""


class AsyncGateway:
    """One address and one key. Tasks of one event loop may share it."""

    def __init__(self, url: str, key: str) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._session: aiohttp.ClientSession | None = None

    @property
    def url(self) -> str:
        return self._url

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        data: bytes | IO[bytes] | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_s: float = 60.0,
    ) -> Answer:
        """Sends one request, once. `body` is sent as JSON, `data` as it is.

        Raises PlatformError for a status of 400 and above, PlatformUnreachableError without an answer.
        """
        response = await self._open(Message(method, path, body, data, query, headers), timeout_s)
        return answer_of(response.status, response.headers, await self._rest_of(response))

    async def stream(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        silence_s: float = 30.0,
    ) -> AsyncLineStream:
        """Opens an answer that is read line by line as it comes; a silence of `silence_s` breaks it.

        Raises as `request` does.
        """
        response = await self._open(Message(method, path, body, None, query, headers), silence_s)
        if response.status >= 400:
            answer_of(response.status, response.headers, await self._rest_of(response))
        return AsyncLineStream(self._url, response)

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _open(self, message: Message, timeout_s: float) -> aiohttp.ClientResponse:
        if self._session is None:
            # A session belongs to the event loop that runs, so it is made by the first request.
            self._session = aiohttp.ClientSession(
                cookie_jar=aiohttp.DummyCookieJar(),
                max_line_size=max_header_bytes,
                max_field_size=max_header_bytes,
            )
        try:
            return await self._session.request(
                message.method,
                URL(message.url(self._url), encoded=True),
                data=message.content(),
                headers=message.all_headers(self._key),
                timeout=aiohttp.ClientTimeout(sock_connect=connect_timeout_s, sock_read=timeout_s),
                allow_redirects=False,
            )
        except (aiohttp.ClientError, OSError, asyncio.TimeoutError) as error:
            raise PlatformUnreachableError(f"no answer from {self._url}: {_said(error)}") from error

    async def _rest_of(self, response: aiohttp.ClientResponse) -> bytes:
        try:
            async with response:
                return await response.read()
        except (aiohttp.ClientError, OSError, asyncio.TimeoutError) as error:
            raise PlatformUnreachableError(f"no answer from {self._url}: {_said(error)}") from error


class AsyncLineStream:
    """The lines of an answer that has not ended."""

    def __init__(self, url: str, response: aiohttp.ClientResponse) -> None:
        self._url = url
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Raises PlatformUnreachableError when the connection breaks."""
        rest = b""
        try:
            async for piece in self._response.content.iter_any():
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    yield line
        except (aiohttp.ClientError, OSError, asyncio.TimeoutError) as error:
            raise PlatformUnreachableError(f"the stream of {self._url} broke off: {_said(error)}") from error
        finally:
            self._response.close()


def _said(error: BaseException) -> str:
    """Time-outs have no text of their own."""
    return str(error) or type(error).__name__
