"""PyTorch: the state of a training, and processes that `torchrun` starts."""

from .onnx_export import onnx_export
from .rank_count import RankCountError
from .ranks import FollowingTrainer, attach
from .resumable_loader import ResumableLoader
from .torch_state import Part, Stateful, TorchState

__all__ = [
    "FollowingTrainer",
    "Part",
    "RankCountError",
    "ResumableLoader",
    "Stateful",
    "TorchState",
    "attach",
    "onnx_export",
]
