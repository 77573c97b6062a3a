"""What sweeps propose, compare and remember. With trainers and kills, on a platform: `tests/python-sdk/sweeps.*.ts`."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from optuna.samplers import RandomSampler

from aiplatform_sdk.sweeps import Choice, Float, Int, SweepError
from aiplatform_sdk.sweeps.optuna_search import OptunaSearch
from aiplatform_sdk.sweeps.pruning import Pruning, Rungs, best_of
from aiplatform_sdk.sweeps.space import Space, check_space
from aiplatform_sdk.sweeps.sweep import pruner_of

space: Space = {"rate": Float(1e-4, 1.0, log=True), "layers": Int(1, 8), "kind": Choice("adam", "sgd")}


class TestASpace:
    @pytest.mark.parametrize(
        ("declared", "problem"),
        [
            ({}, "declare at least one key"),
            ({"rate": Float(1.0, 0.1)}, r"rate: low is 1.0 and has to be at most high, 0.1"),
            ({"rate": Float(math.nan, 0.1)}, "rate: low is nan"),
            ({"rate": Float(0.0, 1.0, log=True)}, "rate: low is 0.0 and has to be above 0 with log"),
            ({"rate": Float(0.1, 1.0, step=0.0)}, "rate: step is 0.0"),
            ({"layers": Int(1, 8, log=True, step=2)}, "layers: give log or step"),
            ({"kind": Choice(), "rate": Float(2, 1)}, "kind: give at least one option; rate: low"),
        ],
    )
    def test_without_values_is_refused_and_every_key_is_named(self, declared: Space, problem: str) -> None:
        with pytest.raises(SweepError, match=problem):
            check_space(declared)

    def test_that_has_values_is_taken(self) -> None:
        check_space({**space, "width": Int(8, 64, step=8), "one": Float(1, 1)})


class TestRungs:
    @pytest.mark.parametrize(
        ("reached", "points", "compared"),
        [
            (0, [(5, 0.5), (10, 0.4), (11, 0.3)], [(10, 0.4)]),
            (0, [(9, 0.5), (12, 0.4), (21, 0.3)], [(10, 0.5), (20, 0.4)]),
            (0, [(12, 0.4)], [(10, 0.4)]),
            (0, [(10, 0.5), (40, 0.4)], [(10, 0.5), (40, 0.4)]),
            (20, [(10, 0.5), (20, 0.4), (30, 0.3)], [(30, 0.3)]),
            (0, [(10, 0.5), (4, 0.6), (10, 0.5), (20, 0.4)], [(10, 0.5), (20, 0.4)]),
        ],
        ids=["exact", "between", "first", "sparse", "after a restart", "after a rollback"],
    )
    def test_are_reached_once_with_the_value_at_them_or_before(
        self, reached: int, points: list[tuple[int, float]], compared: list[tuple[int, float]]
    ) -> None:
        rungs = Rungs(10, reached)
        assert [each for point in points for each in rungs.take([point])] == compared


@pytest.mark.parametrize(
    ("values", "goal", "best"),
    [([3.0, 1.0, math.nan], "minimize", 1.0), ([3.0, math.inf], "maximize", 3.0), ([math.nan], "minimize", None)],
)
def test_the_value_of_a_trial_is_its_best_finite_one(values: list[float], goal: str, best: float | None) -> None:
    assert best_of(values, "minimize" if goal == "minimize" else "maximize") == best


class TestASearch:
    def test_goes_on_after_a_restart_and_proposes_nothing_twice(self, tmp_path: Path) -> None:
        first = OptunaSearch(tmp_path, space, goal="minimize", sampler=RandomSampler(seed=1))
        before = [first.propose() for _ in range(3)]
        first.remember(1, run_id="r", pruned_at=20)
        first.settle(0, "completed", 0.5)
        second = OptunaSearch(tmp_path, space, goal="minimize", sampler=RandomSampler(seed=1))
        assert second.id == first.id
        assert [(each.values, each.state, each.run_id, each.pruned_at) for each in second.trials()] == [
            (before[0].values, "completed", None, None),
            (before[1].values, "begun", "r", 20),
            (before[2].values, "begun", None, None),
        ]
        more = [second.propose() for _ in range(3)]
        assert {each.values["rate"] for each in more}.isdisjoint({each.values["rate"] for each in before})
        assert [each.number for each in more] == [3, 4, 5]

    def test_takes_a_journal_whose_last_line_a_kill_has_cut(self, tmp_path: Path) -> None:
        first = OptunaSearch(tmp_path, space, goal="minimize")
        first.propose()
        journal = tmp_path / "study.journal"
        whole = journal.read_bytes()
        (tmp_path / "study.journal.lock").symlink_to(journal)
        # Wherever the kill came: a trial that has not all of its values never began.
        for length in range(len(whole), len(whole) - 400, -29):
            journal.write_bytes(whole[:length])
            found = OptunaSearch(tmp_path, space, goal="minimize")
            begun = [each for each in found.trials() if each.state == "begun"]
            assert all(each.values.keys() == space.keys() for each in begun)
            found.settle(found.propose().number, "failed", None)
            assert OptunaSearch(tmp_path, space, goal="minimize").trials()[-1].state == "failed"

    def test_finds_a_trial_bad_that_is_worse_than_the_median_after_a_restart_too(self, tmp_path: Path) -> None:
        pruning = Pruning(every=10, min_trials=1)
        for number, (value, is_bad) in enumerate([(0.3, False), (0.9, True), (0.1, False)]):
            search = OptunaSearch(tmp_path, space, goal="minimize", pruner=pruner_of(pruning))
            assert search.propose().number == number
            assert search.is_bad(number, 10, value) is is_bad
            assert search.reached(number) == 10
            search.settle(number, "pruned" if is_bad else "completed", value)
            search.settle(number, "failed", None)
        assert [each.state for each in search.trials()] == ["completed", "pruned", "completed"]

    def test_of_other_keys_or_another_goal_needs_another_directory(self, tmp_path: Path) -> None:
        OptunaSearch(tmp_path, space, goal="minimize")
        with pytest.raises(SweepError, match="varies kind, layers, rate and wants to minimize"):
            OptunaSearch(tmp_path, {"rate": Float(0, 1)}, goal="minimize")
        with pytest.raises(SweepError, match="name another directory"):
            OptunaSearch(tmp_path, space, goal="maximize")
