"""Optional packages: imported where they are needed, named when they are missing."""

from __future__ import annotations

import importlib
from types import ModuleType

from tealeaves.errors import MissingExtraError


def require(module: str, *, extra: str, reason: str) -> ModuleType:
    """Import an optional module or say which extra brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f'{reason} needs the package {package}: pip install "tealeaves[{extra}]"'
        ) from error
