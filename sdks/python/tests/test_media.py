"""What a trainer shows beside numbers: as the platform takes it, and once, whatever happens."""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rig import Rig
from scripted_platform import ScriptedPlatform
from scripted_server import eventually

from aiplatform_sdk import MediaError
from aiplatform_sdk.trainer import media, media_files
from aiplatform_sdk.trainer.media import File
from aiplatform_sdk.trainer.media_files import MediaFiles
from aiplatform_sdk.trainer.reporter import Reporter
from aiplatform_sdk.trainer.spool import ReportSpool, max_media


def pixels_of(png: bytes) -> tuple[int, int, int, bytes]:
    """Width, height, colour type and the bytes of the rows, as a reader of PNG finds them."""
    at, found = 8, {}
    while at < len(png):
        length, tag = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        data = png[at + 8 : at + 8 + length]
        assert zlib.crc32(tag + data) == int.from_bytes(png[at + 8 + length : at + 12 + length], "big")
        found[tag] = data
        at += 12 + length
    head = found[b"IHDR"]
    width, height = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:8], "big")
    return width, height, head[9], zlib.decompress(found[b"IDAT"])


class TestAnImage:
    @pytest.mark.parametrize(
        ("array", "shown"),
        [
            (np.array([[0, 255, 7]], np.uint8), (3, 1, 0, b"\0\x00\xff\x07")),
            (np.array([[[1, 2, 3]], [[4, 5, 6]]], np.uint8), (1, 2, 2, b"\0\1\2\3\0\4\5\6")),
            (np.array([[[1, 2, 3, 4]]], np.uint8), (1, 1, 6, b"\0\1\2\3\4")),
            (np.array([[[9]]], np.uint8), (1, 1, 0, b"\0\x09")),
            (np.array([[0.0, 0.5, 2.0, -1.0, math.nan]]), (5, 1, 0, b"\0\x00\x80\xff\x00\x00")),
            (np.array([[True, False]]), (2, 1, 0, b"\0\xff\x00")),
        ],
    )
    def test_of_an_array_is_a_png(self, array: Any, shown: tuple[int, int, int, bytes]) -> None:
        file = media.image("samples", array).file
        assert file is not None
        assert file.media_type == "image/png"
        assert pixels_of(file.content) == shown

    @pytest.mark.parametrize(
        ("content", "media_type"),
        [
            (b"\x89PNG\r\n\x1a\n...", "image/png"),
            (b"\xff\xd8\xff\xe0...", "image/jpeg"),
            (b"RIFF....WEBPVP8 ", "image/webp"),
        ],
    )
    def test_of_bytes_is_what_they_are(self, content: bytes, media_type: str) -> None:
        assert media.image("samples", content).file == File(content, media_type)

    def test_of_an_object_that_saves_itself_is_a_png(self) -> None:
        class Picture:
            mode = "RGB"

            def save(self, target: Any, format: str) -> None:
                target.write(f"saved as {format}".encode())

        assert media.image("samples", Picture()).file == File(b"saved as PNG", "image/png")

    @pytest.mark.parametrize(
        ("shown", "problem"),
        [
            (b"<svg/>", "no PNG, JPEG or WebP"),
            (np.zeros((2, 2), np.int64), "these are of int64"),
            (np.zeros((2, 2, 2), np.uint8), r"\(2, 2, 2\) is no image"),
            (np.zeros((0, 2), np.uint8), r"\(0, 2, 1\) is no image"),
            (np.zeros((1, 8_193), np.uint8), r"\(1, 8193, 1\) is no image"),
        ],
    )
    def test_that_is_none_is_refused_with_the_reason(self, shown: Any, problem: str) -> None:
        with pytest.raises(MediaError, match=problem):
            media.image("samples", shown)


