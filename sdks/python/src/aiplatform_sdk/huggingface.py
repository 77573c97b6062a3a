"""Hugging Face: `train` in place of `Trainer.train`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import transformers
from transformers.trainer import TRAINER_STATE_NAME

from .errors import SdkError
from .framework_loop import FrameworkLoop
from .torch import TorchState
from .trainer import Trainer


class UnsupportedSettingError(SdkError):
    """A setting of the framework contradicts what the platform does."""


def train(job: Trainer, trainer: transformers.Trainer, **options: Any) -> None:
    """As `trainer.train()`; a step is a step of the optimizer. `options` are those of `Trainer.steps`.

    It logs what the trainer logs. `trainer.train()` is left and called again where a command loads a checkpoint; the
    order of the data comes from its seed, so the batches stay the same.
    """
    if trainer.args.load_best_model_at_end:
        raise UnsupportedSettingError(
            "load_best_model_at_end is on: turn it off, the result is made from the best checkpoint anyway"
        )
    state = TrainerState(trainer)
    loop = FrameworkLoop(job, state, options)
    callback = _Steps(loop, state)
    # Callbacks of the program find the step begun: what they log belongs to it.
    trainer.callback_handler.callbacks.insert(0, callback)
    try:
        loop.run(state.enter)
    finally:
        trainer.remove_callback(callback)
        trainer.is_in_train = False


class TrainerState:
    """Model, optimizer, schedule and scaler of a `transformers.Trainer`, and how far it has come."""

    format = TorchState.format

    def __init__(self, trainer: transformers.Trainer) -> None:
        self._trainer = trainer
        self._progress = _Progress(trainer)
        self._state = TorchState()
        self._folder: TemporaryDirectory[str] | None = None
        self.entry: Path | None = None
        self._weights: Path | None = None
        self.loads = 0

    def save(self, path: Path) -> None:
        self._state.save(path)

    def load(self, path: Path) -> None:
        self._state.load(path)
        self.entry, self._weights = path, None
        self.loads += 1

    def load_weights(self, path: Path) -> None:
        self._state.load_weights(path)
        self._weights = path

    def release(self) -> str:
        return self._state.release()

    @property
    def devices(self) -> list[str]:
        return self._state.devices

    @property
    def device_memory(self) -> int | None:
        return self._state.device_memory

    def enter(self) -> None:
        """Calls `trainer.train()`, which passes over the batches before the place that was loaded."""
        if self.entry is None:
            self._trainer.train()
            return
        self._folder = TemporaryDirectory()
        self._trainer.save_model(self._folder.name, _internal_call=True)
        (Path(self._folder.name) / TRAINER_STATE_NAME).write_text(self._progress.text)
        self._trainer.train(resume_from_checkpoint=self._folder.name)

    def begin(self) -> None:
        """The trainer has made what it trains with."""
        trainer = self._trainer
        scaler = trainer.accelerator.scaler
        parts = [trainer.model, trainer.optimizer, trainer.lr_scheduler, self._progress]
        self._state = TorchState(*parts, *([scaler] if scaler is not None else []))

    def restore(self) -> None:
        """Loads once more what was loaded: by now the trainer has set up everything again, and drawn random numbers."""
        if self.entry is not None:
            self._state.load(self.entry)
        if self._weights is not None:
            self._state.load_weights(self._weights)
        if self._folder is not None:
            self._folder.cleanup()


class _Progress:
    """The state that the trainer keeps of its loop, as JSON."""

    def __init__(self, trainer: transformers.Trainer) -> None:
        self._trainer = trainer
        self.text = ""

    def state_dict(self) -> dict[str, Any]:
        return {"json": json.dumps(dataclasses.asdict(self._trainer.state))}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.text = state["json"]


class _Steps(transformers.TrainerCallback):
    def __init__(self, loop: FrameworkLoop, state: TrainerState) -> None:
        self._loop = loop
        self._state = state

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._state.begin()

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if self._loop.is_entering:
            self._state.restore()
        self._loop.next_step(state.max_steps)

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **kwargs: Any) -> None:
        # The summary at the end belongs to no step.
        if logs and "train_runtime" not in logs:
            self._loop.job.log_values({name: value for name, value in logs.items() if isinstance(value, (int, float))})
