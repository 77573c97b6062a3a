"""What a step shows beside numbers, whatever the language of the trainer."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from scripted_platform import ScriptedPlatform
from scripted_server import eventually
from trainer_process import Bench

essay = ("x" * 9_000).encode()
dot = (Path(__file__).parent / "dot.png").read_bytes()


def file_of(content: bytes, media_type: str) -> dict[str, Any]:
    return {
        "sha256": hashlib.sha256(content).hexdigest(),
        "media_type": media_type,
        "size_bytes": len(content),
    }


expected = [
    {"name": "note", "kind": "text", "step": 60, "text": "hello"},
    {"name": "essay", "kind": "text", "step": 60, "file": file_of(essay, "text/plain")},
    {
        "name": "weights",
        "kind": "histogram",
        "step": 60,
        "histogram": {"edges": [0, 0.75, 1.5, 2.25, 3], "counts": [1, 1, 1, 1]},
    },
    {
        "name": "samples",
        "kind": "table",
        "step": 60,
        "table": {"columns": ["name", "score"], "rows": [["a", 1.5], [None, True], ["b", "nan"]]},
    },
    {"name": "dot", "kind": "image", "step": 60, "file": file_of(dot, "image/png")},
]


def shown(platform: ScriptedPlatform) -> list[dict[str, Any]]:
    """Media of durable reports, in their order; how a language writes a number that is none does not matter."""
    with platform.lock:
        media = [each for _, report in sorted(platform.job.reports.items()) for each in report.get("media", [])]
    return json.loads(json.dumps(media).replace('"NaN"', '"nan"'))


def files_left(bench: Bench) -> list[str]:
    return [path.name for path in (bench.directory / "media").glob("*")]


def test_what_a_step_shows_is_uploaded_before_it_is_reported_and_its_files_go_then(bench: Bench) -> None:
    platform = bench.platform
    early: list[str] = []

    def look(report: dict[str, Any]) -> None:
        digests = [each["file"]["sha256"] for each in report.get("media", []) if "file" in each]
        early.extend(digest for digest in digests if digest not in platform.uploads)

    platform.refuse_reports = look
    bench.start(SHOWS_AT="60")
    eventually(lambda: len(shown(platform)) == len(expected))
    assert shown(platform) == expected
    assert early == [], "the files are there before the report"
    assert platform.uploads[hashlib.sha256(essay).hexdigest()] == essay
    assert platform.uploads[hashlib.sha256(dot).hexdigest()] == dot
    eventually(lambda: files_left(bench) == [])
    bench.goes_on()
    bench.assert_undisturbed(0)


@pytest.mark.parametrize("kind", ["upload", "report"])
def test_killed_before_what_a_step_shows_is_there_it_shows_each_thing_once(bench: Bench, kind: str) -> None:
    platform = bench.platform
    trainers = [bench.start(SHOWS_AT="60")]

    def disturb(of: str, at: str) -> Any:
        if (of, at) != (kind, "before") or len(trainers) == 2 or not files_left(bench):
            return None
        trainers[0].kill()
        trainers.append(bench.start(SHOWS_AT="60"))
        return "no answer"

    platform.disturb = disturb
    eventually(lambda: len(trainers) == 2 and len(shown(platform)) >= len(expected))
    bench.goes_on(60)
    assert shown(platform) == expected
    bench.assert_undisturbed(0)


@pytest.mark.parametrize("status", [413, 422])
def test_points_are_reported_where_media_are_refused(bench: Bench, status: int) -> None:
    platform = bench.platform
    refused: list[int] = []

    def refuse(report: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
        if not report.get("media"):
            return None
        refused.append(report["counter"])
        return status, {"detail": "no media here"}

    platform.refuse_reports = refuse
    bench.start(SHOWS_AT="60")
    eventually(lambda: refused)
    platform.reached(100)
    bench.assert_undisturbed(0)
    assert shown(platform) == []

    def has_said() -> bool:
        lines = [line["message"] for report in platform.sent for line in report.get("logs", [])]
        return any("refused media of report" in line for line in lines)

    eventually(has_said)
