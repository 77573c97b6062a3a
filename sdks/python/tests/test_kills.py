"""Kills at each step of the protocol, with SIGKILL: the table of docs/trainer-protocol.md. Each takes seconds."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from decay import uninterrupted
from rig import Rig
from scripted_platform import ScriptedPlatform, eventually

pytestmark = pytest.mark.kill


def is_undisturbed(platform: ScriptedPlatform, *segments: int) -> bool:
    curve = [point for segment in segments for point in platform.curve("loss", segment)]
    return curve == uninterrupted(curve[-1][0])


def last_step(platform: ScriptedPlatform, segment: int = 0) -> int:
    return max((step for step, _ in platform.curve("loss", segment)), default=0)


def checkpoint_of(directory: Path) -> str | None:
    path = directory / "state.json"
    return json.loads(path.read_text())["position"]["checkpoint_id"] if path.exists() else None


def test_killed_in_the_moment_in_which_it_has_written_from_where_it_would_go_on_it_loses_no_point(rig: Rig) -> None:
    first = rig.start_process()
    eventually(lambda: checkpoint_of(rig.directory) is not None)
    started = checkpoint_of(rig.directory)
    eventually(lambda: checkpoint_of(rig.directory) != started)
    rig.kill(first)
    rig.start_process()
    rig.platform.reached(last_step(rig.platform) + 80)
    assert is_undisturbed(rig.platform, 0)


@pytest.mark.parametrize("action", ["continue", "pause", "rollback", "finish_from_checkpoint", "abort"])
def test_killed_between_an_effect_and_its_acknowledgement_it_acknowledges_the_same_again(rig: Rig, action: str) -> None:
    platform = rig.platform
    first = rig.start_process()
    platform.reached(60)
    platform.answers = "never"
    restores = action in ("rollback", "finish_from_checkpoint")
    at_40 = next(each["id"] for each in platform.job.checkpoints.values() if each["step"] == 40)
    command = platform.command(action, checkpoint_id=at_40 if restores else None)
    eventually(lambda: platform.acknowledged(command))
    rig.kill(first)
    platform.answers = "recorded"
    second = rig.start_process()
    eventually(lambda: platform.job.commands[0]["status"] == "applied")
    assert len({json.dumps(each, sort_keys=True) for each in platform.acknowledged(command)}) == 1
    if action == "pause":
        platform.outcome_of(platform.command("resume"))
        platform.reached(last_step(platform) + 30, segment=1)
        assert is_undisturbed(platform, 0, 1)
    elif action == "rollback":
        platform.reached(90, segment=1)
        again = platform.curve("loss", 1)
        assert again == uninterrupted(again[-1][0])[40:]
    elif action == "continue":
        platform.reached(last_step(platform) + 30)
        assert is_undisturbed(platform, 0)
    else:
        assert second.wait(20) == 0


def test_killed_while_it_uploads_its_result_it_uploads_it_and_completes(rig: Rig) -> None:
    platform = rig.platform
    platform.takes_uploads = False
    first = rig.start_process(total=60)
    eventually(lambda: platform.uploads)
    rig.kill(first)
    platform.takes_uploads = True
    assert rig.start_process(total=60).wait(30) == 0
    assert platform.states[-1] == "completed"
    assert platform.curve("loss") == uninterrupted(60)


def test_killed_again_and_again_while_the_platform_comes_and_goes_it_reports_every_point_once(rig: Rig) -> None:
    platform = rig.platform
    chance = random.Random(11)
    for round_number in range(8):
        process = rig.start_process()
        platform.reached(last_step(platform) + chance.randrange(20, 90))
        if round_number % 2:
            platform.leave()
            spool = rig.directory / "checkpoints"
            before = set(spool.glob("*.json"))
            eventually(lambda spool=spool, before=before: set(spool.glob("*.json")) - before)
        rig.kill(process)
        if round_number % 2:
            platform.start()
    rig.start_process()
    platform.reached(last_step(platform) + 60)
    assert is_undisturbed(platform, 0)
