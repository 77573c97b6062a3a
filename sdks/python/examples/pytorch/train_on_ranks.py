"""The same on several processes: `torchrun --nproc-per-node 2 train_on_ranks.py`."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

from aiplatform_sdk.torch import ResumableLoader, TorchState, attach, onnx_export

dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
torch.manual_seed(dist.get_rank())
numbers = torch.Generator().manual_seed(1)
inputs = torch.randn(1_000, 8, generator=numbers)
targets = (inputs[:, :1] * inputs[:, 1:2]).sin() + inputs[:, 2:3]
net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 1))
model = DistributedDataParallel(net)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)
data = TensorDataset(inputs, targets)
loader = ResumableLoader(DataLoader(data, batch_size=32, sampler=DistributedSampler(data)))
batches = loader.forever()

with attach() as job:
    state = TorchState(model, optimizer, loader)
    export = onnx_export(net, inputs[:2])
    for _ in job.steps(job.settings["steps"], state, checkpoint_every=job.settings["save_every"], export=export):
        x, y = next(batches)
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), job.settings["clip"])
        optimizer.step()
        dist.all_reduce(loss.detach_(), dist.ReduceOp.AVG if dist.get_backend() == "nccl" else dist.ReduceOp.SUM)
        job.log(loss=loss.item(), clip=job.settings["clip"])
if dist.get_rank() == 0:
    print(job.outcome)
dist.destroy_process_group()
