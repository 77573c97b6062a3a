"""Runs the program that it is given, and gives each of its steps some milliseconds, so that a command meets it."""

from __future__ import annotations

import os
import runpy
import sys
import time
from collections.abc import Iterator
from typing import Any

from aiplatform_sdk import Trainer

pause_s = float(os.environ["STEP_PAUSE"])
steps_of = Trainer.steps


def slowed(self: Trainer, *args: Any, **options: Any) -> Iterator[int]:
    for step in steps_of(self, *args, **options):
        time.sleep(pause_s)
        yield step


Trainer.steps = slowed  # type: ignore[method-assign]
program = sys.argv.pop(1)
runpy.run_path(program, run_name="__main__")
