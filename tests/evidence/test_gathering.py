"""Gathering: checkpoints and resuming are additions."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence import Counts, Request, Term, Unit, gather
from tealeaves.text import Corpus, Document, Pipeline, blocks

TOKENS = Pipeline.parse("tokens")
A, B = Term(("a",)), Term(("b",))
REQUESTS = [Request.of(Unit(), [[A, B]]), Request.of(Unit("window", 2), [[A, B]])]
CORPUS = Corpus.of([["a", "b", "c"][i % 3 :] + ["a"] * (i % 2) for i in range(50)])


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK_TEXTS", 4)


@pytest.mark.usefixtures("small_blocks")
def test_every_checkpoint_can_be_resumed_to_the_same_end() -> None:
    whole = gather(CORPUS, TOKENS, REQUESTS)
    saved: list[list[Counts]] = []
    gather(CORPUS, TOKENS, REQUESTS, checkpoint=saved.append, every=0.0)
    assert len(saved) == 13
    assert [one[0].totals.documents for one in saved[:3]] == [4, 8, 12]
    for unfinished in saved:
        assert gather(CORPUS, TOKENS, REQUESTS, resume=unfinished) == whole


@pytest.mark.usefixtures("small_blocks")
def test_checkpoints_do_not_change_as_counting_goes_on() -> None:
    saved: list[list[Counts]] = []
    gather(CORPUS, TOKENS, REQUESTS, checkpoint=saved.append, every=0.0)
    again = gather(CORPUS[:4], TOKENS, REQUESTS)
    assert saved[0] == again


@pytest.mark.usefixtures("small_blocks")
def test_a_count_that_is_told_to_stop_saves_all_that_is_done() -> None:
    saved: list[list[Counts]] = []
    answers = iter([False, False, True])
    with pytest.raises(KeyboardInterrupt):
        gather(
            CORPUS, TOKENS, REQUESTS, checkpoint=saved.append, every=1e9, stop=lambda: next(answers)
        )
    [last] = saved
    assert last[0].totals.documents == 12
    assert gather(CORPUS, TOKENS, REQUESTS, resume=last) == gather(CORPUS, TOKENS, REQUESTS)


def test_block_size_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = gather(CORPUS, TOKENS, REQUESTS)
    for size in (1, 3, 50):
        monkeypatch.setattr(blocks, "BLOCK_TEXTS", size)
        assert gather(CORPUS, TOKENS, REQUESTS) == whole


def test_only_the_same_count_is_resumed() -> None:
    unfinished = gather(CORPUS[:10], TOKENS, REQUESTS)
    with pytest.raises(EvidenceError, match="other tokens"):
        gather(CORPUS, Pipeline.parse("words"), REQUESTS, resume=unfinished)
    with pytest.raises(EvidenceError, match="other words"):
        gather(CORPUS, TOKENS, [Request.of(Unit(), [[A]])], resume=unfinished)
    with pytest.raises(EvidenceError, match="other words, metrics or windows"):
        gather(CORPUS, TOKENS, [Request.of(Unit("window", 9), [[A, B]])], resume=unfinished)


def test_texts_that_changed_are_not_resumed() -> None:
    unfinished = gather(CORPUS[:10], TOKENS, REQUESTS)
    changed = Corpus.of([*(document.text for document in CORPUS), "one more"])
    with pytest.raises(EvidenceError, match="have they changed"):
        gather(changed, TOKENS, REQUESTS, resume=unfinished)


def test_resuming_a_finished_count_changes_nothing() -> None:
    whole = gather(CORPUS, TOKENS, REQUESTS)
    assert gather(CORPUS, TOKENS, REQUESTS, resume=whole) == whole


def test_texts_of_the_same_place_that_changed_are_not_resumed() -> None:
    documents = list(CORPUS)
    unfinished = gather(Corpus.of(documents[:10]), TOKENS, REQUESTS)
    first = documents[0]
    changed = Document("other", first.id, "", "", first.source, first.position)
    with pytest.raises(EvidenceError, match="have they changed"):
        gather(Corpus.of([changed, *documents[1:]]), TOKENS, REQUESTS, resume=unfinished)


def test_many_sources_take_linear_time() -> None:
    documents = [Document("a b", source=f"s{number}") for number in range(20_000)]
    start = time.process_time()
    gather(Corpus.of(documents), TOKENS, REQUESTS)
    assert time.process_time() - start < 5


def test_double_counting_names_the_file(tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("a b\nb\n")
    corpus = Corpus.open(tmp_path / "one.txt", tmp_path / "two.txt")
    with pytest.raises(EvidenceError, match=r"of .*one\.txt = .*two\.txt are there twice"):
        gather(corpus, TOKENS, REQUESTS)


def test_words_of_two_languages_are_not_looked_for_in_one_text() -> None:
    words = [Term(("die",), "de"), Term(("die",), "en")]
    with pytest.raises(InputError, match="several languages"):
        gather(CORPUS, TOKENS, [Request.of(Unit(), [words])])


def test_an_empty_part_counts_nothing() -> None:
    [counts, _] = gather(CORPUS[3:3], TOKENS, REQUESTS)
    assert counts.totals.documents == counts.totals.units == 0
