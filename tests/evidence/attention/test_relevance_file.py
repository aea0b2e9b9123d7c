"""Relevance in files: exact, the same bytes for the same content, and damage is noticed."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tealeaves.errors import InputError
from tealeaves.evidence.attention.heads import HeadStatistics
from tealeaves.evidence.attention.relevance import ARRAYS, Relevance, empty
from tealeaves.evidence.attention.relevance_file import load_relevance, save_relevance
from tealeaves.evidence.counts import Counts
from tealeaves.text.fingerprint import Fingerprint

Change = Callable[[Relevance], dict[str, Any]]


def _without_heads(toy: Relevance) -> Relevance:
    return replace(toy, attention=None, lrp=None, positive=None)


def _without_improved(toy: Relevance) -> Relevance:
    nan, stamp = np.array([0, 0, np.nan]), msgspec.structs.replace(toy.stamp, improved=False)
    return replace(toy, stamp=stamp, sums=toy.sums + nan, text_values=toy.text_values + nan)


def _of_many_positions(toy: Relevance, number: int) -> Relevance:
    """Add so many pairs of positions to each row, all of them in one more text."""
    rows = len(toy.rows)
    assert toy.positive is not None
    more = np.full(rows, number)
    return replace(
        toy,
        totals=msgspec.structs.replace(
            toy.totals, used=toy.totals.used + 1, documents=toy.totals.documents + 1
        ),
        together=toy.together + more,
        positive=toy.positive + number,
        text_starts=np.append(toy.text_starts, toy.text_starts[-1] + rows),
        text_rows=np.append(toy.text_rows, np.arange(rows)),
        text_values=np.concatenate([toy.text_values, np.zeros((rows, 3))]),
        text_together=np.append(toy.text_together, more),
        text_counted=np.append(toy.text_counted, 0 * more),
    )


@pytest.mark.parametrize(
    "change",
    [
        replace,
        _without_heads,
        _without_improved,
        lambda toy: replace(toy, pairs=None),
        lambda toy: empty(toy.frame),
        lambda toy: empty(toy.frame, by_head=False),
        lambda toy: replace(toy, lrp=toy.lrp / 3),
        lambda toy: _of_many_positions(toy, 70_000),
        lambda toy: _of_many_positions(toy, 2**40),
    ],
)
def test_round_trip(
    change: Callable[[Relevance], Relevance], toy: Relevance, tmp_path: Path
) -> None:
    relevance = change(toy)
    relevance.save(tmp_path / "toy.relevance")
    loaded = Relevance.load(tmp_path / "toy.relevance")
    assert loaded == relevance
    assert loaded.terms == relevance.terms
    assert loaded.provenance == relevance.provenance
    for name in ARRAYS:
        one, other = getattr(loaded, name), getattr(relevance, name)
        assert (one is None) == (other is None)
        assert one is None or one.dtype == other.dtype, name
    save_relevance(loaded, tmp_path / "again.relevance")
    first, again = (tmp_path / f"{name}.relevance" for name in ("toy", "again"))
    assert first.read_bytes() == again.read_bytes()


def test_what_was_loaded_adds(
    toy: Relevance, gather_toy: Any, draw_texts: Any, tmp_path: Path
) -> None:
    rest = gather_toy(toy.frame, draw_texts(1), 6)
    save_relevance(toy, tmp_path / "toy.relevance")
    loaded = load_relevance(tmp_path / "toy.relevance")
    assert loaded + rest == toy + rest


def test_counts_take_few_bytes(toy: Relevance, tmp_path: Path) -> None:
    save_relevance(toy, tmp_path / "toy.relevance")
    with zipfile.ZipFile(tmp_path / "toy.relevance") as file:
        positive = file.read("positive.npy")
    assert toy.positive is not None
    assert len(positive) == 128 + toy.positive.size  # a head of 128 bytes, then one byte each


# ---------------------------------------------------------------------- damage


@pytest.fixture(scope="module")
def stored(toy: Relevance, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a file."""
    path = tmp_path_factory.mktemp("stored") / "toy.relevance"
    save_relevance(toy, path)
    return path.read_bytes()


