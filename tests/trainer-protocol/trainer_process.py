"""A trainer of any language as a process, and the platform that it speaks with."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from curve import uninterrupted
from scripted_platform import ScriptedPlatform
from scripted_server import eventually


class TrainerProcess:
    """Its effects, as it tells them."""

    def __init__(self, command: Sequence[str], env: dict[str, str], log: Path) -> None:
        self.effects: list[dict[str, Any]] = []
        self._log = log
        with log.open("ab") as errors:
            self._process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=errors, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def complaints(self) -> str:
        return self._log.read_text()

    def has_told(self, effect: str) -> bool:
        return any(told["effect"] == effect for told in list(self.effects))

    def took(self, step: int) -> None:
        """Waits until it has taken a step, reported or not."""
        eventually(lambda: any(told["effect"] == "step" and told["step"] >= step for told in list(self.effects)))

    def kill(self) -> None:
        """As a power cut would."""
        self._process.send_signal(signal.SIGKILL)
        assert self._process.wait(60) == -signal.SIGKILL, f"it had ended before it was killed: {self.complaints}"

    def terminate(self) -> None:
        self._process.send_signal(signal.SIGTERM)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ended(self, within_s: float = 90.0) -> tuple[int, str]:
        """Its exit code and its last effect."""
        try:
            code = self._process.wait(within_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the trainer goes on: {self.complaints}") from None
        self._reader.join()
        return code, self.effects[-1]["effect"] if self.effects else ""

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                # Of a process that was killed the last line may be a part.
                if line.endswith("\n"):
                    self.effects.append(json.loads(line))


class Bench:
    """A platform, a directory, and the trainers that a situation starts on them."""

    def __init__(self, driver: Sequence[str], directory: Path) -> None:
        self.platform = ScriptedPlatform()
        self.directory = directory
        self._driver = driver
        self._may_end = directory.with_suffix(".may-end")
        self._processes: list[TrainerProcess] = []

    @contextlib.contextmanager
    def beside(self, name: str) -> Iterator[Bench]:
        """Another job of another platform, with a directory beside this one."""
        bench = Bench(self._driver, self.directory.with_name(name))
        with bench.platform:
            try:
                yield bench
            finally:
                bench.end()

    def start(self, total: int = 1_000_000, directory: Path | None = None, **settings: str) -> TrainerProcess:
        """Starts a trainer; `settings` are further variables of its environment."""
        platform = self.platform
        env = {
            **os.environ,
            "PLATFORM_URL": platform.url,
            "PLATFORM_API_KEY": "key",
            "PIPELINE_ID": platform.pipeline_id,
            "RUN_ID": platform.run_id,
            "JOB_NAME": platform.job_name,
            "DATA_DIRECTORY": str(directory or self.directory),
            "TOTAL": str(total),
            **settings,
        }
        process = TrainerProcess(self._driver, env, self.directory.with_suffix(".log"))
        self._processes.append(process)
        return process

    def start_unending(self, total: int, **settings: str) -> TrainerProcess:
        """Starts one that goes on beyond its last step until it may end: on a busy machine a command takes its time."""
        return self.start(total, ENDS_WHEN=str(self._may_end), **settings)

    def let_end(self) -> None:
        """Lets trainers that were started unending take their last step."""
        self._may_end.touch()

    def last_step(self, segment: int = 0) -> int:
        return max((step for step, _ in self.platform.curve("loss", segment)), default=0)

    def goes_on(self, steps: int = 30, segment: int = 0) -> None:
        """Waits for so many more reported steps."""
        self.platform.reached(self.last_step(segment) + steps, segment)

    def spooled(self, segment: int) -> set[str]:
        """Reports of a segment that wait on disk, and the newest one."""
        return {path.name for path in (self.directory / "reports").glob(f"*-{segment}-*.report")}

    def checkpoint_at(self, step: int) -> str:
        eventually(lambda: any(each["step"] == step for each in self.platform.job.checkpoints.values()))
        return next(each["id"] for each in self.platform.job.checkpoints.values() if each["step"] == step)

    def assert_undisturbed(self, *segments: int) -> None:
        """Every point of the segments, in the order they came, is that of a run that was never disturbed."""
        curve = [point for segment in segments for point in self.platform.curve("loss", segment)]
        assert curve == uninterrupted(curve[-1][0])

    def assert_again_from(self, step: int, segment: int) -> None:
        """The segment takes the way behind a step again."""
        curve = self.platform.curve("loss", segment)
        assert curve == uninterrupted(curve[-1][0])[step:]

    def end(self) -> None:
        for process in self._processes:
            process.end()
        # Shown where the situation failed.
        if self._processes:
            print(self._processes[-1].complaints)
        assert self.platform.illegal_moves == []
