"""Kills at each step of the protocol, with SIGKILL, whatever the language of the trainer."""

from __future__ import annotations

import json
import random
import threading

import pytest
from curve import uninterrupted
from scripted_server import Disturbance, Moment, eventually
from trainer_process import Bench

total = 500


def steer(bench: Bench) -> None:
    """Pause, resume and a rollback to step 40, each awaited, and then to the end."""
    platform = bench.platform

    def recorded(action: str, checkpoint_id: str | None = None) -> None:
        command_id = platform.command(action, checkpoint_id=checkpoint_id)
        command = next(each for each in platform.job.commands if each["id"] == command_id)
        eventually(lambda: command["status"] != "pending")
        assert command["status"] == "applied"

    platform.reached(50)
    recorded("pause")
    recorded("resume")
    recorded("rollback", bench.checkpoint_at(40))
    bench.let_end()
    eventually(lambda: platform.job.state == "completed")


def assert_nothing_is_lost_or_doubled(bench: Bench) -> None:
    platform = bench.platform
    for command in platform.job.commands:
        outcomes = {json.dumps(each, sort_keys=True) for each in platform.acknowledged(command["id"])}
        assert len(outcomes) == 1, "what is told again is the same"
    before, resumed = platform.curve("loss"), platform.curve("loss", 1)
    assert before == uninterrupted(before[-1][0])
    # A pause that is applied again may be of an earlier step: the trainer goes back to its last checkpoint.
    assert resumed[0][0] <= before[-1][0] + 1
    assert resumed == uninterrupted(resumed[-1][0])[resumed[0][0] - 1 :]
    last = platform.curve("loss", 2)[-1][0]
    assert last >= total
    assert platform.curve("loss", 2) == uninterrupted(last)[40:]
    artifact = platform.job.artifact
    assert artifact is not None
    result = json.loads(platform.uploads[artifact["sha256"]])
    assert result["loss"] in {loss for _, loss in uninterrupted(last)}


requests = ["attach", "state preparing", "checkpoint", "state running", "report", "state pausing", "outcome"]


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("kind", [*requests, "state restoring", "state finishing", "upload", "state completed"])
def test_killed_while_a_request_is_under_way_it_goes_on_and_nothing_is_lost_or_doubled(
    bench: Bench, kind: str, moment: Moment
) -> None:
    platform = bench.platform
    trainers = [bench.start_unending(total)]
    kills = [0]

    def disturb(of: str, at: Moment) -> Disturbance | None:
        if (of, at) != (kind, moment) or kills[0]:
            return None
        kills[0] += 1
        trainers[0].kill()
        trainers.append(bench.start_unending(total))
        return "no answer"

    platform.disturb = disturb
    steer(bench)
    # The end may be recorded before the trainer that told it is killed, and the next one started.
    eventually(lambda: len(trainers) == 2)
    assert trainers[1].ended() == (0, "ended")
    assert_nothing_is_lost_or_doubled(bench)


def test_killed_before_it_runs_and_done_before_the_platform_answers_it_completes(bench: Bench) -> None:
    platform = bench.platform
    trainers = [bench.start(total)]

    def disturb(of: str, at: Moment) -> Disturbance | None:
        if (of, at, len(trainers)) == ("state running", "before", 1):
            trainers[0].kill()
            trainers.append(bench.start(total))
            return "no answer"
        if (of, at, len(trainers)) == ("attach", "before", 2):
            trainers[1].took(total)
        return None

    platform.disturb = disturb
    eventually(lambda: len(trainers) == 2)
    assert trainers[1].ended() == (0, "ended")
    assert platform.states == ["preparing", "running", "finishing", "completed"]
    assert platform.curve("loss") == uninterrupted(total)


effects = [
    *[("step:1", "in the first step"), ("step:55", "between two checkpoints"), ("saved:1", "after a checkpoint")],
    *[("released:1", "after a pause"), ("loaded:1", "after a resume"), ("loaded:2", "after a rollback")],
    ("exported:1", "after the result was written"),
]


@pytest.mark.parametrize(("held_at", "when"), effects)
def test_killed_between_an_effect_and_its_outcome_in_the_journal_it_does_it_again(
    bench: Bench, held_at: str, when: str
) -> None:
    effect, _, time = held_at.partition(":")
    first = bench.start_unending(total, HOLD_AT=held_at)

    def kill() -> None:
        eventually(lambda: [told["effect"] for told in list(first.effects)].count(effect) == int(time))
        first.kill()
        bench.start_unending(total)

    killer = threading.Thread(target=kill)
    killer.start()
    steer(bench)
    killer.join()
    assert_nothing_is_lost_or_doubled(bench)


@pytest.mark.parametrize("action", ["continue", "pause", "rollback", "finish_from_checkpoint", "abort"])
def test_killed_between_an_effect_and_its_acknowledgement_it_acknowledges_the_same_again(
    bench: Bench, action: str
) -> None:
    platform = bench.platform
    first = bench.start()
    platform.reached(60)
    platform.answers = "never"
    checkpoint = bench.checkpoint_at(40) if action in ("rollback", "finish_from_checkpoint") else None
    command = platform.command(action, checkpoint_id=checkpoint)
    eventually(lambda: platform.acknowledged(command))
    first.kill()
    platform.answers = "recorded"
    second = bench.start()
    eventually(lambda: platform.job.commands[0]["status"] == "applied")
    assert len({json.dumps(each, sort_keys=True) for each in platform.acknowledged(command)}) == 1
    if action == "pause":
        platform.outcome_of(platform.command("resume"))
        bench.goes_on(segment=1)
        bench.assert_undisturbed(0, 1)
    elif action == "rollback":
        platform.reached(90, segment=1)
        bench.assert_again_from(40, segment=1)
    elif action == "continue":
        bench.goes_on()
        bench.assert_undisturbed(0)
    else:
        assert second.ended() == (0, "ended")


def test_killed_again_and_again_while_the_platform_comes_and_goes_it_reports_every_point_once(bench: Bench) -> None:
    platform = bench.platform
    chance = random.Random(11)
    store = bench.directory / "checkpoints"
    for round_number in range(8):
        process = bench.start()
        platform.reached(bench.last_step() + chance.randrange(20, 90))
        if round_number % 2:
            platform.leave()
            before = set(store.glob("*.checkpoint"))
            eventually(lambda before=before: set(store.glob("*.checkpoint")) - before)
        process.kill()
        if round_number % 2:
            platform.start()
    bench.start()
    bench.goes_on(60)
    bench.assert_undisturbed(0)


@pytest.mark.quick
def test_killed_while_it_trains_it_goes_on_and_reports_every_point_once(bench: Bench) -> None:
    first = bench.start()
    # Between two checkpoints, so that there are reported steps that have to be taken again.
    eventually(lambda: bench.last_step() > 60 and bench.last_step() % 40 > 8)
    first.kill()
    bench.start()
    bench.goes_on(60)
    bench.assert_undisturbed(0)
