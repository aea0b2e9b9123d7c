"""What is done so far of a gathering: added up, saved now and then, and when something fails."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tealeaves.errors import EvidenceError, TealeavesError
from tealeaves.evidence.relevance.relevance import Relevance
from tealeaves.evidence.relevance.rowwise import added, total
from tealeaves.text.fingerprint import Fingerprint

_WAITING = 16  # chunks that are kept by themselves: each has all its rows, which soon repeat
_GOES_ON = "what was done before is saved, --resume goes on"


@dataclass(frozen=True)
class Saving:
    """When and how what is done so far is saved."""

    checkpoint: Callable[[Relevance], None] | None = None
    every: float = 30.0
    stop: Callable[[], bool] = lambda: False


class Done:
    """The relevance of the chunks so far.

    They are added from first to last, so that the sums have the same bits whenever it was saved.

    Parameters
    ----------
    start
        What was done by an earlier run, or nothing.
    saving
        When and how it is saved.
    """

    def __init__(self, start: Relevance, saving: Saving) -> None:
        self._parts = [start]
        self._saving = saving
        self._time = time.monotonic()
        self._is_saved = True

    def add(self, part: Relevance) -> None:
        """Take the relevance of a chunk; save what is due, and stop where that is asked for."""
        self._parts.append(part)
        self._is_saved = False
        if len(self._parts) > _WAITING:
            self._join()
        stopped = self._saving.stop()
        if stopped or time.monotonic() - self._time >= self._saving.every:
            self._save()
        if stopped:
            raise KeyboardInterrupt

    def total(self) -> Relevance:
        """Return the relevance of all chunks."""
        return total(self._parts)

    @contextmanager
    def rescued(self) -> Iterator[None]:
        """Save what is done where something fails, and say so.

        Not where the texts are other ones than expected: they are not gone on with.
        """
        try:
            yield
        except EvidenceError:
            raise
        except Exception as error:
            if self._saving.checkpoint is None or self._is_saved:
                raise
            try:
                self._save()
            except Exception:  # noqa: BLE001  # the first error is what matters
                raise error from None
            if isinstance(error, TealeavesError):
                raise type(error)(f"{error}; {_GOES_ON}") from error
            raise

    def _join(self) -> Relevance:
        # copies of texts are looked for in the end: one source may go on where another ended
        fingerprint = Fingerprint.join(part.fingerprint for part in self._parts)
        self._parts = [added(self._parts, fingerprint)]
        return self._parts[0]

    def _save(self) -> None:
        if self._saving.checkpoint is None:
            return
        self._is_saved = True  # or cannot be: it is not tried twice
        self._saving.checkpoint(self._join())
        self._time = time.monotonic()
