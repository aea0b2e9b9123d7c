"""A run that was stopped goes on to the same bits, or says in one line why it cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tealeaves.errors import EvidenceError, InputError, TealeavesError
from tealeaves.evidence.attention import chunks, gathering
from tealeaves.evidence.attention.batch_relevance import batch_relevance
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.attention.gathering import gather_relevance
from tealeaves.evidence.attention.relevance import Relevance, add_parts
from tealeaves.evidence.requests import RelevanceRequest, Term
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

TOPICS = ["w0 w1 w2 w3", "w2 w3 w4s", "w5 w6"]


def texts(number: int = 220, seed: int = 0) -> list[str]:
    random = np.random.default_rng(seed)
    words = [f"w{n}" for n in range(12)]
    return [" ".join(random.choice(words, random.integers(1, 16))) for _ in range(number)]


def gather(
    classifier: Classifier,
    *,
    topics: Sequence[str] = TOPICS,
    improved: bool = False,
    corpus: Corpus | None = None,
    tokens: str = "tokens",
    **given: Any,
) -> Relevance:
    terms = [[Term((word,)) for word in topic.split()] for topic in topics]
    settings = {"budget": None, "head_sample": 20} | given
    return gather_relevance(
        Corpus.of(texts()) if corpus is None else corpus,
        Pipeline.parse(tokens),
        RelevanceRequest.of(terms, improved=improved),
        classifier=classifier,
        **settings,
    )


def stopped(classifier: Classifier, after: int = 1, **given: Any) -> Relevance:
    """Return what a run had saved that was stopped after so many chunks."""
    saved: list[Relevance] = []
    answers = iter([False] * (after - 1))
    passed: list[int] = []

    def stop() -> bool:
        if not passed:  # it is still choosing
            return False
        return next(answers, True)

    relevance = chunks.ChunkReader.relevance

    def counted(self: Any, chunk: Any, frame: Any) -> Relevance:
        passed.append(len(chunk))
        return relevance(self, chunk, frame)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks.ChunkReader, "relevance", counted)
        with pytest.raises(KeyboardInterrupt):
            gather(classifier, on_checkpoint=saved.append, checkpoint=1e9, stop=stop, **given)
    assert len(saved) == 1  # just when it is stopped
    assert saved[0].totals.used == 64 * after
    return saved[0]


@pytest.fixture(scope="module")
def tiny(tiny_classifier: Callable[..., Classifier]) -> Classifier:
    return tiny_classifier()


@pytest.fixture
def through(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Tell how many texts went through the network, batch by batch."""
    sizes: list[int] = []
    run = batch_relevance

    def counted(network: Any, batch: Any, chosen: Any, **given: Any) -> Any:
        sizes.append(len(chosen))
        return run(network, batch, chosen, **given)

    monkeypatch.setattr(chunks, "batch_relevance", counted)
    return sizes


@pytest.mark.parametrize("budget", [None, 150])
@pytest.mark.parametrize("after", [1, 2])
def test_it_goes_on_to_the_same_bits(
    tiny: Classifier, tmp_path: Path, budget: int | None, after: int, through: list[int]
) -> None:
    whole = gather(tiny, budget=budget, improved=True)
    part = stopped(tiny, after, budget=budget, improved=True)
    part.save(tmp_path / "partial")
    through.clear()
    found = gather(tiny, budget=budget, improved=True, resume=Relevance.load(tmp_path / "partial"))
    assert sum(through) == whole.totals.used - part.totals.used  # and none for the heads
    assert found == whole
    for name, one in (("found", found), ("whole", whole)):
        one.save(tmp_path / name)
    assert (tmp_path / "found").read_bytes() == (tmp_path / "whole").read_bytes()


def test_each_checkpoint_can_be_gone_on_with(tiny: Classifier) -> None:
    saved: list[Relevance] = []
    whole = gather(tiny, on_checkpoint=saved.append, checkpoint=0.0)
    assert [one.totals.used for one in saved] == [64, 128, whole.totals.used]
    assert gather(tiny) == whole  # saving changes nothing
    for one in saved:
        assert gather(tiny, resume=one) == whole


