"""Processes that `torchrun` starts: rank 0 talks with the platform, and all of them act at the same step."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from ..gateway import Gateway
from ..trainer import State, Trainer
from .rank_channel import RankChannel
from .torch_state import TorchState


def attach(*args: Any, **options: Any) -> Trainer | FollowingTrainer:
    """As `Trainer.attach`, in each process that `torchrun` has started; in a single process it is the same.

    Give `steps` a `TorchState`. The directory of the job has to be one that all processes read.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        return Trainer.attach(*args, **options)
    if int(os.environ["RANK"]) == 0:
        return LeadingTrainer.attach(*args, **options)
    return FollowingTrainer(RankChannel())


class LeadingTrainer(Trainer):
    """The trainer of rank 0: what happens to its state happens to that of the others."""

    def __init__(self, gateway: Gateway, directory: Path, *, pipeline_id: str, run_id: str, job_name: str) -> None:
        super().__init__(gateway, directory, pipeline_id=pipeline_id, run_id=run_id, job_name=job_name)
        self._channel = RankChannel()

    def __enter__(self) -> Trainer:
        super().__enter__()
        self._channel.tell("begin", content={"configuration": dict(self.configuration)})
        return self

    def steps(self, total: int, state: State, **options: Any) -> Iterator[int]:
        if not isinstance(state, TorchState):
            raise TypeError("a training of several processes needs a TorchState")
        return self._told(super().steps(total, _LeadingState(state, self._channel), **options))

    def _told(self, steps: Iterator[int]) -> Iterator[int]:
        known: dict[str, Any] = {}
        for step in steps:
            overrides = dict(self.overrides)
            self._channel.tell("step", step=step, content={"overrides": overrides} if overrides != known else None)
            known = overrides
            yield step
        self._channel.tell("end", content={"outcome": self.outcome})


class FollowingTrainer:
    """The trainer of every other rank. What it is told to log is left out: rank 0 reports."""

    def __init__(self, channel: RankChannel) -> None:
        self._channel = channel
        self.configuration: Mapping[str, Any] = {}
        self.overrides: Mapping[str, Any] = {}
        self.outcome: str | None = None
        self._former_handler: Any = None

    def __enter__(self) -> FollowingTrainer:
        if threading.current_thread() is threading.main_thread():
            # `torchrun` passes SIGTERM to all; rank 0 says at which step to stop.
            self._former_handler = signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self.configuration = self._channel.hear().content["configuration"]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._former_handler is not None:
            signal.signal(signal.SIGTERM, self._former_handler)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {**self.configuration, **self.overrides}

    def steps(self, total: int, state: TorchState, **options: Any) -> Iterator[int]:
        """The steps that rank 0 takes."""
        while (told := self._channel.hear()).kind != "end":
            if told.kind == "step":
                self.overrides = told.content.get("overrides", self.overrides)
                yield told.step
            elif told.kind == "save":
                self._channel.gather(state.of_process())
            elif told.kind == "load":
                state.take(Path(told.content["path"]), process=self._channel.rank)
            elif told.kind == "load_weights":
                state.load_weights(Path(told.content["path"]))
            else:
                state.release()
        self.outcome = told.content["outcome"]

    def log(self, **metrics: float) -> None: ...
    def log_values(self, metrics: Mapping[str, float]) -> None: ...
    def log_image(self, name: str, image: Any) -> None: ...
    def log_histogram(self, name: str, values: Any, bins: int = 64) -> None: ...
    def log_table(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None: ...
    def log_text(self, name: str, text: str) -> None: ...
    def write_line(self, text: str, source: str = "trainer") -> None: ...
    def checkpoint(self) -> None: ...
    def complete(self) -> None: ...
    def stop(self) -> None: ...


class _LeadingState:
    """Has the others do what happens to the state of rank 0."""

    format = TorchState.format

    def __init__(self, state: TorchState, channel: RankChannel) -> None:
        self._state = state
        self._channel = channel

    def save(self, path: Path) -> None:
        self._channel.tell("save")
        self._state.write(path, self._channel.gather(self._state.of_process()))

    def load(self, path: Path) -> None:
        self._channel.tell("load", content={"path": str(path.absolute())})
        self._state.take(path, process=0)

    def load_weights(self, path: Path) -> None:
        self._channel.tell("load_weights", content={"path": str(path.absolute())})
        self._state.load_weights(path)

    def release(self) -> str:
        self._channel.tell("release")
        return self._state.release()

    @property
    def devices(self) -> list[str]:
        return self._state.devices

    @property
    def device_memory(self) -> int | None:
        return self._state.device_memory
