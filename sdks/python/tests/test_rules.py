"""Rules without a platform: columns, the spool, checkpoints, states, errors."""

from __future__ import annotations

import json
import math
import random
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aiplatform_sdk import DictState, JournalError, PlatformError, RefusedError
from aiplatform_sdk.backoff import Backoff
from aiplatform_sdk.trainer.checkpoints import Checkpoint, CheckpointStore
from aiplatform_sdk.trainer.columns import columns_of, encoded, thinned, thinned_rows
from aiplatform_sdk.trainer.dict_state import StateValueError
from aiplatform_sdk.trainer.journal import Change, Journal, Outcome, Position, Standing
from aiplatform_sdk.trainer.reporter import Reporter
from aiplatform_sdk.trainer.spool import ReportSpool, max_files, newest_lines


@pytest.mark.parametrize(
    ("failures", "low", "high"),
    [(0, 0, 0), (1, 0.1, 0.2), (2, 0.2, 0.4), (4, 0.8, 1.6), (7, 5, 10), (5_000, 5, 10)],
)
def test_the_pause_after_failures_doubles_up_to_its_maximum_and_half_of_it_is_random(
    failures: int, low: float, high: float
) -> None:
    assert Backoff().pause_s(failures, lambda: 0.0) == pytest.approx(low)
    assert Backoff().pause_s(failures, lambda: 1.0) == pytest.approx(high)


class TestColumns:
    def test_have_points_by_metric_and_name_what_is_no_number(self) -> None:
        rows = [(1, 10, {"a": 1.0, "b": math.nan}), (2, 20, {"a": math.inf}), (3, 30, {"b": -math.inf})]
        assert columns_of(rows) == [
            {"name": "a", "steps": [1, 2], "values": [1.0, "Infinity"], "observed_at_ms": 20},
            {"name": "b", "steps": [1, 3], "values": ["NaN", "-Infinity"], "observed_at_ms": 30},
        ]

    @pytest.mark.parametrize("rest", [{}, {"logs": [{"message": "größer"}], "heartbeat": {"source": "trainer"}}])
    @pytest.mark.parametrize(
        "rows",
        [
            [],
            [(1, 10, {"a": 1.0, "b": math.nan}), (2, 20, {"a": 0.1, "b": 2e-9})],
            [(1, 10, {"a": 1.0, "b": math.nan}), (2, 20, {"a": math.inf})],
        ],
    )
    def test_are_the_same_as_json_whether_they_share_steps_or_not(self, rows: list[Any], rest: dict[str, Any]) -> None:
        batch = {"columns": columns_of(rows), **rest}
        assert json.loads(encoded(batch)) == batch

    def test_keep_the_least_and_the_greatest_of_every_four_neighbours_when_they_are_thinned(self) -> None:
        column = {"name": "a", "steps": list(range(9)), "values": [5, 1, 9, 3, 4, 4, "NaN", 2, 7]}
        assert thinned(column)["steps"] == [1, 2, 6, 7, 8]

    @pytest.mark.parametrize("count", [1, 2, 7, 8])
    def test_keep_the_newest_row_when_rows_are_thinned(self, count: int) -> None:
        rows = [(step, 0, {"a": 0.0}) for step in range(count)]
        kept = thinned_rows(rows)
        assert kept[-1] == rows[-1]
        assert len(kept) == (count + 1) // 2


def batch(*steps: int) -> dict[str, Any]:
    return {"columns": [{"name": "loss", "steps": list(steps), "values": list(steps), "observed_at_ms": 0}]}


