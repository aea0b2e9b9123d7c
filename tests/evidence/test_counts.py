"""Counts: how they are looked up, added, joined, checked and saved."""

from __future__ import annotations

import gzip
import random
import zipfile
from pathlib import Path

import pytest

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence import (
    CountRequest,
    Counts,
    Term,
    Unit,
    count_corpus,
    load_counts,
    save_counts,
)
from tealeaves.text import Corpus, Pipeline

A, B, C, D = (Term((word,)) for word in "abcd")
CORPUS = Corpus.of(["a b c", "a b", "c d a", "", "b"])


def count(
    topics: list[list[Term]],
    corpus: Corpus = CORPUS,
    unit: Unit | None = None,
    tokens: str = "tokens",
    sets: list[list[Term]] | None = None,
) -> Counts:
    request = CountRequest.of(unit or Unit(), topics, sets or [])
    return count_corpus(corpus, Pipeline.parse(tokens), [request])[0]


def test_a_word_that_was_not_requested_is_an_error_and_not_a_zero() -> None:
    counts = count([[A, B], [C]])
    with pytest.raises(EvidenceError, match="do not contain the word 'd'"):
        counts.single(D)
    with pytest.raises(EvidenceError, match="'a' and 'c' were not counted together"):
        counts.pair(A, C)
    with pytest.raises(EvidenceError, match="not counted together"):
        counts.all_together((0, 1, 2))


def test_words_that_were_never_counted_have_no_count_together() -> None:
    x, y = Term(("x",)), Term(("y",))
    for pair in ((x, y), (A, x), (x, A)):
        with pytest.raises(EvidenceError, match="do not contain the word 'x'"):
            count([[A, B]]).pair(*pair)


def test_counts_of_a_paper_are_not_added_twice() -> None:
    paper = Counts.of({"a": 3, "b": 2}, {("a", "b"): 1}, units=5)
    with pytest.raises(EvidenceError, match="double counting"):
        paper + paper


