"""Several lanes side by side, and their sum."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue
from types import TracebackType

from tealeaves.errors import TealeavesError
from tealeaves.evidence.counts import Counts, Totals
from tealeaves.evidence.lane import Lane, Plan
from tealeaves.text.blocks import TextBlock
from tealeaves.text.digest import DIGESTS
from tealeaves.text.fingerprint import Fingerprint


class Lanes:
    """Hands each block to a lane that is free. With one lane, all is done in this thread."""

    def __init__(self, plan: Plan, threads: int) -> None:
        self._plan = plan
        self._threads = threads if plan.releases_the_gil else 1
        self._lanes: list[Lane] = []
        self._free: SimpleQueue[Lane] = SimpleQueue()
        self._blocks = 0
        self._failures: dict[int, BaseException] = {}  # by the number of the block
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Lanes:
        if self._threads > 1:
            self._pool = ThreadPoolExecutor(self._threads, "tealeaves")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._pool is None:
            return
        self._pool.shutdown()
        if self._failures and (kind is None or issubclass(kind, TealeavesError)):
            raise self._first_failure()  # it comes before what the reader met in the meantime

    def _first_failure(self) -> BaseException:
        """Return what one thread alone would have met."""
        return self._failures[min(self._failures)]

    def add(self, block: TextBlock, skip: Fingerprint) -> None:
        """Count a block, now or soon; wait while all lanes are busy."""
        lane = self._next()
        if self._pool is None:
            lane.add(block, skip)
            self._free.put(lane)
        else:
            self._pool.submit(self._work, self._blocks, lane, block, skip)
            self._blocks += 1

    def _next(self) -> Lane:
        if self._free.empty() and len(self._lanes) < self._threads:
            self._lanes.append(Lane(self._plan))
            return self._lanes[-1]
        lane = self._free.get()
        if self._failures:
            self._free.put(lane)
            self._wait()
        return lane

    def _work(self, number: int, lane: Lane, block: TextBlock, skip: Fingerprint) -> None:
        try:
            lane.add(block, skip)
        except BaseException as error:  # noqa: BLE001  # raised again in the reading thread
            self._failures[number] = error
        finally:
            self._free.put(lane)

    def _wait(self) -> None:
        """Wait until all lanes are free; raise what went wrong in them."""
        idle = [self._free.get() for _ in self._lanes]
        for lane in idle:
            self._free.put(lane)
        if self._failures:
            raise self._first_failure()

    def counts(self) -> list[Counts]:
        """Return the sum of all lanes."""
        self._wait()
        if not self._lanes:
            self._lanes.append(Lane(self._plan))
            self._free.put(self._lanes[0])
        return summed([lane.counts() for lane in self._lanes])

    @property
    def passed(self) -> tuple[int, int]:
        """The number of texts that were passed over, and their digest."""
        found = [lane.passed for lane in self._lanes]
        return sum(number for number, _ in found), sum(digest for _, digest in found) % DIGESTS


def summed(parts: Sequence[Sequence[Counts]]) -> list[Counts]:
    """Add parts of one reading, request by request.

    Unlike ``+`` it does not look for copies: half-way through a file it may look like another.
    """
    fingerprint = Fingerprint.join(part[0].fingerprint for part in parts if part)
    return [
        replace(
            same[0],
            fingerprint=fingerprint,
            totals=sum((one.totals for one in same), Totals()),
            singles=sum(one.singles for one in same),
            pair_counts=sum(one.pair_counts for one in same),
            set_counts=sum(one.set_counts for one in same),
        )
        for same in zip(*parts, strict=True)
    ]
