"""What each command does, whatever the language of the trainer."""

from __future__ import annotations

import json
import uuid

import pytest
from curve import uninterrupted
from scripted_server import eventually
from trainer_process import Bench


def test_a_job_that_was_never_started_is_prepared_and_then_runs(bench: Bench) -> None:
    platform = bench.platform
    bench.start()
    platform.reached(20)
    assert platform.states == ["preparing", "running"]
    bench.assert_undisturbed(0)
    eventually(lambda: any(report.get("phases") for report in platform.job.reports.values()))
    eventually(lambda: any(r.get("resources", {}).get("devices") == ["cpu"] for r in platform.job.reports.values()))


@pytest.mark.quick
def test_a_pause_and_a_resume_go_on_as_if_nothing_had_been(bench: Bench) -> None:
    platform = bench.platform
    trainer = bench.start()
    platform.reached(30)
    paused = platform.outcome_of(platform.command("pause"))["applied"]
    assert paused["checkpoint"]["id"] == paused["checkpoint_id"]
    assert trainer.has_told("released"), "memory is released before the outcome is told"
    assert platform.states[-1] == "pausing"
    eventually(lambda: not list(platform.job.reports.values())[-1].get("resources", {"devices": [1]}).get("devices"))
    last = bench.last_step()
    resumed = platform.outcome_of(platform.command("resume"))["applied"]
    assert resumed == {"checkpoint_id": paused["checkpoint_id"], "start_step": last}
    bench.goes_on(segment=1)
    bench.assert_undisturbed(0, 1)


def test_a_rollback_takes_the_same_way_again_in_a_new_segment(bench: Bench) -> None:
    platform = bench.platform
    bench.start()
    platform.reached(70)
    checkpoint = bench.checkpoint_at(40)
    rolled = platform.outcome_of(platform.command("rollback", checkpoint_id=checkpoint))["applied"]
    assert rolled == {"checkpoint_id": checkpoint, "start_step": 40}
    platform.reached(80, segment=1)
    bench.assert_again_from(40, segment=1)


def test_a_rollback_to_a_checkpoint_that_is_not_kept_is_refused_and_training_goes_on(bench: Bench) -> None:
    platform = bench.platform
    bench.start()
    platform.reached(20)
    refused = platform.outcome_of(platform.command("rollback", checkpoint_id=str(uuid.uuid4())))
    assert "no longer kept" in refused["refused"]["detail"]
    bench.goes_on()
    bench.assert_undisturbed(0)


def test_a_rollback_to_a_damaged_checkpoint_is_refused_and_training_goes_on(bench: Bench) -> None:
    platform = bench.platform
    bench.start()
    platform.reached(50)
    checkpoint = bench.checkpoint_at(40)
    path = bench.directory / "checkpoints" / f"{checkpoint}.checkpoint"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    refused = platform.outcome_of(platform.command("rollback", checkpoint_id=checkpoint))
    assert "damaged" in refused["refused"]["detail"]
    platform.reached(90)
    bench.assert_undisturbed(0)


def test_continue_changes_overrides_between_two_steps_and_they_outlive_a_restart(bench: Bench) -> None:
    platform = bench.platform
    first = bench.start()
    platform.reached(20)
    assert platform.outcome_of(platform.command("continue", learning_rate=0.5))["applied"] == {}
    eventually(lambda: platform.curve("rate")[-1][1] == 0.5)
    first.kill()
    bench.start()
    bench.goes_on(20)
    rates = [rate for _, rate in platform.curve("rate")]
    assert rates == sorted(rates), "it never went back to the former rate"


def test_a_warm_restart_keeps_the_step_and_its_overrides_stay_after_a_pause(bench: Bench) -> None:
    platform = bench.platform
    bench.start()
    platform.reached(50)
    command = platform.command("warm_restart", checkpoint_id=bench.checkpoint_at(40), learning_rate=0.25)
    assert platform.outcome_of(command)["applied"]["start_step"] == 40
    platform.reached(45, segment=1)
    assert platform.curve("loss", 1)[0][0] == 41
    platform.outcome_of(platform.command("pause"))
    platform.outcome_of(platform.command("resume"))
    platform.reached(70, segment=2)
    assert {rate for _, rate in platform.curve("rate", 2)} == {0.25}


@pytest.mark.quick
def test_finish_stores_the_checkpoint_as_the_result_and_a_process_that_is_started_again_has_nothing_to_do(
    bench: Bench,
) -> None:
    platform = bench.platform
    trainer = bench.start()
    platform.reached(50)
    command = platform.command("finish_from_checkpoint", checkpoint_id=bench.checkpoint_at(40))
    artifact = platform.outcome_of(command)["applied"]["artifact"]
    assert artifact["uri"] == f"artifact:sha256:{artifact['sha256']}"
    assert json.loads(platform.uploads[artifact["sha256"]])["loss"] == uninterrupted(40)[-1][1]
    assert trainer.ended() == (0, "ended")
    assert bench.start().ended() == (0, "ended")


def test_abort_stops_and_keeps_the_checkpoints(bench: Bench) -> None:
    platform = bench.platform
    trainer = bench.start()
    platform.reached(45)
    platform.outcome_of(platform.command("abort"))
    assert trainer.ended() == (0, "ended")
    assert list((bench.directory / "checkpoints").glob("*.checkpoint"))


def test_the_end_of_the_schedule_stores_the_best_checkpoint(bench: Bench) -> None:
    platform = bench.platform
    platform.job.declared = {"primary_metric": "loss", "primary_metric_goal": "maximize"}
    assert bench.start(total=100).ended() == (0, "ended")
    assert platform.states[-2:] == ["finishing", "completed"]
    assert platform.job.artifact is not None
    assert json.loads(platform.uploads[platform.job.artifact["sha256"]])["loss"] == uninterrupted(40)[-1][1]
    assert platform.curve("loss") == uninterrupted(100)


def test_pruned_checkpoints_are_deleted_while_it_trains_and_after_an_outage_and_do_not_come_back(bench: Bench) -> None:
    platform = bench.platform
    bench.start()
    platform.reached(130)
    second, third = bench.checkpoint_at(40), bench.checkpoint_at(80)
    files = bench.directory / "checkpoints"
    platform.tell({"pruned": {"checkpoint_ids": [second]}})
    eventually(lambda: not (files / f"{second}.checkpoint").exists())
    platform.leave()
    for each in (second, third):
        platform.job.checkpoints[each] = {**platform.job.checkpoints[each], "pruned_at": "2026-03-02T09:04:10.500Z"}
    platform.start()
    eventually(lambda: not (files / f"{third}.checkpoint").exists())
    bench.goes_on(40)
    assert all(platform.job.checkpoints[each]["pruned_at"] for each in (second, third))
