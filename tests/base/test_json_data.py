"""JSON is decoded in one place, where all that may be wrong with it is one kind of error."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tealeaves
from tealeaves.json_data import decode_json, decode_python_json

PACKAGE = Path(tealeaves.__file__).parent
#: the one place; and the topics in JSON, whose errors name the line, and whose keys may be twice
EXCEPT = {"json_data.py", "topics/formats/canonical.py"}
DEEP = b"[" * 100_000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": ', "truncated"),
        (b'{"a": "\xff"}', "invalid UTF-8 at byte 7"),
        (b'{"a": 1e999}', "out of range"),
        (DEEP, "nested too deeply"),
        (b"", "truncated"),
    ],
)
@pytest.mark.parametrize("kind", [Any, dict[str, Any]])
def test_what_is_no_json_is_one_kind_of_error(content: bytes, message: str, kind: Any) -> None:
    if kind is not Any and content is DEEP:
        message = "Expected `object`"
    with pytest.raises(msgspec.DecodeError, match=message):
        decode_json(content, kind)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": ', "Expecting value"),
        (b'{"a": "\xff"}', "invalid UTF-8 at byte 7"),
        (DEEP, "nested too deeply"),
        (b"[" + b"1" * 5000 + b"]", "limit"),
    ],
)
def test_so_is_what_python_does_not_read(content: bytes, message: str) -> None:
    with pytest.raises(msgspec.DecodeError, match=message):
        decode_python_json(content)


def test_no_other_module_decodes_json_by_itself() -> None:
    pattern = re.compile(r"msgspec\.json\.decode\(|json\.loads?\(")
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if pattern.search(path.read_text(encoding="utf-8"))
    }
    assert found == EXCEPT