def test_what_is_whole_is_not_let_through_again(tiny: Classifier, through: list[int]) -> None:
    whole = gather(tiny)
    through.clear()
    assert gather(tiny, resume=whole) == whole
    assert not through


def test_stopped_while_texts_are_chosen_nothing_is_saved(
    tiny: Classifier, through: list[int]
) -> None:
    saved: list[Relevance] = []
    with pytest.raises(KeyboardInterrupt):
        gather(tiny, budget=50, stop=lambda: True, on_checkpoint=saved.append)
    assert not saved
    assert not through


def test_a_budget_that_draws_the_same_first_texts_goes_on(tiny: Classifier) -> None:
    part = stopped(tiny, budget=100)
    assert gather(tiny, budget=160, resume=part) == gather(tiny, budget=160)


OTHER: dict[str, tuple[dict[str, Any], str]] = {
    "seed": ({"seed": 1}, "of other texts: have they, the budget or the seed changed?"),
    "budget": ({"budget": 30}, "of other texts"),
    "no budget": ({"budget": None}, "of other texts"),
    "texts": ({"corpus": Corpus.of(texts(seed=9))}, "of other texts"),
    "fewer texts": ({"corpus": Corpus.of(texts()[:40])}, "of other texts"),
    "words": ({"topics": ["w0 w1", "w7 w8"]}, "different words cannot be added"),
    "improved": ({"improved": True}, "different improved cannot be added: True and False"),
    "detail": ({"by_head": False}, "in other detail, by head or only summed"),
    "sample": ({"head_sample": 19}, "heads .* were chosen from 20 texts, not from 19"),
    "tokens": (
        {"tokens": "tokens(min_tokens=2)"},
        "different pipeline cannot .* and tokens",
    ),
}


@pytest.fixture(scope="module")
def part(tiny: Classifier) -> Relevance:
    return stopped(tiny, budget=100)


@pytest.mark.parametrize(("given", "told"), OTHER.values(), ids=list(OTHER))
def test_other_things_are_not_gone_on_with(
    tiny: Classifier, part: Relevance, through: list[int], given: dict[str, Any], told: str
) -> None:
    with pytest.raises(EvidenceError, match=told) as caught:
        gather(tiny, **{"budget": 100, **given}, resume=part)
    assert "\n" not in str(caught.value)
    assert not through  # before the network has taken its time


def test_another_classifier_does_not_go_on(
    tiny_classifier: Callable[..., Classifier], part: Relevance
) -> None:
    for changed in ({"seed": 1}, {"longest": 20}):
        with pytest.raises(EvidenceError, match=r"relevance of different (weights|longest)"):
            gather(tiny_classifier(**changed), budget=100, resume=part)


def test_other_masks_are_not_gone_on_with(
    tiny_classifier: Callable[..., Classifier], through: list[int]
) -> None:
    masked = tiny_classifier(masked=True)
    done = stopped(masked, seed=3)
    through.clear()
    with pytest.raises(EvidenceError, match="relevance of different seed cannot be added: 4 and 3"):
        gather(masked, seed=4, resume=done)
    assert not through
    assert gather(masked, seed=3, resume=done) == gather(masked, seed=3)


def test_heads_of_another_do_not_go_on(tiny: Classifier, part: Relevance) -> None:
    other = gather(tiny, corpus=Corpus.of(texts(60, seed=4)))
    with pytest.raises(EvidenceError, match="the heads were fixed from different texts"):
        gather(tiny, budget=100, heads_of=other, resume=part)


