"""Processes that `torchrun` starts: rank 0 talks with the platform, and all of them act at the same step."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from ..gateway import Gateway
from ..trainer import Dataset, State, Trainer
from ..trainer.datasets import RunDatasets, datasets_as_told
from .rank_channel import RankChannel
from .rank_state import LeadingState, RankState, obey, rank_state_of


def attach(*args: Any, **options: Any) -> Trainer | FollowingTrainer:
    """As `Trainer.attach`, in each process that `torchrun` has started; in a single process it is the same.

    Give `steps` a `TorchState`, or use `fit` of Lightning or `train` of Hugging Face. The directory of the job has to
    be one that all processes read. `steps` raises SeveralProcessesError for a state that is of one process alone.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        return Trainer.attach(*args, **options)
    if int(os.environ["RANK"]) == 0:
        return LeadingTrainer.attach(*args, **options)
    return FollowingTrainer(RankChannel(), lambda told: datasets_as_told(told, *args, **options))


class LeadingTrainer(Trainer):
    """The trainer of rank 0: what happens to its state happens to that of the others."""

    def __init__(self, gateway: Gateway, directory: Path, **options: Any) -> None:
        super().__init__(gateway, directory, **options)
        self._channel = RankChannel()

    def __enter__(self) -> Trainer:
        super().__enter__()
        told = {"configuration": dict(self.configuration), "datasets": self._told_datasets}
        self._channel.tell("begin", content=told)
        return self

    def steps(self, total: int, state: State, **options: Any) -> Iterator[int]:
        leading = LeadingState(rank_state_of(state), self._channel)
        return self._told(super().steps(total, leading, **options))

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

    def __init__(self, channel: RankChannel, datasets_of: Callable[[list[dict[str, Any]] | None], RunDatasets]) -> None:
        self._channel = channel
        self._datasets_of = datasets_of
        self._datasets: RunDatasets | None = None
        self.configuration: Mapping[str, Any] = {}
        self.overrides: Mapping[str, Any] = {}
        self.outcome: str | None = None
        self._former_handler: Any = None

    def __enter__(self) -> FollowingTrainer:
        if threading.current_thread() is threading.main_thread():
            # `torchrun` passes SIGTERM to all; rank 0 says at which step to stop.
            self._former_handler = signal.signal(signal.SIGTERM, signal.SIG_IGN)
        told = self._channel.hear().content
        self.configuration = told["configuration"]
        self._datasets = self._datasets_of(told["datasets"])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._former_handler is not None:
            signal.signal(signal.SIGTERM, self._former_handler)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {**self.configuration, **self.overrides}

    def dataset(self, name: str) -> Dataset:
        """As that of rank 0. Processes of one machine fetch a file once."""
        if self._datasets is None:
            raise RuntimeError("use the trainer as a context: with attach() as job")
        return self._datasets.named(name)

    def steps(self, total: int, state: State, **options: Any) -> Iterator[int]:
        """The steps that rank 0 takes."""
        return self._obeyed(rank_state_of(state))

    def _obeyed(self, state: RankState) -> Iterator[int]:
        while (told := self._channel.hear()).kind != "end":
            if told.kind == "step":
                self.overrides = told.content.get("overrides", self.overrides)
                yield told.step
            else:
                obey(told, state, self._channel)
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
