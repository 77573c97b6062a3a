"""Trains a small network with Keras on PyTorch; its result is a model in the format of Keras."""

import os

os.environ["KERAS_BACKEND"] = "torch"

import keras
import numpy as np

from aiplatform_sdk import Trainer
from aiplatform_sdk.keras import fit

keras.utils.set_random_seed(1)
numbers = np.random.default_rng(1)
inputs = numbers.normal(size=(1_000, 8)).astype(np.float32)
targets = np.sin(inputs[:, :1] * inputs[:, 1:2]) + inputs[:, 2:3]
layers = [keras.Input((8,)), keras.layers.Dense(64, "relu"), keras.layers.Dropout(0.1), keras.layers.Dense(1)]
model = keras.Sequential(layers)
model.compile(optimizer="adam", loss="mse", metrics=["mae"])


class LearningRate(keras.callbacks.Callback):
    """Takes over what commands change."""

    def on_train_batch_begin(self, batch, logs=None):
        self.model.optimizer.learning_rate = job.settings["learning_rate"]
        job.log(learning_rate=job.settings["learning_rate"])


with Trainer.attach() as job:
    fit(
        job,
        model,
        inputs[:800],
        targets[:800],
        epochs=job.settings["steps"] // 25,
        validation_data=(inputs[800:], targets[800:]),
        callbacks=[LearningRate()],
        checkpoint_every=job.settings["save_every"],
    )
print(job.outcome)
