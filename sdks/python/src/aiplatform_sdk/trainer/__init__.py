"""Training that the platform steers."""

from .checkpoints import RefusedError
from .dataset_files import DatasetDigestError, DatasetError
from .datasets import Dataset
from .dict_state import DictState, StateValueError
from .durable_files import DirectoryInUseError
from .journal import JournalError, JournalMissingError
from .media import MediaError
from .settings import SettingMissingError
from .state import OnDevices, Releasable, State, WarmStart
from .trainer import Trainer

__all__ = [
    "Dataset",
    "DatasetDigestError",
    "DatasetError",
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
