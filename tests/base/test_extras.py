from __future__ import annotations

import json
import sys

import pytest

from tealeaves.errors import MissingExtraError
from tealeaves.extras import require


def test_an_installed_module_is_returned() -> None:
    assert require("json", extra="langs", reason="a test") is json


def test_a_missing_package_is_named_with_its_extra_and_the_reason() -> None:
    with pytest.raises(MissingExtraError) as caught:
        require("no_such_package.inner", extra="langs", reason="the pipeline icu")
    message = str(caught.value)
    assert message.startswith("the pipeline icu needs the package no_such_package:")
    assert 'pip install "tealeaves[langs]"' in message
    assert isinstance(caught.value.__cause__, ImportError)


@pytest.mark.parametrize(
    ("module", "package"),
    [("sklearn.decomposition", "scikit-learn"), ("vl_convert", "vl-convert-python")],
)
def test_a_package_is_named_as_it_is_installed(
    module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=f"a test needs the package {package}: pip"):
        require(module, extra="models", reason="a test")


def test_a_blocked_module_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtraError, match=r"zstandard.*tealeaves\[zst\]"):
        require("zstandard", extra="zst", reason="reading .zst")
