"""What a trainer is told by its arguments, or by its environment."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import SdkError


class SettingMissingError(SdkError):
    """The trainer was not told which job it is to train."""


def setting(given: str | None, variable: str) -> str:
    value = given or os.environ.get(variable)
    if not value:
        raise SettingMissingError(f"{variable} is not set: set it, or give attach() the value")
    return value


def dataset_directory_of(given: str | Path | None) -> Path:
    """Where the files of datasets are kept."""
    return Path(given or os.environ.get("DATASET_DIRECTORY") or Path(".aiplatform") / "datasets")
