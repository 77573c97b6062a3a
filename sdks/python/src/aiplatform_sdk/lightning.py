"""Lightning: `fit` in place of `Trainer.fit`."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import Any

import lightning.pytorch as pl
import torch
from torch.utils.data import DataLoader

from .errors import SdkError
from .framework_loop import FrameworkLoop
from .torch import ResumableLoader, TorchState
from .torch.random_numbers import random_state, set_random_state
from .torch.torch_state import refuse_code
from .trainer import Trainer


class SeveralProcessesError(SdkError):
    """Lightning is to train in several processes."""


def fit(
    job: Trainer,
    trainer: pl.Trainer,
    model: pl.LightningModule,
    train_dataloaders: Any = None,
    val_dataloaders: Any = None,
    **options: Any,
) -> None:
    """As `trainer.fit(model, …)`; a step is a step of the optimizer. `options` are those of `Trainer.steps`.

    It logs what the model logs. `trainer.fit()` is left and called again where a command loads a checkpoint. A
    `DataLoader` goes on at its place; loaders that the model makes have to be `ResumableLoader(…, ahead=1)` for that.
    """
    if trainer.world_size > 1:
        raise SeveralProcessesError(
            f"the trainer has {trainer.world_size} processes: "
            "use one device, or write the loop with aiplatform_sdk.torch"
        )
    if isinstance(train_dataloaders, DataLoader):
        train_dataloaders = ResumableLoader(train_dataloaders, ahead=1)
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


class FitState:
    """What Lightning saves. Its file is a checkpoint of Lightning that is loaded without running code."""

    format = "lightning"

    def __init__(self, trainer: pl.Trainer, model: pl.LightningModule) -> None:
        self._trainer = trainer
        self._model = model
        self._tensors = TorchState(model)
        self.entry: Path | None = None
        self._weights: Path | None = None
        self.loads = 0

    def save(self, path: Path) -> None:
        self._trainer.save_checkpoint(path, weights_only=False)
        refuse_code(path)

    def load(self, path: Path) -> None:
        self._tensors.reclaim()
        self._load_model(path)
        self.entry, self._weights = path, None
        self.loads += 1

    def load_weights(self, path: Path) -> None:
        self._load_model(path)
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
            self._load_model(self._weights)

    def _load_model(self, path: Path) -> None:
        content = torch.load(path, map_location="cpu", mmap=True, weights_only=True)
        self._model.load_state_dict(content["state_dict"])


class _Steps(pl.Callback):
    """Called before each batch. Its own state, random numbers, is in the checkpoint."""

    def __init__(self, loop: FrameworkLoop, state: FitState) -> None:
        self.loop = loop
        self.sigterm: Any = None
        """What is done at SIGTERM, before Lightning changes it."""
        self._state = state
        self._random: dict[str, Any] | None = None
        self._of_batches: set[str] = set()
        """Metrics that are logged with batches; the others are logged when they change."""
        self._others: dict[str, float] = {}

    def state_dict(self) -> dict[str, Any]:
        return {"random": random_state()}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self._random = state_dict["random"]

    def on_save_checkpoint(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, checkpoint: dict[str, Any]
    ) -> None:
        # The batch that was taken for the next step is not begun: the loop goes on with it.
        progress = checkpoint["loops"]["fit_loop"]["epoch_loop.batch_progress"]
        for counts in (progress["total"], progress["current"]):
            counts["ready"] = counts["completed"]

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
