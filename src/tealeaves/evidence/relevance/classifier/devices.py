"""Where torch computes, and with how many threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.jobs import processors


def device_of(asked: str | None = None) -> Any:
    """Return a device of torch: the one asked for, or a GPU where there is one."""
    torch = require("torch", extra="relevance", reason="a classifier")
    if asked is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        found = torch.device(asked)
        float(torch.zeros(1, device=found))  # one that holds no numbers, as meta, is no use
    except (RuntimeError, AssertionError, ImportError) as error:
        raise InputError(
            f"device={asked}: torch cannot use it here; cpu is always there"
        ) from error
    return found


@contextmanager
def sensible_threads() -> Iterator[None]:
    """Keep torch from using more threads than this process has processors."""
    torch = require("torch", extra="relevance", reason="a classifier")
    before = torch.get_num_threads()
    torch.set_num_threads(min(before, processors()))
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep numpy and scikit-learn to one thread.

    Their products are too small here for several: threads that wait for each other take many times
    as long where processors are busy.
    """
    pools = require("threadpoolctl", extra="relevance", reason="a classifier")
    with pools.threadpool_limits(1):
        yield
