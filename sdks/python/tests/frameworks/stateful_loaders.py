"""Trains on ranks; each of them shuffles data of its own, with a loader that knows its place."""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import TensorDataset
from torchdata.stateful_dataloader import StatefulDataLoader

from aiplatform_sdk.torch import ResumableLoader, TorchState, attach

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
own = torch.Generator().manual_seed(dist.get_rank())
data = TensorDataset(torch.randn(200, 4, generator=own))
loader = ResumableLoader(StatefulDataLoader(data, batch_size=16, shuffle=True, generator=own))
batches = loader.forever()
model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 1)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

with attach() as job:
    for _ in job.steps(job.settings["steps"], TorchState(model, optimizer, loader), checkpoint_every=20):
        (x,) = next(batches)
        loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        dist.all_reduce(loss.detach_())
        job.log(loss=loss.item())
if dist.get_rank() == 0:
    print(job.outcome)
dist.destroy_process_group()
