"""Limits: what small files that ask for gigabytes meet, and how a user raises them.

Each bomb is given to a process that has little memory.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest
import zstandard

from tealeaves.artifacts import array_of, open_archive
from tealeaves.compression import DecompressedStream
from tealeaves.errors import InputError
from tealeaves.expressions import Expression, split_expressions
from tealeaves.files import InputFile
from tealeaves.limits import LIMITS, VARIABLE, check, check_bytes, limit, most_bytes, raised
from tealeaves.text import Corpus
from tests.systems import WINDOWS

MEMORY = 1_500_000_000
MEGABYTE = 1 << 20

# ---------------------------------------------------------------------- raising them


def test_limits_are_raised_for_a_while_in_all_threads() -> None:
    seen: list[int] = []
    with raised(pairs=2e9, archive="50GB"):
        thread = threading.Thread(target=lambda: seen.extend((limit("pairs"), limit("archive"))))
        thread.start()
        thread.join()
        with raised(text="1.5KB"):
            assert (limit("text"), limit("pairs")) == (1_500, 2_000_000_000)
        assert limit("text") == LIMITS["text"].default
    assert seen == [2_000_000_000, 50_000_000_000]
    assert limit("pairs") == LIMITS["pairs"].default
    assert VARIABLE not in os.environ


def test_limits_that_threads_raise_at_overlapping_times_end_with_each() -> None:
    usual = limit("pairs"), limit("nesting")
    first, second = raised(pairs=5e8, nesting=8), raised(pairs=9e8)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert (limit("pairs"), limit("nesting")) == (900_000_000, usual[1])
    second.__exit__(None, None, None)
    assert (limit("pairs"), limit("nesting")) == usual
    assert VARIABLE not in os.environ


def test_limits_of_the_variable_are_kept_where_others_are_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, "pairs=5e3, nesting=7")
    with raised(nesting=8):
        assert (limit("pairs"), limit("nesting")) == (5_000, 8)
    assert os.environ[VARIABLE] == "pairs=5e3, nesting=7"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("pears=5", r"TEALEAVES_LIMITS: no limit 'pears'; did you mean pairs\? \(limits are text,"),
        ("pairs", "pairs must be a number of at least 1, as in pairs=1e9 or pairs=50GB, not ''"),
        ("pairs=0", "not '0'"),
        ("pairs=1e99", "not '1e99'"),
        ("pairs=-5", "not '-5'"),
        ("pairs=" + "1" * 100_000 + "x", "not '1{39}$"),
    ],
)
def test_a_wrong_limit_is_one_line(
    value: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(InputError, match=message):
        limit("pairs")


def test_what_an_error_says_to_do_is_enough() -> None:
    with pytest.raises(InputError) as caught:
        check_bytes("archive", 5_368_709_256, "a.npz: arrays", size=5_000_000)
    text = str(caught.value)
    assert text == (
        "a.npz: arrays: 5.37 GB, over the limit of 1 GB; if it is right, raise it: "
        'TEALEAVES_LIMITS="archive=5.37GB" (in Python: tealeaves.limits.raised(archive="5.37GB"))'
    )
    with raised(archive="5.37GB"):
        check_bytes("archive", 5_368_709_256, "a.npz: arrays", size=5_000_000)
    with raised(ratio=2_000):
        check_bytes("archive", 5_368_709_256, "a.npz: arrays", size=5_000_000)


def test_a_large_file_may_hold_much() -> None:
    """Counts of 3 GB, and all of Wikipedia in one file, must pass."""
    check_bytes("archive", 60 * 10**9, "wiki.counts", size=3 * 10**9)
    assert most_bytes("text", 10**10) == 10**12
    check("pairs", 25_000_000, "a million words of topics")


# ---------------------------------------------------------------------- bombs


def run(*arguments: object, code: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command, or a program, in a process that may take 1.5 GB."""
    limited = (
        f"import resource, sys\nresource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))\n"
        + (code or "from tealeaves.cli.main import main\nmain(sys.argv[1:])")
    )
    return subprocess.run(
        [sys.executable, "-c", limited, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )


def refused(*arguments: object) -> str:
    """Return the one line by which a command refuses its input."""
    done = run("score", *arguments)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    return line


pytestmark = pytest.mark.skipif(WINDOWS, reason="Windows has no limit of address space")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("bombs")
    (place / "topics.txt").write_text("cat dog\ncow hen\n")
    return place


def packed(path: Path, byte: bytes, megabytes: int, first: bytes = b"") -> Path:
    """Write a file of Zstandard with many equal bytes."""
    with path.open("wb") as file, zstandard.ZstdCompressor(level=1).stream_writer(file) as stream:
        stream.write(first)
        for _ in range(megabytes):
            stream.write(byte * MEGABYTE)
    assert path.stat().st_size < 3 * MEGABYTE
    return path


def npy_header(shape: tuple[int, ...], kind: str = "<f8") -> bytes:
    stream = io.BytesIO()
    header = {"descr": kind, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)
    return stream.getvalue()


@pytest.fixture(scope="module")
def archive(folder: Path) -> Path:
    """Return an archive of five megabytes, of which one member has 1.1 GB."""
    header = {"format": "tealeaves-counts", "version": 3, "made_with": "", "checksum": ""}
    path = folder / "zeros.counts"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr("header.json", json.dumps(header | {"content": {}}))
        file.writestr("topics.npy", npy_header((1, 2), "<U3") + "catdog".encode("utf-32-le"))
        with file.open("topic-word-matrix.npy", "w", force_zip64=True) as stream:
            stream.write(npy_header((2, 550 * MEGABYTE // 8)))
            for _ in range(1_100):
                stream.write(bytes(MEGABYTE))
    return path


def test_arrays_that_do_not_fit_an_archive_are_not_read(folder: Path, archive: Path) -> None:
    line = refused(folder / "topics.txt", "--counts", archive)
    assert "arrays: 1.16 GB, over the limit of 1 GB; if it is right, raise it: TEALEAVES" in line
    assert str(archive) in line
    octis = archive.with_suffix(".npz")
    octis.write_bytes(archive.read_bytes())
    assert "arrays: 1.16 GB, over the limit of 1 GB" in refused(octis, "-m", "diversity")


def test_members_that_are_not_needed_are_not_read(folder: Path, archive: Path) -> None:
    octis = folder / "other.npz"
    octis.write_bytes(
        archive.read_bytes().replace(b"topic-word-matrix.npy", b"topic-more-matrix.npy")
    )
    done = run("score", octis, "-m", "diversity")
    assert done.returncode == 0, done.stderr


def test_a_list_of_members_that_is_too_long_is_not_read(folder: Path) -> None:
    path = folder / "many.topics"
    with zipfile.ZipFile(path, "w") as file:
        for number in range(200):
            file.writestr(f"{number}.npy", b"")
    with (
        raised(directory="10KB"),
        pytest.raises(InputError, match=r"many\.topics: the list of its members: 1"),
        open_archive(path, "topics"),
    ):
        pass


@pytest.mark.parametrize("shape", [(10**12,), (10**12, 0), (2**62, 4), (0, 10**15)])
def test_claimed_shapes_are_checked_before_memory_is_taken(shape: tuple[int, ...]) -> None:
    for kind in ("<f8", "<U0", "<U1"):
        with pytest.raises(ValueError, match=r"cut short|of nothing"):
            array_of(npy_header(shape, kind) + bytes(64))


@pytest.mark.parametrize(
    ("name", "byte", "first"),
    [
        ("line.txt.zst", b"a", b""),
        ("line.jsonl.zst", b" ", b'{"text": "'),
        ("cell.csv.zst", b"a", b'text\n"'),
        ("object.jsonl.zst", b"\n", b"{\n"),
        ("bible.usfm.zst", b"\n", b"\\id GEN\n"),
        ("segment.tmx.zst", b" ", b'<tmx><tu><tuv xml:lang="en"><seg>'),
        ("comment.tmx.zst", b" ", b"<tmx><!--"),
    ],
)
def test_a_text_that_is_far_larger_than_its_file_is_refused(
    folder: Path, name: str, byte: bytes, first: bytes
) -> None:
    reader = {"tmx": ("--reader", "tmx(language=en)"), "usfm": ("--reader", "bible")}
    path = packed(folder / name, byte, 600, first)
    line = refused(folder / "topics.txt", "-c", path, *reader.get(name.split(".")[1], ()))
    assert name in line
    assert "over the limit" in line or "not a JSON object" in line


@pytest.mark.parametrize(
    ("name", "byte", "first"),
    [("list.json.zst", b" ", b"["), ("words.txt.zst", b"a ", b""), ("blank.txt.zst", b"\n", b"")],
)
def test_topics_that_are_far_larger_than_their_file_are_refused(
    folder: Path, name: str, byte: bytes, first: bytes
) -> None:
    line = refused(packed(folder / name, byte, 400, first), "-m", "diversity")
    assert f"{name}: a text or a line: over the limit of 256 MB; if it is right, raise it" in line


def test_a_line_of_vectors_that_is_far_larger_than_its_file_is_refused(folder: Path) -> None:
    path = packed(folder / "vectors.txt.zst", b"a", 600, b"2 3\ncow 1 2 3\n")
    line = refused(folder / "topics.txt", "-e", path, "-m", "we_coherence@2")
    assert "vectors.txt.zst:3: a text or a line: over the limit of 256 MB" in line


def test_empty_lines_take_no_memory(folder: Path) -> None:
    """A piece that becomes little tells nothing of the next one."""
    path = packed(folder / "lines.txt.zst", b"\n", 200, np.random.default_rng(1).bytes(MEGABYTE))
    with InputFile(path).open() as stream:
        sizes = [len(piece) for piece in iter(lambda: stream.read(MEGABYTE), b"")]
    assert sum(sizes) == 201 * MEGABYTE
    pieces: list[int] = []

    class Counted(DecompressedStream):
        def _decompress(self) -> bytes:
            piece = super()._decompress()
            pieces.append(len(piece))
            return piece

    with path.open("rb") as raw:
        stream = io.BufferedReader(Counted(raw, ".zst", "lines"), MEGABYTE)
        while stream.read(MEGABYTE):
            pass
    assert max(pieces) <= 64 * MEGABYTE
    empty = packed(folder / "empty.txt.zst", b"\n", 10)
    done = run("score", folder / "topics.txt", "-c", empty, "-m", "npmi@2")
    assert "the corpus is empty: none of its 10485760 documents has a token" in done.stderr


@pytest.mark.parametrize("suffix", [".gz", ".bz2"])
def test_pieces_of_other_compressions_are_small(suffix: str) -> None:
    zeros = bytes(100 * MEGABYTE)
    data = gzip.compress(zeros) if suffix == ".gz" else bz2.compress(zeros)

    class Counted(DecompressedStream):
        def _decompress(self) -> bytes:
            piece = super()._decompress()
            assert len(piece) <= MEGABYTE
            return piece

    stream = io.BufferedReader(Counted(io.BytesIO(data), suffix, "zeros"), MEGABYTE)
    pieces = (len(piece) for piece in iter(lambda: stream.read(MEGABYTE), b""))
    assert sum(pieces) == 100 * MEGABYTE


def test_a_cell_of_many_lines_is_limited(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "text=4MB")
    path = packed(folder / "cells.csv.zst", b"\n", 8, b'text\n"')
    line = refused(folder / "topics.txt", "-c", path)
    assert "cells.csv.zst:1000002: a cell: over the limit of 4 MB; if it is right, raise" in line


def test_a_window_of_zstandard_that_is_too_large_can_be_allowed(tmp_path: Path) -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=28, enable_ldm=True)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    path = tmp_path / "long.txt.zst"
    path.write_bytes(packer.compress(b"cat dog\n" * 100) + packer.flush())
    with pytest.raises(InputError, match=r"the window .* over the limit of 135 MB; .*window=537MB"):
        list(Corpus.open(path))
    with raised(window="2GB"):
        assert len(list(Corpus.open(path))) == 100


def test_a_packed_tmx_file_may_have_any_size(tmp_path: Path) -> None:
    path = tmp_path / "large.tmx.gz"
    unit = '<tu><tuv xml:lang="en"><seg>a cat</seg></tuv></tu>'
    path.write_bytes(gzip.compress(f"<tmx>{unit * 5_000}</tmx>".encode()))
    with raised(text="1KB", ratio=1):  # far less than the file, more than a unit
        assert sum(1 for _ in Corpus.open(path, reader="tmx(language=en)")) == 5_000


def test_elements_of_xml_inside_of_each_other_are_limited(tmp_path: Path) -> None:
    path = tmp_path / "deep.tmx"
    path.write_text("<tmx>" + "<a>\n" * 100_000)
    with pytest.raises(InputError, match=r"deep\.tmx:1000: elements inside of each other: 1,001, "):
        list(Corpus.open(path, reader="tmx(language=en)"))


def test_a_state_of_mallet_with_a_matrix_that_does_not_fit_it_is_refused(folder: Path) -> None:
    """Each token has a word and a topic of its own: 60,000 lines ask for 28 GB."""
    lines = ["#doc source pos typeindex type topic", "#alpha : 0.1", "#beta : 0.1"]
    lines[1] = "#alpha : " + "0.1 " * 60_000
    lines += [f"0 a {n} {n} w{n} {n}" for n in range(60_000)]
    path = folder / "state.txt"
    path.write_text("\n".join(lines) + "\n")
    line = refused(path, "-m", "diversity")
    assert "60000 topics of 60000 words in 1 documents: 28.9 GB, over the limit of 1 GB" in line


def test_shares_of_documents_that_do_not_fit_their_file_are_refused(folder: Path) -> None:
    place = folder / "polylingual"
    place.mkdir()
    (place / "keys.txt").write_text("0\t0.1\n 0\t2\t0.01\tcat dog\n 1\t2\t0.01\tgato perro\n")
    rows = "".join(f"{n} 999999998 1.0\n" for n in range(1_000))
    (place / "shares.txt").write_text("#doc topic proportion\n" + rows)
    from tealeaves.topics.formats.format import TopicsSource
    from tealeaves.topics.formats.mallet_polylingual import _parse_document_shares

    with pytest.raises(InputError, match=r"shares of 999999999 topics in 1000 documents: 8 TB"):
        _parse_document_shares(TopicsSource.of_file(place / "shares.txt"), None)


def test_topics_with_too_many_pairs_are_refused(folder: Path) -> None:
    path = folder / "wide.txt"
    path.write_text(" ".join(f"w{number}" for number in range(100_000)))
    texts = folder / "texts.txt"
    texts.write_text("w1 w2\n")
    line = refused(path, "-c", texts, "--tokens", "tokens", "-m", "npmi")
    assert "one topic of up to 100,000 words (fewer words are scored by npmi@10): 4,999" in line
    assert run("score", path, "-c", texts, "--tokens", "tokens", "-m", "npmi@10").returncode == 0


@pytest.mark.parametrize("rows", [4 * 10**9, 10**12])
def test_rows_that_a_parquet_file_only_claims_take_no_memory(tmp_path: Path, rows: int) -> None:
    import polars as pl

    path = tmp_path / "claims.parquet"
    pl.DataFrame({"text": ["cat dog"] * 200}).write_parquet(path, statistics=False)
    data = path.read_bytes()
    length = int.from_bytes(data[-8:-4], "little")
    footer = data[-8 - length : -8].replace(_varint(2 * 200), _varint(2 * rows))
    end = len(footer).to_bytes(4, "little") + b"PAR1"
    path.write_bytes(data[: -8 - length] + footer + end)
    with pytest.raises(InputError, match="not a readable Parquet file"):
        list(Corpus.open(path))


def _varint(number: int) -> bytes:
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


# ---------------------------------------------------------------------- what was quadratic


def test_long_expressions_are_refused_and_long_numbers_are_read_in_one_pass() -> None:
    with pytest.raises(InputError, match=r"an expression: 40,019, over the limit of 10,000"):
        Expression.parse(f"words(min_length={'1' * 40_000}x)")
    code = (
        "from tealeaves.expressions import Expression, split_expressions\n"
        "from tealeaves.limits import raised\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (20, 20))\n"
        "with raised(expression=1e7):\n"
        "    Expression.parse('words(min_length=' + '1' * 2_000_000 + 'x)')\n"
        "split_expressions(' ' * 2_000_000 + 'x')\n"
        "from tealeaves.comparison.groups import _NUMBERED\n"
        "assert not _NUMBERED.fullmatch('a' + ' ' * 1_000_000 + 'x')\n"
        "assert _NUMBERED.fullmatch('a' + ' ' * 1_000_000 + '5')['family'] == 'a'\n"
    )
    assert run(code=code).returncode == 0
    assert split_expressions("npmi @ 10  c_v@\t5") == ["npmi@10", "c_v@5"]


# what a file may have; each took minutes where it was tried again from every place
LONG = 300_000
PATTERNS = {
    "a number in a cell": f"from tealeaves.tables.spreadsheets import written\n"
    f"assert written('-' + '1' * {LONG} + 'x')[0] == chr(39)",
    "backslashes that are written": f"from tealeaves.tables.spreadsheets import written\n"
    f"assert len(written(chr(92) * {LONG} + 'y')) == {LONG} + 1",
    "backslashes that are read": f"from tealeaves.tables.spreadsheets import read\n"
    f"assert len(read(chr(92) * {LONG} + 'y' + chr(92) + 'x')) == {LONG} + 3",
    "an id of a verse": "from tealeaves.text.grouping import _VERSE_ID\n"
    "assert not _VERSE_ID.fullmatch('GEN 1:1' + '-1a' * 1000 + '!')\n"
    "assert _VERSE_ID.fullmatch('GEN 1:1' + '-1a' * 1000)\n"
    "assert not _VERSE_ID.fullmatch('GEN 1:' + '1' * 5000)",
    "a key of a Bible": "from tealeaves.text.paired.links import _BIBLE_KEY\n"
    f"assert not _BIBLE_KEY.match('GEN 1:' + '1' * {LONG} + 'x')",
    "a line of tomotopy": "from tealeaves.topics.formats.tomotopy import _TOPIC\n"
    f"assert not _TOPIC.fullmatch('|' + ' ' * {LONG} + '(' * {LONG})",
    "the header of an array": "from tealeaves.artifacts import _NPY_HEADER\n"
    "start = b\"{'descr': '<f8', 'fortran_order': False, 'shape': (1,\"\n"
    "assert not _NPY_HEADER.fullmatch(start + b' ' * 8000 + b')' + b' ' * 8000 + b'x')\n"
    "assert _NPY_HEADER.fullmatch(start + b' ' * 8000 + b')' + b' ' * 8000 + b'}')",
    "names of columns": "from tealeaves.tables.rows import read_rows\n"
    f"assert len(next(read_rows(sys.argv[1])).values) == {LONG}",
}


@pytest.mark.parametrize("what", PATTERNS)
def test_what_is_long_is_read_in_one_pass(tmp_path: Path, what: str) -> None:
    wide = tmp_path / "wide.csv"
    wide.write_text((",".join(map(str, range(LONG))) + "\n") * 2)
    code = f"resource.setrlimit(resource.RLIMIT_CPU, (20, 20))\n{PATTERNS[what]}\n"
    assert run(wide, code=code).returncode == 0
