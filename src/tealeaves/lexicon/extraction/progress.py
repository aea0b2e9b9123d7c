"""Bars that show how far each target language is."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from tealeaves.jobs import progress_bar

_OFTEN = 0.1  # seconds until a bar is drawn anew


class Bars:
    """A bar of all targets, and one for each that is worked on; none if nobody looks."""

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

    def tell(self, target: str, what: str, done: int, of: int) -> None:
        """Show what is done of a target; of 0 is of nobody knows how much."""
        if not self._shown:
            return
        if target not in self._bars:
            self._bars[target] = progress_bar(None, "", leave=False)
        bar = self._bars[target]
        bar.total, bar.n = of or None, done
        bar.set_description_str(f"{target}: {what}", refresh=False)
        if (now := time.monotonic()) - self._drawn.get(target, 0.0) > _OFTEN:
            self._drawn[target] = now
            bar.refresh()

    def counting(self, target: str, what: str) -> Callable[[int], None]:
        """Return what counts on, and shows how many there are so far."""
        counted = 0

        def advance(more: int) -> None:
            nonlocal counted
            counted += more
            self.tell(target, what, counted, 0)

        return advance

    def ended(self, target: str) -> None:
        """Take away the bar of a target."""
        bar = self._bars.pop(target, None)
        if bar is not None:
            bar.close()
        if self._all is not None:
            self._all.update()
