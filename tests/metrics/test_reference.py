"""A reference beside the corpus: its own texts, its own tokens."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tealeaves
from tealeaves import Topics, demo
from tealeaves.errors import InputError, TealeavesWarning
from tealeaves.evidence import Counts, Term, Unit, count_corpus, save_counts
from tealeaves.evidence.wording import Wording
from tealeaves.metrics import metric
from tealeaves.metrics.planning import count_requests
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

# written with capitals, as `tokens` leaves them
TOPICS = [["Cat", "Dog", "mice"], ["bread", "Soup", "Cat"]]
TEXTS = ["Cat Dog", "cat Dog", "Cat", "Dog Cat mice", "bread Soup"]
OWN = [2, 1]  # documents with "Cat" and "Dog" by `tokens`; with "bread" and "Soup"
WIKI = ["The cat, the dog.", "DOG; cat!", "Cat dog mice", "mouse", "Bread: soup", "soup", "dog's"]
BESIDE = [3, 1]  # by `words`
AS_WRITTEN = [0, 0]  # by `tokens`: cat, and dog. are others
DOCUMENTS = Unit()
Seen = list[Any]  # what the metric was given: evidence, wording, and what it asks for


@pytest.fixture(autouse=True)
def seen(flexible: Seen) -> Seen:
    return flexible


def score(reference: Any = None, corpus: Any = None, **given: Any) -> tealeaves.Scores:
    given = {"metrics": "flexible", **given}
    if corpus is not None:
        given.setdefault("tokens", "tokens")
    return tealeaves.score(TOPICS, corpus, reference=reference, **given)


def values(scores: tealeaves.Scores) -> list[float]:
    return [row.value for row in scores.topics if row.metric == "flexible"]


def sums(own: list[int], beside: list[int]) -> list[float]:
    return [a + 100 * b for a, b in zip(own, beside, strict=True)]


def counts_of(tokens: str = "words", spec: str = "flexible") -> list[Counts]:
    """Count as `tealeaves count` does."""
    pipeline = Pipeline.parse(tokens)
    wording = Wording(pipeline)
    wording.reference = wording
    requests = count_requests([Topics.of(TOPICS)], [metric(spec)], wording)
    return count_corpus(Corpus.of(WIKI), pipeline, requests)


def test_a_reference_has_tokens_of_its_own(seen: Seen) -> None:
    assert values(score(WIKI, TEXTS)) == sums(OWN, BESIDE)
    evidence, wording, asked = seen[-1]
    assert evidence.reference is not None
    assert wording.reference is not None
    assert (wording.tokens, wording.reference.tokens) == ("tokens", "words")
    counts = evidence.reference.counts(DOCUMENTS)
    assert counts.single(Term(("dog",))) == 4  # dog's are two tokens
    assert counts.single(Term(("mice",))) == 1
    assert counts.totals.documents == 7
    assert evidence.counts(DOCUMENTS).single(Term(("Dog",))) == 3
    assert asked.reference is not None
    assert evidence.reference.has(asked.reference)
    assert not evidence.has(asked.reference)  # of which the corpus was asked in other words


def test_a_reference_alone_is_enough() -> None:
    assert values(score(WIKI)) == sums([0, 0], BESIDE)


def test_the_tokens_of_a_reference_can_be_said() -> None:
    assert values(score(WIKI, TEXTS, reference_tokens="tokens")) == sums(OWN, AS_WRITTEN)
    lemmas = Pipeline.parse("words(lemmas=en)")
    assert values(score(WIKI, TEXTS, reference_tokens=lemmas)) == sums(OWN, BESIDE)


def test_lemmas_of_a_model_are_looked_for_as_written() -> None:
    """The model says that its words are lemmas; a reference is read as words all the same."""
    model = Topics.of([["mouse", "dog"]], tokens="words(lemmas=en)")
    texts, wiki = ["the mice and dogs", "a mouse"], ["a mouse, a dog", "mice and dogs", "mouse dog"]
    [value] = values(tealeaves.score(model, texts, "flexible", reference=wiki))
    assert value == 1 + 100 * 2
    [value] = values(
        tealeaves.score(model, texts, "flexible", reference=wiki, reference_tokens=model.tokens)
    )
    assert value == 1 + 100 * 3


def test_all_ways_to_give_a_reference_are_one(tmp_path: Path) -> None:
    whole, one, other = (tmp_path / name for name in ("wiki.txt", "one.txt", "other.txt"))
    whole.write_text("\n".join(WIKI))
    one.write_text("\n".join(WIKI[:3]))
    other.write_text("\n".join(WIKI[3:]))
    file = tmp_path / "wiki.counts"
    save_counts(counts_of(), file)
    ways = [
        *(WIKI, tuple(WIKI), iter(WIKI), Corpus.of(WIKI)),
        *(
            whole,
            str(whole),
            [whole],
            [str(one), str(other)],
            [one, other],
            Corpus.open(one, other),
        ),
        *(counts_of(), counts_of()[0], file, str(file), [str(file)]),
    ]
    for way in ways:
        assert values(score(way, TEXTS)) == sums(OWN, BESIDE)


def test_counts_know_their_tokens() -> None:
    assert values(score(counts_of("tokens"), TEXTS)) == sums(OWN, AS_WRITTEN)
    with pytest.raises(InputError, match="tokens of the reference were decided"):
        score(counts_of(), TEXTS, reference_tokens="words")


def test_own_counts_and_a_reference_go_together() -> None:
    requests = count_requests(
        [Topics.of(TOPICS)], [metric("flexible")], Wording(Pipeline.parse("tokens"))
    )
    counts = count_corpus(Corpus.of(TEXTS), Pipeline.parse("tokens"), requests)
    assert values(score(WIKI, counts=counts)) == sums(OWN, BESIDE)


def test_counts_of_a_reference_that_hold_nothing_of_use_are_refused() -> None:
    [fewer] = counts_of(spec="npmi@2")
    unread = (pytest.fail("the corpus was read") for _ in range(1))
    with pytest.raises(InputError, match=r"do not hold what .*\(document, window.* of the words"):
        score(fewer, unread)


def test_counts_of_a_reference_grant_what_they_hold(seen: Seen) -> None:
    scores = score(counts_of(spec="npmi"), TEXTS)
    assert values(scores) == sums(OWN, BESIDE)
    evidence, _, asked = seen[-1]
    assert evidence.reference.has(asked.reference)
    assert not evidence.reference.has(asked.reference_windows)
    lacking = "window(size=5)"
    assert scores.notes[0] == (
        f"not counted for these words in the counts of the reference, and left out: {lacking}"
    )
    assert not any("done without" in note for note in score(counts_of(), TEXTS).notes)


def test_numbers_do_not_depend_on_what_is_scored_beside(seen: Seen) -> None:
    beside = score(WIKI, TEXTS, metrics="npmi@10 c_v@10 flexible")
    assert values(beside) == sums(OWN, BESIDE)
    for name in ("npmi@10", "c_v@10"):
        assert beside.value("model", name) == score(corpus=TEXTS, metrics=name).value("model", name)


# ---------------------------------------------------------------------- what is said of it


def signature_of(scores: tealeaves.Scores) -> str:
    [row] = scores.models
    return row.signature


def test_signatures_can_name_the_reference() -> None:
    first, other = score(WIKI, TEXTS), score([*WIKI, "dog"], TEXTS)
    signature = signature_of(first)
    [counts] = [one for one in counts_of() if one.unit == DOCUMENTS]
    assert f"|reference({counts.provenance})|" in signature
    assert signature_of(score(counts_of(), TEXTS)) == signature
    assert signature_of(other) != signature
    assert "reference" not in signature_of(score(corpus=TEXTS))


def test_notes_tell_the_reference_from_the_corpus() -> None:
    notes = score(WIKI[:3], TEXTS).notes
    assert "the corpus has only 5 texts: the numbers are rough" in notes
    assert "the reference has only 3 texts: the numbers are rough" in notes
    assert "model: not in the reference: bread, Soup" in notes
    assert not any("reference" in note for note in score(corpus=TEXTS).notes)
    many = ["Cat dog mice bread soup"] * 50
    assert not any("reference" in note for note in score(many, TEXTS).notes)


def test_notes_are_of_the_words_that_were_looked_for() -> None:
    notes = score(["cat"] * 50, TEXTS, metrics="flexible@2").notes
    assert "model: not in the reference: Dog, bread, Soup" in notes
    notes = score(["horses"] * 50, TEXTS, reference_tokens="words(min_length=5)").notes
    assert "model: not in the reference: bread" in notes
    assert "model: removed by the tokens of the reference: Cat, Dog, mice, Soup" in notes
    notes = score(
        ["bread"] * 50, TEXTS, reference_tokens="words(min_length=4)", metrics="flexible@1"
    ).notes
    assert "model: removed by the tokens of the reference: Cat" in notes


def test_nothing_is_warned_of_words_that_are_one_in_the_reference() -> None:
    """To `words` US is us; in the corpus, by `tokens`, it is not."""
    topics, texts = [["US", "us", "we"]], ["US us"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tealeaves.score(topics, texts, "flexible", tokens="tokens", reference=["us we"])
    with pytest.warns(TealeavesWarning, match="'US' and 'us' are the same word in this text"):
        tealeaves.score(topics, texts, "flexible", tokens="words", reference=["us we"])


# ---------------------------------------------------------------------- what is refused


def test_a_reference_of_no_use_is_refused() -> None:
    with pytest.raises(InputError, match=r"no use to npmi@10, c_v@10: ask .*flexible, or leave"):
        score(WIKI, TEXTS, metrics=None)


@pytest.mark.parametrize(
    ("reference", "given", "message"),
    [
        (None, {"reference_tokens": "words"}, "but no reference"),
        ({"en": WIKI}, {}, "give a reference in one"),
        ("wiki.counts.partial", {}, "wiki.counts.partial is unfinished"),
        (["one.counts", "other.counts"], {}, "one.counts: counts are a reference by themselves"),
        (["wiki.txt", "other.counts"], {}, "other.counts: counts are a reference by themselves"),
        ("no_such.counts", {}, "no_such.counts"),
        ("no_such.txt", {}, "no_such.txt"),
        (WIKI, {"reference_tokens": "wrods"}, "did you mean words"),
        (["", " "], {}, "the reference in memory: the corpus is empty"),
    ],
)
def test_what_cannot_be_is_refused(
    reference: Any,
    given: Mapping[str, Any],
    message: str,
    seen: Seen,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wiki.counts.partial").touch()
    with pytest.raises(InputError, match=message):
        score(reference, TEXTS, **given)
    assert seen == []


# ---------------------------------------------------------------------- texts of the corpus


def lines(texts: Sequence[str], path: Path) -> Path:
    path.write_text("\n".join(texts))
    return path


def jsonl(texts: Sequence[str], path: Path) -> Path:
    path.write_bytes(b"\n".join(msgspec.json.encode({"text": text}) for text in texts))
    return path


def refused(corpus: Any, reference: Any, **given: Any) -> str:
    with pytest.raises(InputError) as error:
        score(reference, corpus, **given)
    said = str(error.value)
    assert said.startswith("the reference holds texts of the corpus: give others (double counting:")
    assert "\n" not in said
    return said


def test_the_corpus_is_no_reference_of_itself(tmp_path: Path) -> None:
    """The same file, under another name or in another format, or the same texts in memory."""
    corpus = lines(TEXTS, tmp_path / "corpus.txt")
    renamed = lines(TEXTS, tmp_path / "wiki.txt")
    other = jsonl(TEXTS, tmp_path / "wiki.jsonl")
    files: list[Any] = [corpus, str(corpus), [corpus], Corpus.open(corpus), renamed]
    for reference in files:
        assert "documents 1-5 of source " in refused(corpus, reference)
    copies: list[Any] = [other, TEXTS, Corpus.of(TEXTS)]
    for reference in copies:
        assert "hold the same texts" in refused(corpus, reference)
    for same in (TEXTS, iter(TEXTS), Corpus.of(TEXTS)):
        refused(same, TEXTS)
        refused(TEXTS, other)


def test_other_tokens_make_no_other_texts(tmp_path: Path) -> None:
    corpus = lines(TEXTS, tmp_path / "corpus.txt")
    refused(corpus, corpus, tokens="tokens", reference_tokens="words(lemmas=en)")


def test_a_file_that_both_have_is_enough(tmp_path: Path) -> None:
    one, other = lines(TEXTS, tmp_path / "one.txt"), lines(WIKI, tmp_path / "other.txt")
    assert values(score(other, one)) == sums(OWN, BESIDE)
    refused(one, [one, other])
    refused(Corpus.open(one, other), other)


def test_counts_know_which_texts_they_are_of(tmp_path: Path) -> None:
    file = tmp_path / "wiki.counts"
    save_counts(counts_of(), file)
    for reference in (counts_of(), file, WIKI):
        refused(WIKI, reference)
        with pytest.raises(InputError, match="the reference holds texts of the corpus"):
            score(reference, counts=counts_of())
    assert values(score(counts_of(), TEXTS)) == sums(OWN, BESIDE)


def test_only_what_is_there_as_a_whole_is_known_for_the_same() -> None:
    """Documents are known by their source: some of the same texts in another list are not."""
    assert values(score(TEXTS[1:], TEXTS)) == sums(OWN, [2, 1])
    assert values(score([*TEXTS, "Dog"], TEXTS)) == sums(OWN, [3, 1])


def test_topics_in_several_languages_have_none() -> None:
    both = demo.multilingual_models()
    refused: list[dict[str, Any]] = [{"reference": WIKI}, {"reference_tokens": "words"}]
    for given in refused:
        with pytest.raises(InputError, match="for topics in one language, and these are in sever"):
            tealeaves.score(both, None, "twc@10", **given)


def test_compare_takes_a_reference() -> None:
    topics = [["Cat", "Dog"], ["bread", "Soup"], ["Cat", "mice"]]
    models = {"one": topics, "other": [list(reversed(topic)) for topic in topics]}
    found = tealeaves.compare(
        models, None, "flexible", reference=WIKI, reference_tokens="words", pairing="id", draws=10
    )
    assert {row.value for row in found.summary} == {100 * (3 + 1 + 1) / 3}
