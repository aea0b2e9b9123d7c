"""Metrics of relevance: memory, files and classifiers, notes, errors, and speed."""

from __future__ import annotations

import math
import pickle
import sys
import types
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import Topics, demo
from tealeaves.errors import EvidenceError, InputError
from tealeaves.evidence.attention import Relevance
from tealeaves.evidence.attention.classifiers.classifier import Classifier
from tealeaves.evidence.evidence import Evidence
from tealeaves.metrics import metric, read_scores
from tealeaves.text.fingerprint import Fingerprint

from ...calls import call_growth, count_calls  # noqa: TID252

FIVE = "attention_sum lrp_sum improved_lrp_sum relevance_count cooccurrence"
TEXTS = ["cat dog bird", "dog cat cat", "bird song", "soup bread", "song dog soup"]
WORDS = ["cat", "dog", "bird", "song", "soup", "bread"]
TOPICS = [["cat", "dog", "bird"], ["soup", "bread", "song"]]
LOOK = "look at cooccurrence too"


class UnreadableCorpus:
    """A corpus that must not be read."""

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("the corpus was read")


@pytest.fixture(scope="module")
def toy(maker: Any) -> Relevance:
    relevance: Relevance = maker.of_tokens([text.split() for text in TEXTS], WORDS)
    return relevance


def values_and_errors(scores: Any) -> list[tuple[float, float, float | None]]:
    return [(row.value, row.support, row.error) for row in scores]


# ---------------------------------------------------------------------- where it comes from


def test_from_memory_and_from_a_file(toy: Relevance, tmp_path: Path) -> None:
    path = tmp_path / "toy.relevance"
    toy.save(path)
    other = path.rename(tmp_path / "any.name")
    toy.save(path)
    held = tealeaves.score(TOPICS, None, FIVE, relevance=toy)
    for place in (path, str(path), other):
        assert values_and_errors(
            tealeaves.score(TOPICS, None, FIVE, relevance=place)
        ) == values_and_errors(held)
    assert values_and_errors(
        tealeaves.score(TOPICS, UnreadableCorpus(), FIVE, relevance=toy)
    ) == values_and_errors(held)
    with pytest.raises(InputError, match=r"none\.relevance"):
        tealeaves.score(TOPICS, None, FIVE, relevance=tmp_path / "none.relevance")


def test_signatures_name_the_classifier_the_tokens_and_the_texts(toy: Relevance) -> None:
    [row] = tealeaves.score(TOPICS, None, "lrp_sum@3", relevance=toy).models
    assert row.signature.startswith(
        "lrp_sum(heads=important, of=sample, reduction=sum)@3|classifier=toy#0123456789abcdef|"
    )
    assert f"texts={toy.fingerprint}" in row.signature
    assert toy.stamp.pipeline.signature in row.signature


def test_words_are_looked_for_with_the_tokens_of_the_relevance(maker: Any) -> None:
    tokens = [["cat", "dog"], ["dog", "bird", "cat"]]
    lower = maker.of_tokens(tokens, WORDS, pipeline="words")
    upper = [["Cat", "DOG"]]
    assert tealeaves.score(upper, None, "cooccurrence", relevance=lower).value(
        "model", "cooccurrence"
    ) == pytest.approx(4)
    as_they_are = maker.of_tokens(tokens, WORDS)
    with pytest.raises(InputError, match="not gathered for 'Cat', 'DOG'"):
        tealeaves.score(upper, None, "cooccurrence", relevance=as_they_are)
    # a corpus is read with the same tokens
    both = tealeaves.score(upper, ["CAT dog", "cat Dog", "soup"], "npmi lrp_sum", relevance=lower)
    assert both.value("model", "npmi") == pytest.approx(1.0)


def test_other_tokens_are_refused(toy: Relevance) -> None:
    with pytest.raises(InputError, match="gathered with the tokens tokens, the tokens asked for"):
        tealeaves.score(TOPICS, TEXTS, "lrp_sum npmi", relevance=toy, tokens="words")
    assert tealeaves.score(TOPICS, TEXTS, "lrp_sum npmi", relevance=toy, tokens="tokens")


