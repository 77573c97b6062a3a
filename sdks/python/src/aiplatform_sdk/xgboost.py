"""XGBoost: `train` in place of `xgboost.train`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import xgboost
from xgboost.callback import CallbackContainer

from .trainer import Trainer


class BoosterState:
    """A booster. Its file is a model of XGBoost, in UBJSON."""

    format = "xgboost"

    def __init__(self, params: dict[str, Any], data: Sequence[xgboost.DMatrix]) -> None:
        self._params = params
        self._data = list(data)
        self.booster = xgboost.Booster(params, self._data)
        self.loads = 0

    def save(self, path: Path) -> None:
        path.write_bytes(self.booster.save_raw("ubj"))

    def load(self, path: Path) -> None:
        self.booster = xgboost.Booster(self._params, self._data, model_file=bytearray(path.read_bytes()))
        self.loads += 1

    def release(self) -> str:
        trees = self.booster.num_boosted_rounds()
        # What it has predicted of the data goes with it.
        self.booster = xgboost.Booster(self._params)
        return f"released a booster of {trees} rounds; the data stays"


def train(
    job: Trainer,
    params: dict[str, Any],
    dtrain: xgboost.DMatrix,
    num_boost_round: int = 10,
    *,
    evals: Sequence[tuple[xgboost.DMatrix, str]] = (),
    obj: Callable[..., Any] | None = None,
    custom_metric: Callable[..., Any] | None = None,
    callbacks: Sequence[xgboost.callback.TrainingCallback] = (),
    export: Callable[[xgboost.Booster, Path], str] | None = None,
    **options: Any,
) -> xgboost.Booster:
    """As `xgboost.train`; a step is a round. `options` are those of `Trainer.steps`.

    `export` is given the booster, too. It logs what is evaluated, such as `valid-rmse`, and a `learning_rate` of
    the parameters. Overrides of parameters take effect in the next round. Callbacks begin again when a command has
    loaded a checkpoint; one that ends the training, such as early stopping, completes the job.
    """
    state = BoosterState({"seed_per_iteration": True, **params}, [dtrain, *(data for data, _ in evals)])
    container, entered = _container(state, callbacks, custom_metric, obj), state.loads
    overrides: dict[str, Any] = {}
    bound = None if export is None else lambda path: export(state.booster, path)
    for step in job.steps(num_boost_round, state, export=bound, **options):
        if state.loads != entered:
            container, entered, overrides = _container(state, callbacks, custom_metric, obj), state.loads, {}
        if overrides != job.overrides:
            changed = params.keys() & (overrides.keys() | job.overrides.keys())
            overrides = dict(job.overrides)
            state.booster.set_param({name: overrides.get(name, params[name]) for name in changed})
        stops = container.before_iteration(state.booster, step - 1, dtrain, list(evals))
        state.booster.update(dtrain, step - 1, obj)
        if container.after_iteration(state.booster, step - 1, dtrain, list(evals)) or stops:
            job.complete()
        for data, metrics in container.history.items():
            job.log_values({f"{data}-{name}": values[-1] for name, values in metrics.items()})
        if "learning_rate" in params:
            job.log(learning_rate=overrides.get("learning_rate", params["learning_rate"]))
    return container.after_training(state.booster)


def _container(
    state: BoosterState,
    callbacks: Sequence[xgboost.callback.TrainingCallback],
    metric: Callable[..., Any] | None,
    obj: Callable[..., Any] | None,
) -> CallbackContainer:
    container = CallbackContainer(callbacks, metric=metric, output_margin=callable(obj))
    state.booster = container.before_training(state.booster)
    return container
