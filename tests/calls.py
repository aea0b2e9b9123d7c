"""How much work something is, counted without a clock."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any


def count_calls(work: Callable[[], object]) -> Counter[str]:
    """Return how many times each function is called, of Python and of C, in all threads.

    It is the same on every machine. What a function of C does by itself is one call.
    """
    calls: Counter[str] = Counter()

    def note(frame: Any, event: str, called: Any) -> None:
        if event == "call":
            calls[frame.f_code.co_qualname] += 1
        elif event == "c_call":
            calls[called.__qualname__] += 1

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    return calls


def call_growth(work: Callable[[int], object], size: int) -> float:
    """Return how fast the calls of some work grow with its size: 1 if they are linear.

    It is 2 if they grow with the square. The size is doubled twice; what is done once, whatever
    the size, does not count.

    >>> call_growth(lambda size: [abs(number) for number in range(size)], 50)
    1.0
    >>> call_growth(lambda size: [abs(number) for number in range(size * size)], 50)
    2.0
    """
    work(size)  # imports, and what is remembered
    one, two, four = (
        count_calls(lambda: work(times * size)).total()  # noqa: B023
        for times in (1, 2, 4)
    )
    return (four - two) / (two - one) / 2
