"""A training loop that the platform steers."""

from __future__ import annotations

import logging
import os
import queue
import resource
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from ..errors import PlatformUnreachableError, SeveralProcessesError
from ..gateway import Gateway
from . import media
from .agent import TrainerAgent
from .artifacts import Export, store
from .dataset_files import DatasetFiles, FetchStoppedError
from .datasets import Dataset, RunDatasets
from .durable_files import DirectoryClaim
from .journal import Journal
from .link import Attached, Detached, Event, JobAddress, PlatformLink, Stop
from .media_files import MediaFiles, files_of
from .reporter import Reporter
from .sender import ReportSender
from .settings import dataset_directory_of, setting
from .spool import ReportSpool
from .state import State
from .workload import StepPlan, Workload

log = logging.getLogger("aiplatform_sdk")

farewell_s = 1.0
rest_s = 5.0
refusals_to_raise = {400, 401, 403, 404, 409, 422}


class Trainer:
    """One job's trainer. Use it as a context: `with Trainer.attach() as job:`."""

    @classmethod
    def attach(
        cls,
        url: str | None = None,
        key: str | None = None,
        *,
        pipeline_id: str | None = None,
        run_id: str | None = None,
        job_name: str | None = None,
        directory: str | Path | None = None,
        dataset_directory: str | Path | None = None,
    ) -> Trainer:
        """Makes this program the job's trainer.

        What is not given comes from `PLATFORM_URL`, `PLATFORM_API_KEY`, `PIPELINE_ID`, `RUN_ID`, `JOB_NAME`,
        `DATA_DIRECTORY` and `DATASET_DIRECTORY`. The key needs `metrics:report`, and `models:write` to store the
        result, images and large texts. The directory keeps what has to survive the process; default
        `.aiplatform/<run>-<job>`. The directory of datasets keeps their files, which trainers that use the same one
        download once; default `.aiplatform/datasets`. A process that is started again goes on. Raises
        SeveralProcessesError in each process but the first that `torchrun` starts.
        """
        if "TORCHELASTIC_RUN_ID" in os.environ and os.environ.get("RANK", "0") != "0":
            raise SeveralProcessesError(
                "torchrun has started several processes, and a job has one trainer: "
                "use attach of aiplatform_sdk.torch in place of Trainer.attach, or start the program without torchrun"
            )
        run = setting(run_id, "RUN_ID")
        job = setting(job_name, "JOB_NAME")
        chosen = directory or os.environ.get("DATA_DIRECTORY") or Path(".aiplatform") / f"{run}-{job}"
        gateway = Gateway(setting(url, "PLATFORM_URL"), setting(key, "PLATFORM_API_KEY"))
        pipeline = setting(pipeline_id, "PIPELINE_ID")
        at = dataset_directory_of(dataset_directory)
        return cls(gateway, Path(chosen), pipeline_id=pipeline, run_id=run, job_name=job, dataset_directory=at)

    def __init__(
        self,
        gateway: Gateway,
        directory: Path,
        *,
        pipeline_id: str,
        run_id: str,
        job_name: str,
        dataset_directory: Path | None = None,
    ) -> None:
        self._claim = DirectoryClaim(directory)
        try:
            self._journal = Journal(directory, run_id=run_id, job_name=job_name)
            self._spool = ReportSpool(directory / "reports")
        except BaseException:
            self._claim.release()
            raise
        self._directory = directory
        self._gateway = gateway
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        address = JobAddress(pipeline_id, run_id, job_name, self._journal.state.attachment_id)
        self._dataset_files = DatasetFiles(gateway, address.run_path, dataset_directory_of(dataset_directory))
        self._link = PlatformLink(
            gateway,
            address,
            events=self._events,
            last_command=self._last_command,
            confirm=self._spool.confirm,
            detached=self._dataset_files.give_up,
        )
        self._reporter = Reporter(self._spool, self._journal.state.segment)
        # In this order: what is shown goes from the reporter to the spool.
        self._files = MediaFiles(directory / "media", lambda: files_of([*self._reporter.media(), *self._spool.media()]))
        self._showing = threading.Lock()
        self._sender = ReportSender(
            self._link,
            self._spool,
            self._reporter,
            files=self._files,
            store=lambda path: store(gateway, path),
        )
        self._agent: TrainerAgent | None = None
        self._attached: Attached | None = None
        self._meter = _Meter()
        self._threads: list[threading.Thread] = []
        self._former_handler: Any = None

    def __enter__(self) -> Trainer:
        for name, loop in (
            ("commands", self._link.run),
            ("reports", self._sender.run),
            ("batches", lambda: self._sender.run_cutter(self._beat)),
        ):
            thread = threading.Thread(target=loop, name=f"aiplatform-{name}", daemon=True)
            thread.start()
            self._threads.append(thread)
        if threading.current_thread() is threading.main_thread():
            # None where other than Python code had set it: that cannot be set again.
            self._former_handler = signal.signal(signal.SIGTERM, self._on_sigterm) or signal.SIG_DFL
        try:
            if self._journal.state.job is None or self._journal.state.datasets is None:
                self._attached = self._first_attachment()
                if self._attached is not None:
                    told = self._attached.datasets
                    self._journal.write(job=self._attached.job, datasets=None if told is None else list(told))
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            # Data that is not there because this trainer is to end is no failure: the next process downloads it.
            given_up = isinstance(error, FetchStoppedError)
            if self._agent and isinstance(error, Exception) and not given_up and self._agent.is_training():
                self._agent.fail(error)
            elif self._agent is not None:
                self._sender.flush(farewell_s)
        finally:
            self._close()

    @property
    def configuration(self) -> Mapping[str, Any]:
        """The job's configuration, as it was declared."""
        job = self._journal.state.job or {}
        return job.get("configuration") or {}

    @property
    def overrides(self) -> Mapping[str, Any]:
        """What commands have changed and is in force. Read it in each step."""
        return self._agent.workload.overrides if self._agent is not None else {}

    @property
    def settings(self) -> Mapping[str, Any]:
        """The configuration with the overrides in force."""
        return {**self.configuration, **self.overrides}

    @property
    def outcome(self) -> str | None:
        """How the loop ended: `completed`, `finished` by command, `aborted`, `detached` because another one took the
        job over, or `stopped` to go on later. None before."""
        return self._agent.end if self._agent is not None else None

    @property
    def _told_datasets(self) -> list[dict[str, Any]] | None:
        """The data that the run names, as the platform tells it. None: one of an earlier version does not."""
        return self._journal.state.datasets

    def dataset(self, name: str) -> Dataset:
        """The data that the run names like this.

        Raises DatasetError where it names none, or the platform does not tell.
        """
        return RunDatasets(self._told_datasets, self._dataset_files).named(name)

    def steps(
        self,
        total: int,
        state: State,
        *,
        checkpoint_every: int | None = None,
        keep: int = 5,
        export: Export | None = None,
        publish: bool = True,
    ) -> Iterator[int]:
        """Numbers of the steps to take, up to `total`; commands are applied between two of them.

        After a rollback or a restart it goes on behind the checkpoint, with the state loaded. The loop ends when the
        last step is taken and the best checkpoint is stored as the result, or as `outcome` says.

        - `checkpoint_every`: steps between two checkpoints; default: one a minute
        - `keep`: the newest checkpoints that are kept beside the first and the best
        - `export`: writes the loaded state as the result and answers its format; default: the checkpoint is the result
        - `publish`: whether there is a result
        """
        if self._agent is not None:
            raise RuntimeError("a job has one loop of steps")
        plan = StepPlan(total, state, checkpoint_every, keep, export, publish)
        workload = Workload(plan, self._directory, self._journal.state.job or {})
        agent = self._agent = TrainerAgent(
            gateway=self._gateway,
            journal=self._journal,
            link=self._link,
            reporter=self._reporter,
            sender=self._sender,
            events=self._events,
            workload=workload,
        )
        return self._loop(agent)

    def log(self, **metrics: float) -> None:
        """Values of the step under way. Never waits for the platform."""
        self._reporter.stage(metrics)

    def log_values(self, metrics: Mapping[str, float]) -> None:
        """As `log`, for names that are no Python names."""
        self._reporter.stage(metrics)

    def log_image(self, name: str, image: Any) -> None:
        """An image of the step under way: an array of height by width pixels, with 1, 3 or 4 channels if need be, of
        uint8 or of numbers from 0 to 1; an image of Pillow; or the bytes of a PNG, JPEG or WebP.

        Raises MediaError for anything else. Never waits for the platform.
        """
        self._show(media.image(name, image))

    def log_histogram(self, name: str, values: Any, bins: int = 64) -> None:
        """How the values, an array or numbers, are spread. Those that are not finite are left out."""
        self._show(media.histogram(name, values, bins))

    def log_table(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Rows with a value for each column. Raises MediaError."""
        self._show(media.table(name, columns, rows))

    def log_text(self, name: str, text: str) -> None:
        """A text of the step under way. Raises MediaError above 1 MiB."""
        self._show(media.text(name, text))

    def write_line(self, text: str, source: str = "trainer") -> None:
        """A line of the job's log."""
        self._reporter.line(text, source)

    def checkpoint(self) -> None:
        """Saves a checkpoint after the step under way, with its metrics."""
        if self._agent is not None:
            self._agent.wants_checkpoint = True

    def complete(self) -> None:
        """The step under way is the last one: the job completes as if it were the planned one."""
        if self._agent is not None:
            self._agent.workload.total = self._agent.workload.step + 1

    def stop(self) -> None:
        """Saves after the step under way and ends the loop; the job goes on when the program is started again."""
        self._dataset_files.give_up()
        self._events.put(Stop())

    def _show(self, medium: media.Medium) -> None:
        shown: dict[str, Any] = {"name": medium.name, "kind": medium.kind, **medium.inline}
        # A file that is kept and not named yet would be swept if another thread found no room.
        with self._showing:
            if medium.file is not None:
                named = self._files.keep(medium.file)
                if named is None:
                    return
                shown["file"] = named
            self._reporter.show(shown)

    def _loop(self, agent: TrainerAgent) -> Iterator[int]:
        agent.begin(self._attached)
        self._attached = None
        workload = agent.workload
        while agent.is_idle() or agent.advance():
            yield workload.step + 1
            agent.commit()

    def _first_attachment(self) -> Attached | None:
        """The job, or its data, is not known yet and has to be asked for. None: another process is its trainer."""
        while True:
            try:
                event = self._events.get(timeout=0.05)
            except queue.Empty:
                refusal = self._link.refusal
                if refusal is not None and refusal.status in refusals_to_raise:
                    raise refusal from None
                continue
            if isinstance(event, Attached):
                return event
            if isinstance(event, Detached):
                self._events.put(event)
                return None
            if isinstance(event, Stop):
                raise PlatformUnreachableError("stopped before the platform could be reached")

    def _last_command(self) -> tuple[int, str | None]:
        state = self._journal.state
        return state.last_sequence, state.last_command_id

    def _on_sigterm(self, number: int, frame: FrameType | None) -> None:
        # A second signal does what it did before.
        signal.signal(signal.SIGTERM, self._former_handler)
        self.stop()

    def _beat(self) -> None:
        agent = self._agent
        rested = agent is None or time.monotonic() - agent.last_step_at > rest_s
        devices = agent.workload.devices if agent is not None else []
        sample = {**self._meter.sample(), "devices": devices}
        memory = agent.workload.device_memory if agent is not None else None
        if memory is not None:
            sample["device_memory"] = memory
        self._reporter.heartbeat("runner" if rested else "trainer", sample)

    def _close(self) -> None:
        if self._former_handler is not None and signal.getsignal(signal.SIGTERM) == self._on_sigterm:
            signal.signal(signal.SIGTERM, self._former_handler)
        self._link.close()
        for thread in self._threads:
            thread.join(timeout=farewell_s)
        self._gateway.close()
        self._claim.release()


class _Meter:
    """What the process has used since it was last asked."""

    def __init__(self) -> None:
        self._cpu = time.process_time()
        self._at = time.monotonic()

    def sample(self) -> dict[str, Any]:
        """Processor use, 1 being one whole core; resident memory in bytes."""
        cpu, at = time.process_time(), time.monotonic()
        used = (cpu - self._cpu) / max(1e-3, at - self._at)
        self._cpu, self._at = cpu, at
        return {"cpu": used, "memory": _resident_bytes()}


def _resident_bytes() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        # macOS has no /proc, and says the maximum in bytes.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
