"""Each rank reads the data of the run, and rank 0 reports what all of them have read."""

from __future__ import annotations

import torch
import torch.distributed as dist
from torch import nn

from aiplatform_sdk.torch import TorchState, attach

dist.init_process_group("gloo")
model = nn.Linear(1, 1)
with attach() as job:
    for _ in job.steps(1, TorchState(model, torch.optim.SGD(model.parameters(), lr=0.01))):
        size = torch.tensor([float(len(job.dataset("train").path.read_bytes()))])
        dist.all_reduce(size)
        job.log(loss=size.item())
if dist.get_rank() == 0:
    print(job.outcome)
dist.destroy_process_group()
