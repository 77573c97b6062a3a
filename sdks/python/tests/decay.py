"""A training whose curve is known, as a program of its own: loss decays by the learning rate, with random noise."""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from aiplatform_sdk import DictState, Trainer


def begin() -> dict[str, Any]:
    return {"loss": 1.0, "random": random.Random(7), "momentum": 0.0}


def take_step(values: dict[str, Any], rate: float = 0.01) -> float:
    values["momentum"] = 0.5 * values["momentum"] + rate * values["random"].random()
    values["loss"] *= 1 - values["momentum"]
    return float(values["loss"])


def uninterrupted(steps: int) -> list[tuple[int, float]]:
    """Every point of a run that was never disturbed."""
    values = begin()
    return [(step, take_step(values)) for step in range(1, steps + 1)]


def export(values: dict[str, Any]) -> Any:
    def write(path: Path) -> str:
        path.write_text(f"loss {values['loss']!r}")
        return "text"

    return write


def main() -> None:
    total, pause_s = int(os.environ.get("TOTAL", "1000000")), float(os.environ.get("PAUSE", "0.003"))
    with Trainer.attach() as job:
        values = begin()
        state = DictState(values, weights=["loss"])
        for step in job.steps(total, state, checkpoint_every=40, keep=1_000, export=export(values)):
            rate = float(job.settings.get("learning_rate", 0.01))
            job.log(loss=take_step(values, rate), rate=rate)
            if step % 100 == 0:
                job.log_image("loss", np.full((2, 2), values["loss"]))
            time.sleep(pause_s)
        sys.stdout.write(f"{job.outcome}\n")


if __name__ == "__main__":
    main()
