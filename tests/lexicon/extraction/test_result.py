"""Extractions as files: the same when read back, whole or refused."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.lexicon.extraction.result import (
    Extraction,
    Token,
    read_extraction,
    read_extractions,
    save_extraction,
    saved_signature,
)

# what JSON, lines and pages might stumble over; lone surrogates are no text
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(
    ["\n", "\r\n", "\u2028", "\x85", "\x00", "<b>", '"', "\\", "{}", "\x1c"]
)
forms = st.lists(texts, min_size=1, max_size=5)
confidences = st.just(math.nan) | st.integers(0, 10_000).map(lambda n: n / 10_000)


@st.composite
def extractions(draw: st.DrawFn) -> Extraction:
    passages = draw(st.dictionaries(texts, st.tuples(forms, forms), max_size=4))
    tokens = []
    for key in draw(st.lists(st.sampled_from(sorted(passages)), max_size=6)) if passages else []:
        here, there = passages[key]
        words = draw(st.sets(st.integers(0, len(there) - 1)))
        tokens.append(
            Token(
                frozenset(draw(st.lists(texts, max_size=3))),
                tuple(sorted(words)),
                draw(confidences),
                draw(texts),
                key,
                draw(st.integers(0, len(here) - 1)),
            )
        )
    source, target, model, signature = (draw(texts) for _ in range(4))
    shared = draw(st.integers(0, 10**9))
    return Extraction(source, target, model, signature, tuple(tokens), passages, shared)


def content(extraction: Extraction) -> dict[str, Any]:
    """All that an extraction holds, NaN made equal to itself."""
    found = {name: getattr(extraction, name) for name in Extraction.__dataclass_fields__}
    found["tokens"] = [
        tuple(str(value) if value != value else value for value in vars(token).values())
        for token in extraction.tokens
    ]
    found["passages"] = list(extraction.passages.items())  # their order too
    return found


@given(extractions())
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read(tmp_path: Path, extraction: Extraction) -> None:
    path = tmp_path / "fi.jsonl.gz"
    save_extraction(extraction, path)
    read = read_extraction(path)
    assert content(read) == content(extraction)
    assert saved_signature(path) == extraction.signature
    first = path.read_bytes()
    save_extraction(read, tmp_path / "again.jsonl.gz")
    assert (tmp_path / "again.jsonl.gz").read_bytes() == first


TOKENS = (
    Token(frozenset(["kä", "#ä"]), (0, 2), 0.25, "hand", "GEN 1:1", 1),
    Token(lemma="hand", key="GEN 1:2", place=0),
)
PASSAGES = {"GEN 1:1": (["a", "hand"], ["käsi", "on", "yksi"]), "GEN 1:2": (["hand"], ["ja"])}
SMALL = Extraction("en", "fi", "l", "{}", TOKENS, PASSAGES, 2)


@pytest.fixture
def lines(tmp_path: Path) -> list[dict[str, Any]]:
    save_extraction(SMALL, tmp_path / "fi.jsonl.gz")
    text = gzip.decompress((tmp_path / "fi.jsonl.gz").read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


def written(path: Path, lines: list[Any]) -> Path:
    text = "".join(
        (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)) + "\n"
        for line in lines
    )
    path.write_bytes(gzip.compress(text.encode()))
    return path


def test_a_file_is_what_the_docs_say(lines: list[dict[str, Any]]) -> None:
    assert lines == [
        {
            "tealeaves": "extraction", "version": 1, "source": "en", "target": "fi", "model": "l",
            "signature": "{}", "shared": 2, "passages": 2, "tokens": 2,
        },
        {"key": "GEN 1:1", "source": ["a", "hand"], "target": ["käsi", "on", "yksi"]},
        {"key": "GEN 1:2", "source": ["hand"], "target": ["ja"]},
        {
            "lemma": "hand", "key": "GEN 1:1", "place": 1, "expressions": ["#ä", "kä"],
            "words": [0, 2], "confidence": 0.25,
        },
        {
            "lemma": "hand", "key": "GEN 1:2", "place": 0, "expressions": [], "words": [],
            "confidence": None,
        },
    ]  # fmt: skip


def test_a_file_that_is_cut_says_so(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    whole = (tmp_path / "fi.jsonl.gz").read_bytes()
    for size in (0, 1, 15, len(whole) // 2, len(whole) - 9, len(whole) - 1):
        (tmp_path / "cut.jsonl.gz").write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"cut\.jsonl\.gz") as raised:
            read_extraction(tmp_path / "cut.jsonl.gz")
        assert "\n" not in str(raised.value)
    for kept in range(1, len(lines)):
        path = written(tmp_path / "short.jsonl.gz", lines[:kept])
        with pytest.raises(InputError, match="tokens, but its first line says 2; extract again"):
            read_extraction(path)
    with pytest.raises(InputError, match="3 tokens, but its first line says 2"):
        read_extraction(written(tmp_path / "long.jsonl.gz", [*lines, lines[-1]]))


@pytest.mark.parametrize(
    ("number", "change", "said"),
    [
        (
            0,
            {"version": 2},
            "extraction of version 2; this tealeaves reads extraction of version 1",
        ),
        (0, {"tealeaves": "topics"}, "topics of version 1; this"),
        (0, {"more": 1}, "not an extraction (`tealeaves lexicon extract` makes them)"),
        (0, {"tokens": "two"}, "not an extraction"),
        (1, {"key": 5}, ":2: Expected `str`, got `int` - at `$.key`"),
        (1, {"text": ""}, ":2: Object contains unknown field `text`"),
        (3, {"place": 2}, ":4: place 2, but 'GEN 1:1' has 2 words"),
        (3, {"place": -1}, ":4: place -1, but"),
        (3, {"words": [0, 3]}, ":4: word 3, but the target of 'GEN 1:1' has 3 words"),
        (3, {"words": [-1]}, ":4: word -1, but"),
        (3, {"key": "GEN 9:9"}, ":4: no passage 'GEN 9:9' stands above"),
        (4, {"expressions": "kä"}, ":5: Expected `array`, got `str`"),
        (4, {"expressions": [None]}, ":5: Expected `str`, got `null`"),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, lines: list[Any], number: int, change: dict[str, Any], said: str
) -> None:
    lines[number] |= change
    with pytest.raises(InputError) as raised:
        read_extraction(written(tmp_path / "bad.jsonl.gz", lines))
    assert said in str(raised.value)
    assert str(raised.value).startswith(f"{tmp_path / 'bad.jsonl.gz'}:")


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "1e999", "\x00", "[" * 100_000, '{"tealeaves": "extraction"}']
)
def test_what_is_no_extraction_is_refused(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "no.jsonl.gz", [text])
    with pytest.raises(InputError, match="not an extraction"):
        read_extraction(path)
    with pytest.raises(InputError, match="not an extraction"):
        saved_signature(path)


def test_nested_nonsense_below_the_header_is_an_error(tmp_path: Path, lines: list[Any]) -> None:
    lines[3] = "[" * 100_000
    with pytest.raises(InputError, match=r"bad\.jsonl\.gz:4: "):
        read_extraction(written(tmp_path / "bad.jsonl.gz", lines))


def test_tokens_without_passages_are_read(tmp_path: Path) -> None:
    path = tmp_path / "bare.jsonl.gz"
    save_extraction(Extraction("en", "fi", "l", "", TOKENS), path)
    assert [token.words for token in read_extraction(path).tokens] == [(0, 2), ()]


def test_folders_are_read_in_order_and_files_once(tmp_path: Path) -> None:
    for name in ("sv", "fi"):
        save_extraction(Extraction("en", name, "l", "", ()), tmp_path / f"{name}.jsonl.gz")
    (tmp_path / "readme.txt").write_text("no extraction")
    found = read_extractions([tmp_path, tmp_path / "fi.jsonl.gz"])
    assert [one.target for one in found] == ["fi", "sv"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: no extraction \(\*\.jsonl\.gz\) in this folder"):
        read_extractions([tmp_path / "empty"])
    with pytest.raises(InputError, match=r"none\.jsonl\.gz: no such file"):
        read_extractions([tmp_path / "none.jsonl.gz"])
