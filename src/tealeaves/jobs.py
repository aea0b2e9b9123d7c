"""Work that takes long: progress bars, signals, and jobs that can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tealeaves.errors import InputError
from tealeaves.files import check_writable, remove_leftovers
from tealeaves.printing import visible
from tealeaves.system import console_signals, handled_signals, termination_signals

if TYPE_CHECKING:
    from tqdm import tqdm

#: Tells whether the user or a scheduler wants the work to stop.
Stop = Callable[[], bool]
#: Called as work proceeds, with how much is done, and of how much.
Advance = Callable[[int, int], None]


def progress_bar(
    total: float | None, description: str, *, shown: bool = True, **options: Any
) -> tqdm[Any]:
    """Return a progress bar on standard error; without a terminal, or unless shown, it is silent.

    ``options`` are those of tqdm, such as ``unit``.
    """
    return _bar_class()(
        total=total, desc=visible(description), disable=None if shown else True, **options
    )


@cache
def _bar_class() -> type[tqdm[Any]]:
    """Return the class of progress bars; what they show may come from files."""
    from tqdm.auto import tqdm

    class ProgressBar(tqdm):  # type: ignore[misc]  # the package has no types
        def set_description(self, desc: str | None = None, *options: Any, **more: Any) -> None:
            super().set_description(visible(desc or ""), *options, **more)

        def set_description_str(self, desc: str | None = None, *options: Any, **more: Any) -> None:
            super().set_description_str(visible(desc or ""), *options, **more)

    return ProgressBar


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

    with handled_signals((*console_signals(), *termination_signals()), remember):
        yield lambda: bool(signals)


@contextmanager
def interrupt_at_sigterm() -> Iterator[None]:
    """Let SIGTERM raise KeyboardInterrupt at once, as Ctrl-C does.

    This is for work that cannot check whether it should stop.
    """

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with handled_signals(termination_signals(), interrupt):
        yield


@contextmanager
def explain_interruption(saved: Callable[[], str]) -> Iterator[None]:
    """Let the KeyboardInterrupt that ends the work say what is saved, and how to continue.

    ``saved`` returns what is saved, such as "x.partial holds what is done"; empty if nothing is.
    """
    try:
        yield
    except KeyboardInterrupt:
        state = saved()
        state = f"{state}; --resume continues it" if state else "nothing was saved yet"
        raise KeyboardInterrupt(f"interrupted: {state}") from None


def check_resume_options(*, resume: bool, restart: bool) -> None:
    """Raise if work should both be resumed and start again."""
    if resume and restart:
        raise InputError("give either resume (--resume) or restart (--restart), not both")


@dataclass(frozen=True)
class Job:
    """Work whose result is one file, and which can be resumed after an interruption.

    Until it is finished, ``OUTPUT.partial`` has what is done. If there is such a file, the user
    must choose between ``resume`` and ``restart``.

    Parameters
    ----------
    output
        The file of the result.
    noun
        What messages call the work: "count", "training".
    resume
        Continue with the partial file, if there is one.
    restart
        Start again and replace the partial file.
    """

    output: Path
    noun: str
    resume: bool = False
    restart: bool = False

    def __post_init__(self) -> None:
        check_resume_options(resume=self.resume, restart=self.restart)
        check_writable(self.partial)
        if self.partial.exists() and not (self.resume or self.restart):
            raise InputError(
                f"{self.partial} is an unfinished {self.noun}: --resume continues it, "
                "--restart starts again"
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
        """Whether the work may be finished: it is resumed, and there is only the result."""
        return self.resume and not self.partial.exists() and self.output.exists()

    @contextmanager
    def run(self) -> Iterator[Stop]:
        """Prepare the files, stop at signals, and say what is saved if the job is interrupted.

        The result must be saved inside of the block. If it ends without an error, the partial file
        is deleted.
        """
        if self.restart:
            self.partial.unlink(missing_ok=True)
        for path in (self.output, self.partial):
            remove_leftovers(path)
        with explain_interruption(self._saved), stop_at_signals() as stop:
            yield stop
        self.partial.unlink(missing_ok=True)

    def _saved(self) -> str:
        return f"{self.partial} holds what is done" if self.partial.exists() else ""
