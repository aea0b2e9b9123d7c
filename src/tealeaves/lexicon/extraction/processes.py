"""Work on several target languages at once: a process for each, and their progress bars.

This is not a ``concurrent.futures.ProcessPoolExecutor``. A worker of that which dies, for lack of
memory say, breaks the whole pool, and nobody learns its exit code; here it costs only its own
target, and the message says how it ended. Running work can be terminated at once (Ctrl-C), a script
without ``if __name__ == "__main__":`` gets one clear error, and every process frees its memory when
its target is done.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

from tealeaves.errors import TealeavesError, TealeavesWarning
from tealeaves.jobs import Stop, progress_bar
from tealeaves.lexicon.extraction.target import Report, Target
from tealeaves.system import ignore_console_signals, was_killed

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

#: What is done with a target. It must be picklable, such as a function of a module.
Work = Callable[[Target, Report], Any]
#: Called with the target, the name of a step, how much of it is done, and of how much.
TargetReport = Callable[[str, str, int, int], None]

_READY, _PROGRESS, _WARNING, _DONE, _FAILED = "ready", "progress", "warning", "done", "failed"
_POLL = 0.2  # seconds between two looks at whether to stop
_REDRAW = 0.1  # seconds between two drawings of a bar
_NAME = "tealeaves extract"  # the name of our processes, by which they know that they are ours
_UNGUARDED = 97  # the exit code of a process that ran the script instead of importing it


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a target: its result, or the error that ended it."""

    target: Target
    result: Any = None
    error: TealeavesError | None = None


def run_targets(
    work: Work, targets: Sequence[Target], *, jobs: int, report: TargetReport, stop: Stop
) -> Iterator[Outcome]:
    """Work on each target, and yield the outcomes as they come; a failure does not stop the others.

    One job works in this process, one target after the other.
    """
    if jobs > 1:
        yield from _Pool(work, targets, report).run(jobs, stop)
        return
    for target in targets:
        yield _run_here(work, target, report, stop)


def _run_here(work: Work, target: Target, report: TargetReport, stop: Stop) -> Outcome:
    def report_step(step: str, done: int, of: int) -> None:
        if stop():
            raise KeyboardInterrupt
        report(target.name, step, done, of)

    try:
        return Outcome(target, work(target, report_step))
    except Exception as error:  # noqa: BLE001  # the other targets go on
        return Outcome(target, error=_one_line(error))


def check_main() -> None:
    """Raise in a process that was started to work on a target, and only imports the script.

    A spawned process runs the script again to know its names. A script that calls ``extract``
    there would start processes of processes.
    """
    process = multiprocessing.current_process()
    if not getattr(process, "_inheriting", False):
        return
    if process.name == _NAME:  # the parent raises the error, once
        raise SystemExit(_UNGUARDED)
    raise _unguarded()


def _unguarded() -> TealeavesError:
    return TealeavesError(
        "each process of jobs=2 or more runs the script anew: put the call of extract under "
        '`if __name__ == "__main__":`, or use jobs=1'
    )


class _Pool:
    """The processes that run, and the targets that wait."""

    def __init__(self, work: Work, targets: Sequence[Target], report: TargetReport) -> None:
        self._work, self._report = work, report
        self._waiting = deque(targets)
        self._running: dict[Connection, tuple[Target, BaseProcess]] = {}
        self._ready: set[Connection] = set()

    def run(self, jobs: int, stop: Stop) -> Iterator[Outcome]:
        try:
            while self._waiting or self._running:
                while self._waiting and len(self._running) < jobs:
                    self._start(self._waiting.popleft())
                for one in wait(list(self._running), timeout=_POLL):
                    # of another class on Windows
                    if (outcome := self._receive(cast("Connection", one))) is not None:
                        yield outcome
                if stop():
                    raise KeyboardInterrupt
        finally:  # if no more results are wanted, no more work is
            for _, process in self._running.values():
                process.terminate()
            for _, process in self._running.values():
                process.join()

    def _start(self, target: Target) -> None:
        # spawned, not forked: threads of ours, and of libraries, do not survive a fork
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        # The work is sent when the process is ready. A process that dies at its start would never
        # take it, and this one would wait forever.
        process = context.Process(target=_run_in_process, args=(theirs,), name=_NAME, daemon=True)
        process.start()
        theirs.close()
        self._running[ours] = (target, process)

    def _receive(self, connection: Connection) -> Outcome | None:
        """Take a message of a process, and return the outcome if it was the last one."""
        target, process = self._running[connection]
        try:
            kind, content = connection.recv()
            if kind == _READY:
                self._ready.add(connection)
                connection.send((self._work, target))
                return None
        except (EOFError, OSError):
            process.join()
            if process.exitcode == _UNGUARDED:
                raise _unguarded() from None
            started = connection in self._ready
            kind = _FAILED
            content = TealeavesError(_death_message(process.exitcode, started=started))
        if kind == _PROGRESS:
            self._report(target.name, *content)
            return None
        if kind == _WARNING:
            warnings.warn(f"{target.name}: {content}", TealeavesWarning, stacklevel=2)
            return None
        del self._running[connection]
        process.join()
        connection.close()
        return Outcome(target, content) if kind == _DONE else Outcome(target, error=content)