class TestTheSpool:
    def test_numbers_batches_from_1_and_offers_them_in_order_until_they_are_confirmed(self, tmp_path: Path) -> None:
        spool = ReportSpool(tmp_path)
        for step in range(3):
            spool.add(batch(step), segment=2, step=step)
        for counter in (1, 2, 3):
            offered = spool.offer()
            assert offered is not None
            assert (offered[0].counter, offered[0].segment, json.loads(offered[1])) == (counter, 2, batch(counter - 1))
            spool.confirm(counter)
        assert spool.offer() is None
        assert len(list(tmp_path.iterdir())) == 1, "the newest says how far the reports went"

    def test_offers_another_process_the_same_batches_under_the_same_counters_and_numbers_on(
        self, tmp_path: Path
    ) -> None:
        first = ReportSpool(tmp_path)
        for step in (1, 2, 3):
            first.add(batch(step), segment=0, step=step)
        first.confirm(1)
        second = ReportSpool(tmp_path)
        offered = second.offer()
        assert offered is not None
        assert offered[0].counter == 2
        second.add(batch(4), segment=0, step=4)
        assert second.newest == (4, 0, 4)

    def test_numbers_on_from_what_the_platform_has(self, tmp_path: Path) -> None:
        spool = ReportSpool(tmp_path)
        spool.confirm(17)
        spool.add(batch(1), segment=0, step=1)
        offered = spool.offer()
        assert offered is not None
        assert offered[0].counter == 18

    def test_stays_bounded_however_long_the_platform_is_away_and_keeps_extremes(self, tmp_path: Path) -> None:
        spool = ReportSpool(tmp_path)
        spool.add(batch(0), segment=0, step=0)
        spool.offer()
        for number in range(1, 40):
            for segment in range(1, 9):
                spool.add(batch(*range(number * 8, number * 8 + 8)), segment=segment, step=number * 8 + 7)
        assert spool.unconfirmed > 1
        same = ReportSpool(tmp_path / "one")
        for number in range(200):
            same.add(batch(*range(number * 8, number * 8 + 8)), segment=0, step=number * 8 + 7)
        files = list((tmp_path / "one").glob("*.report"))
        assert len(files) == max_files
        points = sorted(step for path in files for step in json.loads(path.read_text())["columns"][0]["steps"])
        assert (points[0], points[-1]) == (0, 1_599)

    def test_says_how_far_the_reports_went_when_the_platform_was_set_back_to_another_segment(
        self, tmp_path: Path
    ) -> None:
        spool = ReportSpool(tmp_path)
        reporter = Reporter(spool, 1)
        for step in (1, 2, 3):
            reporter.stage({"loss": 0.5})
            reporter.commit(step)
        reporter.settle(0)
        reporter.line("followed the platform")
        reporter.cut()
        assert spool.newest == (2, 0, 3)

    def test_sends_no_more_lines_than_a_report_takes(self) -> None:
        lines = [{"message": "x" * 8_000, "at": number} for number in range(100)]
        kept = newest_lines(lines)
        assert kept[-1] is lines[-1]
        assert sum(len(line["message"]) for line in kept) <= 200_000


class TestTheReporter:
    def test_makes_one_batch_of_what_there_is_though_the_loop_takes_steps_meanwhile(self, tmp_path: Path) -> None:
        class StepsMeanwhile(ReportSpool):
            def add(self, batch: dict[str, Any], *, segment: int, step: int) -> None:
                super().add(batch, segment=segment, step=step)
                if step < 50:
                    take(step + 1)

        def take(step: int) -> None:
            reporter.stage({"loss": 0.5})
            reporter.commit(step)

        spool = StepsMeanwhile(tmp_path)
        reporter = Reporter(spool, 0)
        take(1)
        reporter.cut()
        assert spool.newest == (1, 0, 1)
        reporter.cut()
        assert spool.newest == (2, 0, 2)

    @pytest.mark.parametrize("number", [1, True, np.float32(0.5), np.array([0.5])[0]])
    def test_takes_what_is_a_number(self, tmp_path: Path, number: Any) -> None:
        reporter = Reporter(ReportSpool(tmp_path), 0)
        reporter.stage({"a": 1.0, "b": number})
        assert reporter.staged == {"a": 1.0, "b": float(number)}
        assert {type(value) for value in reporter.staged.values()} == {float}

    def test_stages_nothing_of_values_of_which_one_is_no_number(self, tmp_path: Path) -> None:
        reporter = Reporter(ReportSpool(tmp_path), 0)
        with pytest.raises(ValueError, match="could not convert"):
            reporter.stage({"a": 1.0, "b": "high"})  # type: ignore[dict-item]
        assert reporter.staged == {}


class TestTheCheckpointStore:
    @staticmethod
    def save(
        store: CheckpointStore, step: int, metrics: dict[str, float], pinned: set[str] | None = None
    ) -> Checkpoint:
        state = DictState({"step": step})
        return store.save(state, step=step, segment=0, metrics=metrics, overrides={}, pinned=pinned or set())

    def test_keeps_the_newest_the_first_the_best_and_the_pinned_ones(self, tmp_path: Path) -> None:
        store = CheckpointStore(tmp_path, max_count=2, metric="loss", maximize=False)
        first = self.save(store, 0, {})
        pinned = self.save(store, 1, {"loss": 9.0})
        best = self.save(store, 2, {"loss": 0.1, "other": math.nan}, {pinned.id})
        for step in range(3, 8):
            self.save(store, step, {"loss": 5.0}, {pinned.id})
        assert [each.step for each in store.list()] == [0, 1, 2, 6, 7]
        assert store.best() == best
        assert len(list(tmp_path.iterdir())) == 10
        again = CheckpointStore(tmp_path, max_count=2, metric="loss", maximize=False)
        assert again.list() == store.list()
        assert again.find(first.id).metrics == {}

    @pytest.mark.parametrize("at", [0, 40, -1])
    def test_refuses_a_damaged_file_whichever_byte_is_wrong(self, tmp_path: Path, at: int) -> None:
        store = CheckpointStore(tmp_path, max_count=2)
        saved = self.save(store, 5, {})
        path = tmp_path / f"{saved.id}.checkpoint"
        content = bytearray(path.read_bytes())
        content[at] ^= 1
        path.write_bytes(content)
        with pytest.raises(RefusedError, match="damaged"):
            store.verified(saved.id)

    def test_deletes_what_the_platform_has_pruned_once_nothing_goes_on_from_it(self, tmp_path: Path) -> None:
        store = CheckpointStore(tmp_path, max_count=100)
        first, other, pinned = (self.save(store, step, {}).id for step in (1, 2, 3))
        store.discard([first, other, pinned, str(uuid.uuid4())], pinned={pinned})
        assert [each.id for each in store.list()] == [first, pinned], "a warm restart needs the first"
        newest = self.save(store, 4, {}).id
        assert [each.id for each in store.list()] == [first, newest]
        assert len(list(tmp_path.iterdir())) == 4
        assert store._pruned <= {first}, "it remembers no more than what it has"

    def test_deletes_what_a_crash_has_left_half_written(self, tmp_path: Path) -> None:
        saved = self.save(CheckpointStore(tmp_path, max_count=2), 5, {})
        for name in ("a.checkpoint.new", "b.checkpoint", "c.json.new"):
            (tmp_path / name).write_text("half")
        assert len(CheckpointStore(tmp_path, max_count=2).list()) == 1
        assert {path.stem for path in tmp_path.iterdir()} == {saved.id}


