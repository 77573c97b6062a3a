"""The same on several processes: `torchrun --nproc-per-node 2 train_on_ranks.py`."""

import lightning.pytorch as pl
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from aiplatform_sdk.lightning import fit
from aiplatform_sdk.torch import attach

dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
pl.seed_everything(1)
inputs = torch.randn(1_000, 8)
targets = (inputs[:, :1] * inputs[:, 1:2]).sin() + inputs[:, 2:3]
# From here on each process draws other numbers, for dropout.
torch.manual_seed(dist.get_rank())


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
        self.log_dict({"loss": loss, "weight_decay": job.settings["weight_decay"]}, sync_dist=True)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("valid_loss", nn.functional.mse_loss(self.net(x), y), sync_dist=True)

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=0.01)
        return [optimizer], [torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.99)]


data = DataLoader(TensorDataset(inputs[:800], targets[:800]), batch_size=16, shuffle=True)
held_out = DataLoader(TensorDataset(inputs[800:], targets[800:]), batch_size=100)

with attach() as job:
    trainer = pl.Trainer(
        max_steps=job.settings["steps"],
        accelerator="auto",
        devices="auto" if torch.cuda.is_available() else dist.get_world_size(),
        strategy="ddp",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
    )
    fit(job, trainer, Regression(), data, held_out, checkpoint_every=job.settings["save_every"])
if dist.get_rank() == 0:
    print(job.outcome)
dist.destroy_process_group()
