"""HTTP to the platform's gateway."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import IO, Any

import urllib3

from .errors import PlatformUnreachableError
from .http_messages import Answer, Message, answer_of, connect_timeout_s


class Gateway:
    """One address and one key. Threads may share it."""

    def __init__(self, url: str, key: str) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._pool = urllib3.PoolManager(maxsize=8, retries=False)

    @property
    def url(self) -> str:
        return self._url

    def request(
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
        response = self._open(Message(method, path, body, data, query, headers), timeout_s, preload=True)
        return answer_of(response.status, response.headers, response.data)

    def stream(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        silence_s: float = 30.0,
    ) -> LineStream:
        """Opens an answer that is read line by line as it comes; a silence of `silence_s` breaks it.

        Raises as `request` does.
        """
        response = self._open(Message(method, path, body, None, query, headers), silence_s, preload=False)
        if response.status >= 400:
            answer_of(response.status, response.headers, response.read())
        return LineStream(self._url, response)

    def download(self, path: str, *, headers: Mapping[str, str] | None = None, silence_s: float = 30.0) -> ByteStream:
        """Opens an answer of bytes, which need not fit into memory; a silence of `silence_s` breaks it.

        Raises as `request` does.
        """
        response = self._open(Message("GET", path, headers=headers), silence_s, preload=False)
        if response.status >= 400:
            answer_of(response.status, response.headers, response.read())
        return ByteStream(self._url, response)

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    def close(self) -> None:
        self._pool.clear()

    def _open(self, message: Message, timeout_s: float, *, preload: bool) -> urllib3.BaseHTTPResponse:
        try:
            return self._pool.request(
                message.method,
                message.url(self._url),
                body=message.content(),
                headers=message.all_headers(self._key),
                timeout=urllib3.Timeout(connect=connect_timeout_s, read=timeout_s),
                preload_content=preload,
                redirect=False,
            )
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise PlatformUnreachableError(f"no answer from {self._url}: {error}") from error


class ByteStream:
    """The bytes of an answer, in pieces. Use it as a context."""

    def __init__(self, url: str, response: urllib3.BaseHTTPResponse) -> None:
        self._url = url
        self._response = response
        self.status = response.status

    def __enter__(self) -> ByteStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._response.close()

    def __iter__(self) -> Iterator[bytes]:
        """Raises PlatformUnreachableError when the connection breaks."""
        try:
            # What has arrived, so that as much as possible is kept of an answer that breaks off.
            while piece := self._response.read1(1 << 20):
                yield piece
        except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            raise PlatformUnreachableError(f"the answer of {self._url} broke off: {error}") from error

    def shutdown(self) -> None:
        """Ends the reading, from another thread or a handler of a signal."""
        _shut_down(self._response)


class LineStream:
    """The lines of an answer that has not ended."""

    def __init__(self, url: str, response: urllib3.BaseHTTPResponse) -> None:
        self._url = url
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        """Raises PlatformUnreachableError when the connection breaks."""
        rest = b""
        try:
            # What has arrived, however little it is: an event must not wait for those after it.
            while piece := self._response.read1(65536):
                *lines, rest = (rest + piece).split(b"\n")
                yield from lines
        except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            raise PlatformUnreachableError(f"the stream of {self._url} broke off: {error}") from error
        finally:
            self._response.close()

    def shutdown(self) -> None:
        """Ends the reading, from another thread."""
        _shut_down(self._response)


def _shut_down(response: urllib3.BaseHTTPResponse) -> None:
    if isinstance(response, urllib3.HTTPResponse):
        try:
            response.shutdown()
        except (ValueError, OSError, RuntimeError):
            # It has ended already.
            return
