"""Trains a linear model of scikit-learn batch by batch; its result is a file of skops."""

import numpy as np
from sklearn.linear_model import SGDRegressor

from aiplatform_sdk import Trainer
from aiplatform_sdk.sklearn import SklearnState

numbers = np.random.default_rng(1)
inputs = numbers.normal(size=(1_000, 8))
targets = np.sin(inputs[:, 0] * inputs[:, 1]) + inputs[:, 2]
model = SGDRegressor(learning_rate="constant", random_state=1)

with Trainer.attach() as job:
    state = SklearnState(model, numbers)
    for _ in job.steps(job.settings["steps"], state, checkpoint_every=job.settings["save_every"]):
        batch = numbers.choice(800, size=32, replace=False)
        model.set_params(eta0=job.settings["learning_rate"])
        model.partial_fit(inputs[batch], targets[batch])
        error = model.predict(inputs[800:]) - targets[800:]
        job.log(loss=np.mean(error**2), learning_rate=model.eta0)
print(job.outcome)
