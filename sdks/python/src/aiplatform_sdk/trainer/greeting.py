"""What the platform is told after each attachment: what it does not know yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .journal import JournalMissingError, Position
from .link import Attached
from .missed_states import missed_states

if TYPE_CHECKING:
    from .agent import TrainerAgent


def greet(agent: TrainerAgent, attached: Attached) -> None:
    """Makes both sides agree on the job. Raises JournalMissingError when it was begun in another directory."""
    journal, store = agent.journal, agent.workload.store
    if attached.state in ("completed", "aborted"):
        agent.end = attached.state
        journal.write(status="ended", end=agent.end)
        return
    if journal.state.datasets is None and attached.datasets is not None:
        # A platform of an earlier version had not told.
        journal.write(datasets=list(attached.datasets))
    if attached.set_back:
        _follow_set_back(agent, attached)
    for checkpoint in store.list():
        if checkpoint.id not in attached.checkpoint_ids:
            agent.sender.register(store.message(checkpoint))
    if journal.state.status == "new":
        _begin_job(agent, attached)
    else:
        for missed in missed_states(journal.state.status, attached.state):
            agent.link.report_state(missed)


def _follow_set_back(agent: TrainerAgent, attached: Attached) -> None:
    """The platform was restored from a backup and knows less than this process: what it knows is what counts."""
    journal = agent.journal
    agent.say(f"the platform no longer knows command {journal.state.last_sequence}: following the platform")
    # Before the journal: a process that dies in between is told again that the platform was set back.
    agent.reporter.follow(attached.segment)
    journal.write(
        last_sequence=0,
        last_command_id=None,
        outcome=None,
        undo=None,
        epoch=attached.epoch,
        segment=attached.segment,
    )
    paused = attached.state == "paused"
    if paused and journal.state.status == "running":
        agent.checkpoint(agent.metrics)
        agent.workload.release()
        journal.write(status="paused")
    elif not paused and journal.state.status == "paused":
        agent.prepare(journal.state.position)
        journal.write(status="running")


def _begin_job(agent: TrainerAgent, attached: Attached) -> None:
    if attached.state not in ("queued", "preparing"):
        raise JournalMissingError(
            f"the job is {attached.state}, and its journal is not in this directory: "
            "start the trainer in the directory that it had, or begin another run"
        )
    agent.link.report_state("preparing")
    agent.reporter.phase("queued", "completed")
    state = agent.journal.state
    # Weights are random before the first step: without a checkpoint a crash would begin with others.
    first = agent.workload.save(segment=state.segment, metrics={}, pinned=set())
    epoch = max(attached.epoch, state.epoch)
    agent.journal.write(status="running", epoch=epoch, position=Position(first.id))
    agent.sender.register(agent.workload.store.message(first))
    agent.reporter.phase("training", "running")
    agent.link.report_state("running")
