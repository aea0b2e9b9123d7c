"""Public names that are imported on first use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tealeaves
from tealeaves.files import atomic_write
from tealeaves.lazy_names import lazy_names


def test_names_are_found_in_their_modules() -> None:
    get, names = lazy_names(
        "tealeaves", {"files": ["atomic_write as write"], "version": ["__version__"]}, ["errors"]
    )
    assert get("write") is atomic_write
    assert get("__version__") == tealeaves.__version__
    assert get("errors").InputError.__name__ == "InputError"
    assert names() == ["write", "__version__", "errors"]
    for unknown in ("atomic_write", "files", "nothing"):
        with pytest.raises(
            AttributeError, match=f"module 'tealeaves' has no attribute '{unknown}'"
        ):
            get(unknown)


def test_modules_are_imported_on_first_use(tmp_path: Path) -> None:
    package = tmp_path / "slow"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from tealeaves.lazy_names import lazy_names\n"
        "__getattr__, __dir__ = lazy_names(__name__, {'inner': ['value']})\n"
    )
    (package / "inner.py").write_text("print('imported')\nvalue = 3\n")
    code = "import slow; print(dir(slow)); from slow import value; print(value, slow.value)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout == "['value']\nimported\n3 3\n"
