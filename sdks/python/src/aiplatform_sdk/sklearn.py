"""scikit-learn: the state of estimators that learn by `partial_fit`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import skops.io
from sklearn.base import clone

from .trainer.dict_state import StateValueError


class SklearnState:
    """Estimators, and the generators of NumPy that the loop draws from.

    Each stays the same object. A file is loaded without running code: it may hold what scikit-learn and NumPy define.
    """

    format = "skops"

    def __init__(self, *parts: Any, trusted: tuple[str, ...] = ()) -> None:
        """`trusted`: types of other packages that files may hold, such as `mypackage.MyTransformer`."""
        self._parts = parts
        self._trusted = frozenset(trusted)

    def save(self, path: Path) -> None:
        with path.open("wb") as file:
            skops.io.dump(list(self._parts), file)
        self._untrusted(path)

    def load(self, path: Path) -> None:
        loaded = skops.io.load(path, trusted=self._untrusted(path))
        for part, found in zip(self._parts, loaded, strict=True):
            _become(part, found)

    def release(self) -> str:
        for part in self._parts:
            if not isinstance(part, np.random.Generator):
                _become(part, clone(part))
        return "released what the estimators have learned"

    def _untrusted(self, path: Path) -> list[str]:
        """Types that skops does not know and that are scikit-learn's own or named by the program."""
        found = skops.io.get_untrusted_types(file=path)
        strange = [each for each in found if not each.startswith(("sklearn.", "numpy.")) and each not in self._trusted]
        if strange:
            raise StateValueError(
                f"the state has {', '.join(strange)}: name them in SklearnState(trusted=…) if you trust these types"
            )
        return list(found)


def _become(part: Any, found: Any) -> None:
    if isinstance(part, np.random.Generator):
        part.bit_generator.state = found.bit_generator.state
        return
    vars(part).clear()
    vars(part).update(vars(found))