def test_counts_and_relevance(toy: Relevance, maker: Any) -> None:
    from tealeaves.evidence.counting.corpus import count_corpus
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.planning import count_requests
    from tealeaves.text.corpus import Corpus
    from tealeaves.text.pipeline import Pipeline

    pipeline = Pipeline.parse("tokens")
    requests = count_requests([Topics.of(TOPICS)], [metric("npmi")], Wording(pipeline))
    counts = count_corpus(Corpus.of(TEXTS), pipeline, requests)
    scores = tealeaves.score(TOPICS, None, "npmi lrp_sum", counts=counts, relevance=toy)
    alone = tealeaves.score(TOPICS, None, "lrp_sum", relevance=toy)
    assert scores.value("model", "lrp_sum") == alone.value("model", "lrp_sum")
    assert not math.isnan(scores.value("model", "npmi"))
    other = maker.of_tokens([text.split() for text in TEXTS], WORDS, pipeline="words")
    with pytest.raises(InputError, match="gathered with the tokens words, the counts with tokens"):
        tealeaves.score(TOPICS, None, "npmi lrp_sum", counts=counts, relevance=other)
    with pytest.raises(InputError, match=r"lrp_sum needs texts: .*, which a classifier reads"):
        tealeaves.score(TOPICS, None, "npmi lrp_sum", counts=counts)


def test_without_texts_and_relevance_there_is_nothing_to_score() -> None:
    with pytest.raises(InputError, match=r"give a corpus .*, or relevance"):
        tealeaves.score(TOPICS, None, "lrp_sum")
    with pytest.raises(EvidenceError, match="there is no relevance"):
        _ = Evidence().relevance


def test_words_and_pairs_that_were_not_gathered(toy: Relevance, maker: Any) -> None:
    remedy = r": gather relevance for these topics \(`tealeaves relevance gather`\)$"
    with pytest.raises(InputError, match="not gathered for 'ape', 'fox'" + remedy):
        tealeaves.score([["cat", "ape", "fox"]], None, "lrp_sum", relevance=toy)
    words = [f"x{number}" for number in range(8)]
    with pytest.raises(InputError, match="'x0', 'x1', 'x2', 'x3', 'x4' and 3 more" + remedy):
        tealeaves.score([words], None, "lrp_sum", relevance=toy)
    some = maker.of_tokens(
        [text.split() for text in TEXTS], WORDS, pairs=[("cat", "dog"), ("bird", "dog")]
    )
    with pytest.raises(InputError, match="not gathered for 'bird and cat'" + remedy):
        tealeaves.score([["dog", "cat", "bird"]], None, "lrp_sum", relevance=some)
    # the gathered pairs have the same values as among all pairs
    for topic in (["cat", "dog"], ["dog", "bird"]):
        one, other = (
            tealeaves.score([topic], None, FIVE, relevance=given) for given in (some, toy)
        )
        assert values_and_errors(one) == values_and_errors(other)


def test_a_classifier_reads_the_texts_once_for_all_metrics(
    toy: Relevance, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Any] = []

    def gather_relevance(corpus: Any, pipeline: Any, request: Any, **given: Any) -> Relevance:
        calls.append((len(list(corpus)), repr(pipeline), request, given))
        return toy

    fake = types.ModuleType("tealeaves.evidence.attention.gathering")
    fake.gather_relevance = gather_relevance  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, fake.__name__, fake)
    once = (text for text in TEXTS)  # texts that can be read only once
    scores = tealeaves.score(TOPICS, once, "npmi lrp_sum@2 cooccurrence", tokens="tokens")
    [(texts, pipeline, request, given)] = calls
    assert (texts, pipeline, given) == (5, "tokens", {"classifier": None, "progress": False})
    assert {str(term) for term in request.terms} == set(WORDS)
    assert len(request.pairs) == 6
    assert not math.isnan(scores.value("model", "npmi"))
    classifier = object()
    opened: list[Any] = []

    def open_it(name: str) -> object:
        opened.append(name)
        return classifier

    monkeypatch.setattr(Classifier, "open", open_it)
    for given in (classifier, "some/classifier"):
        tealeaves.score(TOPICS, TEXTS, "lrp_sum@2", tokens="tokens", relevance=given)
        assert calls[-1][3]["classifier"] is classifier
    assert opened == [classifier, "some/classifier"]  # a classifier is returned as it is
    assert len(calls[1][2].pairs) == 2
    tealeaves.score(TOPICS, TEXTS, "npmi", tokens="tokens")
    assert len(calls) == 3


# ---------------------------------------------------------------------- what is said


def test_a_note_recommends_the_control(toy: Relevance) -> None:
    for name in FIVE.split()[:4]:
        notes = tealeaves.score(TOPICS, None, name, relevance=toy).notes
        assert sum(note.startswith(LOOK) for note in notes) == 1
        notes = tealeaves.score(TOPICS, None, [name, "cooccurrence@2"], relevance=toy).notes
        assert not any(note.startswith(LOOK) for note in notes)
    notes = tealeaves.score(TOPICS, None, "cooccurrence", relevance=toy).notes
    assert not any(note.startswith(LOOK) for note in notes)


