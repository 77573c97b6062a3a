"""Keras on PyTorch: `fit` in place of `Model.fit`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import keras
import torch
from torch.utils.data import DataLoader, IterableDataset, TensorDataset

from .errors import SdkError
from .framework_loop import FrameworkLoop
from .torch import ResumableLoader
from .torch.random_numbers import random_state, set_random_state
from .torch.tensor_memory import TensorMemory, return_free_memory
from .trainer import Trainer


class UnsupportedBackendError(SdkError):
    """Keras computes with another framework than PyTorch."""


def fit(
    job: Trainer,
    model: keras.Model,
    x: Any,
    y: Any = None,
    *,
    batch_size: int = 32,
    epochs: int = 1,
    shuffle: bool = True,
    validation_data: Any = None,
    callbacks: Sequence[keras.callbacks.Callback] = (),
    **options: Any,
) -> None:
    """As `model.fit(x, y, …)`; a step is a batch. `x` is a `DataLoader`, or an array with `y`. `options` are those of
    `Trainer.steps`; without `export` the result is the model in the format of Keras.

    It logs what Keras shows of a batch, and what it measures on `validation_data` after an epoch. `model.fit()` is left
    and called again where a command loads a checkpoint, in the middle of an epoch, too.
    """
    if keras.backend.backend() != "torch":
        raise UnsupportedBackendError(
            f"Keras computes with {keras.backend.backend()}: set KERAS_BACKEND=torch before it is imported"
        )
    if y is not None:
        data = TensorDataset(torch.as_tensor(x), torch.as_tensor(y))
        x = DataLoader(data, batch_size=batch_size, shuffle=shuffle)
    loader = ResumableLoader(x, ahead=1)
    state = FitState(model, loader)
    loop = FrameworkLoop(job, state, {"export": _saved(model), **options})
    batches = len(loader)
    steps = _Steps(loop, state, epochs * batches)

    def enter() -> None:
        while state.done < epochs * batches:
            epoch, place = divmod(state.done, batches)
            # The rest of an epoch is an epoch of its own to Keras; after a whole one there may be others.
            model.fit(
                # Its own generator: otherwise each call would draw from the random numbers of the process.
                DataLoader(_Stream(loader), batch_size=None, generator=torch.Generator()),
                initial_epoch=epoch,
                epochs=epoch + 1 if place else epochs,
                steps_per_epoch=batches - place,
                shuffle=False,
                validation_data=validation_data,
                callbacks=[steps, *callbacks],
                verbose=0,
            )
            if model.stop_training:
                return

    loop.run(enter)


class FitState:
    """Variables of a model, of its optimizer and its metrics, and the place in the data."""

    format = "torch"

    def __init__(self, model: keras.Model, loader: ResumableLoader[Any]) -> None:
        self._model = model
        self._loader = loader
        self._memory = TensorMemory()
        self._weights: Path | None = None
        self.entry: Path | None = None
        self.loads = 0
        self.done = 0
        """Steps that are taken."""

    def save(self, path: Path) -> None:
        content = {
            "version": 1,
            "weights": [variable.value.detach() for variable in self._model.weights],
            "others": [variable.value.detach() for variable in self._others()],
            "done": self.done,
            "loader": self._loader.state_dict(),
            "random": random_state(),
        }
        torch.save(content, path)

    def load(self, path: Path) -> None:
        self._memory.allocate()
        content = _read(path)
        self._take(content)
        self._loader.load_state_dict(content["loader"])
        self.entry, self._weights = path, None
        self.loads += 1

    def load_weights(self, path: Path) -> None:
        _assign(self._model.weights, _read(path)["weights"])
        self._weights = path

    def release(self) -> str:
        values = [variable.value for variable in [*self._model.weights, *self._others()]]
        gradients = sum(value.grad.nbytes for value in values if value.grad is not None)
        for value in values:
            value.grad = None
        freed = gradients + self._memory.release(value.detach() for value in values)
        return_free_memory()
        return f"released {freed:,} bytes of tensors"

    @property
    def devices(self) -> list[str]:
        return sorted({str(variable.value.device) for variable in self._model.weights})

    @property
    def device_memory(self) -> int | None:
        if not torch.cuda.is_initialized():
            return None
        return sum(int(torch.cuda.memory_allocated(device)) for device in range(torch.cuda.device_count()))

    def restore(self) -> None:
        """Loads once more what was loaded, but for the place in the data: by now Keras has begun an epoch, drawn random
        numbers, and taken the batch of the next step."""
        if self.entry is not None:
            self._take(_read(self.entry))
        if self._weights is not None:
            _assign(self._model.weights, _read(self._weights)["weights"])

    def _take(self, content: dict[str, Any]) -> None:
        _assign(self._model.weights, content["weights"])
        _assign(self._others(), content["others"])
        self.done = content["done"]
        set_random_state(content["random"])

    def _others(self) -> list[Any]:
        model = self._model
        weights = {id(variable) for variable in model.weights}
        every = [*model.variables, *model.optimizer.variables, *model.metrics_variables]
        return list({id(variable): variable for variable in every if id(variable) not in weights}.values())


class _Steps(keras.callbacks.Callback):
    """Called before each batch."""

    def __init__(self, loop: FrameworkLoop, state: FitState, total: int) -> None:
        super().__init__()
        self._loop = loop
        self._state = state
        self._total = total

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        if self._loop.is_entering:
            self._state.restore()
        self._loop.next_step(self._total)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self._state.done += 1
        self._loop.job.log_values(_numbers(logs))

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._loop.job.log_values({name: value for name, value in _numbers(logs).items() if name.startswith("val_")})


class _Stream(IterableDataset[Any]):
    """The loader's batches as a data set, which Keras takes in the form of a `DataLoader`."""

    def __init__(self, loader: ResumableLoader[Any]) -> None:
        self._loader = loader

    def __iter__(self) -> Iterator[Any]:
        return self._loader.forever()


def _numbers(logs: Any) -> dict[str, float]:
    return {name: float(value) for name, value in (logs or {}).items()}


def _read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = torch.load(path, map_location="cpu", mmap=True, weights_only=True)
    return content


def _assign(variables: Sequence[Any], values: Sequence[torch.Tensor]) -> None:
    for variable, value in zip(variables, values, strict=True):
        variable.assign(value)


def _saved(model: keras.Model) -> Callable[[Path], str]:
    def export(path: Path) -> str:
        named = path.with_name(f"{path.name}.keras")
        model.save(named)
        named.replace(path)
        return "keras"

    return export
