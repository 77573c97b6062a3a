"""What logging ten metrics costs the training thread, beside W&B offline and MLflow; `python benches/beside_others.py`.

The rounds of the three take turns. A call is timed by the clock, and its median is printed, because a busy machine
interrupts some; the processor time is that of the training thread alone.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

os.environ |= {
    "WANDB_MODE": "offline",
    "WANDB_SILENT": "true",
    "WANDB_CONSOLE": "off",
    "MLFLOW_DISABLE_TELEMETRY": "true",
}

import mlflow
import wandb
from machine import fixed_computation_ms
from played_platform import attached

from aiplatform_sdk import DictState

metrics = {f"metric_{number}": number / 7 for number in range(10)}
rounds = 5
Log = Callable[[], object]


@contextmanager
def ours(steps: int) -> Iterator[Iterator[Log]]:
    """Each call logs; the step is complete when the next one is asked for, which is timed, too."""
    with attached() as job:
        loop = job.steps(steps + 1, DictState({}), publish=False)
        next(loop)

        def log() -> None:
            job.log(**metrics)
            next(loop)

        yield iter([log] * steps)
        for _ in loop:
            job.log(**metrics)


@contextmanager
def ours_alone(steps: int) -> Iterator[Iterator[Log]]:
    """`log()` without the step."""
    with attached() as job:
        for step in job.steps(1, DictState({}), publish=False):
            assert step == 1
            yield iter([lambda: job.log(**metrics)] * steps)


@contextmanager
def weights_and_biases(steps: int) -> Iterator[Iterator[Log]]:
    with tempfile.TemporaryDirectory() as directory:
        run = wandb.init(project="bench", dir=directory, mode="offline")
        yield iter([lambda: run.log(metrics)] * steps)
        run.finish()


@contextmanager
def mlflow_in_a_file(steps: int) -> Iterator[Iterator[Log]]:
    with tempfile.TemporaryDirectory() as directory:
        mlflow.set_tracking_uri(f"sqlite:///{directory}/mlflow.db")
        with mlflow.start_run():
            numbers = iter(range(steps))
            yield iter([lambda: mlflow.log_metrics(metrics, step=next(numbers))] * steps)


tools = {
    "aiplatform-sdk, log()": (ours_alone, 2_000),
    "aiplatform-sdk, log() and the step": (ours, 2_000),
    "W&B offline, run.log()": (weights_and_biases, 1_000),
    "MLflow in SQLite, log_metrics()": (mlflow_in_a_file, 50),
}


def main() -> None:
    logging.disable(logging.WARNING)
    calls: dict[str, list[float]] = {name: [] for name in tools}
    costs: dict[str, list[float]] = {name: [] for name in tools}
    for _ in range(rounds):
        for name, (tool, steps) in tools.items():
            with tool(steps) as logs:
                took, cpu = list[float](), time.thread_time()
                for log in logs:
                    began = time.perf_counter()
                    log()
                    took.append(time.perf_counter() - began)
                costs[name].append((time.thread_time() - cpu) / steps)
            calls[name].append(median(took))
    print(f"machine: {fixed_computation_ms()}")
    print(f"{len(metrics)} metrics a call; medians of {rounds} rounds")
    for name in tools:
        wall, cpu = median(calls[name]) * 1e6, median(costs[name]) * 1e6
        print(f"{name}: {wall:.1f} µs a call, {cpu:.1f} µs of processor time")


if __name__ == "__main__":
    main()
