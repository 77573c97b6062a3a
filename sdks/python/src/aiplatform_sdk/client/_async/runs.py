"""Pipelines, runs and their jobs."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, cast

from ...contract import Checkpoint, Pipeline, RunLiveMetrics, TrainingControlCommandRead
from ...contract import Run as RunRead
from ..requests import Deadline, Json, Progress, quoted
from ..views import AsyncNotebookView, html_of_run, points_of_curve
from .connection import AsyncConnection

Rows = list[Json]

ended_states = {"completed", "failed", "aborted"}
wait_s = 20


class AsyncPipelines:
    """What is trained again and again."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def create(self, name: str, **fields: Any) -> Pipeline:
        body = {"name": name, **fields}
        return cast(Pipeline, await self._connection.json("POST", "/platform/pipelines", body=body))

    async def get(self, pipeline_id: str) -> Pipeline:
        return cast(Pipeline, await self._connection.json("GET", f"/platform/pipelines/{quoted(pipeline_id)}"))

    def list(
        self, *, filter: str | None = None, order_by: str | None = None, limit: int | None = None
    ) -> AsyncIterator[Pipeline]:
        query = {"filter": filter, "order_by": order_by}
        return self._connection.pages("/platform/pipelines", query, limit=limit)


class AsyncRuns:
    """Attempts of pipelines."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def create(
        self,
        pipeline_id: str,
        name: str,
        jobs: Sequence[Mapping[str, Any]],
        *,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> AsyncRun:
        """`jobs`: what each declares, such as name, configuration, overrides and primary metric.

        Created again with the same `idempotency_key` within 24 hours, it is the same run.
        """
        path = f"/platform/pipelines/{quoted(pipeline_id)}/runs"
        body = {"name": name, "jobs": list(jobs), **fields}
        headers = {"idempotency-key": idempotency_key} if idempotency_key is not None else None
        return AsyncRun(self._connection, await self._connection.json("POST", path, body=body, headers=headers))

    async def get(self, pipeline_id: str, run_id: str) -> AsyncRun:
        path = f"/platform/pipelines/{quoted(pipeline_id)}/runs/{quoted(run_id)}"
        return AsyncRun(self._connection, await self._connection.json("GET", path))

    async def list(
        self,
        *,
        filter: str | None = None,
        order_by: str | None = None,
        pipeline_id: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[AsyncRun]:
        path = "/platform/runs" if pipeline_id is None else f"/platform/pipelines/{quoted(pipeline_id)}/runs"
        query = {"filter": filter, "order_by": order_by}
        async for read in self._connection.pages(path, query, limit=limit):
            yield AsyncRun(self._connection, read)

    async def search(
        self,
        *,
        filter: str | None = None,
        order_by: str | None = None,
        pipeline_id: str | None = None,
        limit: int | None = 1_000,
    ) -> Rows:
        """Runs as flat rows, as `pandas.DataFrame` takes them. The grammar is that of the platform's lists."""
        found = self.list(filter=filter, order_by=order_by, pipeline_id=pipeline_id, limit=limit)
        return [run.row() async for run in found]


