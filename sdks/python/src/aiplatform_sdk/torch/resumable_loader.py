"""The place in the data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from .random_numbers import LoaderNumbers
from .stateful_place import StatefulLoader, StatefulPlace

Batch = TypeVar("Batch")


class ResumableLoader(Generic[Batch]):
    """Batches of a `DataLoader`, whose place in an epoch is part of the training state.

    To go back to a place it begins the epoch again with its random numbers and passes over the batches that were taken.
    So the order and the batches are the same to the last bit, if the data set gives the same item for the same
    random numbers; it costs reading those batches. A `StatefulDataLoader` of torchdata goes to the place by itself. It
    tells a `DistributedSampler` the epoch.
    """

    def __init__(self, loader: Iterable[Batch], *, ahead: int = 0) -> None:
        """`ahead`: batches that the loop has taken at a step boundary and not used yet."""
        self.loader = loader
        self._numbers = LoaderNumbers(loader)
        self._stateful = StatefulPlace(loader, self._numbers, ahead) if isinstance(loader, StatefulLoader) else None
        self._ahead = ahead
        self._epoch = -1
        self._taken = 0
        self._began: dict[str, Any] | None = None
        """Random numbers at the beginning of the epoch."""
        self._place: dict[str, Any] | None = None
        """Where the next iteration begins; None: a new epoch."""
        self._loads = 0

    def __len__(self) -> int:
        return len(self.loader)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Batch]:
        """One epoch, or the rest of one after its state was loaded. It ends when a state is loaded meanwhile."""
        loads = self._loads
        for batch in self._batches():
            self._taken += 1
            yield batch
            if loads != self._loads:
                return
        self._began, self._taken = None, 0

    def forever(self) -> Iterator[Batch]:
        """Epoch after epoch. After a state was loaded, the next batch is the one behind its place."""
        while True:
            resumes, was_empty = self._place is not None, True
            for batch in self:
                was_empty = False
                yield batch
            if was_empty and not resumes:
                raise ValueError("the loader has no batches: give the data set at least one item")

    def state_dict(self) -> dict[str, Any]:
        ahead = min(self._taken, self._ahead)
        state = {"epoch": self._epoch, "began": self._began, "taken": self._taken - ahead, "ahead": ahead}
        if self._stateful is not None:
            # First: a loader that has not begun makes its iterator for that, and draws random numbers.
            state["loader"] = self._stateful.at(ahead) if self._place is None else self._place["loader"]
        return {**state, "generators": self._numbers.own_state()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        if ("loader" in state) != (self._stateful is not None):
            raise ValueError(
                f"the place is that of a loader {'with' if 'loader' in state else 'without'} a state of its own: "
                "train with the kind of loader that the checkpoint was saved with"
            )
        self._loads += 1
        self._place = state if state["began"] is not None or self._stateful is not None else None
        self._epoch, self._began = state["epoch"], state["began"]
        self._taken = state["taken"] + state["ahead"]
        self._numbers.set_own(state.get("generators", []))

    def _batches(self) -> Iterator[Batch]:
        place, self._place = self._place, None
        begins = place is None or place["began"] is None
        if begins:
            self._epoch += 1
        sampler = getattr(self.loader, "sampler", None)
        if sampler is not None and hasattr(sampler, "set_epoch"):
            # Without it, the sampler of several processes shuffles each epoch in the same way.
            sampler.set_epoch(self._epoch)
        if begins:
            self._began, self._taken = self._numbers.state(), 0
        if self._stateful is not None:
            ahead = 0
            if place is not None:
                self._taken, ahead = place["taken"], place["ahead"]
            return self._stateful.batches(place and place["loader"], ahead)
        return iter(self.loader) if place is None else self._passed_over(place)

    def _passed_over(self, place: dict[str, Any]) -> Iterator[Batch]:
        self._began, self._taken = place["began"], place["taken"]
        later = self._numbers.state()
        self._numbers.set(place["began"])
        batches = iter(self.loader)
        passed = sum(1 for _ in islice(batches, place["taken"]))
        ahead = list(islice(batches, place["ahead"]))
        self._numbers.set(later)
        if passed + len(ahead) < place["taken"] + place["ahead"]:
            raise ValueError(
                f"the place is behind batch {place['taken']}, and the loader has {passed} batches: "
                "train with the data set that the checkpoint was saved with"
            )
        return chain(ahead, batches)
