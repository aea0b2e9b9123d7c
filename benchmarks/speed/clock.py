"""The clock of the scripts that time a part of what they do."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Clock:
    """Wall and CPU seconds of each call."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.cpu: list[float] = []
        self._began = (0.0, 0.0)

    def __call__(self, work: Callable[[], T]) -> T:
        """Do the work and note its seconds."""
        self.start()
        result = work()
        self.stop()
        return result

    def start(self) -> None:
        """Begin to time; for work that cannot be called."""
        self._began = time.perf_counter(), time.process_time()

    def stop(self) -> None:
        """Note the seconds since the start."""
        wall, cpu = self._began
        self.wall.append(time.perf_counter() - wall)
        self.cpu.append(time.process_time() - cpu)

    def report_each(self, number: float, values: Sequence[float] = ()) -> None:
        """Print the seconds for one of the things of which each call did so many."""
        self.wall = [seconds / number for seconds in self.wall]
        self.cpu = [seconds / number for seconds in self.cpu]
        self.report(values)

    def report(self, values: Sequence[float]) -> None:
        """Print the results and the seconds, for :func:`benchmarks.speed.case.read_json`."""
        print(json.dumps({"values": list(values), "wall": self.wall, "cpu": self.cpu}))
