"""What a trainer does on bad days: the table of docs/trainer-protocol.md, whatever its language."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from curve import uninterrupted
from scripted_server import Disturbance, Moment, eventually
from trainer_process import Bench


@pytest.mark.parametrize("answers", ["command_resolved", "unknown"])
@pytest.mark.parametrize("action", ["continue", "pause", "rollback", "finish_from_checkpoint", "abort"])
def test_a_command_that_was_decided_otherwise_is_undone(bench: Bench, action: str, answers: str) -> None:
    platform = bench.platform
    bench.start()
    platform.reached(60)
    platform.answers = answers
    overrides = {"learning_rate": 1.0} if action == "continue" else {}
    checkpoint = bench.checkpoint_at(40) if action in ("rollback", "finish_from_checkpoint") else None
    platform.outcome_of(platform.command(action, checkpoint_id=checkpoint, **overrides))
    bench.goes_on(60)
    bench.assert_undisturbed(0)
    assert platform.curve("loss", 1) == []


def test_a_command_of_an_older_epoch_is_refused(bench: Bench) -> None:
    platform = bench.platform
    bench.start()
    platform.reached(5)
    platform.outcome_of(platform.command("continue", epoch=3))
    refused = platform.outcome_of(platform.command("pause", epoch=2))
    assert "epoch" in refused["refused"]["detail"]


@pytest.mark.parametrize(
    "told",
    [
        pytest.param("by the stream", marks=pytest.mark.quick),
        "by the answer to an outcome",
        "by the answer to a report",
    ],
)
def test_a_trainer_that_is_replaced_stops_without_a_failure_and_does_not_take_the_job_back(
    bench: Bench, told: str
) -> None:
    platform = bench.platform
    trainer = bench.start()
    platform.reached(5)
    if told == "by the stream":
        owner = platform.other_trainer_attaches()
    elif told == "by the answer to an outcome":
        owner = platform.job.attachment_id
        platform.answers = "attachment_lost"
        platform.command("pause")
    else:
        owner = platform.job.attachment_id
        platform.refuse_reports = lambda report: (409, {"detail": "taken over", "code": "attachment_lost"})
    assert trainer.ended() == (0, "detached")
    assert "failed" not in platform.states
    if told == "by the stream":
        assert bench.start().ended() == (0, "detached")
        assert platform.job.attachment_id == owner


def test_a_trainer_that_is_replaced_while_the_platform_is_away_reports_nothing_more(bench: Bench) -> None:
    platform = bench.platform
    trainer = bench.start()
    platform.reached(20)
    mine = platform.job.attachment_id
    platform.leave()
    platform.other_trainer_attaches()
    known = set(platform.job.reports)
    platform.start()
    assert trainer.ended() == (0, "detached")
    assert set(platform.job.reports) == known
    assert platform.job.attachment_id != mine


@pytest.mark.parametrize("end", [{"reconnect": {}}, None])
def test_a_stream_that_ends_is_opened_again_and_commands_that_are_finished_with_are_left_out(
    bench: Bench, end: dict[str, Any] | None
) -> None:
    platform = bench.platform
    bench.start()
    platform.reached(5)
    command = platform.command("continue", learning_rate=0.01)
    platform.outcome_of(command)
    # Points after a command with overrides are held until the trainer knows that it is recorded.
    bench.goes_on()
    platform.end_streams(end)
    eventually(lambda: len(platform.attachments) > 1)
    assert platform.attachments[1]["last_sequence"] == 1
    assert platform.attachments[1]["last_command_id"] == command
    assert platform.attachments[1]["attachment_id"] == platform.attachments[0]["attachment_id"]
    platform.outcome_of(platform.command("pause"))
    assert len(platform.acknowledged(command)) == 1


def test_a_platform_that_was_away_gets_the_whole_curve_and_the_checkpoints(bench: Bench) -> None:
    platform = bench.platform
    bench.start()
    platform.reached(20)
    platform.leave()
    store = bench.directory / "checkpoints"
    before = {path.stem for path in store.glob("*.checkpoint")}
    eventually(lambda: len({path.stem for path in store.glob("*.checkpoint")} - before) >= 3)
    platform.start()
    bench.goes_on(120)
    bench.assert_undisturbed(0)
    eventually(lambda: {path.stem for path in store.glob("*.checkpoint")} <= platform.job.checkpoints.keys())


def test_an_outage_during_an_acknowledgement_has_it_sent_again_once_it_is_over(bench: Bench) -> None:
    platform = bench.platform
    bench.start()
    platform.reached(20)
    platform.answers = "never"
    command = platform.command("pause")
    eventually(lambda: platform.acknowledged(command))
    platform.leave()
    platform.answers = "recorded"
    platform.start()
    eventually(lambda: platform.job.state == "paused")
    assert len({json.dumps(each, sort_keys=True) for each in platform.acknowledged(command)}) == 1


requests = ["attach", "state preparing", "state running", "checkpoint", "report", "state pausing", "outcome", "upload"]


@pytest.mark.parametrize("kind", [*requests, "state restoring", "state finishing", "state completed"])
@pytest.mark.parametrize(
    ("disturbance", "moment"), [("busy", "before"), ("no answer", "before"), ("no answer", "after")]
)
def test_a_request_that_is_not_answered_or_answered_503_is_sent_again(
    bench: Bench, kind: str, disturbance: Disturbance, moment: Moment
) -> None:
    platform = bench.platform
    left = [2]

    def disturb(of: str, at: Moment) -> Disturbance | None:
        if (of, at) != (kind, moment) or not left[0]:
            return None
        left[0] -= 1
        return disturbance

    platform.disturb = disturb
    trainer = bench.start_unending(total=100)
    # Not until it has reported that: where reports are disturbed, it may have taken the last step by then.
    trainer.took(50)
    platform.outcome_of(platform.command("pause"))
    eventually(lambda: platform.job.state == "paused")
    platform.command("resume")
    bench.let_end()
    assert trainer.ended() == (0, "ended")
    assert left == [0], "it was disturbed"
    assert platform.job.state == "completed"
    assert platform.job.artifact is not None
    assert platform.job.artifact["sha256"] in platform.uploads
    bench.assert_undisturbed(0, 1)
    saved = {told["step"] for told in trainer.effects if told["effect"] == "saved"}
    assert saved <= {each["step"] for each in platform.job.checkpoints.values()}
    counters = [report["counter"] for report in platform.sent]
    assert counters == sorted(counters), "one after the other, and a repeat has the counter of the first"


def test_an_end_that_is_taken_and_not_answered_in_all_attempts_is_told_again_and_no_other_state(bench: Bench) -> None:
    platform = bench.platform
    left = [4]

    def disturb(of: str, at: Moment) -> Disturbance | None:
        if (of, at) != ("state completed", "after") or not left[0]:
            return None
        left[0] -= 1
        return "no answer"

    platform.disturb = disturb
    assert bench.start(total=50).ended() == (0, "ended")
    assert left == [0], "it was disturbed"
    assert platform.states[-6:] == ["finishing", *["completed"] * 5]


@pytest.mark.quick
def test_a_report_that_the_platform_will_never_take_does_not_stand_in_the_way(bench: Bench) -> None:
    platform = bench.platform
    bad: list[int] = []

    def refuse(report: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
        if not bad and report.get("columns"):
            bad.append(report["counter"])
        return (422, {"detail": "no"}) if report["counter"] in bad else None

    platform.refuse_reports = refuse
    bench.start()
    platform.reached(300)
    lines = [line["message"] for report in platform.job.reports.values() for line in report.get("logs", [])]
    assert any(f"refused report {bad[0]}" in line for line in lines)
    refused = [step for report in platform.sent if report["counter"] in bad for step in report["columns"][0]["steps"]]
    missing = {step for step, _ in uninterrupted(300)} - {step for step, _ in platform.curve("loss")}
    assert missing == set(refused), "no other report is lost with it"


class TestAPlatformThatWasRestoredFromABackup:
    """The trainer knows more than the platform, and follows it."""

    def test_of_the_time_before_a_pause_and_a_resume_has_it_go_on_in_the_first_segment(self, bench: Bench) -> None:
        platform = bench.platform
        bench.start()
        platform.reached(50)
        backup = platform.backup()
        platform.outcome_of(platform.command("pause"))
        platform.outcome_of(platform.command("resume"))
        bench.goes_on(20, segment=1)
        platform.restore(backup)
        bench.goes_on(40)
        assert platform.attachments[-1]["last_sequence"] == 2
        platform.outcome_of(platform.command("pause"))
        steps = [step for step, _ in platform.curve("loss")]
        assert steps == sorted(set(steps))

    def test_of_the_time_before_a_pause_has_it_train_again(self, bench: Bench) -> None:
        platform = bench.platform
        bench.start()
        platform.reached(50)
        backup = platform.backup()
        platform.outcome_of(platform.command("pause"))
        eventually(lambda: platform.job.state == "paused")
        platform.restore(backup)
        bench.goes_on(40)
        steps = [step for step, _ in platform.curve("loss")]
        assert steps == sorted(set(steps))

    def test_of_the_time_of_a_pause_has_it_pause(self, bench: Bench) -> None:
        platform = bench.platform
        trainer = bench.start()
        platform.reached(50)
        platform.outcome_of(platform.command("pause"))
        eventually(lambda: platform.job.state == "paused")
        backup = platform.backup()
        platform.outcome_of(platform.command("resume"))
        bench.goes_on(20, segment=1)
        released = trainer.effects.count({"effect": "released"})
        platform.restore(backup)
        eventually(lambda: trainer.effects.count({"effect": "released"}) > released)
        platform.outcome_of(platform.command("resume"))
        bench.goes_on(20, segment=1)
        steps = [step for step, _ in platform.curve("loss", 1)]
        assert steps == sorted(set(steps))

    def test_of_the_time_of_a_pause_gets_no_points_of_segments_that_it_does_not_have(self, bench: Bench) -> None:
        platform = bench.platform
        trainer = bench.start()
        platform.reached(50)
        paused = platform.outcome_of(platform.command("pause"))["applied"]
        eventually(lambda: platform.job.state == "paused")
        platform.reached(paused["checkpoint"]["step"])
        backup = platform.backup()
        platform.outcome_of(platform.command("resume"))
        bench.goes_on(20, segment=1)
        platform.leave()
        sent = bench.spooled(segment=1)
        eventually(lambda: len(bench.spooled(segment=1) - sent) > 1)
        released = trainer.effects.count({"effect": "released"})
        platform.restore(backup)
        # Until there is a segment of the same number again.
        platform.disturb = lambda kind, moment: "busy" if kind == "report" else None
        platform.start()
        eventually(lambda: trainer.effects.count({"effect": "released"}) > released)
        platform.outcome_of(platform.command("resume", checkpoint_id=paused["checkpoint_id"]))
        eventually(lambda: platform.job.state == "running")
        platform.disturb = lambda kind, moment: None
        bench.goes_on(60, segment=1)
        bench.assert_undisturbed(0, 1)


def test_a_disk_that_takes_nothing_costs_no_point(bench: Bench) -> None:
    platform = bench.platform
    trainer = bench.start()
    platform.reached(10)
    reports, away = bench.directory / "reports", bench.directory / "away"
    reports.rename(away)
    step = trainer.effects[-1]["step"]
    eventually(lambda: trainer.effects[-1].get("step", 0) > step + 100)
    assert bench.last_step() < step + 100
    away.rename(reports)
    platform.reached(step + 100)
    bench.assert_undisturbed(0)


@pytest.mark.parametrize("seconds", [7_200, -7_200])
def test_a_wall_clock_that_jumps_changes_nothing_but_stamps(bench: Bench, seconds: int) -> None:
    platform = bench.platform
    bench.start(CLOCK_JUMP=f"30:{seconds}")
    platform.reached(80)
    platform.outcome_of(platform.command("pause"))
    platform.outcome_of(platform.command("resume"))
    platform.leave()
    platform.start()
    bench.goes_on(segment=1)
    bench.assert_undisturbed(0, 1)
    reports = [report for _, report in sorted(platform.job.reports.items())]
    phases = [phase["at"] for report in reports for phase in report.get("phases", [])]
    first, last = (datetime.fromisoformat(at.replace("Z", "+00:00")) for at in (phases[0], phases[-1]))
    assert (last - first).total_seconds() == pytest.approx(seconds, abs=600), "the clock has jumped"


def test_an_error_of_the_program_is_the_jobs_failure_and_a_program_that_is_started_again_goes_on(bench: Bench) -> None:
    platform = bench.platform
    trainer = bench.start(FAILS_AT="60")
    eventually(lambda: platform.states[-1:] == ["failed"])
    trainer.end()
    bench.start()
    platform.reached(80)
    assert platform.states[-2:] == ["preparing", "running"]
    bench.assert_undisturbed(0)


def test_a_trainer_that_is_told_to_stop_saves_and_ends_and_its_successor_goes_on_from_there(bench: Bench) -> None:
    platform = bench.platform
    first = bench.start()
    platform.reached(53)
    first.terminate()
    assert first.ended() == (0, "stopped")
    newest = max(each["step"] for each in platform.job.checkpoints.values())
    assert newest == bench.last_step()
    second = bench.start()
    platform.reached(newest + 30)
    bench.assert_undisturbed(0)
    refused = bench.start()
    assert refused.ended()[0] == 1
    assert f"is in use by process {second.pid}" in refused.complaints