class TestADictState:
    def test_gives_back_every_bit_of_what_was_saved(self, tmp_path: Path) -> None:
        numbers = np.random.default_rng(3)
        dice = random.Random(3)
        values: dict[str, Any] = {
            "w": np.arange(6, dtype=np.float32).reshape(2, 3) / 3,
            "scalar": np.float32(1) / 3,
            "plain": [1, 0.1, 5e-324, None, True, "line\nbreak", math.nan, 2**100],
            "nested": {"m": {"a": np.zeros((0, 4))}, 7: (1, [2])},
            "numbers": numbers,
            "dice": dice,
        }
        state = DictState(values)
        state.save(tmp_path / "state")
        expected = [numbers.random(), dice.random()]
        kept = dict(values)
        assert "released 28 bytes" in state.release()
        assert values == {}
        state.load(tmp_path / "state")
        assert values["w"].dtype == np.float32
        assert np.array_equal(values["w"], kept["w"])
        assert (values["scalar"], type(values["scalar"])) == (kept["scalar"], np.float32)
        assert repr(values["plain"]) == repr(kept["plain"])
        assert values["nested"][7] == (1, [2])
        assert values["nested"]["m"]["a"].shape == (0, 4)
        assert [values["numbers"].random(), values["dice"].random()] == expected

    def test_takes_the_weights_alone_in_a_warm_restart(self, tmp_path: Path) -> None:
        values = {"w": 1, "momentum": 2}
        state = DictState(values, weights=["w"])
        state.save(tmp_path / "state")
        values.update(w=3, momentum=4)
        state.load_weights(tmp_path / "state")
        assert values == {"w": 1, "momentum": 4}

    def test_names_what_it_cannot_save(self, tmp_path: Path) -> None:
        with pytest.raises(StateValueError, match=r"state\.a\[1\] is a object"):
            DictState({"a": [1, object()]}).save(tmp_path / "state")
        with pytest.raises(StateValueError, match=r"state\.b"):
            DictState({"b": np.array([object()])}).save(tmp_path / "state")


class TestTheJournal:
    def test_is_the_same_for_another_process(self, tmp_path: Path) -> None:
        journal = Journal(tmp_path, run_id="r", job_name="j")
        position = Position("c", True, {"a": 1}, (Change(3, {"b": 2}),))
        outcome = Outcome("id", 4, applied={"start_step": 3}, opens_segment=True)
        journal.write(status="running", position=position, outcome=outcome, undo=Standing("paused", Position()))
        assert Journal(tmp_path, run_id="r", job_name="j").state == journal.state

    @pytest.mark.parametrize("content", ["", "{", "[]", '{"version": 1}', '{"version": 2}'])
    def test_that_is_damaged_is_refused(self, tmp_path: Path, content: str) -> None:
        (tmp_path / "state.json").write_text(content)
        with pytest.raises(JournalError):
            Journal(tmp_path, run_id="r", job_name="j")

    def test_of_another_job_is_refused(self, tmp_path: Path) -> None:
        Journal(tmp_path, run_id="r", job_name="j")
        with pytest.raises(JournalError, match="belongs to job j of run r"):
            Journal(tmp_path, run_id="r", job_name="k")


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (422, {"detail": [{"loc": ["body", "a", 1], "msg": "too long", "type": "t"}]}, "body.a.1: too long"),
        (403, {"detail": "no", "code": "forbidden"}, "no (ask for a key with the permission that this needs)"),
        (500, {"detail": {"odd": 1}}, "HTTP 500"),
        (502, None, "HTTP 502"),
    ],
)
def test_an_error_names_field_rule_and_remedy(status: int, body: Any, message: str) -> None:
    error = PlatformError(status, b"<html>" if body is None else json.dumps(body).encode(), {"x-request-id": "r"})
    assert str(error) == message
    assert error.request_id == "r"
    if status == 422:
        assert (error.problems[0].field, error.problems[0].type) == ("body.a.1", "t")
