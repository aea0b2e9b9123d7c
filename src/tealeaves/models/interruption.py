"""Stopping long work by Ctrl-C or a scheduler: SIGINT and SIGTERM."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

_Handler = Callable[[int, Any], None]


@contextmanager
def stop_requests() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether SIGINT or SIGTERM has come, so that work can be saved.

    A second signal raises ``KeyboardInterrupt`` at once.
    """
    requests: list[int] = []

    def request(number: int, _: Any) -> None:
        if requests:
            raise KeyboardInterrupt
        requests.append(number)

    with _signal_handlers({signal.SIGINT: request, signal.SIGTERM: request}):
        yield lambda: bool(requests)


@contextmanager
def sigterm_interrupts() -> Iterator[None]:
    """Let SIGTERM raise ``KeyboardInterrupt``, as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with _signal_handlers({signal.SIGTERM: interrupt}):
        yield


@contextmanager
def _signal_handlers(handlers: Mapping[signal.Signals, _Handler]) -> Iterator[None]:
    """Set handlers, and put the old ones back; only the main thread can do so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
