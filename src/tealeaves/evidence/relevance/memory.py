"""Memory that is too small, of a GPU or of the machine: told in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tealeaves.errors import InputError


def is_memory_error(error: BaseException) -> bool:
    """Tell whether memory was too small, of a GPU or of the machine.

    >>> is_memory_error(RuntimeError("DefaultCPUAllocator: can't allocate memory"))
    True
    >>> is_memory_error(RuntimeError("shapes cannot be multiplied"))
    False
    """
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    said = str(error).lower()
    return isinstance(error, RuntimeError) and ("alloc" in said or "out of memory" in said)


@contextmanager
def memory_named(device: Any, what: str, advice: str) -> Iterator[None]:
    """Where memory is too small, say for what, and what to do.

    Parameters
    ----------
    device
        Of torch. Where it is not the machine's own memory, that is advised too.
    what
        What memory is needed for.
    advice
        What to do.
    """
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_memory_error(error):
            raise
        free(device)
        raise too_little(device, what, advice) from error


def too_little(device: Any, what: str, advice: str) -> InputError:
    """Return the error that says for what memory is too small, and what to do."""
    other = "" if device.type == "cpu" else ", or use --device cpu"
    return InputError(f"too little memory on {device} for {what}: {advice}{other}")


def free(device: Any) -> None:
    """Give back what torch holds of a GPU's memory but does not use."""
    if device.type == "cuda":
        import torch

        torch.cuda.empty_cache()
