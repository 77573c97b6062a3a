"""LightGBM: `train` in place of `lightgbm.train`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import lightgbm

from .errors import SdkError
from .framework_loop import FrameworkLoop
from .trainer import Trainer


class DataDroppedError(SdkError):
    """A data set no longer has what it was made of."""


class BoosterState:
    """The booster of the loop under way. Its file is a model of LightGBM, as text.

    It releases nothing: while the job is paused, the loop of LightGBM holds booster and data.
    """

    format = "lightgbm"

    def __init__(self) -> None:
        self.booster: lightgbm.Booster | None = None
        self.entry: Path | None = None
        self.loads = 0

    def save(self, path: Path) -> None:
        if self.booster is not None:
            self.booster.save_model(str(path), num_iteration=-1)

    def load(self, path: Path) -> None:
        self.entry = path
        self.booster = lightgbm.Booster(model_file=str(path))
        self.loads += 1


def train(
    job: Trainer,
    params: dict[str, Any],
    train_set: lightgbm.Dataset,
    num_boost_round: int = 100,
    *,
    valid_sets: Sequence[lightgbm.Dataset] = (),
    valid_names: Sequence[str] | None = None,
    feval: Callable[..., Any] | None = None,
    callbacks: Sequence[Callable[..., Any]] = (),
    export: Callable[[lightgbm.Booster, Path], str] | None = None,
    **options: Any,
) -> lightgbm.Booster | None:
    """As `lightgbm.train`; a step is a round. `options` are those of `Trainer.steps`.

    `export` is given the booster, too. It logs what is evaluated, such as `valid_0-l2`, and a `learning_rate` of
    the parameters. Overrides of parameters take effect in the next round. Callbacks begin again when a command has
    loaded a checkpoint; one that ends the training, such as early stopping, completes the job. Data sets have to be
    as they were made: not constructed yet, or with `free_raw_data=False`.
    """
    state = BoosterState()
    loop = FrameworkLoop(job, state, {**options, "export": _bound(export, state)})
    callback = _Steps(loop, state, params, num_boost_round)

    def enter() -> None:
        # A booster that goes on from a model changes its data sets; these are made for it.
        own = _copy(train_set)
        valid = [own if each is train_set else _copy(each, own) for each in valid_sets]
        model, done = None, 0
        if state.entry is not None:
            model = lightgbm.Booster(model_file=str(state.entry))
            done = model.current_iteration()
        callback.overrides = {}
        state.booster = lightgbm.train(
            {**params, "num_iterations": max(1, num_boost_round - done)},
            own,
            valid_sets=valid,
            valid_names=list(valid_names) if valid_names is not None else None,
            feval=feval,
            init_model=model if done else None,
            keep_training_booster=True,
            callbacks=[callback, _logged(job), *callbacks],
        )

    loop.run(enter)
    return state.booster


def _bound(export: Callable[[lightgbm.Booster, Path], str] | None, state: BoosterState) -> Callable[[Path], str] | None:
    if export is None:
        return None

    def write(path: Path) -> str:
        # What is exported was loaded before.
        assert state.booster is not None
        return export(state.booster, path)

    return write


class _Steps:
    """Called before each round."""

    before_iteration = True
    order = -1

    def __init__(self, loop: FrameworkLoop, state: BoosterState, params: dict[str, Any], total: int) -> None:
        self.overrides: dict[str, Any] = {}
        self._loop = loop
        self._state = state
        self._params = params
        self._total = total

    def __call__(self, env: Any) -> None:
        self._state.booster = env.model
        self._loop.next_step(self._total)
        if self.overrides != self._loop.job.overrides:
            overrides = self._loop.job.overrides
            changed = self._params.keys() & (self.overrides.keys() | overrides.keys())
            env.model.reset_parameter({name: overrides.get(name, self._params[name]) for name in changed})
            self.overrides = dict(overrides)
        if "learning_rate" in self._params:
            rate = self.overrides.get("learning_rate", self._params["learning_rate"])
            self._loop.job.log(learning_rate=rate)


def _logged(job: Trainer) -> Callable[[Any], None]:
    def log(env: Any) -> None:
        job.log_values({f"{data}-{name}": value for data, name, value, *_ in env.evaluation_result_list or []})

    log.order = 0  # type: ignore[attr-defined]
    return log


def _copy(data: lightgbm.Dataset, reference: lightgbm.Dataset | None = None) -> lightgbm.Dataset:
    if data.data is None:
        raise DataDroppedError("the data set has dropped its data: make it with free_raw_data=False")
    names = ("label", "weight", "group", "init_score", "feature_name", "categorical_feature", "params", "position")
    fields = {name: getattr(data, name) for name in names}
    return lightgbm.Dataset(data.data, reference=reference, free_raw_data=False, **fields)
