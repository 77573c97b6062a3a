"""Each example obeys every command, and goes on after a kill: its curve is that of a run that was never disturbed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from example_rig import Curve, Example, ExampleRig
from scripted_platform import ScriptedPlatform

on_ranks: dict[str, Any] = {
    "launcher": ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"),
    "planned": 250,
    "stop_code": 1,
}
examples = {
    "pytorch": Example("pytorch/train.py", "onnx", "clip", {"clip": 1.0}),
    "pytorch on ranks": Example("pytorch/train_on_ranks.py", "onnx", "clip", {"clip": 1.0}, **on_ranks),
    "scikit-learn": Example("scikit-learn/train.py", "skops", "learning_rate", {"learning_rate": 0.001}),
    "XGBoost": Example("xgboost/train.py", "xgboost", "learning_rate", loss="valid-rmse"),
    "LightGBM": Example("lightgbm/train.py", "lightgbm", "learning_rate", loss="valid-l2", pause_says="kept"),
    "Hugging Face": Example("huggingface/train.py", "torch", "clip", {"clip": 1.0}),
    "Hugging Face on ranks": Example("huggingface/train_on_ranks.py", "torch", "clip", {"clip": 1.0}, **on_ranks),
    "Lightning": Example("lightning/train.py", "lightning", "weight_decay", {"weight_decay": 0.5}),
    "Lightning on ranks": Example(
        "lightning/train_on_ranks.py", "lightning", "weight_decay", {"weight_decay": 0.5}, **on_ranks
    ),
    "Keras": Example("keras/train.py", "keras", "learning_rate", {"learning_rate": 0.01}),
}
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
            rig.ends(rig.start(example.planned), "completed")
        finally:
            rig.end()
        assert platform.states == ["preparing", "running", "finishing", "completed"]
        assert platform.job.artifact is not None
        assert platform.job.artifact["format"] == example.form
        assert platform.uploads[platform.job.artifact["sha256"]]
        curve = rig.curve()
        assert [step for step, _ in curve] == list(range(1, example.planned + 1))
        return curve


@pytest.fixture
def platform() -> Iterator[ScriptedPlatform]:
    with ScriptedPlatform() as platform:
        yield platform


@pytest.fixture
def rig(example: Example, platform: ScriptedPlatform, tmp_path: Path) -> Iterator[ExampleRig]:
    rig = ExampleRig(example, platform, tmp_path)
    yield rig
    rig.end()


def test_it_obeys_every_command_and_goes_on_after_a_kill(rig: ExampleRig, undisturbed: Curve) -> None:
    platform, override = rig.platform, rig.example.override
    first = rig.start(100_000, pause_s)
    rig.reached(45)
    paused = rig.applied("pause")
    assert rig.example.pause_says in paused["detail"]
    at = rig.last_step()
    assert rig.applied("resume") == {"checkpoint_id": paused["checkpoint_id"], "start_step": at}
    rig.reached(at + 10, segment=1)
    assert rig.curve() + rig.curve(1) == undisturbed[: rig.last_step(1)]

    back = rig.checkpoint_at(40)
    assert rig.applied("rollback", checkpoint_id=back) == {"checkpoint_id": back, "start_step": 40}
    rig.reached(75, segment=2)
    rig.kill(first)
    second = rig.start(100_000, pause_s)
    rig.reached(rig.last_step(2) + 10, segment=2)
    again = rig.curve(2)
    assert again == undisturbed[40 : 40 + len(again)]

    before = rig.override(2)
    rig.applied("continue", **{override: before / 2})
    rig.until(lambda: rig.override(2) == before / 2)
    changed = next(step for step, value in platform.curve(override, 2) if value == before / 2)
    rig.reached(changed + 2, segment=2)
    assert rig.curve(2) != undisturbed[40 : rig.last_step(2)], "it has an effect"
    newest = rig.newest_checkpoint()
    warm = rig.applied("warm_restart", checkpoint_id=newest["id"], **{override: before})
    assert warm["start_step"] == newest["step"]
    rig.reached(newest["step"] + 10, segment=3)
    assert rig.curve(3)[0][0] == newest["step"] + 1
    assert rig.override(3) == before

    artifact = rig.applied("finish_from_checkpoint", checkpoint_id=rig.newest_checkpoint()["id"])["artifact"]
    assert artifact["format"] == rig.example.form
    assert platform.uploads[artifact["sha256"]]
    rig.ends(second, "finished")


def test_it_stops_at_a_signal_and_goes_on_until_it_is_aborted(rig: ExampleRig, undisturbed: Curve) -> None:
    first = rig.start(100_000, pause_s)
    rig.reached(25)
    first.send_signal(signal.SIGTERM)
    rig.ends(first, "stopped", rig.example.stop_code)
    second = rig.start(100_000, pause_s)
    rig.reached(rig.last_step() + 10)
    curve = rig.curve()
    assert curve == undisturbed[: len(curve)]
    rig.applied("abort")
    rig.ends(second, "aborted")
    assert list((rig.directory / "job" / "checkpoints").glob("*.checkpoint"))


@pytest.mark.parametrize("example", ["pytorch"], indirect=True)
def test_killed_before_an_outcome_is_recorded_and_while_it_is_paused_it_loses_nothing(
    rig: ExampleRig, undisturbed: Curve
) -> None:
    platform = rig.platform
    first = rig.start(100_000, pause_s)
    rig.reached(30)
    platform.answers = "never"
    command = platform.command("pause")
    rig.until(lambda: platform.acknowledged(command))
    rig.kill(first)
    platform.answers = "recorded"
    second = rig.start(100_000, pause_s)
    rig.until(lambda: platform.job.commands[0]["status"] == "applied")
    rig.kill(second)
    third = rig.start(100_000, pause_s)
    rig.applied("resume")
    rig.reached(rig.last_step() + 10, segment=1)
    rig.kill(third)
    rig.start(100_000, pause_s)
    rig.reached(rig.last_step(1) + 10, segment=1)
    assert rig.curve() + rig.curve(1) == undisturbed[: rig.last_step(1)]


@pytest.mark.parametrize("example", ["Lightning"], indirect=True)
def test_it_goes_back_to_where_the_last_batch_of_an_epoch_is_next(
    example: Example, tmp_path: Path, platform: ScriptedPlatform
) -> None:
    batches = 25
    saved = replace(example, configuration={**example.configuration, "save_every": batches - 1})
    rig = ExampleRig(saved, platform, tmp_path)
    try:
        rig.start(100_000, pause_s)
        rig.reached(batches + 20)
        back = rig.checkpoint_at(batches - 1)
        assert rig.applied("rollback", checkpoint_id=back)["start_step"] == batches - 1
        rig.reached(batches + 10, segment=1)
        known = rig.curve()[batches - 1 :]
        again = rig.curve(1)
        common = min(len(known), len(again))
        assert common > 1, "the next epoch has begun"
        assert again[:common] == known[:common]
    finally:
        rig.end()
