"""What each command does, against a scripted platform."""

from __future__ import annotations

import uuid

import pytest
from decay import uninterrupted
from rig import Rig
from scripted_server import eventually


def test_a_job_that_was_never_started_is_prepared_and_then_runs(rig: Rig) -> None:
    rig.train()
    rig.platform.reached(20)
    assert rig.platform.states == ["preparing", "running"]
    curve = rig.platform.curve("loss")
    assert curve == uninterrupted(curve[-1][0])
    sent = rig.platform.job.reports.values()
    assert any(report.get("phases") for report in sent)
    eventually(lambda: any(report.get("resources", {}).get("devices") == ["cpu"] for report in sent))


def test_a_pause_and_a_resume_go_on_as_if_nothing_had_been(rig: Rig) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(30)
    paused = platform.outcome_of(platform.command("pause"))["applied"]
    assert paused["checkpoint"]["id"] == paused["checkpoint_id"]
    assert trainer.values == {}, "memory is released"
    eventually(lambda: any(r.get("resources", {}).get("devices") == [] for r in platform.job.reports.values()))
    last = platform.curve("loss")[-1][0]
    resumed = platform.outcome_of(platform.command("resume"))["applied"]
    assert resumed == {"checkpoint_id": paused["checkpoint_id"], "start_step": last}
    platform.reached(last + 30, segment=1)
    curve = platform.curve("loss") + platform.curve("loss", 1)
    assert curve == uninterrupted(curve[-1][0])


def test_a_rollback_takes_the_same_way_again_in_a_new_segment(rig: Rig) -> None:
    platform = rig.platform
    rig.train()
    platform.reached(70)
    checkpoint = next(each for each in platform.job.checkpoints.values() if each["step"] == 40)
    rolled = platform.outcome_of(platform.command("rollback", checkpoint_id=checkpoint["id"]))["applied"]
    assert rolled == {"checkpoint_id": checkpoint["id"], "start_step": 40}
    platform.reached(80, segment=1)
    again = platform.curve("loss", 1)
    assert again == uninterrupted(again[-1][0])[40:]


def test_a_rollback_to_a_checkpoint_that_is_not_kept_is_refused_and_training_goes_on(rig: Rig) -> None:
    platform = rig.platform
    rig.train()
    platform.reached(20)
    refused = platform.outcome_of(platform.command("rollback", checkpoint_id=str(uuid.uuid4())))
    assert "no longer kept" in refused["refused"]["detail"]
    platform.reached(platform.curve("loss")[-1][0] + 30)
    curve = platform.curve("loss")
    assert curve == uninterrupted(curve[-1][0])


def test_pruned_checkpoints_are_deleted_while_it_trains_and_after_an_outage_and_do_not_come_back(rig: Rig) -> None:
    platform = rig.platform
    rig.train()
    platform.reached(90)
    second, third = (each for each in platform.job.checkpoints.values() if each["step"] in (40, 80))
    files = rig.directory / "checkpoints"
    platform.tell({"pruned": {"checkpoint_ids": [second["id"]]}})
    eventually(lambda: not (files / f"{second['id']}.checkpoint").exists())
    platform.leave()
    for pruned in (second, third):
        platform.job.checkpoints[pruned["id"]] = {**pruned, "pruned_at": "2026-03-02T09:04:10.500Z"}
    platform.start()
    eventually(lambda: not (files / f"{third['id']}.checkpoint").exists())
    platform.reached(platform.curve("loss")[-1][0] + 40)
    assert all(platform.job.checkpoints[each["id"]]["pruned_at"] for each in (second, third))


def test_a_rollback_to_a_damaged_checkpoint_is_refused_and_training_goes_on(rig: Rig) -> None:
    platform = rig.platform
    rig.train()
    platform.reached(50)
    checkpoint = next(each for each in platform.job.checkpoints.values() if each["step"] == 40)
    path = rig.directory / "checkpoints" / f"{checkpoint['id']}.checkpoint"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    refused = platform.outcome_of(platform.command("rollback", checkpoint_id=checkpoint["id"]))
    assert "damaged" in refused["refused"]["detail"]
    platform.reached(80)
    curve = platform.curve("loss")
    assert curve == uninterrupted(curve[-1][0])


