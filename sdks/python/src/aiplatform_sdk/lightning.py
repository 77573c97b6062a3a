"""Lightning: `fit` in place of `Trainer.fit`."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import Any

import lightning.pytorch as pl
import torch
from lightning.pytorch.plugins.io import CheckpointIO
from lightning.pytorch.strategies import DDPStrategy, DeepSpeedStrategy
from lightning.pytorch.trainer.states import RunningStage
from torch.utils.data import DataLoader, RandomSampler

from .errors import SeveralProcessesError
from .framework_loop import FrameworkLoop
from .torch import FollowingTrainer, ResumableLoader, TorchState
from .torch.random_numbers import random_state, set_random_state
from .torch.rank_count import of_rank
from .torch.ranks import LeadingTrainer
from .torch.torch_state import refuse_code
from .trainer import Trainer


def fit(
    job: Trainer | FollowingTrainer,
    trainer: pl.Trainer,
    model: pl.LightningModule,
    train_dataloaders: Any = None,
    val_dataloaders: Any = None,
    **options: Any,
) -> None:
    """As `trainer.fit(model, …)`; a step is a step of the optimizer. `options` are those of `Trainer.steps`.

    It logs what the model logs. `trainer.fit()` is left and called again where a command loads a checkpoint. A
    `DataLoader` goes on at its place; loaders that the model makes have to be `ResumableLoader(…, ahead=1)` for that.
    Under `torchrun` call it in each process, with what `attach` of `aiplatform_sdk.torch` answers. Raises
    SeveralProcessesError where the trainer has processes that do not know of each other, or shards the model.
    """
    _check(job, trainer)
    if isinstance(train_dataloaders, DataLoader):
        train_dataloaders = ResumableLoader(_of_this_process(trainer, train_dataloaders), ahead=1)
    state = FitState(trainer, model)
    callback = _Steps(FrameworkLoop(job, state, options), state)
    trainer.callbacks.insert(0, callback)

    def enter() -> None:
        path = None if state.entry is None else str(state.entry)
        callback.sigterm = signal.getsignal(signal.SIGTERM)
        trainer.fit(model, train_dataloaders, val_dataloaders, ckpt_path=path, weights_only=path is not None or None)

    try:
        callback.loop.run(enter)
    finally:
        trainer.callbacks.remove(callback)


def _check(job: Trainer | FollowingTrainer, trainer: pl.Trainer) -> None:
    is_on_ranks, processes = isinstance(job, (LeadingTrainer, FollowingTrainer)), trainer.world_size
    if processes > 1 and not is_on_ranks:
        raise SeveralProcessesError(
            f"the trainer has {processes} processes: "
            "start them with torchrun, and use attach of aiplatform_sdk.torch in place of Trainer.attach"
        )
    if processes == 1 and is_on_ranks:
        raise SeveralProcessesError(
            "torchrun has started several processes, and the trainer has one: "
            "give it as many devices, and the strategy ddp"
        )
    if processes == 1:
        return
    if not isinstance(trainer.strategy, DDPStrategy) or isinstance(trainer.strategy, DeepSpeedStrategy):
        raise SeveralProcessesError(
            f"{type(trainer.strategy).__name__} does not give each process the whole model: use the strategy ddp"
        )


def _of_this_process(trainer: pl.Trainer, loader: DataLoader[Any]) -> DataLoader[Any]:
    """The loader with the share of this process, which Lightning gives to none but a `DataLoader`."""
    shuffles = isinstance(loader.sampler, RandomSampler)
    shared: DataLoader[Any] = trainer._data_connector._prepare_dataloader(
        loader, shuffle=shuffles, mode=RunningStage.TRAINING
    )
    return shared


class FitState:
    """What Lightning saves, and what each process has of its own. The file is a checkpoint of Lightning that is loaded
    without running code."""

    format = "lightning"

    def __init__(self, trainer: pl.Trainer, model: pl.LightningModule) -> None:
        self._trainer = trainer
        self._model = model
        self._tensors = TorchState(model)
        self.entry: Path | None = None
        self.process = 0
        self._is_collecting = False
        self._collected: dict[str, Any] = {}
        self._weights: Path | None = None
        self.loads = 0

    def save(self, path: Path) -> None:
        self.write(path, [self.of_process()])

    def load(self, path: Path) -> None:
        self.take(path, process=0, processes=1)

    def of_process(self) -> dict[str, Any]:
        # Lightning's own writing ends with a barrier, at which the others would wait for a process whose disk is full.
        strategy = self._trainer.strategy
        former, strategy.checkpoint_io = strategy.checkpoint_io, _NotWritten()
        self._is_collecting = True
        try:
            self._trainer.save_checkpoint("", weights_only=False)
        finally:
            self._is_collecting = False
            strategy.checkpoint_io = former
        places = _fit_loop(self._collected).get("combined_loader")
        if not self._trainer.is_global_zero:
            self._collected = {}
        return {"random": random_state(), "loaders": places}

    def collect(self, checkpoint: dict[str, Any]) -> None:
        """Lightning makes a checkpoint; those that the program saves are not kept, because they hold memory."""
        if self._is_collecting:
            self._collected = checkpoint

    def write(self, path: Path, processes: list[dict[str, Any]]) -> None:
        collected, self._collected = self._collected, {}
        torch.save({**collected, _of_processes: processes}, path)
        refuse_code(path)

    def take(self, path: Path, *, process: int, processes: int) -> None:
        content = _read(path)
        # Lightning counts batches, and the ranks share out the data.
        of_rank(content[_of_processes], path, rank=process, ranks=processes, has_place=True)
        self._tensors.reclaim()
        self._model.load_state_dict(content["state_dict"])
        self.entry, self._weights, self.process = path, None, process
        self.loads += 1

    def load_weights(self, path: Path) -> None:
        self._model.load_state_dict(_read(path)["state_dict"])
        self._weights = path

    def release(self) -> str:
        self._tensors = TorchState(self._model, *self._trainer.optimizers)
        return self._tensors.release()

    @property
    def devices(self) -> list[str]:
        return self._tensors.devices

    @property
    def device_memory(self) -> int | None:
        return self._tensors.device_memory

    def restore_weights(self) -> None:
        """Lightning has loaded the file from which it was entered; a warm restart takes the weights of another."""
        if self._weights is not None:
            self._model.load_state_dict(_read(self._weights)["state_dict"])


_of_processes = "aiplatform_processes"
"""Where a checkpoint has what each process has of its own."""


def _read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = torch.load(path, map_location="cpu", mmap=True, weights_only=True)
    return content


def _fit_loop(checkpoint: dict[str, Any]) -> dict[str, Any]:
    """What the loop of a fit has in a checkpoint beside its counts: the places of loaders."""
    found: dict[str, Any] = checkpoint["loops"]["fit_loop"]["state_dict"]
    return found


class _NotWritten(CheckpointIO):
    """Has Lightning collect a checkpoint and write nothing."""

    def save_checkpoint(self, checkpoint: dict[str, Any], path: Any, storage_options: Any = None) -> None: ...
    def load_checkpoint(self, path: Any, map_location: Any = None, weights_only: bool | None = None) -> dict[str, Any]:
        raise NotImplementedError("nothing was written")

    def remove_checkpoint(self, path: Any) -> None: ...


class _Steps(pl.Callback):
    """Called before each batch."""

    def __init__(self, loop: FrameworkLoop, state: FitState) -> None:
        self.loop = loop
        self.sigterm: Any = None
        """What is done at SIGTERM, before Lightning changes it."""
        self._state = state
        self._random: dict[str, Any] | None = None
        self._of_batches: set[str] = set()
        """Metrics that are logged with batches; the others are logged when they change."""
        self._others: dict[str, float] = {}

    def on_save_checkpoint(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, checkpoint: dict[str, Any]
    ) -> None:
        # The batch that was taken for the next step is not begun: the loop goes on with it.
        progress = checkpoint["loops"]["fit_loop"]["epoch_loop.batch_progress"]
        for counts in (progress["total"], progress["current"]):
            counts["ready"] = counts["completed"]
        # Otherwise Lightning takes the epoch for complete when it is the last one, and never begins another.
        progress["is_last_batch"] = False
        self._state.collect(checkpoint)

    def on_load_checkpoint(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, checkpoint: dict[str, Any]
    ) -> None:
        own = checkpoint[_of_processes][self._state.process]
        self._random = own["random"]
        if own["loaders"] is not None:
            _fit_loop(checkpoint)["combined_loader"] = own["loaders"]

    def on_train_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        # Lightning would end the loop after a batch, and a checkpoint would not be saved.
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, self.sigterm)

    def on_train_batch_start(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, batch: Any, batch_idx: int
    ) -> None:
        if batch_idx % trainer.accumulate_grad_batches != 0:
            return
        if self.loop.is_entering:
            self._state.restore_weights()
            if self._random is not None:
                set_random_state(self._random)
        else:
            self._log_others(trainer)
        total = trainer.estimated_stepping_batches
        self.loop.next_step(sys.maxsize if total == float("inf") else int(total))

    def on_train_batch_end(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        metrics = {name: float(value) for name, value in trainer.callback_metrics.items() if name not in self._others}
        self._of_batches.update(metrics)
        self.loop.job.log_values(metrics)

    def on_train_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        self._log_others(trainer)

    def _log_others(self, trainer: pl.Trainer) -> None:
        metrics = {
            name: float(value) for name, value in trainer.callback_metrics.items() if name not in self._of_batches
        }
        self.loop.job.log_values({name: value for name, value in metrics.items() if self._others.get(name) != value})
        self._others = metrics
