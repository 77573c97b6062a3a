"""Whether to stop, for handlers of signals to set."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

T = TypeVar("T")


class StopFlag:
    """Stays set. A handler of a signal may set it, whatever the thread that it interrupts does with it.

    The lock of `threading.Event` is not reentrant: such a handler could wait for ever.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._waiting: list[queue.SimpleQueue[None]] = []
        """One for each that waits: `put` of these is reentrant."""

    def set(self) -> None:
        self._is_set = True
        for waiting in tuple(self._waiting):
            waiting.put(None)

    def is_set(self) -> bool:
        return self._is_set

    def wait(self, seconds: float) -> bool:
        """Returns once it is set, and after so many seconds at the latest; whether it is set."""
        with self._news() as news:
            if not self._is_set:
                with contextlib.suppress(queue.Empty):
                    news.get(timeout=seconds)
        return self._is_set

    def result_of(self, work: Callable[[], T], discard: Callable[[T], None]) -> T | None:
        """What `work` returns or raises, in a thread of its own. None once this is set.

        `discard` then gets the result, also one that comes later.
        """
        results: list[T] = []
        errors: list[BaseException] = []

        def discard_all() -> None:
            with contextlib.suppress(IndexError):
                discard(results.pop())

        with self._news() as news:

            def run() -> None:
                try:
                    results.append(work())
                except BaseException as error:
                    errors.append(error)
                news.put(None)
                if self._is_set:
                    discard_all()

            threading.Thread(target=run, name="aiplatform-answer", daemon=True).start()
            if not self._is_set:
                news.get()
        if self._is_set:
            discard_all()
            return None
        if errors:
            raise errors[0]
        # One of the two threads takes it: where this was set only now, the other one may have discarded it.
        with contextlib.suppress(IndexError):
            return results.pop()
        return None

    @contextlib.contextmanager
    def _news(self) -> Iterator[queue.SimpleQueue[None]]:
        """Gets something once this is set."""
        news: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._waiting.append(news)
        try:
            yield news
        finally:
            self._waiting.remove(news)
