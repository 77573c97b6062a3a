"""What a step with ten metrics costs; `python benches/log_overhead.py` prints it.

Rounds with and without the trainer take turns.
"""

from __future__ import annotations

import resource
import time
from statistics import median, quantiles

from played_platform import attached

from aiplatform_sdk import DictState

metrics = {f"metric_{number}": number / 7 for number in range(10)}
steps, steps_per_s, rounds = 5_000, 1_000, 5


def paced(due: float) -> float:
    time.sleep(max(0.0, due - time.perf_counter()))
    return due + 1 / steps_per_s


def round_without() -> float:
    """Processor seconds of the steps alone."""
    cpu, due = time.process_time(), time.perf_counter()
    for _ in range(steps):
        due = paced(due)
    return time.process_time() - cpu


def round_with(logs: list[float]) -> tuple[float, float]:
    """Processor seconds of the same steps with a trainer, from its first step to its end: of the thread that takes
    them, and of the others."""
    with attached() as job:
        cpu, own, due = time.process_time(), time.thread_time(), time.perf_counter()
        for _ in job.steps(steps, DictState({}), publish=False):
            began = time.perf_counter()
            job.log(**metrics)
            logs.append(time.perf_counter() - began)
            due = paced(due)
        own = time.thread_time() - own
    return own, time.process_time() - cpu - own


def main() -> None:
    logs: list[float] = []
    own_costs: list[float] = []
    other_costs: list[float] = []
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(rounds):
        without = round_without()
        own, others = round_with(logs)
        own_costs.append((own - without) / steps * 1e6)
        other_costs.append(others / steps * 1e6)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1_024
    p50, p99 = median(logs) * 1e6, quantiles(logs, n=100)[-1] * 1e6
    print(f"log() of {len(metrics)} metrics: median {p50:.1f} µs, 99 % below {p99:.1f} µs")
    costs = [own + others for own, others in zip(own_costs, other_costs, strict=True)]
    shares = ", ".join(f"{cost * steps_per_s / 1e4:.1f} %" for cost in costs)
    print(f"processor at {steps_per_s} steps/s: median {median(costs):.0f} µs a step; by rounds {shares}")
    print(f"of that in other threads: median {median(other_costs):.0f} µs a step")
    print(f"memory: {grown:.0f} MB more")


if __name__ == "__main__":
    main()
