"""The client against a server that answers from a script."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import numpy as np
import pytest
from blocking import Blocking

from aiplatform_sdk import (
    NotSettledError,
    Platform,
    PlatformError,
    PlatformUnreachableError,
    RetryPolicy,
    Run,
    StreamFailedError,
)
from aiplatform_sdk.aio import AsyncPlatform
from aiplatform_sdk.backoff import Backoff
from aiplatform_sdk.client.curve import svg_of
from aiplatform_sdk.client.tensors import TensorError, arrays_of, request_of
from aiplatform_sdk.http_messages import Answer


class Asked(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Script:
    """What a server answers, one after the other: status, headers and body. `None` breaks the connection.

    It is asked by the client on asyncio, if `on_asyncio`, or by the other one.
    """

    def __init__(self, *, on_asyncio: bool) -> None:
        self.answers: list[tuple[int, dict[str, str], Any] | None] = []
        self.asked: list[Asked] = []
        handler = type("Handler", (_Handler,), {"script": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        retry = RetryPolicy(backoff=Backoff(0.001, 0.01))
        self.url = url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._loop = asyncio.new_event_loop() if on_asyncio else None
        self.platform: Any = (
            Platform(url, "key", retry=retry)
            if self._loop is None
            else Blocking(AsyncPlatform(url, "key", retry=retry), self._loop)
        )

    def end(self) -> None:
        self.platform.close()
        if self._loop is not None:
            self._loop.close()
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    script: Script
    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.script.asked.append(Asked(self.command, self.path, headers, body))
        answer = self.script.answers.pop(0)
        if answer is None:
            self.close_connection = True
            self.connection.close()
            return
        status, more, content = answer
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"content-length": str(len(text)), **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)
        # A script whose content is shorter than it says breaks off here.
        self.close_connection = int(more.get("content-length", len(text))) != len(text)

    do_GET = do_POST = do_DELETE = _answer  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""


@pytest.fixture(params=["blocking", "on asyncio"])
def script(request: pytest.FixtureRequest) -> Iterator[Script]:
    script = Script(on_asyncio=request.param == "on asyncio")
    yield script
    script.end()


def run_of(**fields: Any) -> dict[str, Any]:
    job = {"job": {"name": "train", "configuration": {"rate": 0.1, "net": {"depth": 3}}}, "state": "running"}
    whole = {"id": "r", "pipeline_id": "p", "name": "n", "jobs": [job], "tags": {"team": "vision"}}
    return {**whole, "created_at": "2026-01-01T00:00:00Z", "archived_at": None, **fields}


Ask = Callable[[Any], object]
creates: Ask = lambda platform: platform.pipelines.create("a")  # noqa: E731
commands: Ask = lambda platform: platform.request("POST", "/pipelines/p/runs/r/training/j/commands", body={})  # noqa: E731
reads: Ask = lambda platform: platform.models.get("m")  # noqa: E731
posts: Ask = lambda platform: platform.request("POST", "/platform/job-commands", body={})  # noqa: E731


@pytest.mark.parametrize("ask", [creates, commands, reads])
@pytest.mark.parametrize("failure", [None, (503, {}, {}), (429, {"retry-after": "0"}, {}), (502, {}, b"<html>")])
def test_a_request_that_may_be_repeated_is_repeated_as_it_was(script: Script, ask: Ask, failure: Any) -> None:
    script.answers = [failure, failure, (200, {}, {"id": "x"})]
    assert ask(script.platform) == {"id": "x"}
    assert len(script.asked) == 3
    assert len({(asked.body, asked.headers.get("idempotency-key")) for asked in script.asked}) == 1


def test_a_creation_carries_an_idempotency_key_and_a_request_that_takes_none_does_not(script: Script) -> None:
    script.answers = [(201, {}, {}), (200, {}, {})]
    creates(script.platform)
    posts(script.platform)
    assert ["idempotency-key" in asked.headers for asked in script.asked] == [True, False]


@pytest.mark.parametrize("failure", [None, (503, {}, {})])
def test_a_request_whose_repeat_could_have_a_second_effect_is_sent_once(script: Script, failure: Any) -> None:
    script.answers = [failure]
    with pytest.raises((PlatformUnreachableError, PlatformError)):
        posts(script.platform)
    assert len(script.asked) == 1


def test_a_refusal_is_not_repeated_and_names_every_field(script: Script) -> None:
    problems = [{"loc": ["body", name], "msg": "Field required", "type": "missing"} for name in ("a", "b")]
    script.answers = [(422, {"x-request-id": "id"}, {"detail": problems})]
    with pytest.raises(PlatformError, match=r"body\.a: Field required; body\.b") as caught:
        reads(script.platform)
    assert [problem.type for problem in caught.value.problems] == ["missing", "missing"]
    assert (caught.value.request_id, len(script.asked)) == ("id", 1)


def test_a_list_is_read_over_all_its_pages(script: Script) -> None:
    link = '</platform/runs?cursor=two&filter=a+%3D+1>; rel="next"'
    script.answers = [(200, {"link": link}, [run_of(id="1")]), (200, {}, [run_of(id="2")])]
    assert [run.id for run in script.platform.runs.list(filter="a = 1")] == ["1", "2"]
    assert [asked.path for asked in script.asked] == [
        "/platform/runs?filter=a+%3D+1",
        "/platform/runs?cursor=two&filter=a+%3D+1",
    ]


def test_no_more_of_a_list_is_read_than_was_asked_for(script: Script) -> None:
    script.answers = [(200, {"link": '</platform/runs?cursor=two>; rel="next"'}, [run_of(id="1"), run_of(id="2")])]
    assert [run.id for run in script.platform.runs.list(limit=2)] == ["1", "2"]
    assert "limit=2" in script.asked[0].path


def test_runs_are_found_as_flat_rows(script: Script) -> None:
    script.answers = [(200, {}, [run_of()])]
    (row,) = script.platform.runs.search(filter="metrics.loss < 1", order_by="metrics.loss")
    assert row["tags.team"] == "vision"
    assert (row["configuration.rate"], row["configuration.net.depth"], row["state"]) == (0.1, 3, "running")


def test_a_command_is_waited_for_until_it_is_decided(script: Script) -> None:
    pending = {"id": "c", "sequence": 1, "status": "pending"}
    applied = {**pending, "status": "applied"}
    script.answers = [(200, {}, run_of()), (201, {}, pending), (200, {}, pending), (200, {}, applied)]
    run = script.platform.runs.get("p", "r")
    assert run.command("continue", overrides={"rate": 1})["status"] == "applied"
    sent = json.loads(script.asked[1].body)
    assert (sent["action"], sent["runtime_overrides"]) == ("continue", {"rate": 1})


def test_a_run_is_waited_for_until_it_ends_and_each_change_is_shown(script: Script) -> None:
    looks = [{"status": status, "sequence": at} for status, at in [("running", 1), ("running", 1), ("completed", 2)]]
    script.answers = [(200, {}, run_of()), *((200, {}, look) for look in looks), (200, {}, run_of(name="new"))]
    run, shown = script.platform.runs.get("p", "r"), list[int]()
    assert run.wait(on_progress=lambda news: shown.append(news["sequence"])) == "completed"
    assert (shown, run.name) == ([1, 2], "new")
    assert ["wait_seconds" in asked.path for asked in script.asked] == [False, False, True, True, False]


def test_a_wait_ends_with_its_time(script: Script) -> None:
    script.answers = [(200, {}, run_of()), (200, {}, {"status": "running", "sequence": 1})]
    with pytest.raises(NotSettledError, match="run r is running after 0 s"):
        script.platform.runs.get("p", "r").wait(within_s=0)


def test_a_stream_that_breaks_off_goes_on_after_its_last_event(script: Script) -> None:
    broken = b'id: 1\ndata: {"a": 1}\n\nid: 2\ndata: {"a"'
    whole = b': comment\r\nid: 2\r\nevent: message\r\ndata: {"a":\r\ndata: 2}\r\n\r\n'
    script.answers = [(200, {"content-length": "999"}, broken), (503, {}, {}), (200, {}, whole)]
    assert list(script.platform.events("/stream")) == [{"a": 1}, {"a": 2}]
    assert [asked.headers.get("last-event-id") for asked in script.asked] == [None, "1", "1"]


def test_a_stream_that_its_reader_leaves_is_closed(script: Script) -> None:
    script.answers = [(200, {"content-length": "999"}, b"data: 1\n\n"), (200, {}, {"id": "m"})]
    assert next(script.platform.events("/stream")) == 1
    assert reads(script.platform) == {"id": "m"}


def test_tasks_of_one_loop_share_a_client() -> None:
    script = Script(on_asyncio=True)
    script.answers = [(200, {}, {"id": "m"})] * 20

    async def read() -> list[Any]:
        async with AsyncPlatform(script.url, "key") as platform:
            return await asyncio.gather(*(platform.models.get("m") for _ in range(20)))

    assert asyncio.run(read()) == [{"id": "m"}] * 20
    script.end()


def test_a_stream_that_fails_for_good_is_an_error(script: Script) -> None:
    script.answers = [(200, {}, b'event: error\ndata: {"detail": "it is gone", "code": "not_found"}\n\n')]
    with pytest.raises(StreamFailedError, match="it is gone"):
        list(script.platform.events("/stream"))


def test_a_notebook_shows_a_run_with_its_curve_and_escapes_its_name(script: Script) -> None:
    series = {"loss": {"steps": [1, 2, 3], "values": [1.0, "NaN", 0.25]}}
    script.answers = [(200, {}, run_of(name="<b>")), (200, {}, {"status": "running", "series": series})]
    run = script.platform.runs.get("p", "r")
    shown = run._repr_html_() if isinstance(run, Run) else run.to_html()
    assert "&lt;b&gt;" in shown
    assert 'points="8.0,152.0' not in shown, "the first point is the greatest, so it is at the top"
    assert shown.count("<polyline") == 1
    assert "loss 0.25" in shown


def test_a_curve_of_one_point_or_of_none_can_be_drawn() -> None:
    assert "240.0,86.0" in svg_of([("a", [1], [5.0])])
    assert "polyline" not in svg_of([("a", [1], [float("nan")]), ("b", [], [])])


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int64", "float16", "float32", "float64"])
def test_arrays_come_back_from_their_binary_form_bit_by_bit(dtype: str) -> None:
    array = np.arange(6).reshape(2, 3).astype(dtype)
    body, headers = request_of({"a": array, "b": array[:, ::2]})
    length = int(headers["inference-header-content-length"])
    head = json.loads(body[:length])
    answer = Answer(200, headers, json.dumps({"outputs": head["inputs"]}).encode() + body[length:])
    headers["inference-header-content-length"] = str(len(answer.body) - len(body[length:]))
    found = arrays_of(answer)
    assert found["a"].dtype == array.dtype
    assert np.array_equal(found["a"], array)
    assert np.array_equal(found["b"], array[:, ::2])


def test_an_array_that_the_protocol_has_no_type_for_is_named() -> None:
    with pytest.raises(TensorError, match="words has the type"):
        request_of({"words": np.array(["a"])})
