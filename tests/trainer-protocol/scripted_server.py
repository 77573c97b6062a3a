"""The HTTP of the scripted platform: requests that may be disturbed, downloads that break off, and streams that end."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from scripted_platform import ScriptedPlatform

Json = dict[str, Any]

Moment = Literal["before", "after"]
"""Before a request is looked at, or after what it asks for is done, and before it is answered."""
Disturbance = Literal["no answer", "busy"]


def eventually(condition: Callable[[], Any], within_s: float = 90.0) -> None:
    """Returns when the condition holds."""
    end = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"this did not come true within {within_s:g} s: {condition}")
        time.sleep(0.02)


def kind_of(path: str, body: Any) -> str:
    """What a request is about."""
    last = path.rstrip("/").rpartition("/")[2]
    kinds = {"commands": "attach", "reports": "report", "checkpoints": "checkpoint", "outcome": "outcome"}
    return f"state {body['state']}" if last == "state" else {**kinds, "content": "download"}.get(last, "upload")


class Stream:
    def __init__(self) -> None:
        self.events: list[Json] = []
        self.ended = False


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], platform: ScriptedPlatform) -> None:
        self.platform = platform
        self.connections: set[Any] = set()
        super().__init__(address, Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections.add(request)
        super().process_request(request, client_address)

    def break_connections(self) -> None:
        for connection in list(self.connections):
            try:
                connection.shutdown(2)
            except OSError:
                continue

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Broken connections are part of the script."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def _answer(self) -> None:
        platform = self.server.platform
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        if platform.forbids:
            self._send(403, {"detail": "the key lacks metrics:report", "code": "permission_denied"})
            return
        is_json = self.headers.get("content-type") == "application/json"
        asked = json.loads(content) if is_json else content
        kind = kind_of(self.path, asked)
        if self._is_disturbed(kind, "before"):
            return
        if kind == "attach":
            stream = platform.attach(asked)
            if not self._is_disturbed(kind, "after"):
                self._stream(stream)
            return
        if kind == "download":
            self._download(*platform.data.answer(self.path, self.headers))
            return
        status, body = platform.answer(self.command, self.path, asked, self.headers)
        if not self._is_disturbed(kind, "after"):
            self._send(status, body)

    def _is_disturbed(self, kind: str, moment: Moment) -> bool:
        disturbance = self.server.platform.disturb(kind, moment)
        if disturbance == "busy":
            self._send(503, {"detail": "Temporarily unavailable", "code": "unavailable"})
        elif disturbance == "no answer":
            self.close_connection = True
            self.connection.shutdown(2)
        return disturbance is not None

    def _send(self, status: int, body: Any) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _download(self, status: int, content: bytes, cut: int | None) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/vnd.apache.parquet" if status < 400 else "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:cut])
        if cut is not None:
            self.wfile.flush()
            eventually(self.server.platform.data.has_arrived)
            self.close_connection = True
            self.connection.shutdown(2)

    do_GET = do_PUT = do_POST = do_PATCH = _answer  # noqa: N815

    def _stream(self, stream: Stream) -> None:
        self.send_response(200)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        while not (stream.ended and not stream.events):
            if not stream.events:
                time.sleep(0.02)
                if not self.server.platform.is_served_by(self.server):
                    self.close_connection = True
                    return
                continue
            line = json.dumps(stream.events.pop(0)).encode() + b"\n"
            self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
            if b'"detached"' in line:
                break
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""
