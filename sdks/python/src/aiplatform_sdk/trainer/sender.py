"""Sends reports and checkpoints for as long as the platform can be reached."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import PlatformError, PlatformUnreachableError
from .checkpoints import RefusedError
from .link import PlatformLink
from .media_files import MediaFiles, files_of
from .reporter import Reporter
from .spool import ReportSpool, SpooledBatch

log = logging.getLogger("aiplatform_sdk")

cut_every_s = 0.4
"""How long points wait for others to travel with."""
fast_cut_every_s = 1.0
"""The same in a fast loop: a request costs as much as encoding some thousand points."""
fast_points_per_s = 5_000
beat_every_s = 2.0
report_timeout_s = 30.0


class ReportSender:
    """Sends one report after the other, and forgets those that are durable there."""

    def __init__(
        self,
        link: PlatformLink,
        spool: ReportSpool,
        reporter: Reporter,
        *,
        files: MediaFiles,
        store: Callable[[Path], None],
    ) -> None:
        self._link = link
        self._spool = spool
        self._reporter = reporter
        self._files = files
        self._store = store
        self._work = threading.Event()
        self._registrations: deque[dict[str, Any]] = deque()

    def register(self, checkpoint: dict[str, Any]) -> None:
        """Makes a checkpoint known, before reports that are cut after it."""
        if all(each["id"] != checkpoint["id"] for each in self._registrations):
            self._registrations.append(checkpoint)
        self._work.set()

    def confirm(self, counter: int) -> None:
        """Everything up to this counter is durable."""
        self._spool.confirm(counter)
        self._work.set()

    def flush(self, within_s: float) -> bool:
        """Whether everything is durable there, after `within_s` at the latest."""
        self._cut()
        end = time.monotonic() + within_s
        while self._left() and self._link.connected and time.monotonic() < end:
            self._work.set()
            time.sleep(0.01)
        return not self._left()

    def run_cutter(self, beat: Callable[[], None]) -> None:
        """Cuts batches until the link is closed: often while it is up, and full ones while the platform is away."""
        next_beat = 0.0
        while not self._link.closed.is_set():
            self._reporter.full.wait(cut_every_s)
            if self._reporter.points > fast_points_per_s * cut_every_s:
                self._reporter.full.wait(fast_cut_every_s - cut_every_s)
            if time.monotonic() >= next_beat:
                beat()
                next_beat = time.monotonic() + beat_every_s
            if self._link.connected or self._reporter.full.is_set():
                if self._cut():
                    self._work.set()
                else:
                    self._link.closed.wait(cut_every_s / 8)

    def run(self) -> None:
        """Sends until the link is closed."""
        failures = 0
        while not self._link.closed.is_set():
            if not (self._link.connected and self._left()):
                self._work.wait(cut_every_s)
                self._work.clear()
                continue
            if self._send_next():
                failures = 0
            else:
                failures += 1
                self._link.closed.wait(self._link.backoff.pause_s(failures))

    def _left(self) -> bool:
        return bool(self._registrations) or self._spool.unconfirmed > 0

    def _cut(self) -> bool:
        try:
            return self._reporter.cut()
        except OSError as error:
            log.warning("reports wait in memory: %s", error)
            self._link.closed.wait(cut_every_s)
            return False

    def _send_next(self) -> bool:
        """Sends what is next; False when it has to be sent again."""
        try:
            if self._registrations:
                self._link.send("POST", "checkpoints", {"checkpoint": self._registrations[0]})
                self._registrations.popleft()
                return True
            return self._send_report()
        except (PlatformUnreachableError, OSError) as error:
            log.info("reports wait: %s", error)
            return False
        except PlatformError as error:
            return self._take_refusal(error)

    def _send_report(self) -> bool:
        offered = self._spool.offer()
        if offered is None:
            return True
        spooled, batch = offered
        media = json.loads(batch).get("media", []) if b'"media":' in batch else []
        # Before the report: when that is durable, its files are there.
        self._store_files(files_of(media))
        try:
            answer = self._send_batch(spooled, batch, has_media=bool(media))
        except PlatformError as error:
            # A batch that the platform will never take must not stand in the way of the others.
            if error.status in (413, 422) or error.code == "report_out_of_order":
                log.warning("report %s was refused: %s", spooled.counter, error)
                self._reporter.line(f"the platform refused report {spooled.counter}: {error}")
                self._spool.confirm(spooled.counter)
                self._files.remove(files_of(media))
                return True
            raise
        self._spool.confirm(answer["durable_counter"])
        self._files.remove(files_of(media))
        return True

    def _send_batch(self, spooled: SpooledBatch, batch: bytes, *, has_media: bool) -> dict[str, Any]:
        try:
            return self._link.send_report(spooled.counter, spooled.segment, batch, report_timeout_s)
        except PlatformError as error:
            if not (has_media and error.status in (413, 422)):
                raise
            # Points must not be lost because something beside them is not taken.
            log.warning("media of report %s were refused: %s", spooled.counter, error)
            self._reporter.line(f"the platform refused media of report {spooled.counter}: {error}")
            rest = {name: value for name, value in json.loads(batch).items() if name != "media"}
            whole = json.dumps(rest or {"logs": []}, separators=(",", ":")).encode()
            return self._link.send_report(spooled.counter, spooled.segment, whole, report_timeout_s)

    def _store_files(self, digests: list[str]) -> None:
        for sha256 in digests:
            path = self._files.path_of(sha256)
            if path is None:
                continue
            try:
                self._store(path)
            except RefusedError as error:
                log.warning("a file of media is not shown: %s", error)
                self._reporter.line(f"a file of media is not shown: {error}")

    def _take_refusal(self, error: PlatformError) -> bool:
        if error.code == "attachment_lost":
            self._link.detach()
            return True
        if self._registrations and error.status in (409, 422):
            log.warning("checkpoint %s was refused: %s", self._registrations[0]["id"], error)
            self._registrations.popleft()
            return True
        log.warning("reports wait: %s", error)
        return False
