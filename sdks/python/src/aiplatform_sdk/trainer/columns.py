"""Points by metric."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

Row = tuple[int, int, Mapping[str, float]]
"""A step, when it was complete (milliseconds since 1970), and what was logged of it."""

_json = json.JSONEncoder(separators=(",", ":"))


def columns_of(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Rows as the platform takes them."""
    names = rows[0][2].keys() if rows else ()
    if not all(row[2].keys() == names for row in rows):
        return _columns_of_varying(rows)
    # Almost always every step has the same metrics, and then this takes a quarter of the time.
    steps = [row[0] for row in rows]
    columns = [(name, [row[2][name] for row in rows]) for name in names]
    return [
        {"name": name, "steps": steps, "values": _finite(values), "observed_at_ms": rows[-1][1]}
        for name, values in columns
    ]


def encoded(batch: Mapping[str, Any]) -> bytes:
    """A batch as JSON. Columns of the same steps share one list of them, whose text is made once."""
    columns = batch.get("columns")
    if not columns:
        return _json.encode(batch).encode()
    rest = _json.encode({name: value for name, value in batch.items() if name != "columns"})
    steps = {id(column["steps"]): column["steps"] for column in columns}
    texts = {key: _json.encode(each) for key, each in steps.items()}
    parts = [f'{{"steps":{texts[id(each["steps"])]},{_json.encode(_without_steps(each))[1:]}' for each in columns]
    return f'{{"columns":[{",".join(parts)}]{"," if len(rest) > 2 else ""}{rest[1:]}'.encode()


def _without_steps(column: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in column.items() if name != "steps"}


def _columns_of_varying(rows: Sequence[Row]) -> list[dict[str, Any]]:
    columns: dict[str, dict[str, Any]] = {}
    for step, at_ms, metrics in rows:
        for name, value in metrics.items():
            column = columns.get(name)
            if column is None:
                column = columns[name] = {"name": name, "steps": [], "values": [], "observed_at_ms": 0}
            column["steps"].append(step)
            column["values"].append(value)
            column["observed_at_ms"] = at_ms
    return [{**column, "values": _finite(column["values"])} for column in columns.values()]


def _finite(values: list[float]) -> list[Any]:
    if all(map(math.isfinite, values)):
        return values
    return [value if math.isfinite(value) else _named(value) for value in values]


def thinned_rows(rows: list[Row]) -> list[Row]:
    """Every second row, the newest among them."""
    return rows[(len(rows) + 1) % 2 :: 2]


def followed_by(older: list[dict[str, Any]], newer: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The columns of two batches as those of one."""
    joined = {column["name"]: column for column in older}
    for column in newer:
        early = joined.get(column["name"])
        joined[column["name"]] = column if early is None else _joined(early, column)
    return list(joined.values())


def thinned(column: dict[str, Any]) -> dict[str, Any]:
    """About half the points: of every four neighbours the least and the greatest."""
    steps, values = column["steps"], column["values"]
    kept: list[int] = []
    for start in range(0, len(steps), 4):
        group = sorted(range(start, min(start + 4, len(steps))), key=lambda at: (_rank(values[at]), at))
        kept.extend(sorted({group[0], group[-1]}))
    return {**column, "steps": [steps[at] for at in kept], "values": [values[at] for at in kept]}


def _joined(early: dict[str, Any], late: dict[str, Any]) -> dict[str, Any]:
    return {**late, "steps": early["steps"] + late["steps"], "values": early["values"] + late["values"]}


def _named(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _rank(value: float | str) -> float:
    """A value that is no number is worth keeping: it ranks highest."""
    number = float(value)
    return math.inf if math.isnan(number) else number
