"""Trains on ranks; the first file that rank 1 is to load cannot be read."""

from __future__ import annotations

from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from aiplatform_sdk.torch import TorchState, attach

dist.init_process_group("gloo")
torch.manual_seed(1)
model = DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


class UnreadableOnce(TorchState):
    loads = 0

    def take(self, path: Path, *, process: int, processes: int) -> None:
        self.loads += 1
        if process == 1 and self.loads == 1:
            raise OSError("the disk of this machine is gone")
        super().take(path, process=process, processes=processes)


with attach() as job:
    for _ in job.steps(job.settings["steps"], UnreadableOnce(model, optimizer), checkpoint_every=20):
        loss = (model(torch.randn(8, 4)) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        job.log(loss=loss.item())
if dist.get_rank() == 0:
    print(job.outcome)
dist.destroy_process_group()