def test_an_error_on_the_way_leaves_what_was_saved(
    tiny: Classifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[Relevance] = []
    run = batch_relevance

    def fails(network: Any, batch: Any, chosen: Any, **given: Any) -> Any:
        if saved:
            raise MemoryError
        return run(network, batch, chosen, **given)

    with monkeypatch.context() as patch:
        patch.setattr(chunks, "batch_relevance", fails)
        with pytest.raises(TealeavesError, match="too little memory"):
            gather(tiny, on_checkpoint=saved.append, checkpoint=0.0)
    [part] = saved
    assert gather(tiny, resume=part) == gather(tiny)


class Failing:
    """Chunks that fail from the third on."""

    def __init__(self, error: Exception) -> None:
        self.error, self.chunks = error, 0

    @property
    def called(self) -> Callable[..., Relevance]:
        relevance = chunks.ChunkReader.relevance

        def call(one: Any, chunk: Any, frame: Any) -> Relevance:
            self.chunks += 1
            if self.chunks == 3:
                raise self.error
            return relevance(one, chunk, frame)

        return call


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            InputError("too little memory"),
            "^too little memory; what was .* saved, --resume continues it$",
        ),
        (OSError(5, "Input/output error"), r"^\[Errno 5\] Input/output error$"),
        (RuntimeError("shapes do not fit"), "^shapes do not fit$"),
    ],
)
def test_what_is_done_is_saved_where_something_fails(
    tiny: Classifier, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    saved: list[Relevance] = []
    with monkeypatch.context() as patch:
        failing = Failing(error)
        patch.setattr(chunks.ChunkReader, "relevance", failing.called)
        with pytest.raises(type(error), match=told):
            gather(tiny, on_checkpoint=saved.append, checkpoint=1e9)
    [part] = saved
    assert part.totals.used == 128
    assert gather(tiny, resume=part) == gather(tiny)


def test_nothing_is_said_to_be_saved_that_is_not(
    tiny: Classifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Relevance] = []

    def full(done: Relevance) -> None:
        tried.append(done)
        raise OSError(28, "No space left on device")

    def failing(error: Exception, *, checkpoint: float = 1e9, saved: bool = True) -> None:
        with monkeypatch.context() as patch:
            fails = Failing(error)
            patch.setattr(chunks.ChunkReader, "relevance", fails.called)
            gather(tiny, on_checkpoint=full if saved else None, checkpoint=checkpoint)

    with pytest.raises(InputError, match=r"^no memory$"):
        failing(InputError("no memory"))
    assert len(tried) == 1
    with pytest.raises(InputError, match=r"^no memory$"):
        failing(InputError("no memory"), saved=False)
    with pytest.raises(OSError, match="No space left"):
        failing(InputError("never raised"), checkpoint=0.0)
    assert len(tried) == 2  # not tried again on a full disk
    with pytest.raises(EvidenceError, match=r"^of other texts$"):
        failing(EvidenceError("of other texts"))
    assert len(tried) == 2


@pytest.mark.parametrize("waiting", [1, 2, 3])
def test_chunks_that_are_joined_early_give_the_same_bits(
    tiny: Classifier, monkeypatch: pytest.MonkeyPatch, waiting: int
) -> None:
    monkeypatch.setattr(gathering, "_CHUNK", 16)
    whole = gather(tiny)
    joined: list[int] = []

    def counted(parts: Sequence[Relevance], fingerprint: Any) -> Relevance:
        joined.append(len(parts))
        return add_parts(parts, fingerprint)

    monkeypatch.setattr(gathering, "add_parts", counted)
    monkeypatch.setattr(gathering, "_PARTS", waiting)
    assert gather(tiny) == whole
    assert set(joined) == {waiting + 1}


def test_a_source_that_begins_as_another_does_is_no_copy(
    tiny: Classifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it is saved after two chunks, both sources have had the same texts."""
    monkeypatch.setattr(gathering, "_CHUNK", 2)
    some = ["w0 w1 w2", "w2 w3 w1", "w5 w6"]
    for name, number in (("one.txt", 2), ("two.txt", 3)):
        (tmp_path / name).write_text("\n".join(some[:number]))
    corpus = Corpus.open(tmp_path / "one.txt", tmp_path / "two.txt")
    saved: list[Relevance] = []
    whole = gather(tiny, corpus=corpus, on_checkpoint=saved.append, checkpoint=0.0)
    assert [one.totals.used for one in saved] == [2, 4, 5]
    assert whole.totals.used == 5
