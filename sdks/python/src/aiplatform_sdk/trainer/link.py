"""The attachment to the platform."""

from __future__ import annotations

import json
import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from ..backoff import Backoff
from ..errors import PlatformError, PlatformUnreachableError
from ..gateway import Gateway, LineStream
from .journal import Outcome

log = logging.getLogger("aiplatform_sdk")

Json = dict[str, Any]


@dataclass(frozen=True)
class JobAddress:
    """A job, and the attachment of the trainer that speaks of it."""

    pipeline_id: str
    run_id: str
    job_name: str
    attachment_id: str

    @property
    def run_path(self) -> str:
        return f"/platform/pipelines/{quote(self.pipeline_id, safe='')}/runs/{quote(self.run_id, safe='')}"

    @property
    def path(self) -> str:
        return f"{self.run_path}/jobs/{quote(self.job_name, safe='')}"


@dataclass(frozen=True)
class Attached:
    """The platform answered an attachment; where the job stands."""

    job: Json
    state: str
    segment: int
    epoch: int
    checkpoint_ids: frozenset[str]
    set_back: bool
    datasets: tuple[Json, ...] | None = None
    """None: a platform of an earlier version does not tell."""


@dataclass(frozen=True)
class WaitingCommand:
    """A command that was delivered and waits for the next step boundary."""

    id: str
    sequence: int
    action: str
    overrides: Json
    epoch: int
    checkpoint_id: str | None
    """Resolved by the platform, else the one asked for."""


@dataclass(frozen=True)
class Withdrawal:
    """A command that must no longer be applied."""

    sequence: int


@dataclass(frozen=True)
class Pruned:
    """Checkpoints that no command will name any longer."""

    checkpoint_ids: tuple[str, ...]


@dataclass(frozen=True)
class Detached:
    """Another process is the job's trainer now."""


@dataclass(frozen=True)
class Stop:
    """The process was asked to stop."""


@dataclass(frozen=True)
class Answered:
    """The platform's answer to an outcome: recorded; already decided otherwise; command unknown."""

    outcome: Outcome
    case: Literal["recorded", "resolved", "unknown"]
    segment: int = 0
    state: str = ""
    why: str = ""


Event = Attached | WaitingCommand | Withdrawal | Pruned | Detached | Stop | Answered

decided_otherwise = {"command_resolved", "command_out_of_order"}
"""Refusals of an outcome that no repeat will change; everything else is worth another attempt."""
unary_timeout_s = 10.0
state_timeout_s = 5.0
max_state_attempts = 3
"""How often a state is told: training waits for it."""
passing_statuses = {408, 429, 502, 503, 504}
"""Of refusals that another attempt may know nothing of."""
silence_s = 30.0
"""A stream silent for so long is given up: three heartbeats."""


