"""Random generators that belong to the process."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch


def random_state() -> dict[str, Any]:
    """States of the generators of PyTorch on each device, of NumPy and of Python, as values that load without code."""
    kind, keys, *position = np.random.get_state()
    state: dict[str, Any] = {
        "torch": torch.get_rng_state(),
        "python": random.getstate(),
        "numpy": (kind, np.asarray(keys).tolist(), *position),
    }
    if torch.cuda.is_initialized():
        state["cuda"] = torch.cuda.get_rng_state_all()
    if torch.backends.mps.is_available():
        state["mps"] = torch.mps.get_rng_state()
    return state


def set_random_state(state: Mapping[str, Any]) -> None:
    """Takes over what `random_state` answered, as far as this machine has the devices."""
    torch.set_rng_state(state["torch"])
    random.setstate(state["python"])
    kind, keys, *position = state["numpy"]
    np.random.set_state((kind, np.array(keys, dtype=np.uint32), *position))
    if "cuda" in state and torch.cuda.is_available():
        for device, numbers in enumerate(state["cuda"][: torch.cuda.device_count()]):
            torch.cuda.set_rng_state(numbers, device)
    if "mps" in state and torch.backends.mps.is_available():
        torch.mps.set_rng_state(state["mps"])


class LoaderNumbers:
    """The random numbers that a loader's batches are made with: those of the process, and of generators that the loader
    and its samplers were given."""

    def __init__(self, loader: Any) -> None:
        batches = getattr(loader, "batch_sampler", None)
        owners = [loader, getattr(loader, "sampler", None), batches, getattr(batches, "sampler", None)]
        given = [getattr(owner, "generator", None) for owner in owners]
        # A loader and its sampler often have the same one.
        self._own = list({id(each): each for each in given if isinstance(each, torch.Generator)}.values())

    def state(self) -> dict[str, Any]:
        return {**random_state(), "generators": self.own_state()}

    def own_state(self) -> list[torch.Tensor]:
        return [generator.get_state() for generator in self._own]

    def set(self, state: Mapping[str, Any]) -> None:
        set_random_state(state)
        self.set_own(state.get("generators", []))

    def set_own(self, states: list[torch.Tensor]) -> None:
        # A checkpoint of an earlier version has none.
        for generator, state in zip(self._own, states, strict=False):
            generator.set_state(state)
