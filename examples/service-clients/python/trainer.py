"""A trainer of one job, whose whole state is a step and a loss."""

import hashlib
import json
import logging
import queue
import threading
import time
import uuid
from pathlib import Path

import grpc
from aiplatform.training.v1 import control_commands_pb2, runs_pb2, trainers_pb2, trainers_pb2_grpc
from errors import explain
from retry import backoff, call, retryable

STEP_TIME = 0.02
STEPS_PER_REPORT = 10
HEARTBEAT_INTERVAL = 10


class StreamEnded(grpc.RpcError):
    """A stream ended without an error, as when a replica stops: open it again."""

    def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.UNAVAILABLE

    def details(self) -> str:
        return "the stream has ended"

    def trailing_metadata(self) -> tuple:
        return ()


class Detached(Exception):
    """Another process is the job's trainer now."""


class Trainer:
    """Attaches to a job, trains it, obeys its commands and reports its loss until a command ends it."""

    def __init__(self, channel: grpc.Channel, run_id: str, job: str, directory: Path) -> None:
        self._stub = trainers_pb2_grpc.TrainerServiceStub(channel)
        self._job = {"run_id": run_id, "job_name": job, "attachment_id": str(uuid.uuid4())}
        self._directory = directory
        self._events: queue.Queue = queue.Queue()
        self._reports: ReportStream | None = None
        self._counter = self._segment = self._last_sequence = self._step = 0
        self._loss = 1.0
        self._points: list[tuple[int, float]] = []
        self._paused = self._ended = False

    def run(self) -> None:
        threading.Thread(target=self._listen, daemon=True).start()
        attached = self._event(timeout=None)
        self._counter, self._segment = attached.durable_counter, attached.active_segment
        self._enter(runs_pb2.JOB_STATE_PREPARING)
        self._enter(runs_pb2.JOB_STATE_RUNNING)
        while not self._ended:
            try:
                event = self._event(timeout=HEARTBEAT_INTERVAL if self._paused else STEP_TIME)
            except queue.Empty:
                self._train()
            else:
                if isinstance(event, trainers_pb2.CommandDelivery):
                    self._obey(event)

    def _event(self, timeout: float | None):
        event = self._events.get(timeout=timeout)
        if isinstance(event, Exception):
            raise event
        return event

    def _train(self) -> None:
        if not self._paused:
            self._step += 1
            self._loss *= 0.99
            self._points.append((self._step, self._loss))
        if self._paused or self._step % STEPS_PER_REPORT == 0:
            self._report()

    # What the platform tells

    def _listen(self) -> None:
        """Receives the job's commands. After a lost connection it attaches again: the platform then repeats the commands
        that were not acknowledged."""
        attempt = 0
        while not self._ended:
            try:
                for response in self._stub.Attach(trainers_pb2.AttachRequest(**self._job)):
                    attempt = 0
                    kind = response.WhichOneof("event")
                    if kind == "detached":
                        raise Detached("another process is the job's trainer now")
                    if kind == "reconnect":
                        break
                    if kind in ("attached", "command"):
                        self._events.put(getattr(response, kind))
                raise StreamEnded()
            except (grpc.RpcError, Detached) as error:
                if isinstance(error, Detached) or not retryable(error):
                    self._events.put(error)
                    return
                logging.info("attaching again: %s", explain(error))
                time.sleep(backoff(error, attempt))
                attempt += 1

    # What becomes of commands

    def _obey(self, delivery: trainers_pb2.CommandDelivery) -> None:
        """Brings about what a command asks for, and acknowledges it afterwards: `applied` is said of effects alone."""
        command = delivery.command
        if command.sequence <= self._last_sequence:
            return  # Delivered again.
        if command.action == control_commands_pb2.TRAINING_CONTROL_ACTION_PAUSE:
            outcome = {"applied": self._pause()}
        elif command.action == control_commands_pb2.TRAINING_CONTROL_ACTION_FINISH_FROM_CHECKPOINT:
            outcome = {"applied": self._finish(delivery.resolved_checkpoint_id)}
        else:
            outcome = {"refused": trainers_pb2.Refused(detail="this trainer can pause and finish")}
        request = trainers_pb2.AcknowledgeCommandRequest(**self._job, command_id=command.id, **outcome)
        call(self._stub.AcknowledgeCommand, request)
        self._last_sequence = command.sequence
        self._ended = command.action == control_commands_pb2.TRAINING_CONTROL_ACTION_FINISH_FROM_CHECKPOINT

    def _pause(self) -> trainers_pb2.Applied:
        self._enter(runs_pb2.JOB_STATE_PAUSING)
        checkpoint = trainers_pb2.Checkpoint(id=str(uuid.uuid4()), step=self._step, segment_index=self._segment)
        content = json.dumps({"step": self._step, "loss": self._loss}).encode()
        checkpoint.MergeFrom(trainers_pb2.Checkpoint(**self._write(f"{checkpoint.id}.checkpoint", content)))
        checkpoint.created_at.GetCurrentTime()
        self._paused = True
        self._report()
        return trainers_pb2.Applied(checkpoint_id=checkpoint.id, checkpoint=checkpoint)

    def _finish(self, checkpoint_id: str) -> trainers_pb2.Applied:
        self._enter(runs_pb2.JOB_STATE_FINISHING)
        content = (self._directory / f"{checkpoint_id}.checkpoint").read_bytes()
        artifact = trainers_pb2.Artifact(**self._write("model.json", content), format="json")
        return trainers_pb2.Applied(checkpoint_id=checkpoint_id, artifact=artifact)

    def _write(self, name: str, content: bytes) -> dict:
        path = self._directory / name
        path.write_bytes(content)
        return {"uri": path.as_uri(), "sha256": hashlib.sha256(content).hexdigest(), "size_bytes": len(content)}

    # What the platform is told

    def _enter(self, state: runs_pb2.JobState) -> None:
        call(self._stub.ReportJobState, trainers_pb2.ReportJobStateRequest(**self._job, state=state))

    def _report(self) -> None:
        """Sends the points since the last report, and returns when they are durable. A batch that was sent twice counts
        once: the platform knows it by its counter."""
        self._counter += 1
        batch = trainers_pb2.ReportRequest(**self._job, counter=self._counter, segment_index=self._segment)
        batch.heartbeat.at.GetCurrentTime()
        batch.heartbeat.source = trainers_pb2.HEARTBEAT_SOURCE_TRAINER
        if self._points:
            steps, values = zip(*self._points)
            batch.columns.add(name="loss", steps=steps, values=values, observed_at_ms=time.time() * 1000)
            self._points = []
        attempt = 0
        while True:
            try:
                self._reports = self._reports or ReportStream(self._stub)
                return self._reports.exchange(batch)
            except grpc.RpcError as error:
                self._reports = None
                if not retryable(error):
                    raise
                logging.info("reporting again: %s", explain(error))
                time.sleep(backoff(error, attempt))
                attempt += 1


class ReportStream:
    """A stream both ways: batches of reports, and how far they are durable."""

    def __init__(self, stub: trainers_pb2_grpc.TrainerServiceStub) -> None:
        self._batches: queue.Queue = queue.Queue()
        self._responses = stub.Report(iter(self._batches.get, None))

    def exchange(self, batch: trainers_pb2.ReportRequest) -> None:
        """Sends a batch, and reads answers until one says that it is durable. A faster trainer has several on their way."""
        self._batches.put(batch)
        for response in self._responses:
            if response.durable_counter >= batch.counter:
                return
        raise StreamEnded()
