"""What rank 0 tells the other processes of a training."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist

from ..errors import SdkError

kinds = ("begin", "step", "save", "load", "load_weights", "release", "end")
max_pause = timedelta(days=3_650)
"""The others wait while a job is paused; when rank 0 dies, the connection ends at once."""


class ProcessGroupMissingError(SdkError):
    """There are several processes, and they do not know each other."""


@dataclass(frozen=True)
class Told:
    """One message of rank 0."""

    kind: str
    step: int = 0
    content: dict[str, Any] = field(default_factory=dict)


class RankChannel:
    """Made by all processes at the same place of the program. It has a group of its own, on the processor, so that it
    disturbs no collective of the training."""

    def __init__(self) -> None:
        if not dist.is_initialized():
            raise ProcessGroupMissingError("call torch.distributed.init_process_group() before attach()")
        self._group = dist.new_group(backend="gloo", timeout=max_pause)
        self.rank = dist.get_rank()
        self.ranks = dist.get_world_size()

    def tell(self, kind: str, *, step: int = 0, content: Mapping[str, Any] | None = None) -> None:
        """Called by rank 0. Content is left out where there is none: then it is one small message."""
        body = json.dumps(content).encode() if content else b""
        head = torch.tensor([kinds.index(kind), step, len(body)], dtype=torch.int64)
        dist.broadcast(head, 0, group=self._group)
        if body:
            dist.broadcast(torch.frombuffer(bytearray(body), dtype=torch.uint8), 0, group=self._group)

    def hear(self) -> Told:
        """Called by the others. Waits for the next message."""
        head = torch.empty(3, dtype=torch.int64)
        dist.broadcast(head, 0, group=self._group)
        kind, step, size = head.tolist()
        if not size:
            return Told(kinds[kind], step)
        body = torch.empty(size, dtype=torch.uint8)
        dist.broadcast(body, 0, group=self._group)
        return Told(kinds[kind], step, json.loads(bytes(body.tolist())))

    def gather(self, value: Any) -> list[Any]:
        """What each process gives, by rank; the others get an empty list."""
        gathered: list[Any] = [None] * self.ranks if self.rank == 0 else []
        dist.gather_object(value, gathered if self.rank == 0 else None, dst=0, group=self._group)
        return gathered
