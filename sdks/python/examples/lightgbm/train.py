"""Trains boosted trees with LightGBM; its result is a model as text."""

import lightgbm
import numpy as np

from aiplatform_sdk import Trainer
from aiplatform_sdk.lightgbm import train

numbers = np.random.default_rng(1)
inputs = numbers.normal(size=(1_000, 8))
targets = np.sin(inputs[:, 0] * inputs[:, 1]) + inputs[:, 2]
data = lightgbm.Dataset(inputs[:800], targets[:800])
held_out = lightgbm.Dataset(inputs[800:], targets[800:], reference=data)

with Trainer.attach() as job:
    params = {"objective": "regression", "learning_rate": 0.02, "num_leaves": 7, "deterministic": True, "verbosity": -1}
    train(
        job,
        params,
        data,
        job.settings["steps"],
        valid_sets=[held_out],
        valid_names=["valid"],
        checkpoint_every=job.settings["save_every"],
    )
print(job.outcome)