def _refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_relevance(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_changed_byte_is_refused_or_means_nothing(
    data: st.DataObject, stored: bytes, toy: Relevance, tmp_path: Path
) -> None:
    place = data.draw(st.integers(0, len(stored) - 1))
    changed = bytearray(stored)
    changed[place] ^= data.draw(st.integers(1, 255))
    path = tmp_path / "changed.relevance"
    path.write_bytes(changed)
    try:
        loaded = load_relevance(path)
    except InputError:
        return
    assert loaded == toy  # a date of the archive was changed, say


def test_a_changed_number_is_refused(stored: bytes, toy: Relevance, tmp_path: Path) -> None:
    place = stored.index(toy.sums.tobytes())
    path = tmp_path / "changed.relevance"
    path.write_bytes(stored[:place] + b"\x01" + stored[place + 1 :])
    assert "not a complete file of relevance" in _refused(path)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_cut_file_is_refused(share: float, stored: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cut.relevance"
    path.write_bytes(stored[: int(share * len(stored))])
    assert "not a complete file of relevance" in _refused(path)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    assert "no such file" in _refused(tmp_path / "missing.relevance")
    assert "directory" in _refused(tmp_path).lower()
    text = tmp_path / "text.relevance"
    text.write_text("a text")
    assert "not a complete file of relevance" in _refused(text)
    counts = tmp_path / "texts.counts"
    Counts.of({"a": 1, "b": 1}, {("a", "b"): 1}, units=2).save(counts)
    _refused(counts)


def _rewritten(stored: bytes, path: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    source = path / "source.relevance"
    source.write_bytes(stored)
    with zipfile.ZipFile(source) as file:
        members = {name: file.read(name) for name in file.namelist()}
    change(members)
    with zipfile.ZipFile(path / "rewritten.relevance", "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path / "rewritten.relevance"


def test_another_version_is_refused(stored: bytes, tmp_path: Path) -> None:
    def change(members: dict[str, bytes]) -> None:
        members["header.json"] = members["header.json"].replace(b'"version":2', b'"version":99')

    message = _refused(_rewritten(stored, tmp_path, change))
    assert "file version 99" in message
    assert "reads version 2" in message


def test_changed_members_are_refused(stored: bytes, tmp_path: Path) -> None:
    def change(members: dict[str, bytes]) -> None:
        members["lrp.npy"] = members["attention.npy"]

    assert "the checksum is wrong" in _refused(_rewritten(stored, tmp_path, change))


def test_a_file_without_its_header_is_refused(stored: bytes, tmp_path: Path) -> None:
    def change(members: dict[str, bytes]) -> None:
        del members["header.json"]

    assert "not a complete file of relevance" in _refused(_rewritten(stored, tmp_path, change))


# ---------------------------------------------------------------------- content that cannot be


def _put(name: str, place: Any, value: float) -> Change:
    """Change one number of an array."""

    def change(toy: Relevance) -> dict[str, Any]:
        array = getattr(toy, name).copy()
        array[place] = value
        return {name: array}

    return change


def _used(number: int) -> Change:
    return lambda toy: {"totals": msgspec.structs.replace(toy.totals, used=number)}


def _totals(**numbers: int) -> Change:
    return lambda toy: {"totals": msgspec.structs.replace(toy.totals, **numbers)}


def _statistics(toy: Relevance, confidence: float, relevance: float) -> HeadStatistics:
    ones = np.ones_like(toy.sample.confidence)
    return HeadStatistics(2, confidence * ones, relevance * ones)


WRONG: list[tuple[Change, str]] = [
    (lambda toy: {"rows": toy.rows[::-1]}, "the rows are not sorted"),
    (lambda toy: {"rows": toy.rows[:-1]}, "together has the wrong size"),
    (lambda toy: {"rows": toy.rows + 2}, "rows name unknown words"),
    (lambda toy: {"lrp": toy.lrp[:, :1]}, "lrp has the wrong size"),  # type: ignore[index]
    (lambda _: {"lrp": None}, "there is no array lrp"),
    (lambda toy: {"lrp": toy.positive}, "lrp holds uint8"),
    (lambda toy: {"together": toy.sums[:, 0]}, "together holds float64"),
    (lambda toy: {"sums": toy.sums[:, :2]}, "sums has the wrong size"),
    (lambda toy: {"terms": toy.terms[::-1]}, "the terms are not sorted"),
    (lambda toy: {"terms": toy.terms[:3]}, "a pair of unknown words is asked for"),
    (lambda toy: {"pairs": toy.pairs[::-1]}, "asked pairs are not sorted"),  # type: ignore[index]
    (lambda toy: {"pairs": toy.pairs[:, ::-1]}, "pair is not in order"),  # type: ignore[index]
    (lambda toy: {"pairs": toy.pairs[1:]}, "not asked for together"),  # type: ignore[index]
    (lambda toy: {"text_rows": toy.text_rows + 5}, "a text has an unknown row"),
    (_put("text_rows", 1, 0), "the rows of a text are not sorted"),
    (_put("text_starts", 1, 10**6), "the texts do not fit their rows"),
    (_put("text_starts", -1, 0), "the texts do not fit their rows"),
    (_used(5), "text_starts has the wrong size"),
    (_used(-1), "a negative number of texts"),
    (lambda toy: {"together": toy.together + 1}, "do not add up to together"),
    (lambda toy: {"counted": 0 * toy.counted}, "do not add up to counted"),
    (_put("positive", (0, 0, 0), -1), "positive has a negative number"),
    (_put("positive", (0, 0, 0), 10**6), "positive has more pairs of positions than there are"),
    (_put("text_counted", 0, 10**6), "text_counted has more pairs of positions"),
    (_put("counted", 0, 10**6), "counted has more pairs of positions"),
    (_put("attention", (0, 0, 0), -0.5), "attention is negative"),
    (_put("attention", (0, 0, 0), np.nan), "attention has a number that is not finite"),
    (_put("lrp", (0, 0, 0), np.inf), "lrp has a number that is not finite"),
    (_put("sums", (0, 1), np.nan), "sums has a number that is not finite"),
    (_put("sums", (0, 2), np.nan), "sums has a number that is not finite"),
    (_put("text_values", (0, 2), np.inf), "text_values has a number that is not finite"),
    (_put("text_values", (0, 0), -1.0), "text_values has a negative attention"),
    (_put("sums", (0, 1), 1000.0), "the texts do not add up to sums"),
    (lambda toy: {"sample": _statistics(toy, 0, np.nan)}, "statistics have a number that is not"),
    (lambda toy: {"statistics": _statistics(toy, -1.0, 0)}, "a negative confidence"),
    (_totals(documents=3), "the fates of the texts do not add up to all texts"),
    (_totals(cut=100), "more texts are cut, undecided or unlabelled"),
    (_totals(undecided=-1), "a negative number of texts"),
    (lambda toy: {"fingerprint": Fingerprint({"s": ((3, 1),)}, {"s": 1})}, "of no documents"),
    (lambda toy: {"fixed": replace(toy.fixed, confident=np.array([0, 3]))}, "no such confident"),
    (lambda toy: {"fixed": replace(toy.fixed, confident=np.array([-1, 0]))}, "no such confident"),
    (lambda toy: {"fixed": replace(toy.fixed, confident=np.array([0]))}, "confident heads"),
    (lambda toy: {"fixed": replace(toy.fixed, important=np.ones(3, dtype=bool))}, "important"),
    (lambda toy: {"sample": replace(toy.sample, texts=-1)}, "a negative number of texts"),
    (lambda toy: {"statistics": replace(toy.sample, confidence=np.ones(3))}, "wrong size"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_content_that_does_not_fit_is_refused(
    change: Change, message: str, toy: Relevance, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.relevance"
    save_relevance(replace(toy, **change(toy)), path)
    found = _refused(path)
    assert "the relevance does not fit together" in found
    assert message in found