class AsyncRun(AsyncNotebookView):
    """A run, and what can be done with its jobs. `read` is what the platform has answered last."""

    def __init__(self, connection: AsyncConnection, read: RunRead) -> None:
        self._connection = connection
        self.read = read

    @property
    def id(self) -> str:
        return self.read["id"]

    @property
    def pipeline_id(self) -> str:
        return self.read["pipeline_id"]

    @property
    def name(self) -> str:
        return self.read["name"]

    @property
    def job_name(self) -> str:
        """Of the job that was declared first."""
        job = self.read["jobs"][0]["job"]
        return job["name"] if job is not None else ""

    @property
    def state(self) -> str:
        """Of that job, as it was answered last."""
        return self.read["jobs"][0]["state"]

    @property
    def _path(self) -> str:
        return f"/platform/pipelines/{quoted(self.pipeline_id)}/runs/{quoted(self.id)}"

    def _job_path(self, job_name: str | None) -> str:
        return f"{self._path}/jobs/{quoted(job_name or self.job_name)}"

    async def refresh(self) -> AsyncRun:
        self.read = await self._connection.json("GET", self._path)
        return self

    def row(self) -> Json:
        """Flat: fields, tags, and the configuration of the first job."""
        job = self.read["jobs"][0]["job"] if self.read["jobs"] else None
        configuration = (job["configuration"] if job is not None else None) or {}
        return {
            "id": self.id,
            "pipeline_id": self.pipeline_id,
            "name": self.name,
            "state": self.state,
            "created_at": self.read["created_at"],
            "archived_at": self.read["archived_at"],
            **{f"tags.{name}": text for name, text in self.read["tags"].items()},
            **dict(_flat("configuration", configuration)),
        }

    async def command(
        self,
        action: str,
        *,
        job_name: str | None = None,
        checkpoint_id: str | None = None,
        overrides: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        wait: bool = True,
        within_s: float | None = 300.0,
    ) -> TrainingControlCommandRead:
        """Sends a command; with `wait`, answers it once it is applied or rejected.

        Sent again with the same `idempotency_key`, a UUID, it is the same command. Raises NotSettledError when it is
        still pending after `within_s`.
        """
        job = job_name or self.job_name
        path = f"/pipelines/{quoted(self.pipeline_id)}/runs/{quoted(self.id)}/training/{quoted(job)}/commands"
        body: Json = {"action": action, "idempotency_key": idempotency_key or str(uuid.uuid4())}
        if checkpoint_id is not None:
            body["checkpoint_id"] = checkpoint_id
        if overrides:
            body["runtime_overrides"] = dict(overrides)
        command = cast(TrainingControlCommandRead, await self._connection.json("POST", path, body=body))
        deadline = Deadline(within_s)
        while wait and command["status"] == "pending":
            deadline.check(f"command {command['sequence']} is pending")
            asked = f"{self._job_path(job)}/commands/{command['id']}"
            query = {"wait_seconds": deadline.seconds(wait_s)}
            command = await self._connection.json("GET", asked, query=query)
        return command

    def checkpoints(self, job_name: str | None = None) -> AsyncIterator[Checkpoint]:
        """Newest first."""
        return self._connection.pages(f"{self._job_path(job_name)}/checkpoints")

    async def metrics(self, *names: str, job_name: str | None = None, **query: Any) -> RunLiveMetrics:
        """Where the run stands, and its curves: all, or those of the named metrics."""
        path = f"/pipelines/{quoted(self.pipeline_id)}/runs/{quoted(self.id)}/metrics/"
        asked = {"metric": list(names), "job_name": job_name or self.job_name, **query}
        return cast(RunLiveMetrics, await self._connection.json("GET", path, query=asked))

    def watch(self, **query: Any) -> AsyncIterator[RunLiveMetrics]:
        """The same as it changes, until the job ends or the caller leaves."""
        return self._connection.events(f"{self._path}/metrics/stream", query)

    async def wait(
        self,
        *,
        within_s: float | None = None,
        job_name: str | None = None,
        on_progress: Progress[RunLiveMetrics] | None = None,
    ) -> str:
        """The state of the job once it has ended. Raises NotSettledError after `within_s`.

        `on_progress` is called with the live metrics, without their curves, each time that they have changed.
        """
        deadline = Deadline(within_s)
        sequence: int | None = None
        while True:
            news = {} if sequence is None else {"after_sequence": sequence, "wait_seconds": deadline.seconds(5)}
            found = await self.metrics(job_name=job_name, max_points=0, **news)
            if on_progress is not None and found["sequence"] != sequence:
                on_progress(found)
            if found["status"] in ended_states:
                await self.refresh()
                return found["status"]
            deadline.check(f"run {self.id} is {found['status']}")
            sequence = found["sequence"]

    async def to_html(self) -> str:
        """Name, state and curves, as notebooks show them."""
        found = await self.metrics(max_points=points_of_curve)
        return html_of_run(self.name, found["status"], found["series"])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {json.dumps(self.name)} {self.id} {self.state}>"


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _flat(f"{name}.{key}", each)
    else:
        yield name, value
