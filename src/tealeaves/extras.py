"""Optional packages: imported where they are needed, named when they are missing."""

from __future__ import annotations

import importlib
from types import ModuleType

from tealeaves.errors import MissingExtraError

# packages that are installed under another name than they are imported by
_PACKAGES = {"sklearn": "scikit-learn", "thot": "sil-thot", "vl_convert": "vl-convert-python"}


def require(module: str, *, extra: str, reason: str) -> ModuleType:
    """Import an optional module or say which extra brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        package = _PACKAGES.get(name, name)
        raise MissingExtraError(
            f'{reason} needs the package {package}: pip install "tealeaves[{extra}]"'
        ) from error
