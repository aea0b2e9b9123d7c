"""The fuzz of all readers: what it covers, what it found, and a small run of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tealeaves.errors import InputError, TealeavesError
from tealeaves.judgments.layouts import LAYOUTS
from tealeaves.metrics.reading import read_scores
from tealeaves.metrics.registry import parse_metrics
from tealeaves.tables.rows import read_rows
from tealeaves.text.corpus import Corpus
from tealeaves.text.readers import READERS
from tealeaves.topics import formats, read_topics
from tealeaves.topics.assembly import TopicsOptions
from tealeaves.topics.formats import FORMATS, read_path
from tealeaves.topics.formats.format import TopicsFormat, TopicsSource
from tests.formats.released import FILES, FOLDER
from tests.systems import WINDOWS

EXAMPLES = Path(__file__).parent / "examples"


# ---------------------------------------------------------------------- what it covers


@pytest.mark.filterwarnings("ignore::tealeaves.errors.TealeavesWarning")
def test_every_format_of_topics_has_an_example(monkeypatch: pytest.MonkeyPatch) -> None:
    recognised: set[str] = set()

    def checked(form: Any) -> Any:
        def fits(source: TopicsSource) -> bool:
            found: bool = form.fits(source)
            recognised.update([form.name] * found)
            return found

        return TopicsFormat(form.name, fits, form.read, form.options, form.folder, form.separated)

    monkeypatch.setattr(formats, "FORMATS", tuple(map(checked, FORMATS)))
    for path in (EXAMPLES / "topics").iterdir():
        options = TopicsOptions(name="a")
        read_path(path, str(path), None, options)
    assert recognised == {form.name for form in FORMATS if form.name}


def test_every_reader_of_texts_has_an_example() -> None:
    readers = {"bible", "tmx"}  # for these, the fuzz names the reader
    for path in (EXAMPLES / "texts").iterdir():
        corpus = Corpus.open(path, reader="tmx(language=en)" if path.suffix == ".tmx" else None)
        readers |= {
            call[0] for file in corpus.files if (call := getattr(file, "reader_call", None))
        }
    assert readers | {"file"} == set(READERS)  # a folder is read file by file


def test_every_layout_of_judgments_has_an_example() -> None:
    found = set()
    for path in (EXAMPLES / "judgments").iterdir():
        columns = frozenset(next(iter(read_rows(path))).values)
        found.add(next(name for name in LAYOUTS if LAYOUTS[name].fits(columns)))
    assert found == set(LAYOUTS)


@pytest.mark.skipif(WINDOWS, reason="limits of processes are those of POSIX")
def test_every_released_file_is_fuzzed() -> None:
    from tools.fuzz.readers import readers

    fuzzed = [reader.example for reader in readers()]
    assert {FOLDER / file.name for file in FILES} <= set(fuzzed)
    for path in EXAMPLES.rglob("*"):
        inside = any(path.is_relative_to(example) for example in fuzzed)
        assert path.is_dir() or inside, f"{path} is not fuzzed"


@pytest.mark.skipif(WINDOWS, reason="limits of processes are those of POSIX")
@pytest.mark.filterwarnings("ignore::tealeaves.errors.TealeavesWarning")
def test_all_examples_are_valid(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from tools.fuzz.readers import readers

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TEALEAVES_CACHE", "")
    for reader in readers():
        reader.read(reader.example)


# ---------------------------------------------------------------------- what it found

STATE = "#doc source pos typeindex type topic\n#alpha : {}\n#beta : 0.1\n0 a 0 0 cat 0\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", STATE.format("inf 1")),
        ("a.txt", STATE.format("-1 1")),
        ("a.json", '{"topics": [["a"]], "topic-word-matrix": [[' + "9" * 400 + "]]}"),
    ],
)
@pytest.mark.filterwarnings("ignore::tealeaves.errors.TealeavesWarning")
def test_numbers_that_are_too_large_are_no_traceback(
    name: str, content: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    try:
        topics = read_topics(tmp_path / name, vocabulary=["a"] if name.endswith("json") else None)
    except TealeavesError:
        return
    assert topics.topic_word is None


def test_scores_that_are_nested_deeply_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    nested = "[" * 800 + "NaN" + "]" * 800
    path.write_text('{"model": "lda", "topic": 0, "npmi": 0.5, "x": ' + nested + "}\n")
    assert [row.value for row in read_scores(path).rows if row.metric == "npmi"] == [0.5]


@pytest.mark.parametrize("text", ["npmi(window=\udcff)", "npmi\udcff", "'\ud800'"])
def test_an_expression_that_is_not_utf_8_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="bytes that are not UTF-8"):
        parse_metrics(text)


# ---------------------------------------------------------------------- a small run


@pytest.mark.skipif(WINDOWS, reason="limits of processes are those of POSIX")
def test_changed_files_are_read_or_refused(tmp_path: Path) -> None:
    """``make fuzz`` goes on from here."""
    from tools.fuzz.__main__ import fuzz

    inputs = int(os.environ.get("TEALEAVES_FUZZ_INPUTS", "2000"))
    assert fuzz(0, inputs, "", tmp_path / "failures") == []
