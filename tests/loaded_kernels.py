"""A plugin of pytest that prints which kernels of the library were called."""

from __future__ import annotations

import gc

from tealeaves.kernels import Kernel


def pytest_sessionfinish() -> None:
    loaded = {one.name for one in gc.get_objects() if isinstance(one, Kernel) and one._loaded}
    print("\nloaded:", *sorted(loaded))  # noqa: T201
