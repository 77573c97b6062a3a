"""A platform that a process of its own plays, so that its work does not count."""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

root = Path(__file__).parent.parent
sys.path[:0] = [str(root / "src"), str(root.parent.parent / "tests" / "trainer-protocol")]

from scripted_platform import ScriptedPlatform  # noqa: E402

from aiplatform_sdk import Trainer  # noqa: E402


def play(pipe: Connection) -> None:
    """The platform, until the pipe is closed."""
    with ScriptedPlatform() as platform:
        pipe.send((platform.url, platform.pipeline_id, platform.run_id, platform.job_name))
        pipe.poll(None)


@contextmanager
def attached() -> Iterator[Trainer]:
    """A trainer of a new job."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=play, args=(theirs,), daemon=True)
    process.start()
    url, pipeline, run, job_name = ours.recv()
    named = {"pipeline_id": pipeline, "run_id": run, "job_name": job_name}
    try:
        with (
            tempfile.TemporaryDirectory() as directory,
            Trainer.attach(url, "key", **named, directory=directory) as job,
        ):
            yield job
    finally:
        process.kill()
        process.join()
