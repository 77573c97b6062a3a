"""A loop that is not the program's own: left and entered again. The framework here is a function."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from decay import begin, take_step, uninterrupted
from rig import Rig

from aiplatform_sdk import DictState, Trainer
from aiplatform_sdk.framework_loop import FrameworkLoop, LoopEndedError


class CountedState(DictState):
    entry: Path | None = None
    loads = 0

    def load(self, path: Path) -> None:
        super().load(path)
        self.entry = path
        self.loads += 1


class Framework:
    """Takes steps until `last`, and asks before each of them."""

    def __init__(self, last: int = 1_000_000) -> None:
        self.values: dict[str, Any] = {**begin(), "step": 0}
        self.last = last
        self.entries = 0
        self.outcome: str | None = None

    def fit(self, job: Trainer, loop: FrameworkLoop) -> None:
        self.entries += 1
        for _ in range(self.values["step"], self.last):
            loop.next_step(1_000_000)
            job.log(loss=take_step(self.values))
            self.values["step"] += 1
            time.sleep(0.002)

    def train(self, rig: Rig) -> None:
        with rig.attach() as job:
            state = CountedState(self.values)
            loop = FrameworkLoop(job, state, {"checkpoint_every": 40, "keep": 1_000})
            loop.run(lambda: self.fit(job, loop))
            self.outcome = job.outcome


def test_it_is_left_and_entered_again_where_a_checkpoint_is_loaded(rig: Rig) -> None:
    platform, framework = rig.platform, Framework()
    thread = threading.Thread(target=framework.train, args=(rig,))
    thread.start()
    platform.reached(50)
    paused = platform.outcome_of(platform.command("pause"))["applied"]
    assert framework.values == {}
    platform.outcome_of(platform.command("resume"))
    platform.reached(paused["checkpoint"]["step"] + 5, segment=1)
    at_40 = next(each["id"] for each in platform.job.checkpoints.values() if each["step"] == 40)
    platform.outcome_of(platform.command("rollback", checkpoint_id=at_40))
    platform.reached(60, segment=2)
    again = platform.curve("loss", 2)
    assert again == uninterrupted(again[-1][0])[40:]
    assert framework.entries == 3
    platform.outcome_of(platform.command("abort"))
    thread.join(20)
    assert framework.outcome == "aborted"


def test_a_framework_that_ends_its_loop_by_itself_completes_the_job(rig: Rig) -> None:
    framework = Framework(last=60)
    framework.train(rig)
    assert framework.outcome == "completed"
    assert rig.platform.curve("loss") == uninterrupted(60)
    assert rig.platform.states[-1] == "completed"


def test_a_framework_that_takes_no_step_is_an_error_and_not_an_endless_loop(rig: Rig) -> None:
    with pytest.raises(LoopEndedError, match="before its first step"):
        Framework(last=0).train(rig)