class TestAHistogram:
    @pytest.mark.parametrize("values", [[0, 1, 2, 4], np.array([[0, 1], [2, 4]])])
    def test_counts_values_in_ranges_of_equal_width(self, values: Any) -> None:
        assert media.histogram("weights", values, bins=4).inline == {
            "histogram": {"edges": [0.0, 1.0, 2.0, 3.0, 4.0], "counts": [1.0, 1.0, 1.0, 1.0]}
        }

    @pytest.mark.parametrize("values", [[3.0, 3.0], np.full(2, 3.0), [], np.array([]), [1e300, 1e300], [math.nan, 3.0]])
    def test_has_ascending_edges_whatever_the_values_are(self, values: Any) -> None:
        shown = media.histogram("weights", values, bins=8).inline["histogram"]
        assert all(low < high for low, high in zip(shown["edges"], shown["edges"][1:], strict=False))
        assert sum(shown["counts"]) == sum(math.isfinite(value) for value in values)


class TestATable:
    def test_shows_what_json_can_say_and_anything_else_as_text(self) -> None:
        rows = [(np.float64(0.5), None), [Path("a"), math.nan]]
        shown = media.table("errors", ["a", "b"], rows)
        assert shown.inline == {"table": {"columns": ["a", "b"], "rows": [[0.5, None], ["a", "nan"]]}}

    def test_is_a_file_where_it_is_large(self) -> None:
        shown = media.table("errors", ["a"], [["x" * 100]] * 200)
        assert shown.inline == {}
        assert shown.file is not None
        assert shown.file.media_type == "application/json"
        assert len(json.loads(shown.file.content)["rows"]) == 200

    def test_with_a_row_that_is_too_short_is_refused(self) -> None:
        with pytest.raises(MediaError, match="row 1 has 1 cells for 2 columns"):
            media.table("errors", ["a", "b"], [[1, 2], [1]])


def test_a_text_is_a_file_where_it_is_long_and_refused_where_it_is_too_long() -> None:
    assert media.text("note", "short").inline == {"text": "short"}
    assert media.text("note", "ü" * 8_193).file == File(("ü" * 8_193).encode(), "text/plain")
    with pytest.raises(MediaError, match="1048577 bytes"):
        media.text("note", "x" * 1_048_577)


