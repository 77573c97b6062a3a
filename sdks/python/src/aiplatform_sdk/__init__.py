"""The AI platform from Python."""

from .client import Deployment, NotSettledError, Platform, RetryPolicy, Run, TensorError
from .errors import PlatformError, PlatformUnreachableError, Problem, SdkError, StreamFailedError
from .trainer import (
    DictState,
    DirectoryInUseError,
    JournalError,
    JournalMissingError,
    MediaError,
    RefusedError,
    Releasable,
    State,
    Trainer,
    WarmStart,
)

__all__ = [
    "Deployment",
    "DictState",
    "DirectoryInUseError",
    "JournalError",
    "JournalMissingError",
    "MediaError",
    "NotSettledError",
    "Platform",
    "PlatformError",
    "PlatformUnreachableError",
    "Problem",
    "RefusedError",
    "Releasable",
    "RetryPolicy",
    "Run",
    "SdkError",
    "State",
    "StreamFailedError",
    "TensorError",
    "Trainer",
    "WarmStart",
]
