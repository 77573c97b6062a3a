"""A platform, a directory, and the trainers that a test starts on them."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from decay import begin, export, take_step
from scripted_platform import ScriptedPlatform

from aiplatform_sdk import DictState, Trainer
from aiplatform_sdk.trainer import durable_files

root = Path(__file__).parent.parent


def program_environment() -> dict[str, str]:
    """For a program that uses the SDK."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "src"), os.environ.get("PYTHONPATH", "")])}


class RunningTrainer:
    """A trainer in a thread of this process, which takes the steps of `decay`."""

    def __init__(self, rig: Rig, total: int, pause_s: float) -> None:
        self.outcome: str | None = None
        self.error: BaseException | None = None
        self.values: dict[str, Any] = begin()
        self.fails_at: int | None = None
        self.job: Trainer | None = None
        self.step = 0
        self.between_steps = threading.Event()
        """Cleared, it holds the training up in the middle of a step."""
        self.between_steps.set()
        self._pause_s = pause_s
        self._shown: queue.SimpleQueue[tuple[Callable[[Trainer], object], queue.SimpleQueue[int]]] = queue.SimpleQueue()
        self._rig = rig
        self._thread = threading.Thread(target=self._train, args=(total,), daemon=True)
        self._thread.start()

    def _train(self, total: int) -> None:
        try:
            with self._rig.attach() as job:
                self.job = job
                state = DictState(self.values, weights=["loss"])
                for step in job.steps(total, state, checkpoint_every=40, keep=1_000, export=export(self.values)):
                    if step == self.fails_at:
                        raise ValueError("the data is gone")
                    rate = float(job.settings.get("learning_rate", 0.01))
                    job.log(loss=take_step(self.values, rate), rate=rate)
                    self.step = step
                    while not self._shown.empty():
                        show, done = self._shown.get()
                        show(job)
                        done.put(step)
                    time.sleep(self._pause_s)
                    self.between_steps.wait()
                self.outcome = job.outcome
        except BaseException as error:
            self.error = error

    def shows(self, show: Callable[[Trainer], object]) -> int:
        """Has the training thread show something in a step, and answers which step that was."""
        done: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._shown.put((show, done))
        return done.get(timeout=20)

    def done(self, within_s: float = 20.0) -> str | None:
        self._thread.join(within_s)
        assert not self._thread.is_alive(), "the trainer goes on"
        return self.outcome

    def stop(self) -> None:
        self.between_steps.set()
        if self.job is not None:
            self.job.stop()
        self.done()


class Rig:
    def __init__(self, platform: ScriptedPlatform, directory: Path) -> None:
        self.platform = platform
        self.directory = directory
        self._trainers: list[RunningTrainer] = []
        self._processes: list[subprocess.Popen[str]] = []

    def attach(self) -> Trainer:
        platform = self.platform
        return Trainer.attach(
            platform.url,
            "key",
            pipeline_id=platform.pipeline_id,
            run_id=platform.run_id,
            job_name=platform.job_name,
            directory=self.directory,
        )

    def train(self, total: int = 1_000_000, pause_s: float = 0.002) -> RunningTrainer:
        trainer = RunningTrainer(self, total, pause_s)
        self._trainers.append(trainer)
        return trainer

    def start_process(self, program: Path) -> subprocess.Popen[str]:
        platform = self.platform
        env = {
            **program_environment(),
            "PLATFORM_URL": platform.url,
            "PLATFORM_API_KEY": "key",
            "PIPELINE_ID": platform.pipeline_id,
            "RUN_ID": platform.run_id,
            "JOB_NAME": platform.job_name,
            "DATA_DIRECTORY": str(self.directory),
        }
        command = [sys.executable, str(program)]
        process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._processes.append(process)
        return process

    def end(self) -> None:
        for process in self._processes:
            process.kill()
            process.communicate()
        for trainer in self._trainers:
            trainer.stop()
        assert not durable_files.DirectoryClaim._claimed
