"""States that the platform does not know yet."""

from __future__ import annotations

from .journal import Status

_before_running = ("queued", "preparing", "failed")
"""From these a job cannot finish: it has to run before."""


def missed_states(status: Status, known: str) -> tuple[str, ...]:
    """What the platform is told after an attachment, in this order; `known` is the state that it answered.

    A trainer may have come to the end of its schedule while nothing of it was recorded.
    """
    runs = known not in _before_running if status == "complete" else known == "running"
    if status not in ("running", "complete") or runs:
        return ()
    return ("preparing", "running") if known in ("queued", "failed") else ("running",)
