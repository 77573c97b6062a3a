"""The training state, as a trainer saves and loads it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, runtime_checkable


class State(Protocol):
    """What has to be saved so that training goes on as if nothing had been: weights, optimizer, random numbers.

    Loading has to bring back what was saved to the last bit, or a crash shows in the curve.
    """

    def save(self, path: Path) -> None:
        """Writes the whole training state to a new file."""

    def load(self, path: Path) -> None:
        """Takes over the whole training state of a file."""


@runtime_checkable
class WarmStart(Protocol):
    """A state that has weights apart from the rest. For others, a warm restart loads everything."""

    def load_weights(self, path: Path) -> None:
        """Takes over the weights of a file; optimizer and random numbers begin again."""


@runtime_checkable
class Releasable(Protocol):
    """A state that can let go of its memory while the job is paused. It is loaded again before the next step."""

    def release(self) -> str:
        """Frees devices and memory; says in a sentence what that freed."""


@runtime_checkable
class OnDevices(Protocol):
    """A state that knows its devices."""

    @property
    def devices(self) -> list[str]:
        """Devices in use, such as `cuda:0`."""
        ...

    @property
    def device_memory(self) -> int | None:
        """Bytes used on them."""
        ...
