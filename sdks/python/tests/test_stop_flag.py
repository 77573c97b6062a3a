"""A flag that handlers of signals set, whatever the thread that they interrupt does with it."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from pathlib import Path

from rig import program_environment

from aiplatform_sdk.trainer.stop_flag import StopFlag


def test_is_set_by_a_handler_of_a_signal_whatever_the_thread_that_waits_for_it_does(tmp_path: Path) -> None:
    program = tmp_path / "waits.py"
    program.write_text(
        "import signal\n"
        "from aiplatform_sdk.trainer.stop_flag import StopFlag\n"
        "flag, signals = StopFlag(), 0\n"
        "def handle(number, frame):\n"
        "    global signals\n"
        "    signals += 1\n"
        "    flag.set()\n"
        "signal.signal(signal.SIGALRM, handle)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)\n"
        "while signals < 1_000:\n"
        "    if flag.wait(0) or flag.result_of(str, id) is None:\n"
        "        flag = StopFlag()\n"
        "signal.setitimer(signal.ITIMER_REAL, 0)\n"
    )
    subprocess.run([sys.executable, str(program)], env=program_environment(), timeout=60, check=True)


def test_discards_a_result_that_comes_after_it_was_set() -> None:
    flag, go_on = StopFlag(), threading.Event()
    discarded: queue.SimpleQueue[str] = queue.SimpleQueue()

    def work() -> str:
        flag.set()
        assert go_on.wait(60)
        return "late"

    assert flag.result_of(work, discarded.put) is None
    go_on.set()
    assert discarded.get(timeout=60) == "late"


class SeenByOthersFirst(StopFlag):
    """Set for all threads but the main one, as where it is set between the looks of two of them."""

    @property
    def _is_set(self) -> bool:  # type: ignore[override]
        return threading.current_thread() is not threading.main_thread()

    @_is_set.setter
    def _is_set(self, value: bool) -> None:
        """What is set changes nothing."""


def test_gives_a_result_away_or_discards_it_where_it_is_set_meanwhile() -> None:
    for _ in range(500):
        discarded: queue.SimpleQueue[str] = queue.SimpleQueue()
        if SeenByOthersFirst().result_of(lambda: "a result", discarded.put) is None:
            assert discarded.get(timeout=60) == "a result"
        else:
            assert discarded.empty()
