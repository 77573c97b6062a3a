"""Runs of a pipeline that search for good values."""

from __future__ import annotations

import contextlib
import logging
import shutil
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from ..client import Platform, RetryPolicy, Run
from ..trainer import Trainer
from ..trainer.durable_files import DirectoryClaim
from .attendant import Attendant, ended_states
from .optuna_search import OptunaSearch
from .pruning import Pruning
from .search import Goal, Search, Trial, TrialState
from .space import Space, SweepError, check_space

log = logging.getLogger("aiplatform_sdk")

Outcome = Literal["completed", "stopped"]
look_elsewhere_s = 1.0


class Sweep:
    """Trials of one space. Each is a run of the pipeline, with the values of the trial in its job's configuration.

    The directory remembers everything: the same program, started again after a kill, goes on with the trial that was
    under way, at its last checkpoint, and begins no trial twice. One process at a time works in it.
    """

    def __init__(
        self,
        name: str,
        space: Space,
        *,
        pipeline_id: str,
        metric: str,
        goal: Goal = "minimize",
        configuration: Mapping[str, Any] | None = None,
        pruning: Pruning | None = None,
        sampler: Any = None,
        directory: str | Path | None = None,
        url: str | None = None,
        key: str | None = None,
    ) -> None:
        """Address and key that are not given come from `PLATFORM_URL` and `PLATFORM_API_KEY`.

        - `metric`: what the trials log, and by which they are compared. The value of a trial is its best one, because
          the best checkpoint is the result
        - `configuration`: what all trials have beside the values of the space
        - `sampler`: one of Optuna's; default: TPE
        - `directory`: default `.aiplatform/<name>`

        Raises SweepError for a space that is not valid, and DirectoryInUseError.
        """
        check_space(space)
        self.name = name
        self._url, self._key = url, key
        self.platform = Platform(url, key, retry=RetryPolicy(max_retries=8))
        self._pipeline_id = pipeline_id
        self._metric, self._goal = metric, goal
        self._configuration = dict(configuration or {})
        self._pruning = pruning
        self._directory = Path(directory) if directory is not None else Path(".aiplatform") / name
        self._claim = DirectoryClaim(self._directory)
        self._search: Search = OptunaSearch(
            self._directory, space, goal=goal, sampler=sampler, pruner=pruner_of(pruning)
        )

    @property
    def trials(self) -> list[Trial]:
        """All that were begun, in order."""
        return list(self._search.trials())

    @property
    def best(self) -> Trial:
        """The best of those that are complete. Raises SweepError while there is none."""
        complete = [each for each in self.trials if each.state == "completed" and each.value is not None]
        if not complete:
            raise SweepError("no trial is complete")
        sign = 1 if self._goal == "minimize" else -1
        return min(complete, key=lambda each: sign * (each.value or 0.0))

    def rows(self) -> list[dict[str, Any]]:
        """Trials as flat rows, as `pandas.DataFrame` takes them."""
        return [
            {"trial": each.number, "state": each.state, self._metric: each.value, "run_id": each.run_id, **each.values}
            for each in self.trials
        ]

    def run(self, train: Callable[[Trainer], object], *, trials: int, max_failures: int = 0) -> Outcome:
        """Trains one trial after the other in this process, until there are `trials`, counted over all its starts.

        `train` takes all steps of `job.steps(…)`; the values are in `job.settings`. After SIGTERM the trial under way
        is saved and the outcome is `stopped`: the next start goes on. Raises the error of `train` for the failed
        trial after `max_failures`.
        """
        failures = 0
        for trial in self._to_do(trials):
            attendant = self._attendant_of(trial)
            try:
                if self._train_here(attendant, train) == "stopped":
                    return "stopped"
            except Exception:
                # Anything but a job that has failed is an error of the sweep's surroundings: the trial stays open.
                if attendant.run.refresh().state != "failed":
                    raise
                failures += 1
                attendant.settle()
                if failures > max_failures:
                    raise
                log.exception("trial %d failed", trial.number)
                continue
            if self._settle(attendant) == "failed":
                failures += 1
                _check_failures(failures, max_failures, trial)
        return "completed"

    def run_elsewhere(
        self, launch: Callable[[Trial, Run], object], *, trials: int, parallel: int = 1, max_failures: int = 0
    ) -> Outcome:
        """Has up to `parallel` trials trained elsewhere at once, until there are `trials` over all its starts.

        `launch` starts a program that trains the job `train` of the run, such as a job of a cluster, and returns.
        After a kill it may be called once more for the same run: name what it starts by `run.id`. Raises SweepError
        for a failed trial after `max_failures`.
        """
        to_do, active, failures = self._to_do(trials), list[Attendant](), 0
        while True:
            while len(active) < parallel and (trial := next(to_do, None)) is not None:
                attendant = self._attendant_of(trial)
                if not trial.launched and attendant.run.state not in ended_states:
                    launch(trial, attendant.run)
                    self._search.remember(trial.number, launched=True)
                active.append(attendant)
            if not active:
                return "completed"
            for attendant in [each for each in active if each.look(1 if len(active) == 1 else 0)]:
                active.remove(attendant)
                if self._settle(attendant) == "failed":
                    failures += 1
                    _check_failures(failures, max_failures, attendant.trial)
            time.sleep(look_elsewhere_s if len(active) > 1 else 0)

    def close(self) -> None:
        """Lets go of the directory."""
        self.platform.close()
        self._claim.release()

    def __enter__(self) -> Sweep:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _to_do(self, count: int) -> Iterator[Trial]:
        """Those that were begun before, then new ones."""
        known = self._search.trials()
        yield from (each for each in known if each.state == "begun")
        for _ in range(count - len(known)):
            yield self._search.propose()

    def _attendant_of(self, trial: Trial) -> Attendant:
        run = self._run_of(trial)
        return Attendant(trial, run, self._search, metric=self._metric, goal=self._goal, pruning=self._pruning)

    def _run_of(self, trial: Trial) -> Run:
        if trial.run_id is not None:
            return self.platform.runs.get(self._pipeline_id, trial.run_id)
        run = self._created_before(trial) or self._create(trial)
        self._search.remember(trial.number, run_id=run.id)
        return run

    def _created_before(self, trial: Trial) -> Run | None:
        """By a process that was killed before it could remember the run."""
        wanted = f'tags.sweep_id = "{self._search.id}" AND tags.trial = "{trial.number}"'
        return next(self.platform.runs.list(pipeline_id=self._pipeline_id, filter=wanted), None)

    def _create(self, trial: Trial) -> Run:
        job = {
            "name": "train",
            "primary_metric": self._metric,
            "primary_metric_goal": self._goal,
            "configuration": {**self._configuration, **trial.values},
        }
        return self.platform.runs.create(
            self._pipeline_id,
            f"{self.name} {trial.number}",
            [job],
            tags={"sweep": self.name, "sweep_id": self._search.id, "trial": str(trial.number)},
            idempotency_key=str(uuid.uuid5(uuid.UUID(self._search.id), str(trial.number))),
        )

    def _train_here(self, attendant: Attendant, train: Callable[[Trainer], object]) -> str | None:
        run = attendant.run
        if run.state in ended_states - {"failed"}:
            return None
        job = Trainer.attach(
            self._url,
            self._key,
            pipeline_id=self._pipeline_id,
            run_id=run.id,
            job_name="train",
            directory=self._trial_directory(attendant.trial),
        )
        with _attended(attendant), job:
            train(job)
        if job.outcome is None:
            raise SweepError("train has to take all steps of job.steps(…)")
        if job.outcome == "detached":
            raise SweepError(f"another program has taken run {run.id} over")
        return job.outcome

    def _settle(self, attendant: Attendant) -> TrialState:
        attendant.run.wait()
        became = attendant.settle()
        # What a trial that has ended leaves here is of no use: its result is on the platform.
        shutil.rmtree(self._trial_directory(attendant.trial), ignore_errors=True)
        return became

    def _trial_directory(self, trial: Trial) -> Path:
        return self._directory / "trials" / str(trial.number)


@contextlib.contextmanager
def _attended(attendant: Attendant) -> Iterator[None]:
    closed = threading.Event()
    thread = threading.Thread(target=attendant.look_until, args=(closed,), name="aiplatform-sweep", daemon=True)
    thread.start()
    try:
        yield
    finally:
        closed.set()
        # It acts on nothing more once it is gone; a look takes a second.
        thread.join()


def _check_failures(failures: int, max_failures: int, trial: Trial) -> None:
    if failures > max_failures:
        raise SweepError(f"trial {trial.number} with {trial.values} has failed")


def pruner_of(pruning: Pruning | None) -> Any:
    if pruning is None or pruning.pruner is not None:
        return pruning and pruning.pruner
    import optuna

    return optuna.pruners.MedianPruner(n_startup_trials=pruning.min_trials, n_warmup_steps=pruning.min_steps)
