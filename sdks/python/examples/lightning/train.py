"""Trains a small network with Lightning."""

import lightning.pytorch as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from aiplatform_sdk import Trainer
from aiplatform_sdk.lightning import fit

pl.seed_everything(1)
inputs = torch.randn(1_000, 8)
targets = (inputs[:, :1] * inputs[:, 1:2]).sin() + inputs[:, 2:3]


class Regression(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 1))

    def on_train_batch_start(self, batch, batch_idx):
        for group in self.optimizers().param_groups:
            group["weight_decay"] = job.settings["weight_decay"]

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.mse_loss(self.net(x), y)
        self.log_dict({"loss": loss, "weight_decay": job.settings["weight_decay"]})
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("valid_loss", nn.functional.mse_loss(self.net(x), y))

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=0.01)
        return [optimizer], [torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.99)]


data = DataLoader(TensorDataset(inputs[:800], targets[:800]), batch_size=32, shuffle=True)
held_out = DataLoader(TensorDataset(inputs[800:], targets[800:]), batch_size=100)

with Trainer.attach() as job:
    trainer = pl.Trainer(
        max_steps=job.settings["steps"],
        accelerator="auto",
        devices=1,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
    )
    fit(job, trainer, Regression(), data, held_out, checkpoint_every=job.settings["save_every"])
print(job.outcome)
