"""A training state that several processes have together."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from ..errors import SdkError, SeveralProcessesError
from .rank_channel import RankChannel, Told

log = logging.getLogger("aiplatform_sdk")


class RankFailedError(SdkError):
    """A process other than rank 0 could not do what all of them were to do."""


@runtime_checkable
class RankState(Protocol):
    """What the processes share is saved once, by rank 0; what each has of its own is saved for each."""

    format: str

    def of_process(self) -> Any:
        """What is not the same in each process: its place in the data, and random numbers. Called in all of them."""

    def write(self, path: Path, processes: list[Any]) -> None:
        """Saves what is shared, and what each process has of its own, by rank. Called in rank 0."""

    def take(self, path: Path, *, process: int, processes: int) -> None:
        """Takes over a file, with what the process of this rank has of its own. Called in all of them, of which there
        are `processes`."""

    def load_weights(self, path: Path) -> None:
        """Takes over the weights of a file. Called in all of them."""

    def release(self) -> str:
        """Frees memory, and says in a sentence what that freed. Called in all of them."""

    @property
    def devices(self) -> list[str]:
        """Devices of this process."""
        ...

    @property
    def device_memory(self) -> int | None:
        """Bytes used on them."""
        ...


def rank_state_of(state: Any) -> RankState:
    """The state, if several processes can have it. Raises SeveralProcessesError otherwise."""
    if not isinstance(state, RankState):
        raise SeveralProcessesError(
            f"torchrun has started several processes, and {type(state).__qualname__} is the state of one: "
            "start the program without torchrun, or use TorchState, Lightning or Hugging Face"
        )
    return state


class LeadingState:
    """The state of rank 0: the others do what happens to it. An error of any of them is an error here."""

    def __init__(self, state: RankState, channel: RankChannel) -> None:
        self._state = state
        self._channel = channel
        self.format = state.format

    def save(self, path: Path) -> None:
        self._channel.tell("save")
        self._state.write(path, self._in_all(self._state.of_process))

    def load(self, path: Path) -> None:
        self._channel.tell("load", content={"path": str(path.absolute())})
        self._in_all(lambda: self._state.take(path, process=0, processes=self._channel.ranks))

    def load_weights(self, path: Path) -> None:
        self._channel.tell("load_weights", content={"path": str(path.absolute())})
        self._in_all(lambda: self._state.load_weights(path))

    def release(self) -> str:
        self._channel.tell("release")
        return str(self._in_all(self._state.release)[0])

    @property
    def devices(self) -> list[str]:
        return self._state.devices

    @property
    def device_memory(self) -> int | None:
        return self._state.device_memory

    def _in_all(self, act: Callable[[], Any]) -> list[Any]:
        """What each process answers, by rank. All of them answer, or the next message would not be understood."""
        answer, error = _attempt(act)
        answers = self._channel.gather((answer, None))
        if error is not None:
            raise error
        for rank, (_, message) in enumerate(answers):
            if message is not None:
                raise RankFailedError(f"process {rank}: {message}")
        return [each for each, _ in answers]


def obey(told: Told, state: RankState, channel: RankChannel) -> None:
    """Does in another process what happens to the state of rank 0, and answers."""
    path = Path(told.content.get("path", ""))
    acts: dict[str, Callable[[], Any]] = {
        "save": state.of_process,
        "load": lambda: state.take(path, process=channel.rank, processes=channel.ranks),
        "load_weights": lambda: state.load_weights(path),
        "release": state.release,
    }
    answer, error = _attempt(acts[told.kind])
    if error is not None:
        # Rank 0 decides what follows: it refuses the command and loads what was, or fails.
        log.warning("process %d: %s failed: %s", channel.rank, told.kind, error)
    channel.gather((answer, None if error is None else f"{type(error).__name__}: {error}"))


def _attempt(act: Callable[[], Any]) -> tuple[Any, Exception | None]:
    try:
        return act(), None
    except Exception as error:
        return None, error
