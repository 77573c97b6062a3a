"""The pause between two attempts."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    """Bounds of the pause, in seconds."""

    min_s: float = 0.2
    max_s: float = 10.0

    def pause_s(self, failures: int, choose: Callable[[], float] = random.random) -> float:
        """After so many failures in a row: doubles up to the maximum, and half of it is random."""
        if failures < 1:
            return 0.0
        return min(self.max_s, self.min_s * 2.0 ** min(failures - 1, 60)) * (0.5 + choose() / 2)
