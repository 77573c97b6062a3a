"""What a step with ten metrics costs; `python benches/log_overhead.py` prints it."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

root = Path(__file__).parent.parent
sys.path[:0] = [str(root / "src"), str(root / "tests")]

from scripted_platform import ScriptedPlatform  # noqa: E402

from aiplatform_sdk import DictState, Trainer  # noqa: E402

metrics = {f"metric_{number}": number / 7 for number in range(10)}
steps, steps_per_s = 20_000, 1_000


def main() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with ScriptedPlatform() as platform, tempfile.TemporaryDirectory() as directory:
        job = Trainer.attach(
            platform.url,
            "key",
            pipeline_id=platform.pipeline_id,
            run_id=platform.run_id,
            job_name=platform.job_name,
            directory=directory,
        )
        logs, boundaries = [], []
        cpu = time.process_time()
        with job:
            due = time.perf_counter()
            ended = due
            for _ in job.steps(steps, DictState({}), publish=False):
                began = time.perf_counter()
                boundaries.append(began - ended)
                job.log(**metrics)
                logs.append(time.perf_counter() - began)
                due += 1 / steps_per_s
                time.sleep(max(0.0, due - time.perf_counter()))
                ended = time.perf_counter()
        cpu = time.process_time() - cpu
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1_024
    for name, values in (("log() of 10 metrics", logs), ("between two steps", boundaries)):
        p99 = quantiles(values, n=100)[-1]
        print(f"{name}: median {median(values) * 1e6:.1f} µs, 99 % below {p99 * 1e6:.1f} µs")
    print(f"at {steps_per_s} steps/s: {cpu / steps * 1e6:.0f} µs of processor a step, the platform's part included")
    print(f"memory: {grown:.0f} MB more, the platform's part included")


if __name__ == "__main__":
    main()
