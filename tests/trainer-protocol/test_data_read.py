"""Data that a run reads, whatever the language of the trainer."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from scripted_datasets import rows_file
from scripted_server import eventually
from trainer_process import Bench, TrainerProcess

all_rows = {"effect": "read", "rows": 2_000, "sum": 999_500.0}


def start(bench: Bench, name: str = "train", **settings: Any) -> TrainerProcess:
    return bench.start(READS=name, DATASET_DIRECTORY=str(kept(bench)), **settings)


def kept(bench: Bench) -> Path:
    """Where files of datasets are."""
    return bench.directory.with_name("datasets")


def has_read(trainer: TrainerProcess) -> None:
    eventually(lambda: trainer.has_told("read"))
    assert [told for told in trainer.effects if told["effect"] == "read"] == [all_rows]


def failed_with(bench: Bench, trainer: TrainerProcess, text: str) -> None:
    """Waits for the job to fail with a line that says why."""
    platform = bench.platform

    def lines() -> list[str]:
        return [line["message"] for report in platform.sent for line in report.get("logs", [])]

    eventually(lambda: platform.states[-1:] == ["failed"])
    eventually(lambda: any(text in line for line in lines()))
    assert not trainer.has_told("read")
    assert not trainer.has_told("step")


def files_left(bench: Bench) -> list[Path]:
    return [path for path in kept(bench).glob("*") if path.suffix in (".parquet", ".part")]


def size_of_part(bench: Bench) -> int:
    return sum(path.stat().st_size for path in kept(bench).glob("*.part"))


@pytest.mark.quick
def test_what_a_run_names_is_read_before_the_first_step_and_downloaded_once(bench: Bench) -> None:
    platform = bench.platform
    version = platform.data.read("train")
    platform.data.read("test")
    first = start(bench)
    has_read(first)
    assert (kept(bench) / f"{version['content_sha256']}.parquet").read_bytes() == rows_file
    bench.goes_on()
    first.kill()
    second = start(bench)
    has_read(second)
    bench.goes_on()
    bench.assert_undisturbed(0)
    assert platform.data.asked == [(version["version_id"], None)]


def test_a_download_that_breaks_off_goes_on_where_it_was(bench: Bench) -> None:
    platform = bench.platform
    platform.data.read("train")
    platform.data.cuts = [1_000, 0, 2_000]
    platform.data.refusals = [(503, {"detail": "not now"})]
    # Of an answer that broke off, a client may lose what it has not looked at yet.
    platform.data.has_arrived = lambda: size_of_part(bench) == platform.data.given
    has_read(start(bench))
    assert [part for _, part in platform.data.asked] == [None, None, "bytes=1000-", "bytes=1000-", "bytes=3000-"]
    bench.goes_on()


def test_killed_while_it_downloads_it_goes_on_with_what_is_there(bench: Bench) -> None:
    platform = bench.platform
    version = platform.data.read("train")
    platform.data.cuts = [4_000]
    platform.data.has_arrived = lambda: size_of_part(bench) == platform.data.given
    trainers = [start(bench)]

    def disturb(kind: str, moment: str) -> Any:
        if kind != "download" or len(trainers) == 2 or len(platform.data.asked) == 0:
            return None
        trainers[0].kill()
        trainers.append(start(bench))
        return "no answer"

    platform.disturb = disturb
    eventually(lambda: len(trainers) == 2)
    has_read(trainers[1])
    (first, _), (again, part) = platform.data.asked
    assert (first, again) == (version["version_id"], version["version_id"])
    assert part == "bytes=4000-"
    assert files_left(bench) == [kept(bench) / f"{version['content_sha256']}.parquet"]


class EndlessDownload:
    """The first download of a platform, which goes on until the trainer has ended."""

    def __init__(self, bench: Bench, *, begins: bool) -> None:
        self._begins = begins
        self._asked = threading.Event()
        self.kinds: list[str] = []
        """Of all requests."""
        bench.platform.data.read("train")
        bench.platform.data.cuts = [4_000] if begins else []
        bench.platform.data.has_arrived = self._has_ended
        bench.platform.disturb = self._disturb
        self.trainer = start(bench)
        assert self._asked.wait(60)

    def ends(self) -> None:
        """Waits for the trainer to end, sooner than a download that nothing comes of is given up."""
        eventually(lambda: not self.trainer.is_alive(), 20)
        assert "state failed" not in self.kinds

    def _has_ended(self) -> bool:
        self._asked.set()
        return not self.trainer.is_alive()

    def _disturb(self, kind: str, moment: str) -> Any:
        self.kinds.append(kind)
        if kind != "download" or self._begins or self._asked.is_set():
            return None
        self._asked.set()
        eventually(lambda: not self.trainer.is_alive())
        return "no answer"


ends_of_downloads = pytest.mark.parametrize(
    "begins", [pytest.param(False, id="before the answer"), pytest.param(True, id="within the answer")]
)


@ends_of_downloads
def test_told_to_end_while_it_downloads_it_ends_and_the_job_has_not_failed(bench: Bench, begins: bool) -> None:
    download = EndlessDownload(bench, begins=begins)
    download.trainer.terminate()
    download.ends()
    has_read(start(bench))
    bench.goes_on()
    bench.assert_undisturbed(0)


@ends_of_downloads
def test_replaced_while_it_downloads_it_ends_and_tells_no_failure(bench: Bench, begins: bool) -> None:
    download = EndlessDownload(bench, begins=begins)
    bench.platform.other_trainer_attaches()
    download.ends()
    assert not download.trainer.has_told("read")


def test_other_bytes_than_those_of_the_digest_fail_the_job_and_are_removed(bench: Bench) -> None:
    platform = bench.platform
    version = platform.data.read("train")
    platform.data.files[version["version_id"]] = rows_file[:-1] + b"\0"
    trainer = start(bench)
    failed_with(bench, trainer, f"instead of {version['content_sha256']}, and is removed")
    assert files_left(bench) == []
    trainer.kill() if trainer.is_alive() else trainer.end()
    platform.data.files[version["version_id"]] = rows_file
    has_read(start(bench))
    bench.goes_on()


@pytest.mark.parametrize(
    ("status", "code", "detail"),
    [
        (403, "permission_denied", "the key lacks metrics:report"),
        (404, "not_found", "Not found"),
        (409, "artifact_missing", "No artifact has this SHA-256"),
    ],
)
def test_a_version_that_the_platform_does_not_give_fails_the_job(
    bench: Bench, status: int, code: str, detail: str
) -> None:
    platform = bench.platform
    platform.data.read("train")
    platform.data.refusals = [(status, {"detail": detail, "code": code})]
    failed_with(bench, start(bench), detail)
    assert len(platform.data.asked) == 1
    assert files_left(bench) == []


def test_a_name_that_the_run_does_not_have_fails_the_job_and_nothing_is_asked(bench: Bench) -> None:
    platform = bench.platform
    platform.data.read("test")
    failed_with(bench, start(bench), "no data named")
    assert platform.data.asked == []


def test_a_platform_that_does_not_tell_what_the_run_reads_is_asked_again_by_the_next_process(bench: Bench) -> None:
    platform = bench.platform
    platform.data.read("train")
    platform.data.is_told = False
    failing = start(bench)
    failed_with(bench, failing, "does not tell which data the run reads")
    assert platform.data.asked == []
    failing.end()
    platform.data.is_told = True
    has_read(start(bench))
    bench.goes_on()


def test_a_platform_that_does_not_tell_what_the_run_reads_is_asked_again_by_the_next_attachment(bench: Bench) -> None:
    platform = bench.platform
    platform.data.read("train")
    platform.data.is_told = False
    first = bench.start()
    platform.reached(5)
    platform.data.is_told = True
    platform.end_streams({"reconnect": {}})
    eventually(lambda: len(platform.attachments) == 2)
    bench.goes_on()
    first.kill()
    # It is known by now, whatever the platform tells.
    platform.data.is_told = False
    has_read(start(bench))
    bench.goes_on()


def test_what_was_begun_without_knowing_what_the_run_reads_waits_for_the_platform(bench: Bench) -> None:
    platform = bench.platform
    platform.data.read("train")
    platform.data.is_told = False
    first = bench.start()
    platform.reached(5)
    first.kill()
    platform.data.is_told = True
    attempts: list[str] = []

    def disturb(kind: str, moment: str) -> Any:
        if kind != "attach" or len(attempts) == 2:
            return None
        attempts.append(kind)
        return "busy"

    platform.disturb = disturb
    has_read(start(bench))
    assert len(attempts) == 2
    assert "failed" not in platform.states
    bench.goes_on()
    bench.assert_undisturbed(0)


def test_a_run_without_data_is_trained_and_a_trainer_that_wants_some_says_that_there_is_none(bench: Bench) -> None:
    platform = bench.platform
    failing = start(bench)
    failed_with(bench, failing, "it names none")
    failing.end()
    bench.start()
    platform.reached(30)
    assert platform.data.asked == []


def test_two_trainers_of_a_machine_share_the_files_and_do_not_get_in_each_others_way(bench: Bench) -> None:
    version = bench.platform.data.read("train")
    both_there = threading.Event()

    def disturb(kind: str, moment: str) -> None:
        if kind == "download":
            assert both_there.wait(60)

    bench.platform.disturb = disturb
    with bench.beside("other") as other:
        other.platform.disturb = disturb
        other.platform.data.read("train")
        trainers = [start(each) for each in (bench, other)]
        # Each has begun by then: what it does next is to read.
        for each in (bench, other):
            eventually(lambda each=each: each.platform.states)
        both_there.set()
        for trainer in trainers:
            has_read(trainer)
        for each in (bench, other):
            each.goes_on()
    assert files_left(bench) == [kept(bench) / f"{version['content_sha256']}.parquet"]
