"""What each command does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from .checkpoints import RefusedError
from .journal import Change, Position, Standing
from .link import WaitingCommand

if TYPE_CHECKING:
    from .agent import TrainerAgent

farewell_s = 1.0


@dataclass(frozen=True)
class Pending:
    """The effect of a command: where the trainer stands with it, and what to tell the platform."""

    waiting: WaitingCommand
    standing: Standing
    undo: Standing
    """Where to go back to if the platform decided otherwise."""
    applied: dict[str, Any]
    needs_step: bool = False
    """It is done when the next step is taken."""
    end: Literal["finished", "aborted"] | None = None


def apply(agent: TrainerAgent, waiting: WaitingCommand) -> Pending:
    """Brings about what a command asks for. Raises RefusedError with everything as it was."""
    before = agent.journal.state
    if waiting.epoch < before.epoch:
        raise RefusedError(f"fencing epoch {waiting.epoch} is older than {before.epoch}")
    action = _actions.get(waiting.action)
    if action is None:
        raise RefusedError(f"this trainer does not know the action {waiting.action}")
    return action(agent, waiting)


def _continue(agent: TrainerAgent, waiting: WaitingCommand) -> Pending:
    before = agent.journal.state.standing
    if not waiting.overrides:
        return Pending(waiting, before, before, {"detail": "nothing to release"})
    agent.reporter.hold(opens_segment=False)
    if agent.workload.loaded:
        agent.workload.overrides.update(waiting.overrides)
    changes = (*before.position.changes, Change(agent.workload.step, dict(waiting.overrides)))
    return Pending(waiting, replace(before, position=replace(before.position, changes=changes)), before, {})


def _pause(agent: TrainerAgent, waiting: WaitingCommand) -> Pending:
    state, workload, reporter = agent.journal.state, agent.workload, agent.reporter
    if state.status == "paused":
        applied: dict[str, Any] = {"detail": "already paused", "checkpoint_id": state.position.checkpoint_id}
        return Pending(waiting, state.standing, state.standing, applied)
    if state.status != "running":
        raise RefusedError(f"nothing is trained: the trainer is {state.status}")
    agent.link.report_state("pausing")
    reporter.phase("checkpointing", "running")
    saved = workload.save(segment=state.segment, metrics=agent.metrics, pinned=state.pinned)
    reporter.phase("checkpointing", "completed")
    reporter.phase("training", "paused")
    agent.sender.flush(farewell_s)
    detail = workload.release()
    agent.say(f"paused at step {saved.step}: {detail}")
    position = Position(saved.id)
    applied = {"checkpoint_id": saved.id, "checkpoint": workload.store.message(saved), "detail": detail}
    return Pending(waiting, Standing("paused", position), Standing("running", position), applied)


def _restore(agent: TrainerAgent, waiting: WaitingCommand) -> Pending:
    before = agent.journal.state.standing
    workload, reporter = agent.workload, agent.reporter
    checkpoint_id = _checkpoint_of(agent, waiting)
    workload.store.verified(checkpoint_id)
    agent.sender.flush(farewell_s)
    agent.link.report_state("restoring")
    weights_only = waiting.action == "warm_restart"
    position = Position(checkpoint_id, weights_only=weights_only, overrides=dict(waiting.overrides))
    workload.prepare(position)
    what = "weights only" if weights_only else "whole state"
    reporter.line(f"training from checkpoint {checkpoint_id}, step {workload.step}, {what}")
    reporter.phase("training", "running")
    reporter.hold(opens_segment=True)
    applied = {"checkpoint_id": checkpoint_id, "start_step": workload.step}
    return Pending(waiting, Standing("running", position), before, applied, needs_step=True)


def _finish(agent: TrainerAgent, waiting: WaitingCommand) -> Pending:
    before = agent.journal.state.standing
    checkpoint_id = _checkpoint_of(agent, waiting)
    agent.sender.flush(farewell_s)
    agent.link.report_state("finishing")
    agent.reporter.phase("training", "completed")
    agent.reporter.phase("finalizing", "running")
    artifact = agent.workload.publish(checkpoint_id, agent.upload)
    agent.reporter.phase("finalizing", "completed")
    agent.sender.flush(farewell_s)
    applied = {"checkpoint_id": checkpoint_id, "artifact": artifact, "detail": f"published {artifact['uri']}"}
    return Pending(waiting, replace(before, status="ended"), before, applied, end="finished")


def _abort(agent: TrainerAgent, waiting: WaitingCommand) -> Pending:
    before = agent.journal.state.standing
    agent.link.report_state("aborting")
    agent.reporter.line(f"aborted at step {agent.workload.step}; checkpoints are kept")
    agent.sender.flush(farewell_s)
    applied = {"detail": f"stopped at step {agent.workload.step}"}
    return Pending(waiting, replace(before, status="ended"), before, applied, end="aborted")


def _checkpoint_of(agent: TrainerAgent, waiting: WaitingCommand) -> str:
    default = agent.journal.state.position.checkpoint_id if waiting.action == "resume" else None
    checkpoint_id = waiting.checkpoint_id or default
    if not checkpoint_id:
        raise RefusedError("no checkpoint")
    return agent.workload.store.find(checkpoint_id).id


_actions: dict[str, Callable[[TrainerAgent, WaitingCommand], Pending]] = {
    "continue": _continue,
    "pause": _pause,
    "resume": _restore,
    "rollback": _restore,
    "warm_restart": _restore,
    "finish_from_checkpoint": _finish,
    "abort": _abort,
}
