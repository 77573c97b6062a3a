"""The AI platform from Python."""

from .errors import PlatformError, PlatformUnreachableError, Problem, SdkError, StreamFailedError
from .trainer import (
    DictState,
    DirectoryInUseError,
    JournalError,
    JournalMissingError,
    RefusedError,
    Releasable,
    State,
    Trainer,
    WarmStart,
)

__all__ = [
    "DictState",
    "DirectoryInUseError",
    "JournalError",
    "JournalMissingError",
    "PlatformError",
    "PlatformUnreachableError",
    "Problem",
    "RefusedError",
    "Releasable",
    "SdkError",
    "State",
    "StreamFailedError",
    "Trainer",
    "WarmStart",
]
