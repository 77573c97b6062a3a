"""Each example obeys every command, and goes on after a kill: its curve is that of a run that was never disturbed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from example_rig import Curve, Example, ExampleRig
from scripted_platform import ScriptedPlatform, eventually

examples = {
    "pytorch": Example("pytorch/train.py", "onnx", "clip", {"clip": 1.0}),
    "pytorch on ranks": Example(
        "pytorch/train_on_ranks.py",
        "onnx",
        "clip",
        {"clip": 1.0},
        launcher=("-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"),
        stop_code=1,
    ),
}
planned = 400
pause_s = 0.02
"""Of each step of a program that is steered: a command finds it in the middle of its schedule."""


@pytest.fixture(scope="module", params=list(examples))
def example(request: pytest.FixtureRequest) -> Example:
    return examples[request.param]


@pytest.fixture(scope="module")
def undisturbed(example: Example, tmp_path_factory: pytest.TempPathFactory) -> Curve:
    """Every point of a run that went to its end."""
    with ScriptedPlatform() as platform:
        rig = ExampleRig(example, platform, tmp_path_factory.mktemp("undisturbed"))
        try:
            rig.ends(rig.start(planned), "completed")
        finally:
            rig.end()
        assert platform.states == ["preparing", "running", "finishing", "completed"]
        assert platform.job.artifact is not None
        assert platform.job.artifact["format"] == example.form
        assert platform.uploads[platform.job.artifact["sha256"]]
        curve = platform.curve("loss")
        assert [step for step, _ in curve] == list(range(1, planned + 1))
        return curve


@pytest.fixture
def rig(example: Example, tmp_path: Path) -> Iterator[ExampleRig]:
    with ScriptedPlatform() as platform:
        rig = ExampleRig(example, platform, tmp_path)
        yield rig
        rig.end()


def test_it_obeys_every_command_and_goes_on_after_a_kill(rig: ExampleRig, undisturbed: Curve) -> None:
    platform, override = rig.platform, rig.example.override
    first = rig.start(100_000, pause_s)
    rig.reached(45)
    paused = rig.applied("pause")
    assert "released" in paused["detail"]
    at = rig.last_step()
    assert rig.applied("resume") == {"checkpoint_id": paused["checkpoint_id"], "start_step": at}
    rig.reached(at + 10, segment=1)
    assert platform.curve("loss") + platform.curve("loss", 1) == undisturbed[: rig.last_step(1)]

    back = rig.checkpoint_at(40)
    assert rig.applied("rollback", checkpoint_id=back) == {"checkpoint_id": back, "start_step": 40}
    rig.reached(75, segment=2)
    rig.kill(first)
    second = rig.start(100_000, pause_s)
    rig.reached(rig.last_step(2) + 10, segment=2)
    again = platform.curve("loss", 2)
    assert again == undisturbed[40 : 40 + len(again)]

    before = platform.curve(override, 2)[-1][1]
    rig.applied("continue", **{override: before / 2})
    eventually(lambda: platform.curve(override, 2)[-1][1] == before / 2)
    newest = rig.newest_checkpoint()
    warm = rig.applied("warm_restart", checkpoint_id=newest["id"], **{override: before})
    assert warm["start_step"] == newest["step"]
    rig.reached(newest["step"] + 10, segment=3)
    assert platform.curve("loss", 3)[0][0] == newest["step"] + 1
    assert platform.curve(override, 3)[-1][1] == before

    artifact = rig.applied("finish_from_checkpoint", checkpoint_id=rig.newest_checkpoint()["id"])["artifact"]
    assert artifact["format"] == rig.example.form
    assert platform.uploads[artifact["sha256"]]
    rig.ends(second, "finished")


def test_it_stops_at_a_signal_and_goes_on_until_it_is_aborted(rig: ExampleRig, undisturbed: Curve) -> None:
    platform = rig.platform
    first = rig.start(100_000, pause_s)
    rig.reached(25)
    first.send_signal(signal.SIGTERM)
    rig.ends(first, "stopped", rig.example.stop_code)
    second = rig.start(100_000, pause_s)
    rig.reached(rig.last_step() + 10)
    curve = platform.curve("loss")
    assert curve == undisturbed[: len(curve)]
    rig.applied("abort")
    rig.ends(second, "aborted")
    assert list((rig.directory / "job" / "checkpoints").glob("*.checkpoint"))
