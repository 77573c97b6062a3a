"""The platform's part of the trainer protocol, played from a script over real HTTP, for trainers in any language."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import re
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripted_datasets import ScriptedDatasets
from scripted_server import Disturbance, Moment, Server, Stream, eventually

Json = dict[str, Any]

reported_moves: dict[str, list[str]] = json.loads((Path(__file__).parent / "reported-moves.json").read_text())
"""From each state of a job, those that a trainer may report: the training service's table."""


@dataclass
class Job:
    """What the platform knows of the job."""

    state: str = "queued"
    segment: int = 0
    epoch: int = 0
    attachment_id: str = ""
    replaced: set[str] = field(default_factory=set)
    declared: Json = field(default_factory=dict)
    commands: list[Json] = field(default_factory=list)
    reports: dict[int, Json] = field(default_factory=dict)
    checkpoints: dict[str, Json] = field(default_factory=dict)
    artifact: Json | None = None


class ScriptedPlatform:
    """Answers as the script says; `answers` is how outcomes are answered."""

    def __init__(self) -> None:
        self.pipeline_id, self.run_id, self.job_name = str(uuid.uuid4()), str(uuid.uuid4()), "train"
        self.job = Job()
        self.states: list[str] = []
        self.outcomes: list[Json] = []
        self.attachments: list[Json] = []
        self.sent: list[Json] = []
        """Every report that arrived, repeated ones, too."""
        self.uploads: dict[str, bytes] = {}
        self.data = ScriptedDatasets(f"/platform/pipelines/{self.pipeline_id}/runs/{self.run_id}")
        self.answers = "recorded"
        self.takes_uploads = True
        self.forbids = False
        """Whether the key lacks a permission."""
        self.refuse_reports: Callable[[Json], tuple[int, Json] | None] = lambda report: None
        self.disturb: Callable[[str, Moment], Disturbance | None] = lambda kind, moment: None
        """Called with each kind: `attach`, `report`, `checkpoint`, `outcome`, `upload`, `download`, `state running`…"""
        self.illegal_moves: list[tuple[str, str]] = []
        self.lock = threading.RLock()
        self._streams: list[Stream] = []
        self._server: Server | None = None
        self._port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> ScriptedPlatform:
        self._server = Server(("127.0.0.1", self._port), self) if self._port else self._first_server()
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def _first_server(self) -> Server:
        """At a port that the system gives to no client: one that asks again could take it while we are away.
        Below 10,081 are those of other protocols, to which JavaScript's `fetch` sends nothing."""
        while True:
            try:
                return Server(("127.0.0.1", random.randrange(10_100, 32_000)), self)
            except OSError:
                continue

    def is_served_by(self, server: Server) -> bool:
        return self._server is server

    def leave(self) -> None:
        """Breaks all connections and takes no more."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server.break_connections()
            self._server = None

    def __enter__(self) -> ScriptedPlatform:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.leave()

    def command(self, action: str, *, checkpoint_id: str | None = None, epoch: int = 0, **overrides: Any) -> str:
        """Records a command and sends it to the trainer."""
        with self.lock:
            command = {
                "id": str(uuid.uuid4()),
                "sequence": len(self.job.commands) + 1,
                "action": action,
                "checkpoint_id": checkpoint_id,
                "runtime_overrides": overrides,
                "status": "pending",
            }
            self.job.commands.append(command)
            self.job.epoch = max(self.job.epoch, epoch)
            self.tell(self._delivery(command, epoch))
            return str(command["id"])

    def withdraw(self, command_id: str) -> None:
        with self.lock:
            command = self._command(command_id)
            command["status"] = "rejected"
            self.tell(
                {"withdrawal": {"command_id": command_id, "sequence": command["sequence"], "detail": "superseded"}}
            )

    def tell(self, event: Json) -> None:
        with self.lock:
            for stream in self._streams:
                stream.events.append(event)

    def take_over(self) -> None:
        """Another program becomes the job's trainer."""
        with self.lock:
            self.job.replaced.add(self.job.attachment_id)
            self.job.attachment_id = str(uuid.uuid4())
            self.tell({"detached": {"attachment_id": self.job.attachment_id}})

    def other_trainer_attaches(self) -> str:
        """As a program in another place would; its attachment."""
        with self.lock:
            former, attachment_id = self.job.attachment_id, str(uuid.uuid4())
            self.attach({"attachment_id": attachment_id})
            self.job.replaced.add(former)
            return attachment_id

    def backup(self) -> Job:
        with self.lock:
            return copy.deepcopy(self.job)

    def restore(self, backup: Job) -> None:
        """Forgets everything since then, and has trainers attach again."""
        with self.lock:
            self.job = backup
            self.end_streams()

    def acknowledged(self, command_id: str) -> list[Json]:
        return [outcome for outcome in self.outcomes if outcome["command_id"] == command_id]

    def outcome_of(self, command_id: str) -> Json:
        """Waits for what the trainer says became of a command, and answers it as the platform recorded it."""
        eventually(lambda: self.acknowledged(command_id))
        return self.acknowledged(command_id)[0]

    def curve(self, metric: str, segment: int = 0) -> list[tuple[int, float]]:
        """Points in the order of the reports."""
        with self.lock:
            return [
                (step, value)
                for _, report in sorted(self.job.reports.items())
                if report["segment_index"] == segment
                for column in report.get("columns", [])
                if column["name"] == metric
                for step, value in zip(column["steps"], column["values"], strict=True)
            ]

    def reached(self, step: int, segment: int = 0, metric: str = "loss") -> None:
        eventually(lambda: any(at >= step for at, _ in self.curve(metric, segment)))

    def answer(self, method: str, path: str, body: Any, headers: Any) -> tuple[int, Any]:
        """Status and body of the answer to a request that is no stream."""
        if match := re.fullmatch(r"/platform/artifacts/([0-9a-f]{64})(/upload)?", path):
            return self._upload(method, match[1], body, headers)
        with self.lock:
            if body["attachment_id"] != self.job.attachment_id:
                return 409, {"detail": "another program is the job's trainer", "code": "attachment_lost"}
            if path.endswith("/state"):
                return self._state(body)
            if path.endswith("/reports"):
                return self._report(body)
            if path.endswith("/checkpoints"):
                checkpoint = {"step": 0, **body["checkpoint"]}
                self.job.checkpoints[checkpoint["id"]] = checkpoint
                return 201, checkpoint
            if match := re.search(r"/commands/([^/]+)/outcome$", path):
                return self._outcome(match[1], body)
        return 404, {"detail": "Not found"}

    def attach(self, body: Json) -> Stream:
        with self.lock:
            self.attachments.append(body)
            stream = Stream()
            job = self.job
            if body["attachment_id"] in job.replaced:
                stream.events.append({"detached": {"attachment_id": job.attachment_id}})
                return stream
            if job.attachment_id and job.attachment_id != body["attachment_id"]:
                job.replaced.add(job.attachment_id)
                self.tell({"detached": {"attachment_id": body["attachment_id"]}})
                self._streams.clear()
            job.attachment_id = body["attachment_id"]
            last = body.get("last_sequence", 0)
            known = {command["id"] for command in job.commands}
            set_back = body.get("last_command_id") not in {None, *known}
            attached = {
                "job": {"job": {"name": self.job_name, **job.declared}, "state": job.state},
                "durable_counter": max(job.reports, default=0),
                "active_segment": job.segment,
                "checkpoints": list(job.checkpoints.values()),
                "epoch": job.epoch,
                "set_back": set_back,
                **({"datasets": self.data.versions, "datasets_told": True} if self.data.is_told else {}),
            }
            stream.events.append({"attached": attached})
            for command in job.commands:
                if command["status"] == "pending" and (set_back or command["sequence"] > last):
                    stream.events.append(self._delivery(command, job.epoch))
            self._streams.append(stream)
            return stream

    def end_streams(self, event: Json | None = None) -> None:
        """Ends the streams of commands, after a last event."""
        with self.lock:
            for stream in self._streams:
                stream.events.extend([event] if event else [])
                stream.ended = True
            self._streams.clear()

    def _delivery(self, command: Json, epoch: int) -> Json:
        newest = next(reversed(self.job.checkpoints.values()), {"id": None})
        resolved = command["checkpoint_id"] or (newest["id"] if command["action"] != "pause" else None)
        return {
            "command": {"command": command, "epoch": epoch, "resolved_checkpoint_id": resolved, "traceparent": None}
        }

    def _command(self, command_id: str) -> Json:
        return next(command for command in self.job.commands if command["id"] == command_id)

    def _state(self, body: Json) -> tuple[int, Json]:
        former, state = self.job.state, body["state"]
        if state != former and state not in reported_moves[former]:
            self.illegal_moves.append((former, state))
            return 409, {"detail": f"a trainer cannot move a job from {former} to {state}", "code": "illegal_move"}
        self.states.append(state)
        self.job.state = state
        self.job.artifact = body.get("artifact") or self.job.artifact
        return 200, {"state": body["state"]}

    def _report(self, body: Json) -> tuple[int, Json]:
        body = {"segment_index": 0, **body}
        self.sent.append(body)
        refusal = self.refuse_reports(body)
        if refusal is not None:
            return refusal
        if body["segment_index"] > self.job.segment:
            return 422, {"detail": f"segment_index is {body['segment_index']}, but the newest is {self.job.segment}"}
        self.job.reports.setdefault(body["counter"], body)
        return 200, {"durable_counter": max(self.job.reports), "sequence": len(self.job.reports)}

    def _outcome(self, command_id: str, body: Json) -> tuple[int, Json]:
        self.outcomes.append({**body, "command_id": command_id})
        if self.answers == "never":
            return 503, {"detail": "not now"}
        if self.answers == "unknown":
            return 404, {"detail": "Not found"}
        if self.answers != "recorded":
            return 409, {"detail": self.answers.replace("_", " "), "code": self.answers}
        command, applied = self._command(command_id), body.get("applied")
        if command["status"] == "pending":
            command["status"] = "applied" if applied is not None else "rejected"
            if applied is not None:
                self._record(command["action"], applied)
        return 200, {"command": command, "state": self.job.state, "active_segment": self.job.segment}

    def _record(self, action: str, applied: Json) -> None:
        ends = {"pause": "paused", "finish_from_checkpoint": "completed", "abort": "aborted"}
        self.job.state = ends.get(action, "running")
        if action in ("resume", "rollback", "warm_restart"):
            self.job.segment += 1
        if (checkpoint := applied.get("checkpoint")) is not None:
            self.job.checkpoints[checkpoint["id"]] = checkpoint
        self.job.artifact = applied.get("artifact") or self.job.artifact

    def _upload(self, method: str, sha256: str, body: Any, headers: Any) -> tuple[int, Json]:
        with self.lock:
            stored = self.uploads.setdefault(sha256, b"")
            if not self.takes_uploads:
                return 503, {"detail": "not now"}
            if method == "PATCH":
                if int(headers["upload-offset"]) != len(stored):
                    return 409, {"detail": "offset", "code": "upload_offset"}
                stored = self.uploads[sha256] = stored + body
            if method == "PUT":
                stored = self.uploads[sha256] = body
            complete = hashlib.sha256(stored).hexdigest() == sha256
            return 200, {"received_bytes": len(stored), "complete": complete}
