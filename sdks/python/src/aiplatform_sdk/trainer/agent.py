"""Drives a training loop: steps while there is something to train, commands between two steps.

Every effect is in the journal before the platform is told of it, so a process that dies in between tells it again and
does nothing twice.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import PlatformUnreachableError
from ..gateway import Gateway
from .artifacts import upload
from .checkpoints import RefusedError
from .commands import Pending, apply
from .greeting import greet
from .journal import Journal, Outcome, Position, Standing
from .link import Answered, Attached, Detached, Event, PlatformLink, Pruned, Stop, WaitingCommand, Withdrawal
from .reporter import Reporter
from .sender import ReportSender
from .workload import Workload

log = logging.getLogger("aiplatform_sdk")

farewell_s = 1.0
last_reports_s = 10.0
rest_s = 5.0


class TrainerAgent:
    """Used by the training thread alone; other threads put events into its queue."""

    def __init__(
        self,
        *,
        gateway: Gateway,
        journal: Journal,
        link: PlatformLink,
        reporter: Reporter,
        sender: ReportSender,
        events: queue.SimpleQueue[Event],
        workload: Workload,
    ) -> None:
        self.gateway = gateway
        self.journal = journal
        self.link = link
        self.reporter = reporter
        self.sender = sender
        self.events = events
        self.workload = workload
        self.end: str | None = journal.state.end
        self.last_step_at = 0.0
        self.wants_checkpoint = False
        self._commands: dict[int, WaitingCommand] = {}
        self._attached: Attached | None = None
        self._answer: Answered | None = None
        self._pending: Pending | None = None
        self._acknowledging = False
        self._unanswered_end: dict[str, Any] | None = None
        """What `completed` was told with, and not answered: it may be recorded, and then no other state may follow."""
        self._lost = False
        self._stopping = False
        self.metrics: dict[str, float] = {}
        """Of the step that was taken last."""

    def begin(self, attached: Attached | None) -> None:
        """Goes on from where the journal says."""
        self._attached = attached
        state = self.journal.state
        outcome = state.outcome
        if outcome is not None and not outcome.acknowledged:
            if state.status == "running":
                self.reporter.hold(opens_segment=outcome.opens_segment)
            self._acknowledge(outcome)
        if state.status == "failed":
            # The program was started again, so it is to go on.
            self.journal.write(status="running")
        if state.status in ("running", "failed"):
            self.prepare(state.position)
        elif state.status == "paused":
            self.workload.release()

    def advance(self) -> bool:
        """Does what there is to do between two steps; whether a step is to be taken."""
        while True:
            self._take_events()
            if self._lost:
                return self._leave("detached")
            if self._stopping:
                self._save_for_later()
                return self._leave("stopped")
            settled = not self._acknowledging and self._answer is None
            if self.journal.state.status == "ended" and settled:
                return self._leave(self.end or "completed")
            if self._answer is not None:
                self._settle(self._answer)
            elif self._attached is not None and not self._acknowledging:
                attached, self._attached = self._attached, None
                self._unanswered_end = None
                greet(self, attached)
            elif not self._acknowledging and self._commands:
                if self._apply(self._commands.pop(min(self._commands))):
                    return True
            elif self.journal.state.status == "running" and self.workload.step < self.workload.total:
                self.workload.apply_changes(self.journal.state.position)
                return True
            elif not (settled and self._finish_schedule()):
                self._wait()

    def commit(self) -> None:
        """A step was taken."""
        workload, reporter = self.workload, self.reporter
        workload.step += 1
        self.last_step_at = now = time.monotonic()
        self.metrics = reporter.staged
        if self._pending is not None:
            reporter.commit(workload.step)
            self._complete_pending(self._pending)
        else:
            if (self.wants_checkpoint or workload.is_due(now)) and not self._acknowledging:
                self.checkpoint(self.metrics)
            reporter.commit(workload.step)

    def is_idle(self) -> bool:
        """Whether the next step may be taken at once."""
        state, workload = self.journal.state, self.workload
        return (
            state.status == "running"
            and workload.step < workload.total
            and self.events.empty()
            and not (self._acknowledging or self._commands or self._stopping or state.position.changes)
            and self._answer is None
            and self._attached is None
        )

    def is_training(self) -> bool:
        """Whether an error of the user's code ends the job: it was begun, and is neither ended nor taken over."""
        return self.journal.state.status in ("running", "complete") and not self._lost

    def checkpoint(self, metrics: dict[str, float]) -> bool:
        """Saves; whether it is saved. A full disk is no reason to lose what is in memory."""
        self.wants_checkpoint = False
        self.reporter.phase("checkpointing", "running")
        state = self.journal.state
        try:
            saved = self.workload.save(segment=state.segment, metrics=metrics, pinned=state.pinned)
            # Once the position is written, these steps are not taken again: their points must be safe by then.
            self.reporter.commit(self.workload.step)
            self.reporter.cut()
            self.journal.write(position=Position(saved.id))
        except Exception as error:
            self.reporter.phase("checkpointing", "failed")
            self.reporter.phase("training", "running")
            self.say(f"no checkpoint at step {self.workload.step}: {error}")
            return False
        self.reporter.phase("checkpointing", "completed")
        self.reporter.phase("training", "running")
        self.sender.register(self.workload.store.message(saved))
        return True

    def prepare(self, position: Position) -> None:
        """Loads what a position says."""
        self.reporter.phase("preparing", "running")
        self.workload.prepare(position)
        self.reporter.phase("preparing", "completed")
        self.reporter.phase("training", "running")
        log.info("training from step %d", self.workload.step)

    def fail(self, error: BaseException) -> None:
        """The user's step, or what is around it, raised an error."""
        message = f"{type(error).__name__}: {error}"
        self.say(f"failed: {message}")
        self.reporter.phase("training", "failed")
        if self._pending is not None:
            self.reporter.undo()
            waiting = self._pending.waiting
            outcome = Outcome(waiting.id, waiting.sequence, refused=message)
            self._pending = None
            self.journal.write(outcome=outcome, undo=None)
            self._acknowledge(outcome)
        self.journal.write(status="failed")
        self.link.report_state("failed", detail=message)
        self.sender.flush(farewell_s)

    def say(self, message: str) -> None:
        """For the operator, and for the readers of the job's log."""
        log.info("%s", message)
        self.reporter.line(message)

    def upload(self, path: Path) -> dict[str, Any]:
        return upload(self.gateway, path, closed=self.link.closed, backoff=self.link.backoff)

    def _take_events(self) -> None:
        while not self.events.empty():
            self._take(self.events.get())

    def _wait(self) -> None:
        with contextlib.suppress(queue.Empty):
            self._take(self.events.get(timeout=rest_s))

    def _take(self, event: Event) -> None:
        if isinstance(event, Attached):
            self._attached = event
            # What is pending is delivered again.
            self._commands.clear()
        elif isinstance(event, WaitingCommand):
            # Delivered again, a command replaces itself: its checkpoint may be another one now.
            self._commands[event.sequence] = event
        elif isinstance(event, Withdrawal):
            self._commands.pop(event.sequence, None)
        elif isinstance(event, Pruned):
            self.workload.store.discard(event.checkpoint_ids, pinned=self.journal.state.pinned)
        elif isinstance(event, Answered):
            self._answer = event
        elif isinstance(event, Detached):
            self._lost = True
        elif isinstance(event, Stop):
            self._stopping = True

    def _leave(self, end: str) -> bool:
        self.end = end
        return False

    def _apply(self, waiting: WaitingCommand) -> bool:
        """Applies a command; whether a step is needed before it is done."""
        before = self.journal.state
        if before.outcome is not None and before.outcome.command_id == waiting.id:
            self._acknowledge(before.outcome)
            return False
        if waiting.sequence <= before.last_sequence:
            return False
        self._unanswered_end = None
        try:
            self._pending = apply(self, waiting)
        except Exception as error:  # What it is does not matter: the sender is told, and training goes on.
            self._refuse(waiting, before.standing, error)
            return False
        if self._pending.needs_step and self.workload.step < self.workload.total:
            return True
        self._complete_pending(self._pending)
        return False

    def _refuse(self, waiting: WaitingCommand, before: Standing, error: Exception) -> None:
        # A refusal has changed nothing; after any other failure, or an export, what is loaded is unknown.
        if not isinstance(error, RefusedError) or waiting.action == "finish_from_checkpoint":
            self._back_to(before)
        outcome = Outcome(waiting.id, waiting.sequence, refused=str(error) or type(error).__name__)
        epoch = max(self.journal.state.epoch, waiting.epoch)
        self.journal.write(epoch=epoch, outcome=outcome, undo=None)
        self._acknowledge(outcome)

    def _complete_pending(self, pending: Pending) -> None:
        """The effect is there: it goes to the journal, and then to the platform."""
        self._pending = None
        waiting = pending.waiting
        outcome = Outcome(waiting.id, waiting.sequence, applied=pending.applied, opens_segment=pending.needs_step)
        epoch = max(self.journal.state.epoch, waiting.epoch)
        self.end = pending.end
        self.journal.write_standing(pending.standing, epoch=epoch, outcome=outcome, undo=pending.undo, end=pending.end)
        self._acknowledge(outcome)

    def _acknowledge(self, outcome: Outcome) -> None:
        """Tells the outcome until the platform has answered; training goes on meanwhile."""
        self._acknowledging = True
        threading.Thread(target=self.link.acknowledge, args=(outcome,), name="acknowledge", daemon=True).start()

    def _settle(self, answer: Answered) -> None:
        self._answer = None
        self._acknowledging = False
        outcome, journal = answer.outcome, self.journal
        last_sequence = max(journal.state.last_sequence, outcome.sequence)
        finished: dict[str, Any] = {"last_sequence": last_sequence, "last_command_id": outcome.command_id}
        if answer.case == "recorded":
            became = "applied" if outcome.refused is None else f"refused: {outcome.refused}"
            log.info("command %d %s", outcome.sequence, became)
            # With all that was told: a command that is delivered again is answered the same.
            settled = replace(outcome, acknowledged=True)
            journal.write(segment=answer.segment, **finished, outcome=settled, undo=None)
            self.reporter.settle(answer.segment)
            if journal.state.status == "running" and answer.state != "running":
                self.link.report_state("running")
        else:
            undo = journal.state.undo
            self.say(f"command {outcome.sequence} was decided otherwise ({answer.why or 'unknown'}): undone")
            # A platform that was restored from a backup will give its sequence to another command.
            kept = finished if answer.case == "resolved" else {}
            standing = undo or journal.state.standing
            self.end = None
            journal.write_standing(standing, **kept, outcome=None, undo=None, end=None)
            self.reporter.undo()
            if undo is not None:
                self._back_to(undo)

    def _back_to(self, standing: Standing) -> None:
        """Makes what is loaded agree with a standing again."""
        self.reporter.undo()
        if standing.status == "running":
            self.prepare(standing.position)
        else:
            self.workload.release()

    def _finish_schedule(self) -> bool:
        """The last step is taken: the best checkpoint is the result. Whether there is something to do at once."""
        status = self.journal.state.status
        if status == "running" and self.workload.step >= self.workload.total:
            if self._acknowledging or not self.checkpoint(self.metrics):
                return False
            self.journal.write(status="complete")
            return True
        if status != "complete" or not self.link.connected:
            return False
        if self._unanswered_end is None:
            self._unanswered_end = self._publish_best()
        if self._unanswered_end is None or not self.link.report_state("completed", **self._unanswered_end):
            return False
        self.end = "completed"
        self.journal.write(status="ended", end=self.end)
        return True

    def _publish_best(self) -> dict[str, Any] | None:
        """Stores the best checkpoint, if there is to be a result: what to tell with `completed`. None: not stored."""
        best = self.workload.store.best()
        self.link.report_state("finishing")
        self.reporter.phase("training", "completed")
        self.reporter.phase("finalizing", "running")
        artifact = None
        if best is not None and self.workload.plan.publish:
            try:
                artifact = self.workload.publish(best.id, self.upload)
            except PlatformUnreachableError as error:
                log.warning("%s", error)
                return None
        self.reporter.phase("finalizing", "completed")
        # The end is announced with the newest metrics: they have to be there before.
        self.sender.flush(last_reports_s)
        return {"artifact": artifact}

    def _save_for_later(self) -> None:
        if self.journal.state.status == "running" and not self._acknowledging:
            self.checkpoint(self.metrics)
            self.say(f"stopped at step {self.workload.step}; goes on from there")
        self.sender.flush(farewell_s)
