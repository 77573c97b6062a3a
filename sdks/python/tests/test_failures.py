"""What a trainer in this process does on bad days; as a process of its own it is in tests/trainer-protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest
from decay import uninterrupted
from rig import Rig
from scripted_platform import ScriptedPlatform
from scripted_server import Disturbance, eventually

from aiplatform_sdk import PlatformError
from aiplatform_sdk.trainer.journal import JournalMissingError


def is_undisturbed(platform: ScriptedPlatform, *segments: int) -> bool:
    """Every point of the segments, in the order they came, is that of a run that was never disturbed."""
    curve = [point for segment in segments for point in platform.curve("loss", segment)]
    return curve == uninterrupted(curve[-1][0])


def last_step(platform: ScriptedPlatform, segment: int = 0) -> int:
    return max((step for step, _ in platform.curve("loss", segment)), default=0)


def checkpoint_at(platform: ScriptedPlatform, step: int) -> str:
    return next(each["id"] for each in platform.job.checkpoints.values() if each["step"] == step)


@pytest.mark.parametrize("action", ["continue", "pause", "rollback", "finish_from_checkpoint", "abort"])
@pytest.mark.parametrize("answers", ["command_resolved", "unknown"])
def test_a_command_that_was_decided_otherwise_is_undone(rig: Rig, action: str, answers: str) -> None:
    platform = rig.platform
    rig.train()
    platform.reached(60)
    platform.answers = answers
    overrides = {"learning_rate": 1.0} if action == "continue" else {}
    restores = action in ("rollback", "finish_from_checkpoint")
    command = platform.command(action, checkpoint_id=checkpoint_at(platform, 40) if restores else None, **overrides)
    platform.outcome_of(command)
    platform.reached(last_step(platform) + 60)
    assert is_undisturbed(platform, 0)
    assert platform.curve("loss", 1) == []


def test_a_command_of_an_older_epoch_is_refused(rig: Rig) -> None:
    platform = rig.platform
    rig.train()
    platform.reached(5)
    platform.outcome_of(platform.command("continue", epoch=3))
    refused = platform.outcome_of(platform.command("pause", epoch=2))
    assert "epoch" in refused["refused"]["detail"]


def test_a_command_that_is_withdrawn_before_it_is_applied_has_no_effect(rig: Rig) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(5)
    # By the training thread itself: else it could still take events before it is held up.
    trainer.shows(lambda job: trainer.between_steps.clear())
    command = platform.command("pause")
    platform.withdraw(command)
    after = platform.command("continue")
    eventually(lambda: trainer.job is not None and trainer.job._events.qsize() == 3)
    trainer.between_steps.set()
    platform.outcome_of(after)
    assert platform.acknowledged(command) == []


@pytest.mark.parametrize("how", ["stream", "acknowledgement", "report"])
def test_a_trainer_that_is_replaced_stops_without_a_failure(rig: Rig, how: str) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(5)
    if how == "stream":
        platform.take_over()
    elif how == "acknowledgement":
        platform.answers = "attachment_lost"
        platform.command("pause")
    else:
        platform.refuse_reports = lambda report: (409, {"detail": "taken over", "code": "attachment_lost"})
    assert trainer.done() == "detached"
    assert "failed" not in platform.states


def test_a_replaced_trainer_that_is_started_again_does_not_take_the_job_back(rig: Rig) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(5)
    platform.take_over()
    assert trainer.done() == "detached"
    owner = platform.job.attachment_id
    assert rig.train().done() == "detached"
    assert platform.job.attachment_id == owner


@pytest.mark.parametrize("end", [{"reconnect": {}}, None])
def test_a_stream_that_ends_is_opened_again_and_commands_that_are_finished_with_are_left_out(
    rig: Rig, end: dict[str, Any] | None
) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(5)
    command = platform.command("continue", learning_rate=0.01)
    platform.outcome_of(command)
    # The file can be read before its folder is synced; the trainer tells the sequence after that.
    eventually(lambda: trainer.job is not None and trainer.job._last_command()[0] == 1)
    platform.end_streams(end)
    eventually(lambda: len(platform.attachments) > 1)
    assert platform.attachments[1]["last_sequence"] == 1
    assert platform.attachments[1]["last_command_id"] == command
    assert platform.attachments[1]["attachment_id"] == platform.attachments[0]["attachment_id"]
    platform.outcome_of(platform.command("pause"))


def test_started_again_while_paused_it_takes_no_step_before_it_is_told_to(rig: Rig) -> None:
    platform = rig.platform
    first = rig.train()
    platform.reached(20)
    platform.outcome_of(platform.command("pause"))
    # With an outcome that is still to be told, the next one would wait for its answer.
    eventually(lambda: first.job is not None and first.job._last_command()[0] == 1)
    first.stop()
    refused: list[str] = []

    def away(kind: str, moment: str) -> Disturbance:
        refused.append(kind)
        return "no answer"

    platform.disturb = away
    again = rig.train()
    eventually(lambda: refused.count("attach") > 1 or again.step > 0 or again.error is not None)
    assert (again.step, again.error) == (0, None)
    platform.disturb = lambda kind, moment: None
    platform.outcome_of(platform.command("resume"))
    platform.reached(60, segment=1)
    assert is_undisturbed(platform, 0, 1)


def test_a_platform_that_was_away_gets_the_whole_curve_and_the_checkpoints(rig: Rig) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(20)
    platform.leave()
    store = rig.directory / "checkpoints"
    before = {path.name for path in store.glob("*.json")}
    eventually(lambda: len({path.name for path in store.glob("*.json")} - before) >= 3)
    platform.start()
    platform.reached(last_step(platform) + 120)
    assert is_undisturbed(platform, 0)
    eventually(lambda: {path.stem for path in store.glob("*.json")} <= platform.job.checkpoints.keys())
    assert trainer.error is None


def test_an_outage_during_an_acknowledgement_has_it_sent_again_once_it_is_over(rig: Rig) -> None:
    platform = rig.platform
    rig.train()
    platform.reached(20)
    platform.answers = "never"
    command = platform.command("pause")
    eventually(lambda: platform.acknowledged(command))
    platform.leave()
    platform.answers = "recorded"
    platform.start()
    eventually(lambda: platform.job.state == "paused")
    assert len({json.dumps(each, sort_keys=True) for each in platform.acknowledged(command)}) == 1


def test_a_report_that_is_not_answered_is_sent_again_under_the_same_counter(rig: Rig) -> None:
    platform = rig.platform
    unanswered: list[int] = []

    def refuse(report: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
        if len(unanswered) < 3 and report.get("columns"):
            unanswered.append(report["counter"])
            return 503, {"detail": "not now"}
        return None

    platform.refuse_reports = refuse
    rig.train()
    platform.reached(50)
    assert len(set(unanswered)) == 1
    assert is_undisturbed(platform, 0)


def test_a_report_that_the_platform_will_never_take_does_not_stand_in_the_way(rig: Rig) -> None:
    platform = rig.platform
    bad: list[int] = []

    def refuse(report: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
        if not bad and report.get("columns"):
            bad.append(report["counter"])
        return (422, {"detail": "no"}) if report["counter"] in bad else None

    platform.refuse_reports = refuse
    rig.train()
    platform.reached(300)
    lines = [line["message"] for report in platform.job.reports.values() for line in report.get("logs", [])]
    assert any(f"refused report {bad[0]}" in line for line in lines)


def test_a_platform_that_was_restored_from_a_backup_is_followed(rig: Rig) -> None:
    platform = rig.platform
    rig.train()
    platform.reached(50)
    backup = platform.backup()
    platform.outcome_of(platform.command("pause"))
    platform.outcome_of(platform.command("resume"))
    platform.reached(last_step(platform) + 20, segment=1)
    platform.restore(backup)
    platform.reached(last_step(platform) + 40)
    platform.outcome_of(platform.command("pause"))
    steps = [step for step, _ in platform.curve("loss")]
    assert steps == sorted(set(steps))


def test_a_key_that_may_not_report_is_an_error_of_the_program(rig: Rig) -> None:
    rig.platform.forbids = True
    trainer = rig.train()
    trainer.done()
    assert isinstance(trainer.error, PlatformError)
    assert trainer.error.status == 403
    assert "permission" in str(trainer.error)


def test_a_job_that_was_begun_in_another_directory_is_not_begun_again(rig: Rig) -> None:
    rig.platform.job.state = "paused"
    trainer = rig.train()
    trainer.done()
    assert isinstance(trainer.error, JournalMissingError)
    assert "failed" not in rig.platform.states


def test_a_disk_that_takes_nothing_costs_no_point(rig: Rig) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(10)
    reports, away = rig.directory / "reports", rig.directory / "away"
    reports.rename(away)
    step = trainer.step
    eventually(lambda: trainer.step > step + 100)
    assert last_step(platform) < step + 100
    away.rename(reports)
    platform.reached(step + 100)
    assert is_undisturbed(platform, 0)


def test_a_wall_clock_that_jumps_changes_nothing_but_stamps(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(20)
    assert trainer.job is not None
    monkeypatch.setattr(trainer.job._reporter, "_clock", lambda: 86_400.0)
    platform.reached(80)
    platform.outcome_of(platform.command("pause"))
    platform.outcome_of(platform.command("resume"))
    platform.reached(last_step(platform) + 20, segment=1)
    assert is_undisturbed(platform, 0, 1)
