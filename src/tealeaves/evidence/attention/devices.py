"""Where torch computes, with how many threads, and what happens if memory is too small."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tealeaves.errors import InputError
from tealeaves.extras import require
from tealeaves.system import processors


def device_of(name: str | None = None) -> Any:
    """Return a device of torch: the one with the name, or a GPU if there is one."""
    torch = require("torch", extra="relevance", reason="a classifier")
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        float(torch.zeros(1, device=device))  # a device that holds no numbers, as meta, fails
    except (RuntimeError, AssertionError, ImportError) as error:
        raise InputError(f"device {name}: torch cannot use it here; cpu is always there") from error
    return device


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

    Their products are small here: with several threads they take many times as long on busy
    processors, because the threads wait for each other.
    """
    pools = require("threadpoolctl", extra="relevance", reason="a classifier")
    with pools.threadpool_limits(1):
        yield


# ---------------------------------------------------------------------- memory


def is_memory_error(error: BaseException) -> bool:
    """Tell whether memory was too small, of a GPU or of the machine.

    >>> is_memory_error(RuntimeError("DefaultCPUAllocator: can't allocate memory"))
    True
    >>> is_memory_error(RuntimeError("shapes cannot be multiplied"))
    False
    """
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    message = str(error).lower()
    return isinstance(error, RuntimeError) and ("alloc" in message or "out of memory" in message)


def memory_error(device: Any, what: str, advice: str) -> InputError:
    """Return the error that says what memory is too small for, and what to do."""
    other = "" if device.type == "cpu" else ", or use --device cpu"
    return InputError(f"too little memory on {device} for {what}: {advice}{other}")


@contextmanager
def explain_memory_errors(device: Any, what: str, advice: str) -> Iterator[None]:
    """Say what memory is needed for, and what to do, if it is too small."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_memory_error(error):
            raise
        free_memory(device)
        raise memory_error(device, what, advice) from error


def free_memory(device: Any) -> None:
    """Give back the memory of a GPU that torch holds but does not use."""
    if device.type == "cuda":
        import torch

        torch.cuda.empty_cache()