def test_one_note_says_what_was_read(toy: Relevance, maker: Any) -> None:
    notes = tealeaves.score(TOPICS, None, FIVE, relevance=toy).notes
    assert notes == ["relevance: toy read 5 texts: the numbers are rough"]
    texts = [text.split() for text in TEXTS] * 12
    drawn = maker.of_tokens(texts, WORDS, left=40, cut=1)
    notes = tealeaves.score(TOPICS, None, FIVE, relevance=drawn).notes
    assert notes == [
        "relevance: toy read 60 texts, drawn at random, and left 40; 1 text cut at 16 word pieces"
    ]


def test_topics_without_two_words_in_a_text(toy: Relevance) -> None:
    topics = [["cat", "dog"], ["cat", "bread"], ["bird", "soup"], ["cat"]]
    scores = tealeaves.score(topics, None, "lrp_sum cooccurrence", relevance=toy)
    rows = scores.topics.rows
    assert [math.isnan(row.value) for row in rows] == [False] * 2 + [True] * 6
    assert all((row.support == 0) == math.isnan(row.value) for row in rows)
    assert (
        "model: 3 of 4 topics have no lrp_sum, cooccurrence, because no text that was read holds "
        "two of its words: 1, 2, 3" in scores.notes
    )
    with pytest.raises(InputError, match=r"^lrp_sum@2 cannot be computed: none of the 5 texts"):
        tealeaves.score(topics[1:], None, "lrp_sum@2", relevance=toy)


@pytest.mark.parametrize("name", FIVE.split())
def test_one_word_cannot_be_compared(toy: Relevance, name: str) -> None:
    with pytest.raises(InputError, match=rf"^{name}@1 cannot .* two words or more: take @2 or"):
        tealeaves.score(TOPICS, None, f"{name}@1", relevance=toy)
    models = {"words": [["cat"], ["dog"]], "pairs": [["cat", "dog"]]}
    scores = tealeaves.score(models, None, name, relevance=toy)
    assert f"words: no {name}: it compares two words or more, and no topic has two" in scores.notes
    assert not math.isnan(scores.value("pairs", name))


def test_a_note_on_relevance_of_other_texts(toy: Relevance) -> None:
    from tealeaves.text.corpus import Corpus

    said = "relevance is of other texts than those that were counted"
    beside = tealeaves.score(TOPICS, TEXTS, "npmi lrp_sum cooccurrence", relevance=toy)
    assert sum(note.startswith(said) for note in beside.notes) == 1
    # nothing is counted
    alone = tealeaves.score(TOPICS, TEXTS, "lrp_sum", relevance=toy)
    assert not any(note.startswith(said) for note in alone.notes)
    # a part of the same source, drawn by a budget
    [source] = Corpus.of(TEXTS).identities
    same = replace(toy, fingerprint=Fingerprint.of(source, 1, TEXTS[1:4]))
    for metrics in ("npmi lrp_sum", "lrp_sum npmi"):
        notes = tealeaves.score(TOPICS, Corpus.of(TEXTS), metrics, relevance=same).notes
        assert not any(note.startswith(said) for note in notes)


def test_a_word_that_the_tokens_remove_lowers_the_support(maker: Any) -> None:
    relevance = maker.of_tokens([["cat", "dog"]], WORDS, pipeline="words(stopwords=en)")
    scores = tealeaves.score([["cat", "the", "dog"]], None, "cooccurrence", relevance=relevance)
    [row] = scores.topics
    assert row.value == 2
    assert row.support == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("lrp_sum(heads=all)", r"lrp_sum\(heads=all\): .* only the sums .* take heads=important"),
        ("attention_sum(heads=all)", "take heads=confident of=sample, or gather it again"),
        ("relevance_count(by=heads)", "only the sums of the heads that were fixed"),
        ("lrp_sum(of=texts)", "only the sums of the heads that were fixed"),
        ("improved_lrp_sum", "gathered without Improved LRP: gather it again"),
        ("lrp_sum(heads=7)", "heads must be from 1 to 6, the number of heads, not 7"),
    ],
)
def test_errors_for_values_that_were_not_kept(maker: Any, spec: str, message: str) -> None:
    texts = [text.split() for text in TEXTS]
    few = maker.of_tokens(texts, WORDS, detail=False, improved=False)
    with pytest.raises(InputError, match=message) as caught:
        tealeaves.score(TOPICS, None, spec, relevance=few)
    assert "\n" not in str(caught.value)
    kept = tealeaves.score(TOPICS, None, "lrp_sum attention_sum relevance_count", relevance=few)
    assert not any(math.isnan(row.value) for row in kept)


