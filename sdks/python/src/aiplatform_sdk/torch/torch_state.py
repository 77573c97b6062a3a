"""The training state of a PyTorch program."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
import torch
from torch.utils.data import DataLoader

from ..trainer.dict_state import StateValueError
from .random_numbers import random_state, set_random_state
from .rank_count import of_rank
from .resumable_loader import ResumableLoader
from .tensor_memory import TensorMemory, return_free_memory


class Stateful(Protocol):
    """What PyTorch's modules, optimizers, schedulers, scalers and stateful loaders have in common."""

    def state_dict(self) -> Any: ...
    def load_state_dict(self, state_dict: Any, /) -> Any: ...


Part: TypeAlias = Stateful | torch.Generator | np.random.Generator | random.Random
Kind = TypeVar("Kind")


class TorchState:
    """Modules, optimizers, schedulers, scalers, a `ResumableLoader` and generators, in any number and order; and the
    random numbers of the process.

    A file holds tensors and plain values, and is loaded with `weights_only`. Parts stay the same objects, on their
    devices. A warm restart takes the modules from a checkpoint.
    """

    format = "torch"

    def __init__(self, *parts: Part) -> None:
        self._parts = parts
        self._memory = TensorMemory()

    def save(self, path: Path) -> None:
        self.write(path, [self.of_process()])

    def load(self, path: Path) -> None:
        self.take(path, process=0, processes=1)

    def load_weights(self, path: Path) -> None:
        saved = self._read(path)["parts"]
        self._memory.allocate()
        for part, state in zip(self._parts, saved, strict=True):
            if isinstance(part, torch.nn.Module):
                part.load_state_dict(state)

    def reclaim(self) -> None:
        """Gives released tensors their memory again; what loads them writes their content."""
        self._memory.allocate()

    def release(self) -> str:
        # Gradients and the tensors of optimizers are made again; parameters have to stay the ones that others refer to.
        gradients = [each.grad for each in self._parameters() if each.grad is not None]
        freed = sum(tensor.nbytes for tensor in [*gradients, *self._optimizer_tensors()])
        self._drop_gradients()
        for optimizer in self._of_type(torch.optim.Optimizer):
            optimizer.state.clear()
        del gradients
        freed += self._memory.release(self._module_tensors())
        return_free_memory()
        return f"released {freed:,} bytes of tensors"

    @property
    def devices(self) -> list[str]:
        """Devices of the parameters, such as `cuda:0`."""
        return sorted({str(parameter.device) for parameter in self._parameters()})

    @property
    def device_memory(self) -> int | None:
        """Bytes that tensors use on devices of CUDA; None without one."""
        if not torch.cuda.is_initialized():
            return None
        return sum(int(torch.cuda.memory_allocated(device)) for device in range(torch.cuda.device_count()))

    @property
    def has_place(self) -> bool:
        """Whether it has a place in data that several processes share out among them."""
        return any(isinstance(part, (ResumableLoader, DataLoader)) for part in self._parts)

    def of_process(self) -> dict[str, Any]:
        """What is not the same in each process of a training: its place in the data, and random numbers."""
        parts = {number: _state_of(part) for number, part in enumerate(self._parts) if _belongs_to_process(part)}
        return {"parts": parts, "random": random_state()}

    def write(self, path: Path, processes: list[dict[str, Any]]) -> None:
        """Saves what all processes share, and what each has of its own, by rank."""
        shared = [None if _belongs_to_process(part) else _state_of(part) for part in self._parts]
        torch.save({"version": 1, "parts": shared, "processes": processes}, path)
        refuse_code(path)

    def take(self, path: Path, *, process: int, processes: int) -> None:
        """Takes over a file, with what the process of this rank has of its own. Raises RankCountError."""
        content = self._read(path)
        own = of_rank(content["processes"], path, rank=process, ranks=processes, has_place=self.has_place)
        self._memory.allocate()
        self._drop_gradients()
        for number, (part, state) in enumerate(zip(self._parts, content["parts"], strict=True)):
            _load(part, own["parts"][number] if _belongs_to_process(part) else state)
        set_random_state(own["random"])

    def _read(self, path: Path) -> dict[str, Any]:
        content: dict[str, Any] = torch.load(path, map_location="cpu", mmap=True, weights_only=True)
        if len(content["parts"]) != len(self._parts):
            raise StateValueError(
                f"{path} has {len(content['parts'])} parts, and TorchState was given {len(self._parts)}: "
                "give it the same ones, in the same order"
            )
        return content

    def _of_type(self, kind: type[Kind]) -> Iterator[Kind]:
        return (part for part in self._parts if isinstance(part, kind))

    def _parameters(self) -> Iterator[torch.nn.Parameter]:
        for module in self._of_type(torch.nn.Module):
            yield from module.parameters()

    def _module_tensors(self) -> Iterator[torch.Tensor]:
        yield from self._parameters()
        for module in self._of_type(torch.nn.Module):
            yield from module.buffers()

    def _optimizer_tensors(self) -> Iterator[torch.Tensor]:
        for optimizer in self._of_type(torch.optim.Optimizer):
            for values in optimizer.state.values():
                yield from (value for value in values.values() if isinstance(value, torch.Tensor))

    def _drop_gradients(self) -> None:
        for parameter in self._parameters():
            parameter.grad = None


def refuse_code(path: Path) -> None:
    """Raises StateValueError when a file that was saved cannot be loaded with `weights_only`."""
    unsafe = torch.serialization.get_unsafe_globals_in_checkpoint(path)
    if unsafe:
        raise StateValueError(
            f"the state has {', '.join(sorted(unsafe))}, which cannot be loaded without running code: "
            "leave it out, or have its state_dict answer tensors and plain values"
        )


def _belongs_to_process(part: Part) -> bool:
    return isinstance(part, (ResumableLoader, DataLoader, torch.Generator, np.random.Generator, random.Random))


def _state_of(part: Part) -> Any:
    if isinstance(part, torch.Generator):
        return part.get_state()
    if isinstance(part, np.random.Generator):
        return part.bit_generator.state
    if isinstance(part, random.Random):
        return part.getstate()
    return part.state_dict()


def _load(part: Part, state: Any) -> None:
    if isinstance(part, torch.Generator):
        part.set_state(state)
    elif isinstance(part, np.random.Generator):
        part.bit_generator.state = state
    elif isinstance(part, random.Random):
        part.setstate(state)
    elif isinstance(part, torch.nn.Module):
        part.load_state_dict(state)
    else:
        # An optimizer keeps the tensors that it is given, and these are the file's.
        part.load_state_dict(copy.deepcopy(state))
