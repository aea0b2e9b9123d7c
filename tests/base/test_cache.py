"""The cache: files that are made once, and made again if they are damaged or not ours."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from tealeaves.cache import cached
from tealeaves.errors import InputError
from tests.systems import needs_links


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("TEALEAVES_CACHE", str(folder))
    return folder


def test_results_are_kept_by_name_and_key(empty_cache: Path) -> None:
    made = []

    def make() -> bytes:
        made.append(1)
        return b"content"

    assert [cached("name", "key", make) for _ in range(3)] == [b"content"] * 3
    assert len(made) == 1
    cached("name", "other key", make)
    cached("other name", "key", make)
    assert len(made) == 3
    assert len(list(empty_cache.iterdir())) == 3


def damages(content: bytes) -> list[bytes]:
    flipped = [bytes([*content[:p], content[p] ^ 1, *content[p + 1 :]]) for p in (0, 15, 16)]
    return [b"", content[:5], content[:16], content[:-1], content + b"x", *flipped]


@pytest.mark.parametrize("number", range(8))
def test_a_damaged_file_is_made_again(empty_cache: Path, number: int) -> None:
    cached("name", "key", lambda: b"right")
    [path] = empty_cache.iterdir()
    path.write_bytes(damages(path.read_bytes())[number])
    assert cached("name", "key", lambda: b"again") == b"again"
    assert cached("name", "key", lambda: b"never") == b"again"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no such rights")
def test_files_that_others_can_write_are_not_read(empty_cache: Path) -> None:
    cached("name", "key", lambda: b"one")
    [path] = empty_cache.iterdir()
    path.chmod(0o666)
    assert cached("name", "key", lambda: b"two") == b"two"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner")
def test_files_of_others_are_not_read(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached("name", "key", lambda: b"one")
    [path] = empty_cache.iterdir()
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert cached("name", "key", lambda: b"two") == b"two"


def test_every_flipped_bit_is_noticed(empty_cache: Path) -> None:
    cached("name", "key", lambda: b"right")
    [path] = empty_cache.iterdir()
    stored = path.read_bytes()
    for bit in range(8 * len(stored)):
        damaged = bytearray(stored)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        assert cached("name", "key", lambda: b"again") == b"again"
        assert path.read_bytes() != damaged


@pytest.mark.parametrize(("name", "key"), [("name", "another"), ("another", "key")])
def test_a_file_under_another_s_name_is_made_again(empty_cache: Path, name: str, key: str) -> None:
    cached(name, key, lambda: b"another")
    [other] = empty_cache.iterdir()
    cached("name", "key", lambda: b"right")
    [path] = set(empty_cache.iterdir()) - {other}
    other.replace(path)
    assert cached("name", "key", lambda: b"again") == b"again"


@needs_links
def test_links_are_not_followed(empty_cache: Path, tmp_path: Path) -> None:
    cached("name", "key", lambda: b"one")
    [path] = empty_cache.iterdir()
    target = tmp_path / "notes.txt"
    for content in (b"not ours", path.read_bytes()):
        target.write_bytes(content)
        path.unlink()
        path.symlink_to(target)
        assert cached("name", "key", lambda: b"two") == b"two"
        assert target.read_bytes() == content


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_not_waited_for(empty_cache: Path) -> None:
    cached("name", "key", lambda: b"one")
    [path] = empty_cache.iterdir()
    path.unlink()
    os.mkfifo(path)
    assert cached("name", "key", lambda: b"two") == b"two"


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), PermissionError(13, "x"), InputError("x")]
)
def test_where_nothing_can_be_written_it_is_made_each_time(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(_: object) -> None:
        raise error

    monkeypatch.setattr("tealeaves.cache.atomic_write", refuse)
    for made in (b"one", b"two"):
        assert cached("name", "key", partial(bytes, made)) == made


def test_without_a_place_it_is_made_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    for place in (file, file / "below"):
        monkeypatch.setenv("TEALEAVES_CACHE", str(place))
        for made in (b"one", b"two"):
            assert cached("name", "key", partial(bytes, made)) == made


def test_a_folder_in_the_place_of_the_file_is_left_alone(empty_cache: Path) -> None:
    cached("name", "key", lambda: b"x")
    [path] = empty_cache.iterdir()
    path.unlink()
    path.mkdir()
    for made in (b"one", b"two"):
        assert cached("name", "key", partial(bytes, made)) == made
    assert path.is_dir()


def test_without_a_home_folder_it_is_made_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tealeaves.cache.user_cache", lambda: None)
    for made in (b"one", b"two"):
        assert cached("name", "key", partial(bytes, made)) == made


def test_an_error_is_not_kept(empty_cache: Path) -> None:
    def fail() -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cached("name", "key", fail)
    assert cached("name", "key", lambda: b"right") == b"right"


def test_only_the_newest_of_a_name_are_kept(empty_cache: Path) -> None:
    for number in range(12):
        cached("name", str(number), lambda: b"x")
        for path in empty_cache.iterdir():  # older than what comes next
            state = path.stat()
            os.utime(path, (state.st_atime, state.st_mtime - 10))
    assert len(list(empty_cache.iterdir())) == 8
    assert cached("name", "11", lambda: b"never") == b"x"
    assert cached("name", "0", lambda: b"again") == b"again"
