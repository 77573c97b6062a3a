"""The trainer's memory on disk."""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from ..errors import SdkError
from .durable_files import replace_durably

Status = Literal["new", "running", "paused", "complete", "failed", "ended"]
"""`new` before the first start, `paused` with nothing loaded, `complete` when the last step is taken and the result is
not published yet, `ended` when there is nothing left to do."""


class JournalError(SdkError):
    """The journal cannot be used; the message says what to do."""


class JournalMissingError(JournalError):
    """The job was begun by a trainer of another directory."""


@dataclass(frozen=True)
class Change:
    """Overrides that took effect before the step after `step`."""

    step: int
    overrides: dict[str, Any]


@dataclass(frozen=True)
class Position:
    """How to get back to where training is, even if memory is lost."""

    checkpoint_id: str | None = None
    weights_only: bool = False
    overrides: dict[str, Any] = field(default_factory=dict)
    """Beyond those that the checkpoint has."""
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Standing:
    """What a command changes, and what it takes to undo it."""

    status: Status
    position: Position


@dataclass(frozen=True)
class Outcome:
    """What became of a command."""

    command_id: str
    sequence: int
    applied: dict[str, Any] | None = None
    """As the platform takes it."""
    refused: str | None = None
    opens_segment: bool = False
    acknowledged: bool = False


@dataclass(frozen=True)
class JournalState:
    """What has to survive the process."""

    run_id: str
    job_name: str
    attachment_id: str
    """Kept over restarts, so that the platform knows an acknowledgement that is sent again."""
    version: int = 1
    job: dict[str, Any] | None = None
    """The job as declared, once it is known."""
    datasets: list[dict[str, Any]] | None = None
    """Versions of datasets that its run reads, once they are known."""
    last_sequence: int = 0
    """Of the last command that is finished with."""
    last_command_id: str | None = None
    epoch: int = 0
    """Highest fencing epoch seen."""
    segment: int = 0
    status: Status = "new"
    position: Position = field(default_factory=Position)
    outcome: Outcome | None = None
    """Of the newest command."""
    end: str | None = None
    """How the job ended, once it has."""
    undo: Standing | None = None
    """Where to go back to if the platform decided that command otherwise."""

    @property
    def standing(self) -> Standing:
        return Standing(self.status, self.position)

    @property
    def pinned(self) -> set[str]:
        """Checkpoints that must not be deleted, whatever their age."""
        undo = self.undo.position.checkpoint_id if self.undo else None
        return {each for each in (self.position.checkpoint_id, undo) if each}


class Journal:
    """One small file, replaced durably at every change. One thread writes it."""

    def __init__(self, directory: Path, *, run_id: str, job_name: str) -> None:
        """Reads the directory's journal, or begins one. Raises JournalError when it is another job's or damaged."""
        self._path = directory / "state.json"
        if self._path.exists():
            self._state = _parse(self._path)
        else:
            self._state = JournalState(run_id, job_name, str(uuid.uuid4()))
        state = self._state
        if (state.run_id, state.job_name) != (run_id, job_name):
            raise JournalError(
                f"{self._path} belongs to job {state.job_name} of run {state.run_id}: use another directory"
            )
        # The attachment id has to be known to a process that comes after this one, whatever happens to it.
        self.write()

    @property
    def state(self) -> JournalState:
        return self._state

    def write(self, **changes: Any) -> None:
        """Returns when the change is durable."""
        state = replace(self._state, **changes)
        replace_durably(self._path, json.dumps(asdict(state), indent=1).encode())
        self._state = state

    def write_standing(self, standing: Standing, **changes: Any) -> None:
        self.write(status=standing.status, position=standing.position, **changes)


def _parse(path: Path) -> JournalState:
    try:
        members = json.loads(path.read_bytes())
        version = members["version"]
        if version != 1:
            raise JournalError(f"{path} was written by another version of this trainer")
        undo, outcome = members["undo"], members["outcome"]
        return JournalState(
            **{
                **members,
                "position": _position_of(members["position"]),
                "undo": Standing(undo["status"], _position_of(undo["position"])) if undo else None,
                "outcome": Outcome(**outcome) if outcome else None,
            }
        )
    except (ValueError, TypeError, KeyError) as error:
        raise JournalError(f"{path} is damaged: restore it, or start from an empty directory") from error


def _position_of(members: dict[str, Any]) -> Position:
    return Position(**{**members, "changes": tuple(Change(**change) for change in members["changes"])})
