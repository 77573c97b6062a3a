"""A training state of NumPy arrays and plain values."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Iterable, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import SdkError

if TYPE_CHECKING:
    import numpy as np

_index = "state.json"


class StateValueError(SdkError):
    """A value that `DictState` cannot save."""


class DictState:
    """The values of a dictionary: arrays, numbers, texts, random generators, and lists and dictionaries of them.

    Read arrays through the dictionary in each step: loading replaces them, and a pause empties the dictionary. A file
    has the form of `numpy.savez` and holds no code.
    """

    def __init__(self, values: MutableMapping[str, Any], *, weights: Iterable[str] = ()) -> None:
        """`weights` names what a warm restart takes from a checkpoint; default: everything."""
        self._values = values
        self._weights = frozenset(weights)

    def save(self, path: Path) -> None:
        arrays: list[Any] = []
        text = json.dumps(_encoded(dict(self._values), arrays, "state"))
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED, allowZip64=True) as file:
            file.writestr(_index, text)
            for number, array in enumerate(arrays):
                with file.open(f"{number}.npy", "w", force_zip64=True) as member:
                    _numpy().lib.format.write_array(member, array, allow_pickle=False)

    def load(self, path: Path) -> None:
        self._take(self._read(path))

    def load_weights(self, path: Path) -> None:
        found = self._read(path)
        if self._weights:
            missing = self._weights - found.keys()
            if missing:
                raise StateValueError(f"{path} has no {', '.join(sorted(missing))}")
            found = {**self._values, **{name: found[name] for name in self._weights}}
        self._take(found)

    def release(self) -> str:
        freed = sum(getattr(value, "nbytes", 0) for value in self._values.values())
        self._values.clear()
        return f"released {freed:,} bytes of arrays"

    def _read(self, path: Path) -> dict[str, Any]:
        with zipfile.ZipFile(path) as file:
            found: dict[str, Any] = _decoded(json.loads(file.read(_index)), file)
            return found

    def _take(self, found: dict[str, Any]) -> None:
        self._values.clear()
        self._values.update(found)


def _numpy() -> Any:
    import numpy

    return numpy


def _encoded(value: Any, arrays: list[Any], place: str) -> Any:
    """A value as JSON that says its type; arrays go to `arrays`."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, (list, tuple)):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {kind: [_encoded(each, arrays, f"{place}[{at}]") for at, each in enumerate(value)]}
    if isinstance(value, dict):
        return {"dict": [[name, _encoded(each, arrays, f"{place}.{name}")] for name, each in value.items()]}
    if isinstance(value, random.Random):
        return {"random": _encoded(value.getstate(), arrays, place)}
    if type(value).__module__.split(".")[0] == "numpy":
        return _encoded_by_numpy(value, arrays, place)
    raise StateValueError(
        f"{place} is a {type(value).__name__}, which DictState cannot save: write a State of your own"
    )


def _encoded_by_numpy(value: Any, arrays: list[Any], place: str) -> Any:
    np = _numpy()
    if isinstance(value, np.random.Generator):
        return {"generator": _encoded(value.bit_generator.state, arrays, place)}
    if isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
        arrays.append(np.asarray(value))
        return {"array" if isinstance(value, np.ndarray) else "scalar": len(arrays) - 1}
    raise StateValueError(f"{place} is a {type(value).__name__} that DictState cannot save")


def _decoded(value: Any, file: zipfile.ZipFile) -> Any:
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "dict":
        return {name: _decoded(each, file) for name, each in content}
    if kind in ("list", "tuple"):
        items = [_decoded(each, file) for each in content]
        return tuple(items) if kind == "tuple" else items
    if kind == "random":
        generator = random.Random()
        generator.setstate(_decoded(content, file))
        return generator
    if kind == "generator":
        return _generator_of(_decoded(content, file))
    array = _array_of(content, file)
    return array[()] if kind == "scalar" else array


def _array_of(number: int, file: zipfile.ZipFile) -> np.ndarray[Any, Any]:
    with file.open(f"{number}.npy") as member:
        array: np.ndarray[Any, Any] = _numpy().lib.format.read_array(member, allow_pickle=False)
        return array


def _generator_of(state: dict[str, Any]) -> Any:
    np = _numpy()
    kind = getattr(np.random, str(state["bit_generator"]), None)
    if not (isinstance(kind, type) and issubclass(kind, np.random.BitGenerator)):
        raise StateValueError(f"there is no random generator {state['bit_generator']}")
    generator = np.random.Generator(kind())
    generator.bit_generator.state = state
    return generator
