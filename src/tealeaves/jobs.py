"""Long work: processors, progress bars, stopping at signals, and jobs that resume."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.files import check_writable, remove_leftovers

if TYPE_CHECKING:
    from tqdm import tqdm

#: Tells whether the user, or a scheduler, has asked the work to stop.
Stop = Callable[[], bool]


def processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def progress_bar(
    total: float | None, description: str, *, shown: bool = True, **options: Any
) -> tqdm[Any]:
    """Return a progress bar on standard error; without a terminal, or unless shown, it is silent.

    ``options`` are those of tqdm, such as ``unit``.
    """
    from tqdm.auto import tqdm

    return tqdm(total=total, desc=description, disable=None if shown else True, **options)


def wants_progress(*, quiet: bool) -> bool:
    """Tell whether a command shows progress: on a terminal, unless it is told to be quiet."""
    return not quiet and sys.stderr.isatty()


def stop_signal() -> Stop:
    """Install what ``stop_at_signals`` installs, for the rest of the process."""
    return stop_at_signals().__enter__()


@contextmanager
def stop_at_signals() -> Iterator[Stop]:
    """Let Ctrl-C or SIGTERM end the work at the next checkpoint, with everything saved.

    The function that is yielded tells whether a signal came. A second signal raises
    KeyboardInterrupt at once. Outside of the main thread, signals are left as they are.
    """
    signals: list[int] = []

    def remember(number: int, _: object) -> None:
        if signals:
            raise KeyboardInterrupt
        signals.append(number)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = {number: signal.signal(number, remember) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(signals)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass(frozen=True)
class Job:
    """Work whose result is one file, and which resumes after it was interrupted.

    While the work goes on, ``OUTPUT.partial`` holds what is done. A new job raises an error where
    it would replace unfinished work that the user has not mentioned.

    Parameters
    ----------
    output
        The file of the result.
    noun
        What the work is called in messages: "count", "training".
    resume
        Continue with the partial file, if there is one.
    restart
        Begin anew and replace what is there.
    """

    output: Path
    noun: str
    resume: bool = False
    restart: bool = False

    def __post_init__(self) -> None:
        if self.resume and self.restart:
            raise InputError("give either resume (--resume) or restart (--restart), not both")
        check_writable(self.partial)
        if self.partial.exists() and not (self.resume or self.restart):
            raise InputError(
                f"{self.partial} is an unfinished {self.noun}: --resume continues it, "
                "--restart begins anew"
            )

    @property
    def partial(self) -> Path:
        """The file of unfinished work."""
        return self.output.with_name(self.output.name + ".partial")

    @property
    def resumes(self) -> bool:
        """Whether there is unfinished work to continue with."""
        return self.resume and self.partial.exists()

    @property
    def may_be_complete(self) -> bool:
        """Whether the result may exist already: resumed work without a partial file."""
        return self.resume and not self.partial.exists() and self.output.exists()

    @contextmanager
    def run(self) -> Iterator[Stop]:
        """Prepare the files, stop at signals, and say where an interrupted job stands.

        The partial file is deleted when the block ends without an error: by then the result must
        have been saved.
        """
        if self.restart:
            self.partial.unlink(missing_ok=True)
        for path in (self.output, self.partial):
            remove_leftovers(path)
        try:
            with stop_at_signals() as stop:
                yield stop
        except KeyboardInterrupt:
            state = "nothing was saved yet"
            if self.partial.exists():
                state = f"{self.partial} holds what is done; --resume continues it"
            raise KeyboardInterrupt(f"interrupted: {state}") from None
        self.partial.unlink(missing_ok=True)
