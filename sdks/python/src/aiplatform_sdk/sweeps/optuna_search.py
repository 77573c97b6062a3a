"""The search by Optuna, which remembers in a journal."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.pruners import BasePruner
from optuna.samplers import BaseSampler
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial

from .search import Goal, Trial, TrialState
from .space import Choice, Dimension, Float, Space, SweepError

_states: dict[optuna.trial.TrialState, TrialState] = {
    optuna.trial.TrialState.COMPLETE: "completed",
    optuna.trial.TrialState.PRUNED: "pruned",
    optuna.trial.TrialState.FAIL: "failed",
}
_ended = {state: ended for ended, state in _states.items()}


class OptunaSearch:
    """One study in a directory that this process alone has claimed."""

    def __init__(
        self,
        directory: Path,
        space: Space,
        *,
        goal: Goal,
        sampler: BaseSampler | None = None,
        pruner: BasePruner | None = None,
    ) -> None:
        """Goes on with what the directory has. Raises SweepError if that has other keys than the space."""
        self._space = {key: _distribution_of(dimension) for key, dimension in space.items()}
        self._lock = threading.RLock()
        self._study = optuna.create_study(
            storage=JournalStorage(_journal_in(directory)),
            study_name="sweep",
            direction=goal,
            sampler=sampler,
            pruner=pruner or optuna.pruners.NopPruner(),
            load_if_exists=True,
        )
        if "id" not in self._study.user_attrs:
            self._study.set_user_attr("id", str(uuid.uuid4()))
            self._study.set_user_attr("keys", sorted(space))
        kept = self._study.user_attrs.get("keys")
        if kept != sorted(space) or self._study.direction.name.lower() != goal:
            raise SweepError(
                f"{directory} has a sweep that varies {', '.join(kept or ())} "
                f"and wants to {self._study.direction.name.lower()}: name another directory"
            )
        self._drop_incomplete()
        if self._study.get_trials(deepcopy=False):
            # A sampler with a seed would propose once more what it proposed before.
            self._study.sampler.reseed_rng()

    @property
    def id(self) -> str:
        return str(self._study.user_attrs["id"])

    def trials(self) -> Sequence[Trial]:
        with self._lock:
            return [_trial_of(each) for each in self._study.get_trials(deepcopy=False) if self._is_whole(each)]

    def propose(self) -> Trial:
        with self._lock:
            number = self._study.ask(fixed_distributions=self._space).number
            return _trial_of(self._found(number))

    def remember(
        self, number: int, *, run_id: str | None = None, pruned_at: int | None = None, launched: bool = False
    ) -> None:
        facts = {"run_id": run_id, "pruned_at": pruned_at, "launched": launched or None}
        with self._lock:
            trial = self._open_trial(number)
            for name, fact in facts.items():
                if fact is not None:
                    trial.set_user_attr(name, fact)

    def reached(self, number: int) -> int:
        with self._lock:
            return max(self._found(number).intermediate_values, default=0)

    def is_bad(self, number: int, step: int, value: float) -> bool:
        with self._lock:
            trial = self._open_trial(number)
            trial.report(value, step)
            return bool(trial.should_prune())

    def settle(self, number: int, state: TrialState, value: float | None) -> None:
        with self._lock:
            # Of a trial that was pruned, Optuna takes the value that it was given last.
            told = value if state == "completed" else None
            self._study.tell(number, told, _ended[state], skip_if_finished=True)

    def _found(self, number: int) -> FrozenTrial:
        return self._study.get_trials(deepcopy=False)[number]

    def _open_trial(self, number: int) -> optuna.trial.Trial:
        """Also of a trial that another process has begun; Optuna has no public way to that."""
        return optuna.trial.Trial(self._study, self._found(number)._trial_id)

    def _is_whole(self, trial: FrozenTrial) -> bool:
        return trial.params.keys() == self._space.keys()

    def _drop_incomplete(self) -> None:
        """A process that was killed while it proposed has left a trial without all its values: it never began."""
        for trial in self._study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.RUNNING,)):
            if not self._is_whole(trial):
                self._study.tell(trial.number, state=optuna.trial.TrialState.FAIL)


def _journal_in(directory: Path) -> JournalFileBackend:
    """What a kill has left half-written is cut off, and the lock of a killed process removed: the directory is ours."""
    path = directory / "study.journal"
    path.with_name(f"{path.name}.lock").unlink(missing_ok=True)
    if path.exists():
        content = path.read_bytes()
        if not content.endswith(b"\n"):
            with path.open("r+b") as file:
                file.truncate(content.rfind(b"\n") + 1)
    return JournalFileBackend(str(path))


def _distribution_of(dimension: Dimension) -> BaseDistribution:
    if isinstance(dimension, Choice):
        return CategoricalDistribution(dimension.options)
    if isinstance(dimension, Float):
        return FloatDistribution(dimension.low, dimension.high, log=dimension.log, step=dimension.step)
    return IntDistribution(dimension.low, dimension.high, log=dimension.log, step=dimension.step)


def _trial_of(trial: FrozenTrial) -> Trial:
    known: dict[str, Any] = trial.user_attrs
    return Trial(
        number=trial.number,
        values=dict(trial.params),
        state=_states.get(trial.state, "begun"),
        value=trial.value,
        run_id=known.get("run_id"),
        pruned_at=known.get("pruned_at"),
        launched=bool(known.get("launched")),
    )
