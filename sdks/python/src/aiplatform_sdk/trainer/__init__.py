"""Training that the platform steers."""

from .checkpoints import RefusedError
from .dict_state import DictState, StateValueError
from .durable_files import DirectoryInUseError
from .journal import JournalError, JournalMissingError
from .media import MediaError
from .state import OnDevices, Releasable, State, WarmStart
from .trainer import SettingMissingError, Trainer

__all__ = [
    "DictState",
    "DirectoryInUseError",
    "JournalError",
    "JournalMissingError",
    "MediaError",
    "OnDevices",
    "RefusedError",
    "Releasable",
    "SettingMissingError",
    "State",
    "StateValueError",
    "Trainer",
    "WarmStart",
]