@pytest.mark.parametrize(
    ("singles", "pairs", "message"),
    [
        ({"a": 6}, {}, "between 0 and all 5"),
        ({"a": 1, "b": 3}, {("a", "b"): 2}, "more often than one of them"),
        ({"a": 1, "b": 3}, {("a", "b"): -1}, "more often than one of them"),
        ({"a": 1.5}, {}, "whole numbers"),
        ({"a": 1, "b": 1}, {("a", "b"): 1, ("b", "a"): 1}, "both orders"),
        ({"a": 1}, {("a", "c"): 1}, "c, which is not in singles"),
    ],
)
def test_impossible_numbers_are_refused(
    singles: dict[str, int], pairs: dict[tuple[str, str], int], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Counts.of(singles, pairs, units=5)


def test_a_term_is_together_with_itself() -> None:
    counts = count([[A, B]])
    assert counts.pair(A, A) == counts.single(A) == 3


def test_the_same_text_twice_is_double_counting() -> None:
    counts = count([[A, B]])
    with pytest.raises(EvidenceError, match="double counting"):
        counts + counts
    with pytest.raises(EvidenceError, match="double counting: documents 2-3"):
        count([[A, B]], CORPUS[0:3]) + count([[A, B]], CORPUS[1:4])


def test_the_same_file_under_another_name_is_double_counting(tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("a b\nb\n", encoding="utf-8")
    one, two = (count([[A, B]], Corpus.open(tmp_path / f"{n}.txt")) for n in ("one", "two"))
    with pytest.raises(EvidenceError, match="double counting"):
        one + two


def test_a_copy_in_another_format_is_double_counting(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a b\nb\n")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"a b\nb\n"))
    one, two = (count([[A, B]], Corpus.open(tmp_path / n)) for n in ("a.txt", "b.txt.gz"))
    with pytest.raises(EvidenceError, match="hold the same texts"):
        one + two


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (lambda c: count([[A, B]], c, unit=Unit("window", 2)), "do not go together"),
        (lambda c: count([[A, B]], c, tokens="words"), "different token pipelines"),
        (lambda c: count([[A, C]], c), "different words"),
        (lambda c: count([[A, B]], c, sets=[[A, B, C]]), "different words"),
    ],
)
def test_different_counts_are_not_added(other, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(EvidenceError, match=message):
        count([[A, B]], CORPUS[:2]) + other(CORPUS[2:])


def test_more_words_of_the_same_text_join() -> None:
    both = count([[A, B]], sets=[[A, B, C]]) | count([[A, C], [D]])
    assert both == count([[A, B], [A, C], [D]], sets=[[A, B, C]])


def test_joining_is_idempotent_and_symmetric() -> None:
    one, two = count([[A, B]]), count([[B, C]])
    assert one | one == one
    assert one | two == two | one


def test_words_of_other_texts_do_not_join() -> None:
    with pytest.raises(EvidenceError, match="different texts"):
        count([[A, B]], CORPUS[:2]) | count([[A, C]], CORPUS[2:])


def test_disagreeing_counts_of_one_text_do_not_join() -> None:
    one, two = count([[A, B]]), count([[A, B]])
    two.singles[:] = 0
    for left, right in ((one, two), (two, one)):
        with pytest.raises(EvidenceError, match="disagree"):
            left | right


def test_a_sequence_is_a_term() -> None:
    new_york = Term(("new", "york"))
    corpus = Corpus.of(["new york is new", "york new", "in new york"])
    [counts] = count_corpus(
        corpus, Pipeline.parse("words"), [CountRequest.of(Unit(), [[new_york, A]])]
    )
    assert counts.single(new_york) == 2


def test_a_term_without_tokens_is_never_found() -> None:
    nothing = Term(())
    [counts] = count_corpus(
        CORPUS, Pipeline.parse("tokens"), [CountRequest.of(Unit(), [[nothing, A]])]
    )
    assert (counts.single(nothing), counts.pair(nothing, A)) == (0, 0)


def test_dropped_texts_are_read_but_not_counted() -> None:
    counts = count([[A, B]], tokens="tokens(min_tokens=2)")
    assert (counts.totals.documents, counts.totals.dropped, counts.totals.units) == (5, 2, 3)
    assert counts.fingerprint.documents == 5


def test_several_units_are_gathered_in_one_reading() -> None:
    requests = [
        CountRequest.of(u, [[A, B]]) for u in (Unit(), Unit("window", 2), Unit("context", 1))
    ]
    several = count_corpus(CORPUS, Pipeline.parse("tokens"), requests)
    assert [c == count([[A, B]], unit=c.unit) for c in several] == [True] * 3


# ---------------------------------------------------------------------- files


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "some.counts"
    counts = count([[A, B], [C, D]], sets=[[A, B, C]], tokens="tokens(min_tokens=1)")
    counts.save(path)
    return path


def test_a_file_gives_back_what_was_saved(saved: Path, tmp_path: Path) -> None:
    counts = Counts.load(saved)
    assert counts == count([[A, B], [C, D]], sets=[[A, B, C]], tokens="tokens(min_tokens=1)")
    counts.save(tmp_path / "again.counts")
    assert (tmp_path / "again.counts").read_bytes() == saved.read_bytes()


def test_the_header_can_be_read_by_anyone(saved: Path) -> None:
    header = zipfile.ZipFile(saved).read("header.json").decode()
    assert '"unit":"document"' in header
    assert "tokens(min_tokens=1)" in header
    assert '"documents":5' in header
    assert '"format":"tealeaves-counts"' in header


def test_every_changed_byte_is_noticed_or_harmless(saved: Path, tmp_path: Path) -> None:
    data = saved.read_bytes()
    original = Counts.load(saved)
    broken = tmp_path / "broken.counts"
    rng = random.Random(3)
    noticed = 0
    for place in rng.sample(range(len(data)), 150):
        broken.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        try:
            same = Counts.load(broken) == original
        except InputError:
            noticed += 1
        else:
            assert same, f"a change of byte {place} went unnoticed"
    assert noticed > 100


def test_a_file_cut_short_is_refused(saved: Path, tmp_path: Path) -> None:
    data = saved.read_bytes()
    for size in (0, 1, len(data) // 2, len(data) - 1):
        (tmp_path / "half.counts").write_bytes(data[:size])
        with pytest.raises(InputError, match=r"half\.counts"):
            load_counts(tmp_path / "half.counts")


def test_several_units_go_into_one_file(tmp_path: Path) -> None:
    counts = [count([[A, B]]), count([[A, B]], unit=Unit("window", 2))]
    save_counts(counts, tmp_path / "both.counts")
    assert load_counts(tmp_path / "both.counts") == counts
    with pytest.raises(EvidenceError, match="holds several units"):
        Counts.load(tmp_path / "both.counts")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InputError, match=r"nowhere\.counts: no such file"):
        load_counts("nowhere.counts")