def test_signs_are_known_only_for_the_fixed_heads(toy: Relevance) -> None:
    for spec in ("relevance_count(heads=top1)", "relevance_count(heads=2)"):
        with pytest.raises(InputError, match="heads can be chosen with by=heads"):
            tealeaves.score(TOPICS, None, spec, relevance=toy)
    with pytest.raises(InputError, match="take of=sample, or by=heads"):
        tealeaves.score(TOPICS, None, "relevance_count(of=texts)", relevance=toy)
    with pytest.raises(InputError, match="reduction must be one of sum, text, not pair"):
        metric("cooccurrence(reduction=pair)")
    with pytest.raises(InputError, match=r"heads must be .* not 0"):
        metric("lrp_sum(heads=0)")


# ---------------------------------------------------------------------- searches and commands


def test_a_scorer_takes_relevance(maker: Any, tmp_path: Path) -> None:
    from sklearn.decomposition import NMF
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.pipeline import make_pipeline

    texts = [document.text for document in demo.corpus("en")]
    words = CountVectorizer(stop_words="english", max_features=40)
    pipeline = make_pipeline(words, NMF(3, random_state=1, max_iter=1000)).fit(texts)
    known = words.get_feature_names_out().tolist()
    tokenize = words.build_analyzer()
    relevance = maker.of_tokens([tokenize(text) for text in texts], known, pipeline="words")
    path = tmp_path / "texts.relevance"
    relevance.save(path)
    scorer = tealeaves.make_scorer("lrp_sum@5", relevance=path)
    topics = tealeaves.adapt(pipeline, name="model")
    value = tealeaves.score(topics, None, "lrp_sum@5", relevance=relevance).models.rows[0].value
    assert scorer(pipeline, texts) == pytest.approx(value)
    again = pickle.loads(pickle.dumps(scorer))
    assert again(pipeline, texts) == pytest.approx(value)


def test_a_selection_takes_relevance(maker: Any) -> None:
    texts = ["cat dog bird", "dog cat", "soup bread", "bread soup song"] * 5
    relevance = maker.of_tokens([text.split() for text in texts], WORDS)
    selection = tealeaves.select(
        "lda(iterations=5)", texts, "2", "lrp_sum@3", runs=1, tokens="tokens", relevance=relevance
    )
    assert selection.better == {"lrp_sum@3": "higher"}
    with pytest.raises(InputError, match="gathered with the tokens tokens, the models are made"):
        tealeaves.select("lda", texts, "2", "lrp_sum@3", tokens="words", relevance=relevance)


