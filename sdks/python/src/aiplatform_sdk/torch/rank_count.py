"""Which checkpoints another number of ranks may load than have saved them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from ..errors import SdkError


class RankCountError(SdkError):
    """A checkpoint holds what each rank has of its own, and another number of ranks is to load it."""

    def __init__(self, path: Path, *, saved: int, present: int) -> None:
        self.saved = saved
        """How many ranks have saved it."""
        self.present = present
        """How many ranks train now."""
        super().__init__(
            f"{path} was saved by {_counted(saved)}, and {_counted(present)} would load it: each rank has its own "
            "place in the data or its own random numbers. "
            f"Start {_counted(saved)}, or begin another run from its weights"
        )


def of_rank(own: Sequence[Any], path: Path, *, rank: int, ranks: int, has_place: bool) -> Any:
    """What a rank takes over, out of what each of them has saved of its own.

    `has_place`: there is a place in data that the ranks share out among them, so it means another one where they are
    more or fewer. Without one, any number of ranks may load what was the same in all of them. Raises RankCountError.
    """
    if len(own) == ranks:
        return own[rank]
    if has_place or not all(_is_same(each, own[0]) for each in own):
        raise RankCountError(path, saved=len(own), present=ranks)
    return own[0]


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return bool(torch.equal(one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_is_same(value, other[name]) for name, value in one.items())
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return bool(one == other)


def _counted(ranks: int) -> str:
    return f"{ranks} rank" if ranks == 1 else f"{ranks} ranks"
