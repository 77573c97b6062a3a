"""The same on several processes: `torchrun --nproc-per-node 2 train_on_ranks.py`."""

import torch
import torch.distributed as dist
import transformers

from aiplatform_sdk.huggingface import train
from aiplatform_sdk.torch import attach

dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
transformers.set_seed(1)
configuration = transformers.GPT2Config(vocab_size=64, n_positions=16, n_embd=32, n_layer=2, n_head=2)
model = transformers.GPT2LMHeadModel(configuration)
tokens = (torch.randint(0, 64, (500, 1)) + torch.arange(16) * 3) % 64
data = [{"input_ids": each, "labels": each} for each in tokens]


class Clipping(transformers.TrainerCallback):
    """Takes over what commands change."""

    def on_step_begin(self, args, state, control, **kwargs):
        args.max_grad_norm = job.settings["clip"]
        job.log(clip=args.max_grad_norm)


with attach() as job:
    arguments = transformers.TrainingArguments(
        output_dir=".huggingface",
        max_steps=job.settings["steps"],
        use_cpu=not torch.cuda.is_available(),
        per_device_train_batch_size=4,
        lr_scheduler_type="constant_with_warmup",
        warmup_steps=30,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
    )
    trainer = transformers.Trainer(model, arguments, train_dataset=data, callbacks=[Clipping()])
    train(job, trainer, checkpoint_every=job.settings["save_every"])
if dist.get_rank() == 0:
    print(job.outcome)
dist.destroy_process_group()