def test_continue_changes_overrides_between_two_steps_and_they_outlive_a_restart(rig: Rig) -> None:
    platform = rig.platform
    first = rig.train()
    platform.reached(20)
    assert platform.outcome_of(platform.command("continue", learning_rate=0.5))["applied"] == {}
    eventually(lambda: platform.curve("rate")[-1][1] == 0.5)
    first.stop()
    rig.train()
    platform.reached(platform.curve("loss")[-1][0] + 20)
    rates = [rate for _, rate in platform.curve("rate")]
    assert rates == sorted(rates), "it never went back to the former rate"


def test_a_warm_restart_takes_the_weights_alone_and_its_overrides_stay_after_a_pause(rig: Rig) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(50)
    checkpoint = next(each for each in platform.job.checkpoints.values() if each["step"] == 40)
    command = platform.command("warm_restart", checkpoint_id=checkpoint["id"], learning_rate=0.25)
    assert platform.outcome_of(command)["applied"]["start_step"] == 40
    platform.reached(45, segment=1)
    first = platform.curve("loss", 1)[0]
    assert first[0] == 41
    assert first != uninterrupted(41)[40], "random numbers and momentum begin again"
    platform.outcome_of(platform.command("pause"))
    platform.outcome_of(platform.command("resume"))
    platform.reached(70, segment=2)
    assert {rate for _, rate in platform.curve("rate", 2)} == {0.25}
    assert trainer.error is None


def test_finish_stores_the_exported_checkpoint_as_the_result(rig: Rig) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(50)
    checkpoint = next(each for each in platform.job.checkpoints.values() if each["step"] == 40)
    command = platform.command("finish_from_checkpoint", checkpoint_id=checkpoint["id"])
    artifact = platform.outcome_of(command)["applied"]["artifact"]
    assert artifact["format"] == "text"
    assert platform.uploads[artifact["sha256"]].decode() == f"loss {uninterrupted(40)[-1][1]!r}"
    assert trainer.done() == "finished"
    assert rig.train().done() == "finished", "a process that is started again has nothing to do"


def test_abort_stops_and_keeps_the_checkpoints(rig: Rig) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(45)
    platform.outcome_of(platform.command("abort"))
    assert trainer.done() == "aborted"
    assert list((rig.directory / "checkpoints").glob("*.checkpoint"))


@pytest.mark.parametrize(("goal", "best"), [("minimize", 100), ("maximize", 40), (None, 100)])
def test_the_end_of_the_schedule_stores_the_best_checkpoint(rig: Rig, goal: str | None, best: int) -> None:
    platform = rig.platform
    if goal is not None:
        platform.job.declared = {"primary_metric": "loss", "primary_metric_goal": goal}
    assert rig.train(total=100).done() == "completed"
    assert platform.states[-2:] == ["finishing", "completed"]
    assert platform.job.artifact is not None
    assert platform.uploads[platform.job.artifact["sha256"]].decode() == f"loss {uninterrupted(best)[-1][1]!r}"
    assert platform.curve("loss") == uninterrupted(100)


def test_an_error_of_the_program_is_the_jobs_failure_and_a_program_that_is_started_again_goes_on(rig: Rig) -> None:
    platform = rig.platform
    trainer = rig.train()
    trainer.fails_at = 60
    trainer.done()
    assert isinstance(trainer.error, ValueError)
    assert platform.states[-1] == "failed"
    rig.train()
    platform.reached(80)
    assert platform.states[-2:] == ["preparing", "running"]
    curve = platform.curve("loss")
    assert curve == uninterrupted(curve[-1][0])


def test_complete_ends_the_schedule_with_the_step_under_way(rig: Rig) -> None:
    trainer = rig.train()
    rig.platform.reached(50)
    assert trainer.job is not None
    trainer.job.complete()
    assert trainer.done() == "completed"
    assert rig.platform.states[-1] == "completed"
    curve = rig.platform.curve("loss")
    assert curve == uninterrupted(curve[-1][0])
