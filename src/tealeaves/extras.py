"""Optional packages, which are imported only where they are needed."""

from __future__ import annotations

import importlib
from types import ModuleType

from tealeaves.errors import MissingExtraError

# packages whose name in pip differs from the name of the module
_PACKAGES = {"sklearn": "scikit-learn", "thot": "sil-thot", "vl_convert": "vl-convert-python"}


def require(module: str, *, extra: str, reason: str) -> ModuleType:
    """Import an optional module; if it is missing, the error says how to install it.

    ``reason`` is what needs the module.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        package = _PACKAGES.get(name, name)
        raise MissingExtraError(
            f'{reason} needs the package {package}: pip install "tealeaves[{extra}]"'
        ) from error
