"""A training whose curve is known, in arithmetic that gives the same doubles in every language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Values:
    """The whole training state."""

    loss: float = 1.0
    momentum: float = 0.0
    dice: int = 7
    """Of a generator of random numbers: a state that a checkpoint has to have."""

    def take_step(self, rate: float = 0.01) -> float:
        self.dice = self.dice * 16_807 % 2_147_483_647
        self.momentum = 0.5 * self.momentum + rate * (self.dice / 2_147_483_647)
        self.loss = self.loss * (1 - self.momentum)
        return self.loss


def uninterrupted(steps: int) -> list[tuple[int, float]]:
    """Every point of a run that was never disturbed."""
    values = Values()
    return [(step, values.take_step()) for step in range(1, steps + 1)]
