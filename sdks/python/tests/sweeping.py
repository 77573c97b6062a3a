"""A sweep whose trials decay towards their own rate: those with a larger one are worse. Run as a program.

Its `launcher`, if the first argument is `elsewhere`, trains each trial in a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from optuna.samplers import BaseSampler

from aiplatform_sdk import DictState, Trainer
from aiplatform_sdk.client import Run
from aiplatform_sdk.sweeps import Float, Pruning, Sweep, Trial

rates = [0.3, 0.9, 0.1]


class Listed(BaseSampler):
    """Proposes the rates in their order."""

    def infer_relative_search_space(self, study: Any, trial: Any) -> dict[str, Any]:
        return {}

    def sample_relative(self, study: Any, trial: Any, search_space: Any) -> dict[str, Any]:
        return {}

    def sample_independent(self, study: Any, trial: Any, param_name: str, param_distribution: Any) -> float:
        return rates[trial.number % len(rates)]


def train(job: Trainer) -> None:
    values: dict[str, Any] = {"loss": 10.0}
    for step in job.steps(int(os.environ["STEPS"]), DictState(values), checkpoint_every=10, publish=False):
        values["loss"] = job.settings["rate"] + (values["loss"] - job.settings["rate"]) * 0.9
        job.log(loss=values["loss"])
        # Long enough to be stopped in, where it is the worse one.
        time.sleep(0.02 if job.settings["rate"] > 0.5 else 0.001)
        with Path(os.environ["STEPS_TAKEN"]).open("a") as file:
            file.write(f"{job.settings['rate']} {step}\n")


def launch(trial: Trial, run: Run) -> None:
    directory = Path(os.environ["SWEEP_DIRECTORY"]) / "elsewhere" / run.id
    named = {"PIPELINE_ID": run.pipeline_id, "RUN_ID": run.id, "JOB_NAME": "train", "DATA_DIRECTORY": str(directory)}
    subprocess.Popen([sys.executable, __file__, "one"], env={**os.environ, **named})


def main(kind: str) -> None:
    if kind == "one":
        with Trainer.attach() as job:
            train(job)
        return
    with Sweep(
        "decay",
        {"rate": Float(0.01, 1.0)},
        pipeline_id=os.environ["PIPELINE_ID"],
        metric="loss",
        pruning=Pruning(every=20, min_trials=1),
        sampler=Listed(),
        directory=os.environ["SWEEP_DIRECTORY"],
    ) as sweep:
        outcome = sweep.run(train, trials=3) if kind == "here" else sweep.run_elsewhere(launch, trials=3)
        print(json.dumps({"outcome": outcome, "best": sweep.best.values["rate"], "rows": sweep.rows()}))


if __name__ == "__main__":
    main(sys.argv[1])