def test_the_command(toy: Relevance, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tealeaves.cli.main import main

    topics, file = tmp_path / "lda.txt", tmp_path / "toy.relevance"
    topics.write_text("cat dog bird\nsoup bread song\n", encoding="utf-8")
    toy.save(file)
    table = file.rename(tmp_path / "toy.csv")
    toy.save(file)

    def run(specs: str, *arguments: str) -> tuple[Any, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["score", str(topics), "-m", specs, *arguments])
        return ended.value.code, *capsys.readouterr()

    at_hand = ("--relevance", str(file))
    code, out, _ = run("lrp_sum cooccurrence", *at_hand, "--format=csv")
    value = tealeaves.score(TOPICS, None, "cooccurrence", relevance=toy).models.rows[0].value
    assert code == 0
    assert f"lda,,cooccurrence,{value}," in out
    for specs, arguments, message in (
        (
            "lrp_sum",
            (),
            "lrp_sum needs texts: give a corpus (--corpus), which a classifier",
        ),
        (
            "npmi",
            at_hand,
            "(--relevance) is for metrics such as lrp_sum@10, not for npmi",
        ),
        (
            "npmi lrp_sum",
            at_hand,
            "npmi needs texts: give a corpus (--corpus) or counts",
        ),
        ("lrp_sum", (*at_hand, "--tokens=words"), "the tokens asked for are words"),
        ("lrp_sum", ("--relevance", str(table), "-o", str(table)), "would be overwritten"),
    ):
        code, out, err = run(specs, *arguments)
        assert code != 0
        assert message in " ".join(err.split()), err
    assert Relevance.load(table) == toy


@pytest.mark.parametrize("shape", ["jsonl", "json", "csv", ".jsonl", ".json", ".csv", ".parquet"])
def test_errors_can_be_written(
    toy: Relevance, tmp_path: Path, capsys: pytest.CaptureFixture[str], shape: str
) -> None:
    from tealeaves.cli.main import main

    topics, file, saved = tmp_path / "lda.txt", tmp_path / "toy.relevance", tmp_path / "s"
    topics.write_text("cat dog bird\nsoup bread song\nsong dog\n", encoding="utf-8")
    toy.save(file)
    target = ["-o", f"{saved}{shape}"] if shape.startswith(".") else ["--format", shape]
    specs = f"{FIVE} lrp_sum(reduction=text)"
    with pytest.raises(SystemExit) as ended:
        main(["score", str(topics), "-m", specs, "--relevance", str(file), *target])
    out, err = capsys.readouterr()
    assert ended.value.code == 0, err
    if not shape.startswith("."):
        saved.with_suffix(f".{shape}").write_text(out, encoding="utf-8")
    scores = read_scores(saved.with_suffix(f".{shape.lstrip('.')}"))
    models = [*TOPICS, ["song", "dog"]]  # which one text holds
    expected = tealeaves.score({"lda": models}, None, specs, relevance=toy)
    known = {(row.metric, row.topic): row.error for row in expected if row.topic is None}
    assert {type(error) for error in known.values()} == {float, type(None)}
    errors = {(row.metric, row.topic): row.error for row in scores if row.topic is None}
    assert errors == pytest.approx(known)


# ---------------------------------------------------------------------- speed


def test_many_models_are_scored_at_once() -> None:
    relevance, models = large_relevance(np.random.default_rng(0))
    calls = count_calls(lambda: tealeaves.score(models, None, FIVE, relevance=relevance))
    # all rows and heads are summed once for each metric, not for each model
    summed = {name: times for name, times in calls.items() if name.endswith(".numbers")}
    assert len(summed) == 5
    assert set(summed.values()) == {1}
    names = list(models)
    assert call_growth(
        lambda size: tealeaves.score(
            {name: models[name] for name in names[:size]}, None, FIVE, relevance=relevance
        ),
        12,
    ) == pytest.approx(1, abs=0.1)


def large_relevance(random: np.random.Generator) -> tuple[Relevance, dict[str, list[list[str]]]]:
    """Make 30,000 rows of 6 x 12 heads, and 50 models of 22 topics of 15 words."""
    from tealeaves.evidence.attention.frame import Frame, RelevanceStamp, RelevanceTotals
    from tealeaves.evidence.attention.heads import FixedHeads, HeadStatistics
    from tealeaves.evidence.attention.relevance import PairSums, TextSums, of_chunk
    from tealeaves.evidence.counts import PipelineStamp
    from tealeaves.evidence.requests import Term
    from tealeaves.text.fingerprint import Fingerprint
    from tealeaves.text.pipeline import Pipeline

    words, texts, each, rows, shape = 3000, 2000, 100, 30_000, (6, 12)
    terms = tuple(Term((f"w{number:04d}",)) for number in range(words))
    starts = 40 * ((7 * np.arange(22) + np.arange(50)[:, None]) % 70)
    models = {
        f"m{number}": [
            [str(terms[w]) for w in start + random.permutation(60)[:15]] for start in row
        ]
        for number, row in enumerate(starts)
    }
    near = random.integers(1, 60, size=3 * rows)
    left = random.integers(0, words - 60, size=3 * rows)
    keys = random.permutation(np.unique(left * words + left + near))[: rows // 2]
    keys = np.concatenate([keys, keys % words * words + keys // words])
    entries = np.concatenate([random.permutation(rows)[:each] for _ in range(texts - 300)])
    # each row is in some text
    entries = np.concatenate([entries, random.permutation(rows)])
    pipeline = Pipeline.parse("tokens")
    stamp = PipelineStamp(repr(pipeline), pipeline.signature)
    statistics = HeadStatistics(1, random.random(shape), random.random(shape) / 6)
    frame = Frame(
        RelevanceStamp("toy", "0", "probe", 128, *shape, "predicted", "1", stamp),
        terms, None, statistics, FixedHeads.of(statistics),
    )  # fmt: skip
    result = of_chunk(
        frame,
        Fingerprint.of("toy", 0, map(str, range(texts))),
        RelevanceTotals(documents=texts, used=texts),
        statistics,
        PairSums(
            keys=keys,
            together=np.bincount(entries, minlength=rows),
            attention=random.random((rows, *shape)),
            lrp=random.normal(size=(rows, *shape)),
            positive=np.ones((rows, *shape), dtype=np.int64),
        ),
        TextSums(
            starts=np.arange(texts + 1) * each,
            keys=keys[entries],
            values=random.random((len(entries), 3)),
            together=np.ones(len(entries), dtype=np.int64),
            counted=random.integers(0, 2, size=len(entries)),
        ),
    )
    return result, models
