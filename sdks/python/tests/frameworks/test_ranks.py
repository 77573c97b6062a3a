"""Several processes of one training: one of them fails, they become fewer, or the framework trains in one alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from example_rig import Example, ExampleRig, root, startup_s
from scripted_datasets import rows_file
from scripted_platform import ScriptedPlatform


def torchrun_of(ranks: int) -> tuple[str, ...]:
    return ("-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}")


torchrun = torchrun_of(2)
pause_s = 0.02


@pytest.fixture
def platform() -> Iterator[ScriptedPlatform]:
    with ScriptedPlatform() as platform:
        yield platform


def test_a_command_that_fails_in_one_rank_is_refused_and_all_go_on_from_where_they_were(
    platform: ScriptedPlatform, tmp_path: Path
) -> None:
    program = Path(__file__).parent / "one_rank_fails.py"
    rig = ExampleRig(Example(str(program), "torch", "none", launcher=torchrun), platform, tmp_path)
    try:
        process = rig.start(100_000, pause_s)
        rig.reached(45)
        command = platform.command("rollback", checkpoint_id=rig.checkpoint_at(20))
        rig.until(lambda: platform.acknowledged(command))
        refused = platform.outcome_of(command)["refused"]["detail"]
        assert refused == "process 1: OSError: the disk of this machine is gone"
        rig.reached(rig.last_step() + 30)
        assert [step for step, _ in rig.curve()] == list(range(1, rig.last_step() + 1))
        back = rig.checkpoint_at(40)
        assert rig.applied("rollback", checkpoint_id=back)["start_step"] == 40
        rig.reached(50, segment=1)
        known = dict(rig.curve())
        assert all(known.get(step, value) == value for step, value in rig.curve(1))
        rig.applied("abort")
        rig.ends(process, "aborted")
    finally:
        rig.end()


@pytest.mark.parametrize(
    ("program", "configuration"),
    [("pytorch", {"clip": 1.0}), ("huggingface", {"clip": 1.0}), ("lightning", {"weight_decay": 0.5})],
)
def test_a_checkpoint_is_refused_by_another_number_of_ranks_and_loaded_by_as_many(
    platform: ScriptedPlatform, tmp_path: Path, program: str, configuration: dict[str, Any]
) -> None:
    example = Example(f"{program}/train_on_ranks.py", "none", "none", configuration, launcher=torchrun)
    rig = ExampleRig(example, platform, tmp_path)
    try:
        first = rig.start(100_000, pause_s)
        rig.reached(25)
        rig.kill(first)
        rig.example = replace(example, launcher=torchrun_of(1))
        assert rig.start(100_000, pause_s).wait(startup_s) == 1
        said = "was saved by 2 ranks, and 1 rank would load it"
        assert said in rig.output()
        assert platform.states[-1] == "failed"
        last = rig.last_step()
        rig.example = example
        rig.start(100_000, pause_s)
        rig.reached(last + 10)
        assert [step for step, _ in rig.curve()] == list(range(1, rig.last_step() + 1))
    finally:
        rig.end()


def test_loaders_that_know_their_place_go_on_at_that_of_each_rank(platform: ScriptedPlatform, tmp_path: Path) -> None:
    program = Path(__file__).parent / "stateful_loaders.py"
    example = Example(str(program), "none", "none", launcher=torchrun)
    with ScriptedPlatform() as other:
        undisturbed = ExampleRig(example, other, tmp_path / "undisturbed")
        undisturbed.directory.mkdir()
        try:
            undisturbed.ends(undisturbed.start(100), "completed")
        finally:
            undisturbed.end()
        expected = undisturbed.curve()
    rig = ExampleRig(example, platform, tmp_path)
    try:
        first = rig.start(100_000, pause_s)
        rig.reached(45)
        # Steps 20 to 45 are in another epoch than the beginning: one has 13 batches.
        assert rig.applied("rollback", checkpoint_id=rig.checkpoint_at(20))["start_step"] == 20
        rig.reached(65, segment=1)
        rig.kill(first)
        rig.example = replace(example, launcher=torchrun_of(3))
        assert rig.start(100_000, pause_s).wait(startup_s) == 1
        assert "RankCountError" in rig.output()
        assert "was saved by 2 ranks, and 3 ranks would load it" in rig.output()
        rig.example = example
        last = rig.last_step(1)
        rig.start(100_000, pause_s)
        rig.reached(last + 10, segment=1)
        for segment, first_step in ((0, 0), (1, 20)):
            curve = rig.curve(segment)
            assert curve[: len(expected) - first_step] == expected[first_step : first_step + len(curve)]
    finally:
        rig.end()


def test_each_rank_reads_the_data_of_the_run_and_a_machine_fetches_it_once(
    platform: ScriptedPlatform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATASET_DIRECTORY", str(tmp_path / "datasets"))
    platform.data.read("train")
    program = Path(__file__).parent / "ranks_read.py"
    rig = ExampleRig(Example(str(program), "none", "none", launcher=torchrun), platform, tmp_path)
    try:
        rig.ends(rig.start(1), "completed")
        assert rig.curve() == [(1, 2.0 * len(rows_file))]
        assert len(platform.data.asked) == 1
    finally:
        rig.end()


@pytest.mark.parametrize("framework", ["keras", "xgboost", "lightgbm", "scikit-learn"])
def test_a_framework_that_trains_in_one_process_refuses_several(
    platform: ScriptedPlatform, tmp_path: Path, framework: str
) -> None:
    own = "from aiplatform_sdk import Trainer\n"
    source = (root / "examples" / framework / "train.py").read_text()
    assert own in source
    assert "Trainer.attach()" in source
    on_ranks = "import torch.distributed as dist\n\nfrom aiplatform_sdk.torch import attach\n"
    program = tmp_path / "train.py"
    program.write_text(
        source.replace(own, on_ranks).replace("with Trainer.attach()", "dist.init_process_group('gloo')\nwith attach()")
    )
    rig = ExampleRig(
        Example(str(program), "none", "none", {"learning_rate": 0.1}, launcher=torchrun), platform, tmp_path
    )
    try:
        assert rig.start(100).wait(startup_s) == 1
        assert "SeveralProcessesError: torchrun has started several processes, and " in rig.output()
        assert platform.curve("loss") == []
    finally:
        rig.end()


def test_a_job_has_one_trainer_under_torchrun_too(platform: ScriptedPlatform, tmp_path: Path) -> None:
    configuration = {"learning_rate": 0.001}
    example = Example("scikit-learn/train.py", "skops", "learning_rate", configuration, launcher=torchrun)
    rig = ExampleRig(example, platform, tmp_path)
    try:
        assert rig.start(100_000, pause_s).wait(startup_s) == 1
        assert (
            "SeveralProcessesError: torchrun has started several processes, and a job has one trainer" in rig.output()
        )
    finally:
        rig.end()
