"""Ending long work at a good place."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable


def stop_signal() -> Callable[[], bool]:
    """Let Ctrl-C, or a scheduler, end the work at the next good place, with all of it saved."""
    asked: list[bool] = []

    def ask(*_: object) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(True)

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, ask)
    return lambda: bool(asked)
