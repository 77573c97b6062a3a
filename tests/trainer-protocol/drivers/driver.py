"""The Python trainer as a program of the conformance suite; `../README.md` says what a driver does."""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

jumps = [float(part) for part in os.environ.get("CLOCK_JUMP", "0:0").split(":")]
offsets_s = [0.0]
wall_clock = time.time
time.time = lambda: wall_clock() + offsets_s[-1]

from curve import Values  # noqa: E402

from aiplatform_sdk import DictState, Trainer  # noqa: E402

held_at, _, held_time = os.environ.get("HOLD_AT", "").partition(":")
seen: dict[str, int] = {}


def tell(effect: str, **more: Any) -> None:
    """One line for an effect that is there; holds where the suite wants it."""
    sys.stdout.write(json.dumps({"effect": effect, **more}) + "\n")
    sys.stdout.flush()
    seen[effect] = seen.get(effect, 0) + 1
    if effect == held_at and seen[effect] == int(held_time):
        threading.Event().wait()


class ToldState(DictState):
    """Tells what happens to the training state, once a step was taken."""

    def save(self, path: Path) -> None:
        super().save(path)
        self._tell("saved")

    def load(self, path: Path) -> None:
        super().load(path)
        self._tell("loaded")

    def load_weights(self, path: Path) -> None:
        super().load_weights(path)
        self._tell("loaded")

    def release(self) -> str:
        detail = super().release()
        tell("released")
        return detail

    def _tell(self, effect: str) -> None:
        if self._values["step"] > 0:
            tell(effect, step=self._values["step"])


def show(job: Trainer) -> None:
    """One of each kind, and a text that is too large for a report."""
    job.log_text("note", "hello")
    job.log_text("essay", "x" * 9_000)
    job.log_histogram("weights", [0, 1, 2, 3, math.inf], bins=4)
    job.log_table("samples", ["name", "score"], [["a", 1.5], [None, True], ["b", math.nan]])
    job.log_image("dot", (Path(__file__).parent.parent / "dot.png").read_bytes())


def read(job: Trainer, name: str) -> None:
    """All rows of the data that the run names like this, of two of its columns."""
    rows, total = 0, 0.0
    for batch in job.dataset(name).batches(columns=["id", "value"], batch_size=500):
        rows += batch.num_rows
        total += sum(value.as_py() for value in batch["value"])
    tell("read", rows=rows, sum=total)


def take_step(values: dict[str, Any], rate: float) -> float:
    training = Values(values["loss"], values["momentum"], values["dice"])
    loss = training.take_step(rate)
    values.update(vars(training), step=values["step"] + 1)
    return loss


def main() -> None:
    total, fails_at = int(os.environ["TOTAL"]), int(os.environ.get("FAILS_AT", "0"))
    shows_at = int(os.environ.get("SHOWS_AT", "0"))
    reads = os.environ.get("READS")
    ends_when = os.environ.get("ENDS_WHEN")
    with Trainer.attach() as job:
        values: dict[str, Any] = {**vars(Values()), "step": 0}
        state = ToldState(values, weights=["loss", "step"])

        def export(path: Path) -> str:
            path.write_text(json.dumps(values))
            tell("exported", step=values["step"])
            return "json"

        for step in job.steps(
            sys.maxsize if ends_when else total, state, checkpoint_every=40, keep=1_000, export=export
        ):
            if reads and "read" not in seen:
                read(job, reads)
            if step == fails_at:
                raise ValueError("the data is gone")
            if step == jumps[0]:
                offsets_s.append(jumps[1])
            rate = float(job.settings.get("learning_rate", 0.01))
            job.log(loss=take_step(values, rate), rate=rate)
            if step == shows_at:
                show(job)
            tell("step", step=step)
            if ends_when and step >= total and Path(ends_when).exists():
                job.complete()
            time.sleep(0.002)
    ends = {"completed": "ended", "finished": "ended", "aborted": "ended"}
    tell(ends.get(job.outcome or "", job.outcome or ""))


if __name__ == "__main__":
    main()
