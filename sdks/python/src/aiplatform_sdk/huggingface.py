"""Hugging Face: `train` in place of `Trainer.train`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
import transformers
from transformers.trainer import TRAINER_STATE_NAME
from transformers.utils import WEIGHTS_NAME

from .errors import SdkError, SeveralProcessesError
from .framework_loop import FrameworkLoop
from .torch import FollowingTrainer, TorchState
from .torch.ranks import LeadingTrainer
from .trainer import Trainer


class UnsupportedSettingError(SdkError):
    """A setting of the framework contradicts what the platform does."""


def train(job: Trainer | FollowingTrainer, trainer: transformers.Trainer, **options: Any) -> None:
    """As `trainer.train()`; a step is a step of the optimizer. `options` are those of `Trainer.steps`.

    It logs what the trainer logs. `trainer.train()` is left and called again where a command loads a checkpoint; the
    order of the data comes from its seed, so the batches stay the same. Under `torchrun` call it in each process, with
    what `attach` of `aiplatform_sdk.torch` answers. Raises UnsupportedSettingError and SeveralProcessesError.
    """
    _check(job, trainer)
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


def _check(job: Trainer | FollowingTrainer, trainer: transformers.Trainer) -> None:
    if trainer.args.load_best_model_at_end:
        raise UnsupportedSettingError(
            "load_best_model_at_end is on: turn it off, the result is made from the best checkpoint anyway"
        )
    if trainer.is_deepspeed_enabled or trainer.is_fsdp_enabled:
        raise UnsupportedSettingError("DeepSpeed or FSDP is on, which split the model: turn it off")
    is_on_ranks, processes = isinstance(job, (LeadingTrainer, FollowingTrainer)), trainer.args.world_size
    if processes > 1 and not is_on_ranks:
        raise SeveralProcessesError(
            f"the trainer has {processes} processes: use attach of aiplatform_sdk.torch in place of Trainer.attach"
        )
    if processes == 1 and is_on_ranks:
        raise SeveralProcessesError(
            "torchrun has started several processes, and the trainer knows of one: "
            "on a machine without an accelerator, give TrainingArguments use_cpu=True"
        )


class TrainerState:
    """Model, optimizer, schedule and scaler of a `transformers.Trainer`, and how far it has come."""

    format = TorchState.format

    def __init__(self, trainer: transformers.Trainer) -> None:
        self._trainer = trainer
        self._progress = _Progress(trainer)
        self._state = _LoopState()
        self._folder: TemporaryDirectory[str] | None = None
        self.entry: Path | None = None
        self._weights: Path | None = None
        self._ranks = (0, 1)
        """This process, and how many there are."""
        self.loads = 0

    def save(self, path: Path) -> None:
        self._state.save(path)

    def load(self, path: Path) -> None:
        self.take(path, process=0, processes=1)

    def of_process(self) -> dict[str, Any]:
        return self._state.of_process()

    def write(self, path: Path, processes: list[dict[str, Any]]) -> None:
        self._state.write(path, processes)

    def take(self, path: Path, *, process: int, processes: int) -> None:
        self._state.take(path, process=process, processes=processes)
        self.entry, self._weights, self._ranks = path, None, (process, processes)
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
        if self._trainer.args.should_save:
            self._trainer.save_model(self._folder.name, _internal_call=True)
        else:
            # Neither the trainer nor the model writes anything in other processes, and each begins from its own folder.
            torch.save(self._trainer.model.state_dict(), Path(self._folder.name) / WEIGHTS_NAME)
        (Path(self._folder.name) / TRAINER_STATE_NAME).write_text(self._progress.text)
        self._trainer.train(resume_from_checkpoint=self._folder.name)

    def begin(self) -> None:
        """The trainer has made what it trains with."""
        trainer = self._trainer
        scaler = trainer.accelerator.scaler
        parts = [trainer.model, trainer.optimizer, trainer.lr_scheduler, self._progress]
        self._state = _LoopState(*parts, *([scaler] if scaler is not None else []))

    def restore(self) -> None:
        """Loads once more what was loaded: by now the trainer has set up everything again, and drawn random numbers."""
        if self.entry is not None:
            process, processes = self._ranks
            self._state.take(self.entry, process=process, processes=processes)
        if self._weights is not None:
            self._state.load_weights(self._weights)
        if self._folder is not None:
            self._folder.cleanup()


class _LoopState(TorchState):
    """The trainer passes over as many batches as it has taken, and the ranks share out the data."""

    @property
    def has_place(self) -> bool:
        return True


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
