"""Trains a small network in a plain loop of PyTorch; its result is an ONNX model."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from aiplatform_sdk import Trainer
from aiplatform_sdk.torch import ResumableLoader, TorchState, onnx_export

torch.manual_seed(1)
inputs = torch.randn(1_000, 8)
targets = (inputs[:, :1] * inputs[:, 1:2]).sin() + inputs[:, 2:3]
model = nn.Sequential(nn.Linear(8, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)
schedule = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=500)
loader = ResumableLoader(DataLoader(TensorDataset(inputs, targets), batch_size=32, shuffle=True))
batches = loader.forever()

with Trainer.attach() as job:
    state = TorchState(model, optimizer, schedule, loader)
    export = onnx_export(model, inputs[:2])
    for _ in job.steps(job.settings["steps"], state, checkpoint_every=job.settings["save_every"], export=export):
        x, y = next(batches)
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), job.settings["clip"])
        optimizer.step()
        schedule.step()
        job.log(loss=loss.item(), clip=job.settings["clip"])
print(job.outcome)
