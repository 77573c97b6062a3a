from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rig import Rig
from scripted_platform import ScriptedPlatform

from aiplatform_sdk.trainer import sender

# What a test waits for most of the time; trainers that are processes of their own take the time that users have.
sender.cut_every_s = 0.05


@pytest.fixture
def platform() -> Iterator[ScriptedPlatform]:
    with ScriptedPlatform() as platform:
        yield platform


@pytest.fixture
def rig(platform: ScriptedPlatform, tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(platform, tmp_path / "job")
    yield rig
    rig.end()
