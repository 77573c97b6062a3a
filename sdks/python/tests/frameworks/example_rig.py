"""The programs of `examples`, started as processes against a scripted platform."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripted_platform import ScriptedPlatform
from scripted_server import eventually

root = Path(__file__).parent.parent.parent
Curve = list[tuple[int, float]]
startup_s = 600.0
"""Frameworks take their time to load on a busy machine."""


@dataclass(frozen=True)
class Example:
    """A program, and what is different about it."""

    program: str
    form: str
    """Format of its result."""
    override: str
    """A setting that a command changes and that the program logs."""
    configuration: dict[str, Any] = field(default_factory=dict)
    loss: str = "loss"
    """The metric whose curve is compared."""
    launcher: tuple[str, ...] = ()
    """Arguments of Python before the program, such as those of `torchrun`."""
    pause_says: str = "released"
    """What has become of memory."""
    planned: int = 400
    """Steps of the undisturbed run: more than a steered one takes of each segment."""
    stop_code: int = 0
    """With which it ends after SIGTERM."""


class ExampleRig:
    """One job of one example, and the processes that train it one after the other."""

    def __init__(self, example: Example, platform: ScriptedPlatform, directory: Path) -> None:
        self.example = example
        self.platform = platform
        self.directory = directory
        self._processes: list[subprocess.Popen[str]] = []

    def start(self, steps: int, pause_s: float = 0.0) -> subprocess.Popen[str]:
        platform = self.platform
        platform.job.declared = {
            "primary_metric": self.example.loss,
            "primary_metric_goal": "minimize",
            "configuration": {"steps": steps, "save_every": 20, **self.example.configuration},
        }
        env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(root / "src"), os.environ.get("PYTHONPATH", "")]),
            "PLATFORM_URL": platform.url,
            "PLATFORM_API_KEY": "key",
            "PIPELINE_ID": platform.pipeline_id,
            "RUN_ID": platform.run_id,
            "JOB_NAME": platform.job_name,
            "DATA_DIRECTORY": str(self.directory / "job"),
            "STEP_PAUSE": str(pause_s),
            "OMP_NUM_THREADS": "1",
            "CUDA_VISIBLE_DEVICES": "",
        }
        programs = [str(root / "tests" / "frameworks" / "slowed.py"), str(root / "examples" / self.example.program)]
        command = [sys.executable, *self.example.launcher, *programs]
        output = (self.directory / f"output-{len(self._processes)}").open("w+")
        process = subprocess.Popen(
            command, env=env, cwd=self.directory, stdout=output, stderr=subprocess.STDOUT, text=True
        )
        self._processes.append(process)
        return process

    def output(self) -> str:
        """What the newest process has printed."""
        return (self.directory / f"output-{len(self._processes) - 1}").read_text()

    def ends(self, process: subprocess.Popen[str], saying: str, code: int = 0) -> None:
        """Waits until it ends by itself, and has printed an outcome."""
        assert process.wait(startup_s) == code, self.output()
        assert saying in self.output().splitlines(), self.output()

    def reached(self, step: int, segment: int = 0) -> None:
        """Waits until the points of a segment have come to a step."""

        self.until(lambda: self.last_step(segment) >= step)

    def until(self, condition: Callable[[], object]) -> None:
        """Waits until the condition holds, however busy the machine is, but not longer than the program lives."""

        def holds() -> bool:
            has_ended = self._processes[-1].poll() is not None
            if condition():
                return True
            if has_ended:
                raise AssertionError(f"the program has ended:\n{self.output()}")
            return False

        eventually(holds, startup_s)

    def last_step(self, segment: int = 0) -> int:
        return max((step for step, _ in self.curve(segment)), default=0)

    def curve(self, segment: int = 0) -> Curve:
        return self.platform.curve(self.example.loss, segment)

    def override(self, segment: int) -> float:
        """The newest value of the setting that a command changes."""
        return self.platform.curve(self.example.override, segment)[-1][1]

    def applied(self, action: str, **options: Any) -> dict[str, Any]:
        """Commands, and waits for what the trainer says that it has applied."""
        command = self.platform.command(action, **options)
        self.until(lambda: self.platform.acknowledged(command))
        outcome = self.platform.outcome_of(command)
        assert "applied" in outcome, outcome
        return dict(outcome["applied"])

    def checkpoint_at(self, step: int) -> str:
        found = [each["id"] for each in self.platform.job.checkpoints.values() if each["step"] == step]
        assert found, f"no checkpoint of step {step}"
        return str(found[0])

    def newest_checkpoint(self) -> dict[str, Any]:
        return list(self.platform.job.checkpoints.values())[-1]

    def kill(self, process: subprocess.Popen[str]) -> None:
        """As a power cut would, all processes that it has started, too."""
        started = _started_by(process.pid)
        for pid in started:
            os.kill(pid, signal.SIGKILL)
        assert process.wait(startup_s) == -signal.SIGKILL, "it had ended before it was killed"
        eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started), startup_s)

    def end(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                self.kill(process)


def _started_by(pid: int) -> list[int]:
    """A process and all those that it has started, whatever their sessions."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        parents.setdefault(parent, []).append(int(path.parent.name))
    found = [pid]
    for each in found:
        found.extend(parents.get(each, []))
    return found
