"""What a step with ten metrics costs; `python benches/log_overhead.py` prints it, and how fast the machine is.

Rounds with and without the trainer take turns. Figures of a machine on which the fixed computation takes twice as long
are about twice as large.
"""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass, field
from statistics import fmean, median, quantiles

from machine import fixed_computation_ms
from played_platform import attached

from aiplatform_sdk import DictState

metrics = {f"metric_{number}": number / 7 for number in range(10)}
steps, steps_per_s, rounds = 5_000, 1_000, 5


@dataclass
class Clocked:
    """Seconds by the clock, waits for Python's lock among them."""

    logs: list[float] = field(default_factory=list)
    """Of each `log()`."""
    turns: list[float] = field(default_factory=list)
    """Of each step: `log()`, and asking for the next one."""


def paced(due: float) -> float:
    time.sleep(max(0.0, due - time.perf_counter()))
    return due + 1 / steps_per_s


def round_without() -> float:
    """Processor seconds of the steps alone, timed in the same way."""
    clocked, cpu, due = Clocked(), time.process_time(), time.perf_counter()
    for _ in range(steps):
        began = time.perf_counter()
        asked = time.perf_counter()
        ended = time.perf_counter()
        clocked.logs.append(ended - asked)
        clocked.turns.append(ended - began)
        due = paced(due)
    return time.process_time() - cpu


def round_with(clocked: Clocked) -> tuple[float, float]:
    """Processor seconds of the same steps with a trainer, from its first step to its end: of the thread that takes
    them, and of the others."""
    with attached() as job:
        cpu, own, due = time.process_time(), time.thread_time(), time.perf_counter()
        loop = job.steps(steps, DictState({}), publish=False)
        began = time.perf_counter()
        for _ in loop:
            asked = time.perf_counter()
            job.log(**metrics)
            ended = time.perf_counter()
            clocked.logs.append(ended - asked)
            clocked.turns.append(ended - began)
            due = paced(due)
            began = time.perf_counter()
        own = time.thread_time() - own
    return own, time.process_time() - cpu - own


def said(costs: list[float]) -> str:
    """Microseconds of a step, and the share of a core that they are."""
    least, most = (cost * steps_per_s / 1e4 for cost in (min(costs), max(costs)))
    return f"median {median(costs):.1f} µs a step; by rounds {least:.1f} to {most:.1f} % of a core"


def main() -> None:
    clocked = Clocked()
    own_costs: list[float] = []
    other_costs: list[float] = []
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(rounds):
        without = round_without()
        own, others = round_with(clocked)
        own_costs.append((own - without) / steps * 1e6)
        other_costs.append(others / steps * 1e6)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1_024
    print(f"machine: {fixed_computation_ms()}")
    print(f"{len(metrics)} metrics a step, by the clock:")
    for what, times in (("log()", clocked.logs), ("log() and the next step", clocked.turns)):
        p50, p99, mean = median(times) * 1e6, quantiles(times, n=100)[-1] * 1e6, fmean(times) * 1e6
        print(f"  {what}: median {p50:.1f} µs, mean {mean:.1f}, 99 % below {p99:.1f}")
    print(f"processor of the training thread at {steps_per_s} steps/s: {said(own_costs)}")
    print(f"processor of the other threads: {said(other_costs)}")
    print(f"processor of both: {said([sum(pair) for pair in zip(own_costs, other_costs, strict=True)])}")
    print(f"memory: {grown:.0f} MB more")


if __name__ == "__main__":
    main()
