"""Searches for a good learning rate and batch of a linear model. Started again after a kill, it goes on."""

import os

import numpy as np

from aiplatform_sdk import DictState, Trainer
from aiplatform_sdk.sweeps import Float, Int, Pruning, Sweep

truth = np.array([1.0, -2.0, 0.5])
held_out = np.random.default_rng(2).normal(size=(256, 3))


def train(job: Trainer) -> None:
    values = {"weights": np.zeros(3), "numbers": np.random.default_rng(1)}
    for step in job.steps(4_000, DictState(values), checkpoint_every=500):
        x = values["numbers"].normal(size=(job.settings["batch"], 3))
        error = x @ (values["weights"] - truth) + values["numbers"].normal(size=len(x))
        values["weights"] = values["weights"] - job.settings["rate"] * x.T @ error / len(x)
        if step % 100 == 0:
            job.log(loss=np.mean((held_out @ (values["weights"] - truth)) ** 2))


space = {"rate": Float(1e-4, 0.5, log=True), "batch": Int(4, 64, log=True)}
pruning = Pruning(every=500, min_trials=3)
with Sweep("linear", space, pipeline_id=os.environ["PIPELINE_ID"], metric="loss", pruning=pruning) as sweep:
    sweep.run(train, trials=8)
    for row in sweep.rows():
        print(row["trial"], row["state"], row["loss"], row["rate"], row["batch"])
    print("best", sweep.best.values)