class TestFiles:
    def test_stay_while_reports_name_them_and_take_no_more_room_than_they_may(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(media_files, "max_bytes", 10)
        reported: list[str] = []
        files = MediaFiles(tmp_path, lambda: reported)
        named = files.keep(File(b"123456", "text/plain"))
        assert named == {
            "sha256": hashlib.sha256(b"123456").hexdigest(),
            "media_type": "text/plain",
            "size_bytes": 6,
        }
        reported.append(named["sha256"])
        assert files.keep(File(b"123456", "text/plain")) == named
        assert files.keep(File(b"other bytes", "text/plain")) is None
        again = MediaFiles(tmp_path, lambda: reported)
        assert again.path_of(named["sha256"]) is not None
        again.remove([named["sha256"]])
        assert again.keep(File(b"1234567890", "text/plain")) is not None
        assert MediaFiles(tmp_path, lambda: []).keep(File(b"0987654321", "text/plain")) is not None

    def test_that_nothing_names_any_longer_make_room_for_another_one(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(media_files, "max_bytes", 10)
        monkeypatch.setattr(media_files, "sweep_every_s", 0.0)
        reported: list[str] = []
        files = MediaFiles(tmp_path, lambda: reported)
        undone, waiting = (files.keep(File(content, "text/plain")) for content in (b"undone", b"wait"))
        assert undone is not None
        assert waiting is not None
        reported.append(waiting["sha256"])
        assert files.keep(File(b"newer", "text/plain")) is not None
        assert files.path_of(undone["sha256"]) is None
        assert files.path_of(waiting["sha256"]) is not None


class TestTheReporter:
    def test_cuts_media_with_their_steps_and_points_behind_those_that_are_too_many(self, tmp_path: Path) -> None:
        spool = ReportSpool(tmp_path)
        reporter = Reporter(spool, 0)
        for step in range(1, max_media + 2):
            reporter.stage({"loss": 0.5})
            reporter.show({"name": "note", "kind": "text", "text": "."})
            reporter.commit(step)
        reporter.cut()
        batches = [json.loads(path.read_bytes()) for path in sorted(tmp_path.glob("*.report"))]
        assert [len(batch["media"]) for batch in batches] == [max_media, 1]
        assert [len(batch.get("columns", [])) for batch in batches] == [0, 1]
        assert [path.name for path in sorted(tmp_path.glob("*.report"))] == ["1-0-0.report", "2-0-101.report"]
        assert batches[1]["media"] == [{"name": "note", "kind": "text", "text": ".", "step": 101}]

    def test_forgets_media_of_what_was_undone_and_of_steps_that_were_reported(self, tmp_path: Path) -> None:
        spool = ReportSpool(tmp_path)
        reporter = Reporter(spool, 0)
        for step in (1, 2):
            reporter.show({"name": "note", "kind": "text", "text": "."})
            reporter.commit(step)
        reporter.hold(opens_segment=True)
        reporter.show({"name": "note", "kind": "text", "text": "undone"})
        reporter.commit(1)
        reporter.undo()
        for step in (2, 3):
            reporter.show({"name": "note", "kind": "text", "text": "."})
            reporter.commit(step)
        reporter.cut()
        assert [medium["step"] for medium in spool.media()] == [1, 2, 3]
        assert reporter.media() == []

    def test_knows_what_is_shown_until_it_is_on_disk(self, tmp_path: Path) -> None:
        spool = ReportSpool(tmp_path)
        reporter = Reporter(spool, 0)
        reporter.show({"name": "staged"})
        assert [medium["name"] for medium in reporter.media()] == ["staged"]
        reporter.commit(1)
        reporter.hold(opens_segment=False)
        reporter.show({"name": "held"})
        reporter.commit(2)
        named = [*reporter.media(), *spool.media()]
        assert [medium["name"] for medium in named] == ["held", "staged"]


def shown_by(platform: ScriptedPlatform) -> list[dict[str, Any]]:
    with platform.lock:
        return [medium for report in platform.job.reports.values() for medium in report.get("media", [])]


def test_media_are_uploaded_before_they_are_reported_and_their_files_go_then(rig: Rig) -> None:
    platform = rig.platform
    trainer = rig.train()
    platform.reached(2)
    platform.takes_uploads = False
    step = trainer.shows(lambda job: (job.log_image("samples", np.zeros((2, 3))), job.log_text("note", "hello")))
    eventually(lambda: len(platform.uploads) == 1)
    assert shown_by(platform) == []
    platform.takes_uploads = True
    platform.reached(step + 20)
    image, note = shown_by(platform)
    assert (note["name"], note["kind"], note["text"]) == ("note", "text", "hello")
    content = platform.uploads[image["file"]["sha256"]]
    assert (len(content), pixels_of(content)[:2]) == (image["file"]["size_bytes"], (3, 2))
    assert image["file"]["media_type"] == "image/png"
    eventually(lambda: list((rig.directory / "media").iterdir()) == [])


@pytest.mark.parametrize("status", [413, 422])
def test_points_are_reported_where_media_are_refused(rig: Rig, status: int) -> None:
    platform = rig.platform
    refusals: list[list[dict[str, Any]]] = []

    def refused(report: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
        if "media" not in report:
            return None
        refusals.append(report["media"])
        return status, {"detail": [{"type": "media_names_too_many", "loc": ["body", "media"], "msg": "too many"}]}

    platform.refuse_reports = refused
    trainer = rig.train()
    platform.reached(2)
    platform.reached(trainer.shows(lambda job: job.log_text("note", "hello")) + 20)
    steps = [step for step, _ in platform.curve("loss")]
    assert steps == list(range(1, len(steps) + 1))
    assert [medium["text"] for medium in refusals[0]] == ["hello"]
    assert shown_by(platform) == []
