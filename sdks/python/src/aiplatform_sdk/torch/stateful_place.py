"""The place of a loader that knows it itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any, Protocol, runtime_checkable

from .random_numbers import LoaderNumbers


@runtime_checkable
class StatefulLoader(Protocol):
    """A loader with its place in its state, such as torchdata's `StatefulDataLoader`."""

    def __iter__(self) -> Iterator[Any]: ...
    def state_dict(self) -> Any: ...
    def load_state_dict(self, state_dict: Any, /) -> Any: ...


class StatefulPlace:
    """Batches of such a loader, and the place before the ones that a loop has taken and not used yet."""

    def __init__(self, loader: StatefulLoader, numbers: LoaderNumbers, ahead: int) -> None:
        self._loader = loader
        self._numbers = numbers
        self._before: deque[dict[str, Any]] = deque(maxlen=ahead)
        """Places before each of the newest batches, and the random numbers that they were made with."""

    def at(self, ahead: int) -> dict[str, Any]:
        """The place before the newest `ahead` batches."""
        return self._before[-ahead] if ahead else {"loader": self._loader.state_dict(), "random": None}

    def batches(self, place: dict[str, Any] | None, ahead: int) -> Iterator[Any]:
        """From a place on, or a new epoch. The first `ahead` are made with the random numbers that they had."""
        self._before.clear()
        later = self._numbers.state()
        if place is not None:
            self._go_to(place["loader"])
            self._numbers.set(place["random"] if ahead else later)
        batches = self._noted(iter(self._loader))
        again = list(islice(batches, ahead))
        if ahead:
            self._numbers.set(later)
        if len(again) < ahead:
            raise _behind_the_end()
        yield from again
        yield from batches

    def _go_to(self, place: Any) -> None:
        self._loader.load_state_dict(place)
        try:
            # Makes the iterator: what that draws was drawn before the place was saved.
            self._loader.state_dict()
        except StopIteration:
            raise _behind_the_end() from None

    def _noted(self, batches: Iterator[Any]) -> Iterator[Any]:
        while True:
            if self._before.maxlen:
                self._before.append({"loader": self._loader.state_dict(), "random": self._numbers.state()})
            try:
                batch = next(batches)
            except StopIteration:
                return
            yield batch


def _behind_the_end() -> ValueError:
    return ValueError(
        "the place is behind the last batch of the loader: train with the data set that the checkpoint was saved with"
    )
