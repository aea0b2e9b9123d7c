"""Artifacts: written completely, read back to the bit, and refused when they are damaged."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

from tealeaves.artifacts import (
    ArtifactFormat,
    PickledArrayError,
    _checksum,
    array_bytes,
    array_of,
    artifact_format,
    check_json_header,
)
from tealeaves.errors import InputError
from tealeaves.limits import LIMITS


class Toys(msgspec.Struct):
    name: str
    sizes: dict[str, int]


TOYS = ArtifactFormat("tealeaves-toys", 3, Toys, holds="toys")
CONTENT = Toys("box", {"ball": 2})
ARRAYS = {"a/counts": np.arange(6).reshape(2, 3), "shares": np.array([0.5, np.nan])}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    TOYS.save(tmp_path / "box.toys", CONTENT, ARRAYS)
    return tmp_path / "box.toys"


def test_content_and_arrays_are_restored(file: Path) -> None:
    loaded = TOYS.load(file)
    assert loaded.content == CONTENT
    assert set(loaded.arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(loaded.arrays[name], array)
        assert loaded.arrays[name].dtype == array.dtype


@pytest.mark.parametrize("compressed", [True, False])
def test_a_long_header_is_no_list_of_members(tmp_path: Path, *, compressed: bool) -> None:
    form = ArtifactFormat("tealeaves-texts", 1, str, holds="texts", compressed=compressed)
    content = Random(1).randbytes(LIMITS["directory"].default).hex()
    form.save(tmp_path / "long.texts", content, {})
    assert (tmp_path / "long.texts").stat().st_size > LIMITS["directory"].default
    assert form.load(tmp_path / "long.texts").content == content


def test_the_same_content_makes_the_same_bytes(file: Path, tmp_path: Path) -> None:
    TOYS.save(tmp_path / "again.toys", CONTENT, ARRAYS)
    assert (tmp_path / "again.toys").read_bytes() == file.read_bytes()


def test_the_header_names_format_and_version(file: Path) -> None:
    assert artifact_format(file) == "tealeaves-toys"
    with zipfile.ZipFile(file) as archive:
        header = json.loads(archive.read("header.json"))
    assert (header["format"], header["version"]) == ("tealeaves-toys", 3)


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a text")
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("header.json", "[1]")
    assert [artifact_format(tmp_path / name) for name in ("text", "zip", "none")] == ["", "", ""]


def test_every_flipped_byte_is_noticed(file: Path) -> None:
    data, refused = file.read_bytes(), []
    for place in range(0, len(data), 7):
        file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        try:
            loaded = TOYS.load(file)
        except InputError as error:
            refused.append(str(error))
            continue
        # dates and other fields of the zip directory do not change what is read
        assert loaded.content == CONTENT
        np.testing.assert_array_equal(loaded.arrays["shares"], ARRAYS["shares"])
    assert len(refused) > 50
    assert all(str(file) in line and "\n" not in line for line in refused)


def test_a_file_that_is_cut_short_is_refused(file: Path) -> None:
    data = file.read_bytes()
    for size in range(0, len(data), 11):
        file.write_bytes(data[:size])
        with pytest.raises(InputError, match="not a complete file of toys"):
            TOYS.load(file)


def test_other_formats_and_versions_are_refused(file: Path, tmp_path: Path) -> None:
    other = ArtifactFormat("tealeaves-games", 3, Toys, holds="games")
    with pytest.raises(InputError, match=r"box\.toys: not a file of games"):
        other.load(file)
    newer = ArtifactFormat("tealeaves-toys", 4, Toys, holds="toys")
    with pytest.raises(InputError, match=r"version 3; .* reads version 4"):
        newer.load(file)
    with pytest.raises(InputError, match="no such file"):
        TOYS.load(tmp_path / "none.toys")
    with pytest.raises(InputError, match="Is a directory"):
        TOYS.load(tmp_path)


def test_content_of_another_shape_is_refused(tmp_path: Path) -> None:
    class Other(msgspec.Struct):
        name: int

    path = tmp_path / "other.toys"
    ArtifactFormat("tealeaves-toys", 3, Other, holds="toys").save(path, Other(1), {})
    with pytest.raises(InputError, match="not a complete file of toys: Expected `str`"):
        TOYS.load(path)


def test_a_zip_file_without_a_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "headless.toys"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("shares.npy", array_bytes(ARRAYS["shares"]))
    with pytest.raises(InputError, match=r"complete file of toys: there is no header\.json"):
        TOYS.load(path)


def test_a_name_that_is_not_utf_8_is_refused(file: Path) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("é", b"")
    file.write_bytes(file.read_bytes().replace("é".encode(), b"\xff\xff"))
    with pytest.raises(InputError, match="not a complete file of toys"):
        TOYS.load(file)


def test_an_array_that_the_file_lacks_is_named(file: Path) -> None:
    loaded = TOYS.load(file)
    assert loaded.array("shares") is loaded.arrays["shares"]
    with pytest.raises(ValueError, match="there is no array sizes"):
        loaded.array("sizes")


def test_an_array_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cut.toys"
    data = array_bytes(np.arange(4))[:-8]
    content = msgspec.json.encode(CONTENT)
    header = {"format": TOYS.name, "version": TOYS.version, "made_with": "", "content": CONTENT}
    header["checksum"] = _checksum(content, {"sizes.npy": data})
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", msgspec.json.encode(header))
        archive.writestr("sizes.npy", data)
    with pytest.raises(InputError, match="toys: the array sizes cannot be read: an array is cut"):
        TOYS.load(path)


def test_an_array_of_objects_is_never_unpickled() -> None:
    import io

    stream = io.BytesIO()
    np.save(stream, np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(PickledArrayError):
        array_of(stream.getvalue())
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        array_bytes(np.array([{}], dtype=object))


def test_a_claimed_size_is_checked_before_memory_is_taken() -> None:
    data = array_bytes(np.arange(4)).replace(b"(4,)", b"(9,)")
    with pytest.raises(ValueError, match="cut short"):
        array_of(data)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "a.json: not a complete file of toys"),
        (b"[]", "a.json: not a complete file of toys"),
        (b'{"format": "games"}', r"a.json: not a file of toys \(`make toys` makes one\)"),
        (
            b'{"format": "toys", "version": 1, "made_with": "0.1"}',
            "a.json: file version 1, made with tealeaves 0.1; ",
        ),
    ],
)
def test_headers_of_json_files(content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_json_header(content, "a.json", holds="toys", wanted=("toys", 2), made_by="make toys")