class PlatformLink:
    """Attaches, and attaches again, until it is closed; what it is told goes to `events`."""

    def __init__(
        self,
        gateway: Gateway,
        address: JobAddress,
        *,
        events: queue.SimpleQueue[Event],
        last_command: Callable[[], tuple[int, str | None]],
        confirm: Callable[[int], None],
        detached: Callable[[], None] = lambda: None,
        backoff: Backoff | None = None,
    ) -> None:
        """`last_command`: sequence and id of the last one finished with. `confirm` takes the durable counter.

        `detached` is called when another process is the job's trainer.
        """
        self._gateway = gateway
        self._address = address
        self._events = events
        self._last_command = last_command
        self._confirm = confirm
        self._detached = detached
        self.backoff = backoff or Backoff()
        self.closed = threading.Event()
        self.refusal: PlatformError | None = None
        """Why the newest attempt to attach was refused."""
        self.attempts = 0
        self._connected = False
        self._stream: LineStream | None = None

    @property
    def connected(self) -> bool:
        """Whether the stream of commands is up."""
        return self._connected

    def send(self, method: str, path: str, body: Json, timeout_s: float = unary_timeout_s) -> Json:
        """Sends a request of this attachment, once."""
        whole = {"attachment_id": self._address.attachment_id, **body}
        answer = self._gateway.request(method, f"{self._address.path}/{path}", body=whole, timeout_s=timeout_s)
        parsed: Json = answer.json()
        return parsed

    def send_report(self, counter: int, segment: int, batch: bytes, timeout_s: float) -> Json:
        """Sends a batch, a JSON object that has members, once. It is not parsed: there may be thousands of points."""
        head = {
            "attachment_id": self._address.attachment_id,
            "counter": counter,
            "segment_index": segment,
        }
        data = json.dumps(head).encode()[:-1] + b"," + batch[1:]
        headers = {"content-type": "application/json"}
        path = f"{self._address.path}/reports"
        parsed: Json = self._gateway.request("POST", path, data=data, headers=headers, timeout_s=timeout_s).json()
        return parsed

    def run(self) -> None:
        """Keeps the stream up until the link is closed."""
        failures = 0
        while not self.closed.is_set():
            began = time.monotonic()
            try:
                asked_to_reconnect = self._attach()
                self.refusal = None
                if asked_to_reconnect:
                    failures = 0
                    continue
            except PlatformError as error:
                self.refusal = error
                log.warning("the platform refuses the attachment: %s", error)
            except (PlatformUnreachableError, ValueError, KeyError, TypeError) as error:
                # What is no event of the platform comes from something in between.
                if not self.closed.is_set():
                    log.info("the platform is away: %s", error)
            finally:
                self._connected = False
                self.attempts += 1
            failures = 1 if time.monotonic() - began > self.backoff.max_s else failures + 1
            self.closed.wait(self.backoff.pause_s(failures))

    def close(self) -> None:
        self.closed.set()
        if self._stream is not None:
            self._stream.shutdown()

    def detach(self) -> None:
        """Another process is the job's trainer: there is nothing more to say."""
        self.closed.set()
        # Before the event: downloads are given up by the time it is taken.
        self._detached()
        self._events.put(Detached())

    def acknowledge(self, outcome: Outcome) -> None:
        """Tells the outcome until there is an answer or the link is closed."""
        if outcome.refused is None:
            body: Json = {"applied": outcome.applied or {}}
        else:
            body = {"refused": {"detail": outcome.refused[:4_096] or "refused"}}
        failures = 0
        while not self.closed.is_set():
            answer = self._tell(outcome, body)
            if answer is not None:
                self._events.put(answer)
                return
            failures += 1
            self.closed.wait(self.backoff.pause_s(failures))

    def report_state(self, state: str, *, detail: str = "", artifact: Json | None = None) -> bool:
        """Tells the state if the platform can be reached now, in a few attempts; whether it has it."""
        body: Json = {"state": state, "detail": detail[:4_096]}
        if artifact is not None:
            body["artifact"] = artifact
        for attempt in range(1, max_state_attempts + 1):
            if not self._connected:
                return False
            try:
                self.send("PUT", "state", body, state_timeout_s)
                return True
            except (PlatformError, PlatformUnreachableError) as error:
                log.warning("state %s was not taken: %s", state, error)
                if isinstance(error, PlatformError) and error.status not in passing_statuses:
                    return False
            if attempt < max_state_attempts:
                self.closed.wait(self.backoff.pause_s(attempt))
        return False

    def _tell(self, outcome: Outcome, body: Json) -> Answered | None:
        try:
            answer = self.send("PUT", f"commands/{outcome.command_id}/outcome", body)
        except PlatformUnreachableError:
            return None
        except PlatformError as error:
            if error.code == "attachment_lost":
                self.detach()
                return None
            if error.status == 404:
                return Answered(outcome, "unknown")
            if error.code in decided_otherwise or error.status == 422:
                return Answered(outcome, "resolved", why=str(error))
            return None
        return Answered(outcome, "recorded", segment=answer["active_segment"], state=answer["state"])

    def _attach(self) -> bool:
        """Whether the platform asked to attach again at once."""
        sequence, command_id = self._last_command()
        body: Json = {"attachment_id": self._address.attachment_id, "last_sequence": sequence}
        if command_id is not None:
            body["last_command_id"] = command_id
        stream = self._gateway.stream("POST", f"{self._address.path}/trainer/commands", body=body, silence_s=silence_s)
        self._stream = stream
        for line in stream:
            if self.closed.is_set():
                return False
            told = json.loads(line) if line.strip() else {}
            if told.get("reconnect") is not None:
                return True
            self._take(told)
        return False

    def _take(self, told: Json) -> None:
        if (attached := told.get("attached")) is not None:
            self._connected = True
            self._confirm(attached["durable_counter"])
            self._events.put(_attached_of(attached))
            self._events.put(Pruned(tuple(each["id"] for each in attached["checkpoints"] if each.get("pruned_at"))))
            log.info("attached to the platform")
        if (delivery := told.get("command")) is not None:
            self._events.put(_command_of(delivery))
        if (withdrawal := told.get("withdrawal")) is not None:
            self._events.put(Withdrawal(withdrawal["sequence"]))
        if (pruned := told.get("pruned")) is not None:
            self._events.put(Pruned(tuple(pruned["checkpoint_ids"])))
        if told.get("detached") is not None:
            self.detach()


def _attached_of(attached: Json) -> Attached:
    job = attached["job"] or {}
    return Attached(
        job=job.get("job") or {},
        state=job.get("state", ""),
        segment=attached["active_segment"],
        epoch=attached["epoch"],
        checkpoint_ids=frozenset(checkpoint["id"] for checkpoint in attached["checkpoints"]),
        set_back=attached["set_back"],
        datasets=tuple(attached["datasets"]) if attached.get("datasets_told") else None,
    )


def _command_of(delivery: Json) -> WaitingCommand:
    command = delivery["command"]
    return WaitingCommand(
        id=command["id"],
        sequence=command["sequence"],
        action=command["action"],
        overrides=command["runtime_overrides"] or {},
        epoch=delivery["epoch"],
        checkpoint_id=delivery["resolved_checkpoint_id"] or command["checkpoint_id"],
    )
