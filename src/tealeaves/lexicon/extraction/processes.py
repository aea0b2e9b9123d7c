"""A process for each target language, so many at once."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from tealeaves.errors import TealeavesError, TealeavesWarning
from tealeaves.lexicon.extraction.targets import Plan, Target, Told

#: what is done with a target; it must be a function of a module, since processes are told its name
Work = Callable[[Plan, Target, Told], Any]
#: told of which target, what is done, how much of it, and of how much
ToldOf = Callable[[str, str, int, int], None]

_READY, _TOLD, _WARNED, _DONE, _FAILED = "ready", "told", "warned", "done", "failed"
_NAP = 0.2  # seconds until somebody is asked whether to stop
_NAME = "tealeaves extract"  # by which our processes know that they are ours
_UNGUARDED = 97  # the exit code of one of them that ran the script that it only was to import


@dataclass(frozen=True, eq=False)
class Ended:
    """A target that is done, or that failed: then nothing but why."""

    target: Target
    result: Any = None
    error: TealeavesError | None = None


def each_target(
    plan: Plan,
    targets: Sequence[Target],
    work: Work,
    *,
    jobs: int,
    told: ToldOf,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Ended]:
    """Work on each target, and yield them as they end; one that fails does not end the others.

    With one job at a time it is done in this process, one target after the other.
    """
    if jobs == 1:
        for target in targets:
            yield _here(plan, target, work, told, stop)
    else:
        yield from _Pool(plan, targets, work, told).run(jobs, stop)


def _here(plan: Plan, target: Target, work: Work, told: ToldOf, stop: Callable[[], bool]) -> Ended:
    def tell(what: str, done: int, of: int) -> None:
        if stop():
            raise KeyboardInterrupt
        told(target.name, what, done, of)

    try:
        return Ended(target, work(plan, target, tell))
    except Exception as error:  # noqa: BLE001  # the others go on
        return Ended(target, error=_plain(error))


def check_main() -> None:
    """Refuse to start processes in one that but imports the script which started it.

    A process that is spawned runs the script anew in order to know its names. A script that
    extracts there would start processes of processes.
    """
    here = multiprocessing.current_process()
    if not getattr(here, "_inheriting", False):
        return
    if here.name == _NAME:  # the parent says why, once
        raise SystemExit(_UNGUARDED)
    raise _unguarded()


def _unguarded() -> TealeavesError:
    return TealeavesError(
        "each process of jobs=2 or more runs the script anew: put the call of extract under "
        '`if __name__ == "__main__":`, or use jobs=1'
    )


class _Pool:
    """The processes that run, and the targets that wait."""

    def __init__(self, plan: Plan, targets: Sequence[Target], work: Work, told: ToldOf) -> None:
        self._plan, self._work, self._told = plan, work, told
        self._waiting = deque(targets)
        self._running: dict[Connection, tuple[Target, BaseProcess]] = {}
        self._ready: set[Connection] = set()

    def run(self, jobs: int, stop: Callable[[], bool]) -> Iterator[Ended]:
        try:
            while self._waiting or self._running:
                while self._waiting and len(self._running) < jobs:
                    self._start(self._waiting.popleft())
                for one in wait(list(self._running), timeout=_NAP):
                    if isinstance(one, Connection) and (ended := self._heard(one)) is not None:
                        yield ended
                if stop():
                    raise KeyboardInterrupt
        finally:  # whoever wants no more results wants no more work
            for _, process in self._running.values():
                process.terminate()
            for _, process in self._running.values():
                process.join()

    def _start(self, target: Target) -> None:
        # spawned, not forked: threads of ours, and of libraries, do not survive a fork
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        # what is to be done is sent when it is ready: one that dies at its start would never take
        # it, and whoever starts it would wait for ever
        process = context.Process(target=_run, args=(theirs,), name=_NAME, daemon=True)
        process.start()
        theirs.close()
        self._running[ours] = (target, process)

    def _heard(self, connection: Connection) -> Ended | None:
        """Take a message of a process; say so if it has ended."""
        target, process = self._running[connection]
        try:
            kind, what = connection.recv()
            if kind == _READY:
                self._ready.add(connection)
                connection.send((self._plan, target, self._work))
                return None
        except (EOFError, OSError):
            process.join()
            if process.exitcode == _UNGUARDED:
                raise _unguarded() from None
            ready = connection in self._ready
            kind, what = _FAILED, TealeavesError(_died(process.exitcode, ready=ready))
        if kind == _TOLD:
            self._told(target.name, *what)
            return None
        if kind == _WARNED:
            warnings.warn(f"{target.name}: {what}", TealeavesWarning, stacklevel=2)
            return None
        del self._running[connection]
        process.join()
        connection.close()
        return Ended(target, what) if kind == _DONE else Ended(target, error=what)


def _run(connection: Connection) -> None:
    """Be the process of a target."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and ends us
    threading.Thread(target=_end_with_parent, daemon=True).start()
    last = [""]

    def tell(what: str, done: int, of: int) -> None:
        # what looks the same is not told again
        now = f"{what} {done * 100 // max(of, 1)}"
        if now != last[0]:
            last[0] = now
            connection.send((_TOLD, (what, done, of)))

    try:
        connection.send((_READY, None))
        plan, target, work = connection.recv()
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", TealeavesWarning)
            result = work(plan, target, tell)
        for warning in noted:
            connection.send((_WARNED, str(warning.message)))
        connection.send((_DONE, result))
    except Exception as error:  # noqa: BLE001  # the parent says so
        connection.send((_FAILED, _plain(error)))


def _end_with_parent() -> None:
    """End when the parent is killed, which can tell nobody."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _died(code: int | None, *, ready: bool) -> str:
    if code == -signal.SIGKILL:
        return "its process was killed: out of memory? fewer at once need less (--jobs)"
    if not ready:
        return (
            f"its process ended with code {code} before it began: it runs the script anew, so put "
            'what the script does under `if __name__ == "__main__":`, or use jobs=1'
        )
    return f"its process ended with code {code}"


def _plain(error: Exception) -> TealeavesError:
    """Return an error that says in one line what is wrong."""
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
