"""Data that a run reads: fetched once, whatever breaks, and never other bytes than those of the digest."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from rig import Rig, root
from scripted_datasets import rows_file
from scripted_platform import ScriptedPlatform
from scripted_server import eventually

from aiplatform_sdk import Dataset, DatasetDigestError, DatasetError, PlatformUnreachableError, Trainer
from aiplatform_sdk.backoff import Backoff
from aiplatform_sdk.trainer import dataset_files


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where files of datasets are kept."""
    monkeypatch.setenv("DATASET_DIRECTORY", str(tmp_path / "datasets"))
    monkeypatch.setattr(dataset_files, "Backoff", lambda: Backoff(0.001, 0.01))
    return tmp_path / "datasets"


@contextlib.contextmanager
def another_job() -> Iterator[ScriptedPlatform]:
    """Its run reads the same data."""
    with ScriptedPlatform() as platform:
        platform.data.read("train")
        yield platform


def names_of(directory: Path) -> set[str]:
    return {path.suffix for path in directory.iterdir() if path.suffix != ".lock"}


def size_of_part(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.glob("*.part"))


class TestADataset:
    def test_is_a_file_that_is_fetched_once_and_has_what_the_run_says_of_it(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path
    ) -> None:
        version = platform.data.read("train")
        for _ in range(2):
            with rig.attach() as job:
                train = job.dataset("train")
                assert train.path == kept / f"{version['content_sha256']}.parquet"
                assert train.path.read_bytes() == rows_file
                assert {name: getattr(train, name) for name in version} == version
                assert repr(train) == "Dataset('train', version 1, 2000 rows)"
        assert platform.data.asked == [(version["version_id"], None)]

    def test_comes_in_record_batches_of_the_columns_and_the_size_that_are_asked_for(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path
    ) -> None:
        platform.data.read("train")
        with rig.attach() as job:
            train = job.dataset("train")
            batches = list(train.batches(columns=["value", "id"], batch_size=800))
            assert [batch.num_rows for batch in batches] == [800, 800, 400]
            assert sorted(batches[0].schema.names) == ["id", "value"]
            assert [value.as_py() for batch in batches for value in batch["value"]] == [i / 2 for i in range(2_000)]
            texts = [value.as_py() for batch in train.batches() for value in batch["text"]]
            assert texts[:3] == [None, "row 1", "row 2"]
            with pytest.raises(DatasetError, match="has no column 'price'; its columns: id, value, text"):
                list(train.batches(columns=["price"]))

    def test_says_what_to_install_where_pyarrow_is_missing(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        platform.data.read("train")
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with rig.attach() as job, pytest.raises(DatasetError, match=r"install aiplatform-sdk\[arrow\]"):
            job.dataset("train").batches()

    def test_that_the_run_does_not_name_is_an_error_with_the_names(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path
    ) -> None:
        platform.data.read("train")
        platform.data.read("test")
        with rig.attach() as job, pytest.raises(DatasetError, match="no data named 'valid'; it names 'train', 'test'"):
            job.dataset("valid")

    def test_is_known_to_a_process_that_is_started_again_while_the_platform_is_away(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path
    ) -> None:
        platform.data.read("train")
        with rig.attach() as job:
            assert job.dataset("train").path.exists()
        platform.leave()
        with rig.attach() as job:
            assert job.dataset("train").path.read_bytes() == rows_file

    def test_is_asked_for_again_where_an_earlier_platform_did_not_tell_what_the_run_reads(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path
    ) -> None:
        platform.data.read("train")
        platform.data.is_told = False
        with rig.attach() as job, pytest.raises(DatasetError, match="does not tell which data"):
            job.dataset("train")
        platform.data.is_told = True
        with rig.attach() as job:
            assert job.dataset("train").path.read_bytes() == rows_file

    def test_is_asked_for_where_a_journal_of_an_earlier_version_does_not_have_it(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path
    ) -> None:
        platform.data.read("train")
        with rig.attach():
            journal = rig.directory / "state.json"
        members = json.loads(journal.read_text())
        assert len(members.pop("datasets")) == 1
        journal.write_text(json.dumps(members))
        with rig.attach() as job:
            assert job.dataset("train").path.read_bytes() == rows_file


class TestADownload:
    def path_of(self, rig: Rig) -> Path:
        with rig.attach() as job:
            return job.dataset("train").path

    def test_that_breaks_off_goes_on_where_it_was(self, platform: ScriptedPlatform, rig: Rig, kept: Path) -> None:
        version = platform.data.read("train")
        platform.data.cuts = [1_000, 0, 2_000]
        platform.data.has_arrived = lambda: size_of_part(kept) == platform.data.given
        assert self.path_of(rig).read_bytes() == rows_file
        ranges = [None, "bytes=1000-", "bytes=1000-", "bytes=3000-"]
        assert platform.data.asked == [(version["version_id"], each) for each in ranges]

    def test_goes_on_with_what_a_process_that_was_killed_has_left(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path
    ) -> None:
        version = platform.data.read("train")
        kept.mkdir()
        (kept / f"{version['content_sha256']}.part").write_bytes(rows_file[:4_000])
        assert self.path_of(rig).read_bytes() == rows_file
        assert platform.data.asked == [(version["version_id"], "bytes=4000-")]

    @pytest.mark.parametrize("other", [b"other bytes", rows_file[:-1] + b"\0", rows_file + b"and more"])
    def test_of_other_bytes_is_an_error_and_leaves_no_file(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path, other: bytes
    ) -> None:
        version = platform.data.read("train")
        platform.data.files[version["version_id"]] = other.ljust(len(rows_file), b" ")
        with pytest.raises(DatasetDigestError, match=f"instead of {version['content_sha256']}, and is removed"):
            self.path_of(rig)
        assert names_of(kept) == set()

    def test_of_a_version_that_was_purged_is_an_error_at_once(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path
    ) -> None:
        platform.data.read("train")
        platform.data.refusals = [(409, {"detail": "No artifact has this SHA-256", "code": "artifact_missing"})]
        with pytest.raises(DatasetError, match="does not give 'train': No artifact has this SHA-256"):
            self.path_of(rig)

    def test_that_gets_nothing_in_eight_attempts_is_given_up(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path
    ) -> None:
        platform.data.read("train")
        platform.data.refusals = [(503, {"detail": "not now"})] * 8
        with pytest.raises(PlatformUnreachableError, match="'train' could not be fetched: not now"):
            self.path_of(rig)
        assert len(platform.data.asked) == 8

    def test_that_the_disk_has_no_room_for_is_not_begun(self, platform: ScriptedPlatform, rig: Rig, kept: Path) -> None:
        version = platform.data.read("train")
        version["size_bytes"] = 1 << 60
        with pytest.raises(DatasetError, match="set DATASET_DIRECTORY to another directory"):
            self.path_of(rig)
        assert platform.data.asked == []

    def test_ends_where_the_trainer_is_stopped(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        platform.data.read("train")
        platform.data.refusals = [(503, {"detail": "not now"})]
        monkeypatch.setattr(dataset_files, "Backoff", lambda: Backoff(600, 600))
        began = time.monotonic()
        with rig.attach() as job:
            threading.Thread(target=lambda: (eventually(lambda: platform.data.asked), job.stop())).start()
            with pytest.raises(PlatformUnreachableError, match="stopped before the data was there"):
                job.dataset("train").path.exists()
        assert len(platform.data.asked) == 1
        assert time.monotonic() - began < 20

    def test_is_given_up_where_another_process_is_the_trainer_before_it_was_told(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path
    ) -> None:
        platform.data.read("train")
        platform.data.is_told = False
        with rig.attach():
            pass
        platform.other_trainer_attaches()
        with pytest.raises(PlatformUnreachableError, match="stopped before"), rig.attach() as job:
            job.dataset("train").path.exists()

    @pytest.mark.parametrize("waits_for", ["the answer", "the next attempt"])
    def test_ends_where_the_process_is_told_to_end(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path, tmp_path: Path, waits_for: str
    ) -> None:
        platform.data.read("train")
        ended = threading.Event()
        waits = threading.Event()

        def disturb(kind: str, moment: str) -> Any:
            if kind != "download":
                return None
            waits.set()
            if waits_for == "the answer":
                assert ended.wait(60)
            return "busy"

        platform.disturb = disturb
        program = tmp_path / "waits.py"
        program.write_text(
            "from aiplatform_sdk import Trainer\n"
            "from aiplatform_sdk.backoff import Backoff\n"
            "from aiplatform_sdk.trainer import dataset_files\n"
            "dataset_files.Backoff = lambda: Backoff(600, 600)\n"
            "with Trainer.attach() as job:\n"
            "    job.dataset('train').path\n"
        )
        process = rig.start_process(program)
        assert waits.wait(60)
        process.terminate()
        # Sooner than an answer that does not begin is given up.
        _, errors = process.communicate(timeout=20)
        ended.set()
        assert errors.splitlines()[-1].endswith("stopped before the data was there"), errors
        assert "failed" not in platform.states

    def test_that_waits_for_another_trainer_touches_nothing_where_it_is_stopped(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path
    ) -> None:
        version = platform.data.read("train")
        kept.mkdir()
        path = kept / f"{version['content_sha256']}.parquet"
        path.write_bytes(b"of the other trainer")
        with path.with_suffix(".lock").open("a") as held, rig.attach() as job:
            fcntl.flock(held, fcntl.LOCK_EX)
            job.stop()
            with pytest.raises(PlatformUnreachableError, match="stopped before the data was there"):
                job.dataset("train").path.exists()
        assert path.read_bytes() == b"of the other trainer"

    def test_waits_for_a_trainer_that_fetches_the_same_and_reads_its_file(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path, tmp_path: Path
    ) -> None:
        platform.data.read("train")
        held, go_on = threading.Event(), threading.Event()

        def disturb(kind: str, moment: str) -> None:
            if kind == "download":
                held.set()
                assert go_on.wait(60)

        program = tmp_path / "reads.py"
        program.write_text(
            "from aiplatform_sdk import Trainer\n"
            "with Trainer.attach() as job:\n"
            "    print(job.dataset('train').path.stat().st_size)\n"
        )
        with another_job() as other:
            platforms = platform, other
            for each in platforms:
                each.disturb = disturb  # type: ignore[assignment]
            rigs = [Rig(each, tmp_path / each.run_id) for each in platforms]
            processes = [each.start_process(program) for each in rigs]
            assert held.wait(60)
            # Both have attached: the second one waits for the file.
            eventually(lambda: all(each.attachments for each in platforms))
            go_on.set()
            outputs = [process.communicate(timeout=60) for process in processes]
            assert [output for output, _ in outputs] == [f"{len(rows_file)}\n"] * 2, outputs
            assert sum(len(each.data.asked) for each in platforms) == 1

    def test_waits_for_another_trainer_of_the_same_process(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path, tmp_path: Path
    ) -> None:
        platform.data.read("train")
        with another_job() as other:
            platforms = platform, other
            for each in platforms:
                each.data.cuts = [1_000]
                each.data.has_arrived = lambda each=each: size_of_part(kept) == each.data.given  # type: ignore[misc]
            rigs = rig, Rig(other, tmp_path / "other")
            with rigs[0].attach() as one, rigs[1].attach() as two, ThreadPoolExecutor() as threads:
                paths = list(threads.map(lambda job: job.dataset("train").path, (one, two)))
            assert [path.read_bytes() for path in paths] == [rows_file] * 2
            asked = [part for each in platforms for _, part in each.data.asked]
            assert asked == [None, "bytes=1000-"]

    def test_removes_parts_that_no_trainer_goes_on_with(self, platform: ScriptedPlatform, rig: Rig, kept: Path) -> None:
        platform.data.read("train")
        kept.mkdir()
        old, new = kept / "old.part", kept / "new.part"
        for part in (old, new):
            part.write_bytes(b"a part")
        long_ago = time.time() - dataset_files.leftover_s - 60
        os.utime(old, (long_ago, long_ago))
        self.path_of(rig)
        assert (old.exists(), new.exists()) == (False, True)


class TestAFileThatIsKept:
    @pytest.mark.parametrize("happened", ["damaged", "removed"])
    def test_is_fetched_again_where_it_was(
        self, platform: ScriptedPlatform, rig: Rig, kept: Path, happened: str
    ) -> None:
        platform.data.read("train")
        with rig.attach() as job:
            path = job.dataset("train").path
            assert job.dataset("train").path == path
            assert len(platform.data.asked) == 1
        if happened == "damaged":
            path.write_bytes(rows_file[:-1] + b"\0")
        else:
            path.unlink()
        with rig.attach() as job:
            assert job.dataset("train").path.read_bytes() == rows_file
        assert len(platform.data.asked) == 2


def test_where_files_are_kept_is_an_argument_or_a_folder_beside_the_jobs(
    platform: ScriptedPlatform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform.data.read("train")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATASET_DIRECTORY", raising=False)
    monkeypatch.delenv("DATA_DIRECTORY", raising=False)

    def attach(dataset_directory: Path | None) -> Trainer:
        ids = {"pipeline_id": platform.pipeline_id, "run_id": platform.run_id, "job_name": platform.job_name}
        return Trainer.attach(platform.url, "key", dataset_directory=dataset_directory, **ids)

    for given, expected in ((None, Path(".aiplatform") / "datasets"), (tmp_path / "mine", tmp_path / "mine")):
        with attach(given) as job:
            dataset: Dataset = job.dataset("train")
            assert dataset.path.parent == expected


def test_the_lines_of_the_page_read_the_rows(platform: ScriptedPlatform, rig: Rig, kept: Path, tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (root / "README.md").read_text(), re.M | re.S)
    (program,) = [block for block in blocks if "job.dataset(" in block]
    parquet.write_table(pa.table({"price": [float(price) for price in range(25_000)]}), tmp_path / "houses.parquet")
    platform.data.read("houses", (tmp_path / "houses.parquet").read_bytes())
    (tmp_path / "reads.py").write_text(program)
    process = rig.start_process(tmp_path / "reads.py")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert platform.curve("mean") == [(step, 12_499.5) for step in (1, 2, 3)]