def _run_in_process(connection: Connection) -> None:
    """Work on one target: what a process of the pool does."""
    ignore_console_signals()  # the parent ends this process
    threading.Thread(target=_end_with_parent, daemon=True).start()
    last = ""

    def report(step: str, done: int, of: int) -> None:
        nonlocal last
        now = f"{step} {done * 100 // max(of, 1)}"
        if now != last:  # otherwise the bar would look the same
            last = now
            connection.send((_PROGRESS, (step, done, of)))

    try:
        connection.send((_READY, None))
        work, target = connection.recv()
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", TealeavesWarning)
            result = work(target, report)
        for warning in noted:
            connection.send((_WARNING, str(warning.message)))
        connection.send((_DONE, result))
    except Exception as error:  # noqa: BLE001  # the parent raises it
        connection.send((_FAILED, _one_line(error)))


def _end_with_parent() -> None:
    """End this process when the parent is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _death_message(code: int | None, *, started: bool) -> str:
    if was_killed(code):
        return "its process was killed: out of memory? fewer at once need less (--jobs)"
    if not started:
        return (
            f"its process ended with code {code} before it began: it runs the script anew, so put "
            'what the script does under `if __name__ == "__main__":`, or use jobs=1'
        )
    return f"its process ended with code {code}"


def _one_line(error: Exception) -> TealeavesError:
    """Return an error whose message is one line."""
    if isinstance(error, TealeavesError):
        return error
    if os.environ.get("TEALEAVES_DEBUG"):
        raise error
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return TealeavesError(f"{where}{error.strerror or error}")
    name = type(error).__name__
    return TealeavesError(
        f"{name}: {error} (a defect; TEALEAVES_DEBUG=1 shows where: please report it)"
    )


class TargetBars:
    """A progress bar of all targets, and one for each target that is worked on; none if hidden."""

    def __init__(self, targets: int, *, shown: bool) -> None:
        self._targets, self._shown = targets, shown
        self._all: Any = None
        self._bars: dict[str, Any] = {}
        self._drawn: dict[str, float] = {}

    def __enter__(self) -> Self:
        if self._shown and self._targets > 1:
            self._all = progress_bar(self._targets, "targets")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for bar in [*self._bars.values(), self._all]:
            if bar is not None:
                bar.close()

    def report(self, target: str, step: str, done: int, of: int) -> None:
        """Show how much of a step is done for a target; ``of`` is 0 if the total is unknown."""
        if not self._shown:
            return
        if target not in self._bars:
            self._bars[target] = progress_bar(None, "", leave=False)
        bar = self._bars[target]
        bar.total, bar.n = of or None, done
        bar.set_description_str(f"{target}: {step}", refresh=False)
        if (now := time.monotonic()) - self._drawn.get(target, 0.0) > _REDRAW:
            self._drawn[target] = now
            bar.refresh()

    def counter(self, target: str, step: str) -> Callable[[int], None]:
        """Return a function that adds to the number that is shown for a step."""
        total = 0

        def advance(more: int) -> None:
            nonlocal total
            total += more
            self.report(target, step, total, 0)

        return advance

    def finish(self, target: str) -> None:
        """Remove the bar of a target, and count it as done."""
        bar = self._bars.pop(target, None)
        if bar is not None:
            bar.close()
        if self._all is not None:
            self._all.update()
