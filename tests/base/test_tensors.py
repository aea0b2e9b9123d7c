"""Tensors of safetensors files: the right numbers, and errors that name a damaged file."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import InputError
from tealeaves.tensors import map_matrix, read_tensors

GOOD: dict[str, Any] = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


def write(path: Path, header: Any, body: bytes = b"\0" * 8) -> Path:
    """Write a file as the format describes it: a length, a header in JSON, numbers."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)
    return path


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [
        ("F64", "<f8"),
        ("F32", "<f4"),
        ("F16", "<f2"),
        ("I64", "<i8"),
        ("I32", "<i4"),
        ("I16", "<i2"),
        ("I8", "<i1"),
        ("U64", "<u8"),
        ("U32", "<u4"),
        ("U16", "<u2"),
        ("U8", "<u1"),
        ("BOOL", "?"),
    ],
)
def test_numbers_of_each_type(tmp_path: Path, dtype: str, kind: str) -> None:
    expected = np.array([[0, 1, 1], [1, 0, 3]]).astype(kind)
    entry = {"dtype": dtype, "shape": [2, 3], "data_offsets": [0, expected.nbytes]}
    path = write(tmp_path / "a.safetensors", {"x": entry}, expected.tobytes())
    tensor = read_tensors(path)["x"]
    assert tensor.dtype == expected.dtype
    np.testing.assert_array_equal(tensor, expected)


def test_all_tensors_of_a_file_are_read(tmp_path: Path) -> None:
    header = {"x": GOOD, "y": GOOD | {"data_offsets": [8, 16]}, "__metadata__": {"a": "b"}}
    path = write(tmp_path / "a.safetensors", header, b"\0" * 16)
    assert sorted(read_tensors(path)) == ["x", "y"]


@pytest.mark.parametrize(("dtype", "kind"), [("F64", "<f8"), ("F32", "<f4"), ("F16", "<f2")])
def test_a_matrix_is_mapped_and_not_copied(tmp_path: Path, dtype: str, kind: str) -> None:
    expected = np.array([[0, 1.5, -1], [1, 0, 3]]).astype(kind)
    end = 8 + expected.nbytes
    # in another order than that of the numbers, after a length that is no multiple of 8
    matrix = {"dtype": dtype, "shape": [2, 3], "data_offsets": [8, end]}
    header = {"matrix": matrix, "before": GOOD, "after": GOOD | {"data_offsets": [end, end + 8]}}
    body = b"\1" * 8 + expected.tobytes() + b"\2" * 8
    for spaces in range(8):
        text = json.dumps(header).encode() + b" " * spaces
        mapped = map_matrix(write(tmp_path / f"{spaces}.safetensors", text, body), "matrix")
        assert isinstance(mapped, np.memmap)
        assert mapped.dtype == expected.dtype
        assert not mapped.flags.writeable
        np.testing.assert_array_equal(mapped, expected)


def test_a_matrix_without_rows(tmp_path: Path) -> None:
    empty = {"dtype": "F32", "shape": [0, 2], "data_offsets": [8, 8]}
    path = write(tmp_path / "a.safetensors", {"before": GOOD, "empty": empty})
    assert map_matrix(path, "empty").shape == (0, 2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shape": [2]}, "x is not a matrix of numbers"),
        ({"shape": [1, 1, 2]}, "x is not a matrix of numbers"),
        ({"dtype": "I32"}, "x is not a matrix of numbers"),
        ({"dtype": "BF16", "shape": [2, 2]}, "x is not a matrix of numbers"),
        ({"data_offsets": [0, 16], "shape": [2, 2]}, "not a safetensors file, or damaged"),
        ({"data_offsets": [-8, 0]}, "not a safetensors file, or damaged"),
        ({"shape": [1, 3]}, "not a safetensors file, or damaged"),
    ],
)
def test_what_is_not_a_matrix_is_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    entry = GOOD | {"shape": [1, 2]} | changes
    path = write(tmp_path / "a.safetensors", {"x": entry})
    with pytest.raises(InputError, match=rf"^\S*a\.safetensors: {message}") as caught:
        map_matrix(path, "x")
    assert "\n" not in str(caught.value)


def test_a_matrix_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "a.safetensors", {"x": GOOD})
    with pytest.raises(InputError, match=r"a\.safetensors: .*does not contain tensor z"):
        map_matrix(path, "z")


@pytest.mark.parametrize(
    "header",
    [
        {"x": GOOD | changes}
        for changes in (
            {"data_offsets": [0, 80], "shape": [20]},
            {"data_offsets": [-8, 0]},
            {"data_offsets": [8, 0]},
            {"shape": [-1, -2]},
            {"shape": [9]},
            {"shape": [2**62, 2]},
            {"shape": [2**33, 2**31]},
            {"shape": "x"},
            {"dtype": 5},
            {"dtype": "F99"},
        )
    ]
    + [b"\xff\xfe", b"[" * 100_000, b"{}", b""],
)
def test_a_damaged_file_is_an_error_in_one_line(tmp_path: Path, header: Any) -> None:
    path = write(tmp_path / "a.safetensors", header)
    with pytest.raises(InputError, match=r"^\S*a\.safetensors: not a safetensors file") as caught:
        read_tensors(path)
    assert "\n" not in str(caught.value)


def test_a_file_cut_short_anywhere_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.safetensors", {"x": GOOD})
    data = path.read_bytes()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        for read in (read_tensors, partial(map_matrix, name="x")):
            with pytest.raises(InputError, match=r"a\.safetensors: "):
                read(path)


@pytest.mark.parametrize(("dtype", "size"), [("BF16", 4), ("F8_E4M3", 8)])
def test_types_that_numpy_lacks_are_refused(tmp_path: Path, dtype: str, size: int) -> None:
    path = write(tmp_path / "a.safetensors", {"x": GOOD | {"dtype": dtype, "shape": [size]}})
    with pytest.raises(InputError, match=r"a\.safetensors: a tensor is of a type that numpy lacks"):
        read_tensors(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.safetensors: "):
        read_tensors(tmp_path / "nothing.safetensors")
    with pytest.raises(InputError, match=str(tmp_path)):
        read_tensors(tmp_path)
