"""Trains boosted trees with XGBoost; its result is a model in UBJSON."""

import numpy as np
import xgboost

from aiplatform_sdk import Trainer
from aiplatform_sdk.xgboost import train

numbers = np.random.default_rng(1)
inputs = numbers.normal(size=(1_000, 8))
targets = np.sin(inputs[:, 0] * inputs[:, 1]) + inputs[:, 2]
data = xgboost.DMatrix(inputs[:800], targets[:800])
held_out = xgboost.DMatrix(inputs[800:], targets[800:])

with Trainer.attach() as job:
    params = {"learning_rate": 0.02, "max_depth": 3}
    train(
        job,
        params,
        data,
        job.settings["steps"],
        evals=[(data, "train"), (held_out, "valid")],
        checkpoint_every=job.settings["save_every"],
    )
print(job.outcome)
