"""Crosslingual F1: the metric, its folds, its classifier and its measure."""

from __future__ import annotations

import gzip
import math
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import tealeaves
from tealeaves import Topics
from tealeaves.arrays import Floats
from tealeaves.errors import InputError, MissingExtraError
from tealeaves.metrics import Score, metric
from tealeaves.metrics.catalogue.crosslingual_f1 import (
    LabelledDocument,
    assign_folds,
    label_f1,
    transfer_f1,
)
from tealeaves.text.corpus import Corpus
from tealeaves.text.document import Document
from tealeaves.text.paired.corpus import PairedCorpus
from tealeaves.text.pipeline import Pipeline
from tealeaves.topics.multilingual import MultilingualTopics

Written = tuple[str, str, str]  # id, label, text


def side(language: str, phi: Any) -> Topics:
    """Topics of the words en0, en1 ... with these probabilities."""
    shares = np.asarray(phi, dtype=np.float64)
    vocabulary = tuple(f"{language}{number}" for number in range(shares.shape[1]))
    lists = [[vocabulary[place] for place in np.argsort(-row)[:2]] for row in shares]
    return Topics.of(lists, vocabulary=vocabulary, topic_word=shares)


def model(**phi: Any) -> MultilingualTopics:
    sides = {language: side(language, shares) for language, shares in phi.items()}
    return MultilingualTopics.of_languages(sides, model="m")


def paired_corpus(**written: Sequence[Written]) -> PairedCorpus:
    """Texts with ids, by which they are linked."""
    return PairedCorpus(
        {
            language: Corpus.of([Document(text, id=i, label=label) for i, label, text in listed])
            for language, listed in written.items()
        }
    )


def model_score(topics: Topics, corpus: PairedCorpus, spec: str = "crosslingual_f1") -> Score:
    [scores] = tealeaves.score(topics, corpus, spec, tokens="tokens").models
    return scores


def clear_documents(language: str, labels: str, times: int = 3) -> list[Written]:
    """Return one document per label: "x" has words of topic 0, "y" of topic 1, "z" of topic 2.

    Each topic of ``sharp_phi`` has two words.
    """
    listed = []
    for number, label in enumerate(labels):
        words = [f"{language}{2 * 'xyz'.index(label) + place % 2}" for place in range(times)]
        listed.append((f"d{number}", label, " ".join(words)))
    return listed


def sharp_phi(order: Sequence[int] = (0, 1, 2)) -> Floats:
    """Three topics of two words each, with a little of all others."""
    return (np.kron(np.eye(3), np.full((1, 2), 0.47)) + 0.01)[list(order)]


# ------------------------------------------------------------------ planted topics


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_aligned_topics_transfer_every_label(average: str) -> None:
    corpus = paired_corpus(en=clear_documents("en", "xyz" * 5), sv=clear_documents("sv", "xyz" * 5))
    score = model_score(
        model(en=sharp_phi(), sv=sharp_phi()), corpus, f"crosslingual_f1(average={average})"
    )
    assert (score.value, score.support) == (1.0, 1.0)


def test_unaligned_topics_transfer_labels_by_chance() -> None:
    corpus = paired_corpus(en=clear_documents("en", "xyz" * 5), sv=clear_documents("sv", "xyz" * 5))
    result = {
        order: model_score(
            model(en=sharp_phi(), sv=sharp_phi(order)), corpus, "crosslingual_f1"
        ).value
        for order in permutations(range(3))
    }
    # a label is transferred if its topic is the same: of 3 labels, those of the fixed points
    for order, value in result.items():
        assert value == sum(place == one for place, one in enumerate(order)) / 3
    assert np.mean(list(result.values())) == pytest.approx(1 / 3)


def test_several_labels_are_transferred() -> None:
    kinds = [("x", "en0 en1"), ("y", "en2 en3"), ("x | y", "en0 en1 en2 en3"), ("z", "en4 en5")]
    english = [(f"d{n}", *kinds[n % 4]) for n in range(24)]
    swedish = [(i, label, text.replace("en", "sv")) for i, label, text in english]
    corpus = paired_corpus(en=english, sv=swedish)
    topics, changed = (
        model(en=sharp_phi(), sv=sharp_phi(order)) for order in ((0, 1, 2), (1, 0, 2))
    )
    for average, expected in (("macro", 2 / 3), ("micro", 36 / 60)):
        spec = f"crosslingual_f1(c=1000, average={average})"
        assert model_score(topics, corpus, spec).value == 1.0
        # with x and y changed in Swedish, x (6 documents) is given y and y (6) x, what has both or
        # z stays right. x: TP 6, FP 6, FN 6: 12/24; y the same; z: 1. All: TP 18, FP 12, FN 12
        assert model_score(changed, corpus, spec).value == pytest.approx(expected)
    # otherwise separated, "x | y" is a label of its own, and each document has one; of the four x
    # and y are never right, the others always
    assert model_score(topics, corpus, "crosslingual_f1(c=1000, separator=;)").value == 1.0
    assert model_score(changed, corpus, "crosslingual_f1(c=1000, separator=;)").value == 0.5


def noisy_documents(seed: int, size: int = 60) -> tuple[MultilingualTopics, list[list[Written]]]:
    """Return linked documents that have words of other topics too."""
    rng = np.random.default_rng(seed)
    phi = rng.dirichlet(np.full(12, 0.3), size=(2, 3)) * 0.9 + 0.1 / 12
    labels = rng.integers(0, 3, size)
    sides: list[list[Written]] = [[], []]
    for number, label in enumerate(labels):
        for which, language in enumerate(("en", "sv")):
            theta = rng.dirichlet(0.4 + 1.5 * np.eye(3)[label])
            words = rng.choice(12, size=6, p=theta @ phi[which])
            text = " ".join(f"{language}{word}" for word in words)
            sides[which].append((f"d{number}", "xyz"[label], text))
    return model(en=phi[0], sv=phi[1]), sides


def own_theta(topics: Topics, text: str, steps: int, alpha: float) -> Floats:
    """Estimate p(t|d) by folding in, word by word."""
    assert topics.topic_word is not None
    assert topics.vocabulary is not None
    columns = [topics.vocabulary.index(word) for word in text.split()]
    shares = np.full(len(topics), 1 / len(topics))
    for _ in range(steps):
        expected = np.full(len(topics), alpha)
        for column in columns:
            joint = topics.topic_word[:, column] * shares
            expected += joint / joint.sum()
        shares = expected / expected.sum()
    return shares


def predictions_by_hand(
    pair: tuple[str, str], steps: int, alpha: float
) -> tuple[list[str], list[str]]:
    """Return the labels of documents, and those that scikit-learn predicts, fold by fold."""
    from sklearn.linear_model import LogisticRegression

    topics, sides = noisy_documents(5)
    written = dict(zip(("en", "sv"), sides, strict=True))
    known = [
        LabelledDocument(i, n, frozenset(label)) for n, (i, label, _) in enumerate(written["en"])
    ]
    fold = assign_folds({"en": known, "sv": known}, folds=4, seed=3)["en"]  # of either side
    learnt, judged = (
        np.array([own_theta(topics.side(name), text, steps, alpha) for *_, text in written[name]])
        for name in pair
    )
    truth = np.array([label for _, label, _ in written["en"]])
    predicted = truth.copy()
    for one in range(4):
        machine = LogisticRegression(C=2.0, max_iter=1000)
        machine.fit(learnt[fold != one], truth[fold != one])
        predicted[fold == one] = machine.predict(judged[fold == one])
    return truth.tolist(), predicted.tolist()


@pytest.mark.parametrize(
    ("pair", "steps", "alpha"),
    [(("en", "sv"), 100, 0.1), (("sv", "en"), 100, 3.0), (("sv", "en"), 1, 0.1),
     (("en", "en"), 100, 0.1)],
)  # fmt: skip
def test_the_value_is_that_of_scikit_learn(pair: tuple[str, str], steps: int, alpha: float) -> None:
    from sklearn.metrics import f1_score

    topics, sides = noisy_documents(5)
    truth, predicted = predictions_by_hand(pair, steps, alpha)
    for average in ("macro", "micro"):
        chosen = f"train={pair[0]}, test={pair[1]}, average={average}"
        more = f"folds=4, c=2, seed=3, iterations={steps}, alpha={alpha}"
        spec = f"crosslingual_f1({chosen}, {more})"
        value = model_score(topics, paired_corpus(en=sides[0], sv=sides[1]), spec).value
        assert 0.35 < value < 0.95
        assert value == pytest.approx(f1_score(truth, predicted, average=average))


def test_the_cases_above_differ() -> None:
    cases = [(100, 0.1), (100, 3.0), (1, 0.1)]
    assert len({tuple(predictions_by_hand(("sv", "en"), *case)[1]) for case in cases}) == 3


# ------------------------------------------------------------------ nothing leaks


def test_theta_of_linked_documents_is_not_used() -> None:
    topics, sides = noisy_documents(6)
    corpus = paired_corpus(en=sides[0], sv=sides[1])
    told = np.array([np.eye(3)["xyz".index(label)] for _, label, _ in sides[0]])
    telling = MultilingualTopics.of_languages(
        topics.by_language,
        model="m",
        document_topic=told,
        document_ids=tuple(i for i, _, _ in sides[0]),
    )
    assert model_score(telling, corpus).value == model_score(topics, corpus).value < 1


def test_a_translation_of_a_training_text_is_never_tested() -> None:
    # each pair of linked documents has its own topic: only its translation could give the label
    names = "xxyy" * 4
    sides = {
        language: [
            (f"d{n}", label, f"{language}{n} {language}{n}") for n, label in enumerate(names)
        ]
        for language in ("en", "sv")
    }
    topics = model(en=np.eye(16), sv=np.eye(16))
    theta = np.eye(16)
    assert transfer_f1(theta, list(names), theta, list(names), c=1e6) == 1.0
    linked = paired_corpus(en=sides["en"], sv=sides["sv"])
    for seed in range(4):
        spec = f"crosslingual_f1(c=1000000, alpha=0, average=micro, seed={seed}, folds=4)"
        assert model_score(topics, linked, spec).value <= 0.5
    # without links they are dealt on their own, and most translations are in the training
    assert model_score(topics, linked.unlink(0.0, seed=0), spec).value > 0.5


def test_the_order_of_documents_does_not_matter() -> None:
    topics, sides = noisy_documents(7, 40)
    expected = model_score(topics, paired_corpus(en=sides[0], sv=sides[1])).value
    for seed in range(3):
        mixed = [
            random.Random(seed + n).sample(listed, len(listed)) for n, listed in enumerate(sides)
        ]
        assert model_score(topics, paired_corpus(en=mixed[0], sv=mixed[1])).value == expected
    turned = MultilingualTopics.of_languages(
        {name: topics.side(name) for name in ("sv", "en")}, model="m"
    )
    assert model_score(turned, paired_corpus(sv=sides[1], en=sides[0])).value == pytest.approx(
        expected
    )


def test_each_language_learns_from_each_other() -> None:
    first, sides = noisy_documents(8, 45)
    topics = MultilingualTopics.of_languages(
        {"en": first.side("en"), "sv": first.side("sv"), "tr": side("tr", sharp_phi())}, model="m"
    )
    turkish = clear_documents("tr", "".join(label for _, label, _ in sides[0]))
    corpus = paired_corpus(en=sides[0], sv=sides[1], tr=turkish)

    def of(**chosen: str) -> float:
        asked = ", ".join(f"{name}={value}" for name, value in chosen.items())
        return model_score(
            topics, corpus, f"crosslingual_f1({asked})" if asked else "crosslingual_f1"
        ).value

    each = {pair: of(train=pair[0], test=pair[1]) for pair in permutations(("en", "sv", "tr"), 2)}
    assert len(set(each.values())) > 2
    assert of() == pytest.approx(np.mean(list(each.values())))
    assert of(train="en") == pytest.approx((each["en", "sv"] + each["en", "tr"]) / 2)
    assert of(test="en") == pytest.approx((each["sv", "en"] + each["tr", "en"]) / 2)
    # other languages do not change the value of a pair
    alone = model_score(
        first, paired_corpus(en=sides[0], sv=sides[1]), "crosslingual_f1(train=en, test=sv)"
    )
    assert alone.value == each["en", "sv"]


# ------------------------------------------------------------------ what is left out, and lacking


def test_documents_without_label_or_word_are_left_out() -> None:
    english = [
        *clear_documents("en", "xy" * 3),
        ("e1", "", "en0"),
        ("e2", "x", "other words"),
        ("e3", "x", ""),
    ]
    swedish = [*clear_documents("sv", "xy" * 3), ("s1", "rare", "sv0"), ("e1", "y", "sv2")]
    corpus = paired_corpus(en=english, sv=swedish)
    score = model_score(model(en=sharp_phi(), sv=sharp_phi()), corpus, "crosslingual_f1(folds=3)")
    assert score.value == 1.0
    # of 9 and 8 documents: 6 of English; of Swedish 6, and the one whose English has no label
    assert score.support == pytest.approx((6 + 7) / (9 + 8))


def test_a_label_that_is_too_rare_is_dropped_from_documents_that_have_others() -> None:
    english = clear_documents("en", "xy" * 3)
    english[0] = ("d0", "x|rare", english[0][2])
    corpus = paired_corpus(en=english, sv=clear_documents("sv", "xy" * 3))
    score = model_score(model(en=sharp_phi(), sv=sharp_phi()), corpus, "crosslingual_f1(folds=3)")
    assert (score.value, score.support) == (1.0, 1.0)


def test_no_value_without_a_word_of_the_model() -> None:
    topics = model(en=sharp_phi(), sv=sharp_phi())
    strange = [*clear_documents("other", "xy" * 3), ("d9", "", "sv0")]
    score = model_score(topics, paired_corpus(en=clear_documents("en", "xy" * 3), sv=strange))
    assert math.isnan(score.value)
    assert score.support == 0


def test_too_few_documents_are_an_error() -> None:
    topics = model(en=sharp_phi(), sv=sharp_phi())
    four = paired_corpus(en=clear_documents("en", "xy" * 4), sv=clear_documents("sv", "xy" * 4))
    message = r"m: crosslingual_f1 needs two labels with 5 documents each in both en and sv, and th"
    with pytest.raises(InputError, match=message + "ere are 0"):
        model_score(topics, four)
    assert model_score(topics, four, "crosslingual_f1(folds=4)").value == 1.0
    other = paired_corpus(en=clear_documents("en", "xy" * 5), sv=clear_documents("sv", "xz" * 5))
    with pytest.raises(InputError, match="there is 1: give more"):
        model_score(topics, other)


def test_texts_without_labels_are_an_error() -> None:
    listed = [(i, "", text) for i, _, text in clear_documents("sv", "xy")]
    with pytest.raises(InputError, match=r"texts of sv have no labels.*--label-field"):
        model_score(
            model(en=sharp_phi(), sv=sharp_phi()),
            paired_corpus(en=clear_documents("en", "xy"), sv=listed),
        )


def test_reasons_why_a_model_cannot_be_scored() -> None:
    one, topics = metric("crosslingual_f1"), model(en=sharp_phi(), sv=sharp_phi())
    words = Topics.of([["a"], ["b"], ["c"]])
    half = MultilingualTopics.of_languages({"en": side("en", sharp_phi()), "sv": words})
    assert one.why_not(topics) == ""
    assert one.why_not(half) == "no topic-word matrix (sv)"
    assert one(train="en", test="en").why_not(half) == ""
    assert "in one language" in one.why_not(words)
    assert one(test="tr").why_not(topics) == "no topics in tr: its languages are en, sv"
    assert "leave out @5" in (one @ 5).why_not(topics)
    with pytest.raises(InputError, match=r"m: no topic-word matrix \(en\)"):
        model_score(
            MultilingualTopics.of_languages({"en": words, "sv": words}, model="m"),
            paired_corpus(en=clear_documents("en", "xy"), sv=clear_documents("sv", "xy")),
        )


def test_without_scikit_learn_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "sklearn"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    corpus = paired_corpus(en=clear_documents("en", "xy"), sv=clear_documents("sv", "xy"))
    monkeypatch.setattr(PairedCorpus, "keyed_documents", lambda *_: pytest.fail("texts were read"))
    with pytest.raises(MissingExtraError, match=r"classification needs.*tealeaves\[models\]"):
        model_score(model(en=sharp_phi(), sv=sharp_phi()), corpus)


def test_the_signature_names_what_changes_the_value() -> None:
    import sklearn

    topics = model(en=sharp_phi(), sv=sharp_phi())
    english, swedish = clear_documents("en", "xy" * 5), clear_documents("sv", "xy" * 5)
    signature = model_score(topics, paired_corpus(en=english, sv=swedish)).signature
    for part in ("average=macro", "folds=5", "seed=0", f"scikit-learn={sklearn.__version__}"):
        assert part in signature
    relinked = [(f"d{(n + 2) % 10}", label, text) for n, (_, label, text) in enumerate(swedish)]
    relabelled = [(i, {"x": "y", "y": "x"}[label], text) for i, label, text in swedish]
    reworded = [(i, label, f"{text} sv0") for i, label, text in swedish]
    others = [
        model_score(topics, paired_corpus(en=english, sv=listed)).signature
        for listed in (relinked, relabelled, reworded)
    ]
    assert len({signature, *others}) == 4
    alone = model_score(
        topics, paired_corpus(en=english, sv=swedish), "crosslingual_f1(train=en, test=en)"
    )
    assert "sv: tokens" in signature
    assert "sv: tokens" not in alone.signature


# ------------------------------------------------------------------ real texts


@pytest.mark.reference
def test_topics_that_are_labels_transfer_them_on_sib200(reference_data: Path) -> None:
    tokenize = Pipeline.parse("words").tokenizer()
    sides, written = {}, {}
    for language in ("eng", "swe"):
        path = reference_data / "paired_sib200" / f"{language}.tsv.gz"
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            rows = [line.rstrip("\n").split("\t") for line in stream]
        names = sorted({name for _, _, name, _ in rows})
        train = [(name, tokenize(text)) for _, split, name, text in rows if split == "train"]
        vocabulary = tuple(sorted({word for _, words in train for word in words}))
        column = {word: number for number, word in enumerate(vocabulary)}
        phi = np.full((7, len(vocabulary)), 0.01)
        for name, words in train:
            np.add.at(phi[names.index(name)], [column[word] for word in words], 1)
        phi /= phi.sum(axis=1, keepdims=True)
        sides[language] = Topics.of(
            [[vocabulary[n] for n in np.argsort(-line)[:5]] for line in phi],
            vocabulary=vocabulary,
            topic_word=phi,
        )
        written[language] = [(i, name, text) for i, split, name, text in rows if split != "train"]
    turned = sides | {"swe": replace(sides["swe"], topic_word=phi[[1, 2, 3, 4, 5, 6, 0]])}
    models = {
        name: MultilingualTopics.of_languages(chosen, model=name)
        for name, chosen in (("labels", sides), ("turned", turned))
    }
    asked = "crosslingual_f1 crosslingual_f1(average=micro)"
    scores = tealeaves.score(models, paired_corpus(**written), asked, tokens="words")
    # the most frequent label is a quarter of 303 sentences; seven labels by chance are 1/7
    assert scores.value("labels", "crosslingual_f1") > 0.5
    assert scores.value("labels", "crosslingual_f1(average=micro)") > 0.55
    assert scores.value("turned", "crosslingual_f1") < 1 / 7
    assert all(result.support == 1.0 for result in scores.models)


Average = Literal["macro", "micro"]


# ------------------------------------------------------------------ F1


def label_matrix(*rows: str) -> NDArray[np.bool_]:
    return np.array([[sign == "1" for sign in row] for row in rows])


def test_f1_of_one_label_each_by_hand() -> None:
    truth = label_matrix("100", "100", "100", "010", "010", "001")
    given = label_matrix("100", "100", "010", "010", "001", "001")
    # x: TP 2, FP 0, FN 1: 4/5; y: TP 1, FP 1, FN 1: 2/4; z: TP 1, FP 1, FN 0: 2/3
    assert label_f1(truth, given, "macro") == pytest.approx((4 / 5 + 2 / 4 + 2 / 3) / 3)
    # TP 4, FP 2, FN 2: 8/12, which is the share of right ones, 4 of 6
    assert label_f1(truth, given, "micro") == pytest.approx(4 / 6)


def test_f1_of_several_labels_by_hand() -> None:
    truth = label_matrix("110", "100", "011", "000")
    given = label_matrix("100", "110", "010", "010")
    # x: TP 2: 4/4; y: TP 1 (third), FP 2, FN 1: 2/5; z: FN 1: 0
    assert label_f1(truth, given, "macro") == pytest.approx((1 + 2 / 5 + 0) / 3)
    # TP 3, FP 2, FN 2: 6/10
    assert label_f1(truth, given, "micro") == pytest.approx(6 / 10)


def test_a_label_without_documents_has_no_f1() -> None:
    assert label_f1(label_matrix("10", "10"), label_matrix("10", "10"), "macro") == 1.0
    assert math.isnan(label_f1(label_matrix("00"), label_matrix("00"), "macro"))
    assert math.isnan(label_f1(label_matrix("00"), label_matrix("00"), "micro"))


@pytest.mark.parametrize("average", ["macro", "micro"])
@given(seed=st.integers(0, 10**6), rare=st.floats(0.05, 0.9))
@settings(max_examples=25)
def test_f1_is_that_of_scikit_learn(average: Average, seed: int, rare: float) -> None:
    from sklearn.metrics import f1_score

    rng = np.random.default_rng(seed)
    truth, given_ = rng.random((2, 9, 4)) < rare
    expected = f1_score(truth, given_, average=average, zero_division=np.nan)
    assert label_f1(truth, given_, average) == pytest.approx(expected, nan_ok=True)


# ------------------------------------------------------------------ transfer


def overlapping_documents(
    seed: int, size: int, labels: int = 3
) -> tuple[Floats, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    labels_drawn = rng.integers(0, labels, size)
    return 0.6 * rng.dirichlet(np.ones(labels), size) + 0.4 * np.eye(labels)[
        labels_drawn
    ], labels_drawn


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_one_label_each_is_multinomial_regression(average: Average) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import f1_score

    (known, y), (asked, truth) = overlapping_documents(1, 60), overlapping_documents(2, 40)
    names = np.array(["b", "c", "a"])
    predicted = LogisticRegression(C=0.5, max_iter=1000).fit(known, y).predict(asked)
    expected = f1_score(truth, predicted, average=average)
    value = transfer_f1(known, list(names[y]), asked, list(names[truth]), average=average, c=0.5)
    assert 0.5 < value < 1
    assert value == pytest.approx(expected)


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_several_labels_are_one_against_the_rest(average: Average) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import f1_score
    from sklearn.multiclass import OneVsRestClassifier

    (known, _), (asked, _) = overlapping_documents(3, 80, 4), overlapping_documents(4, 50, 4)
    rng = np.random.default_rng(0)
    sets = [shares > rng.uniform(0.2, 0.7, shares.shape) for shares in (known, asked)]
    kept = [truth.any(axis=1) for truth in sets]
    machine = OneVsRestClassifier(LogisticRegression(C=5.0, max_iter=1000))
    predicted = machine.fit(known[kept[0]], sets[0][kept[0]]).predict(asked[kept[1]])
    expected = f1_score(sets[1][kept[1]], predicted, average=average, zero_division=np.nan)
    written = [["|".join(f"l{n}" for n in np.flatnonzero(one)) for one in truth] for truth in sets]
    assert "" in written[0] + written[1]  # such a document is left out
    value = transfer_f1(known, written[0], asked, written[1], average=average, c=5.0)
    assert 0.4 < value < 1
    assert value == pytest.approx(expected)


def test_labels_may_be_collections_or_joined_otherwise() -> None:
    theta = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]] * 2
    joined = ["x", "y", "x;y"] * 2
    listed: list[list[str]] = [["x"], ["y"], ["y", "x"]] * 2
    value = transfer_f1(theta, joined, theta, listed, c=1e4, separator=";")
    assert value == transfer_f1(theta, listed, theta, listed, c=1e4)
    # unsplit, "x;y" is a label of its own, which no list has: FN and FP for two documents
    assert transfer_f1(theta, joined, theta, joined, c=1e4) == 1.0
    assert transfer_f1(theta, joined, theta, listed, c=1e4) < 1


def test_a_label_of_all_or_no_training_documents() -> None:
    theta = [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]]
    known, asked = ["x|all", "x|all", "y|all"], ["x", "x|new", "y|all"]
    # x: TP 2: 1; y: TP 1: 1; all: TP 1, FP 2: 2/4; new: FN 1: 0
    assert transfer_f1(theta, known, theta, asked, c=1e4) == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    # in fold 1 only x is trained on: all are x. x: TP 1, FP 1: 2/3; y: FN 1: 0
    one = transfer_f1(theta[1:], ["x", "y"], theta[1:], ["x", "y"], folds=([0, 1], [1, 1]))
    assert one == pytest.approx((2 / 3 + 0) / 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"train_labels": ["x", "x"]}, "two labels or more"),
        ({"train_labels": ["x"]}, r"1 documents have labels.*topics: \(2, 2\)"),
        ({"test_theta": [[1.0, 0, 0]] * 2}, "have 2 topics, the test documents 3"),
        ({"folds": ([1, 1], [0, 1])}, "all training documents are in fold 1"),
        ({"folds": ([1, 1, 0], [0, 1])}, r"folds: \(3,\)"),
    ],
)
def test_errors_are_one_clear_line(change: dict[str, Any], message: str) -> None:
    theta = [[1.0, 0.0], [0.0, 1.0]]
    usual: dict[str, Any] = {"train_theta": theta, "test_theta": theta}
    usual |= {"train_labels": ["x", "y"], "test_labels": ["x", "y"]}
    assert transfer_f1(**usual) == 1.0
    with pytest.raises(InputError, match=message):
        transfer_f1(**usual | change)


# ------------------------------------------------------------------ folds


LABELS = st.sampled_from(["x", "y", "z"])


@given(
    st.lists(st.tuples(LABELS, st.sampled_from(["en", "sv", "both", "apart"])), max_size=40),
    st.integers(2, 5),
    st.integers(0, 99),
)
def test_folds_are_even_and_keep_linked_documents_together(
    tuples: list[tuple[str, str]], folds: int, seed: int
) -> None:
    sides: dict[str, list[LabelledDocument]] = {"en": [], "sv": []}
    for number, (label, where) in enumerate(tuples):
        for language in sides:
            if where in (language, "both", "apart"):
                key = "" if where == "apart" else str(number)
                sides[language].append(LabelledDocument(key, number % 3, frozenset([label])))
    result = assign_folds(sides, folds=folds, seed=seed)
    fold_of = [
        {d.key: fold for d, fold in zip(sides[name], result[name].tolist(), strict=True) if d.key}
        for name in sides
    ]
    assert all(fold_of[1].get(key, fold) == fold for key, fold in fold_of[0].items())
    for language, listed in sides.items():
        for label in "xyz":
            mine = [document.labels == {label} for document in listed]
            sizes = np.bincount(result[language][mine], minlength=folds)
            assert sizes.max() - sizes.min() <= 1
    # the order of languages and documents does not matter
    turned = {name: listed[::-1] for name, listed in reversed(sides.items())}
    again = assign_folds(turned, folds=folds, seed=seed)
    for name in sides:
        pairs = [
            sorted(zip(listed, dealt[name].tolist(), strict=True), key=str)
            for listed, dealt in ((sides[name], result), (turned[name], again))
        ]
        assert pairs[0] == pairs[1]


def test_the_seed_decides_the_folds() -> None:
    listed = [LabelledDocument(str(n), n, frozenset("x" if n % 2 else "y")) for n in range(20)]
    result = [assign_folds({"en": listed}, folds=4, seed=s)["en"].tolist() for s in (1, 1, 2, 3)]
    assert result[0] == result[1]
    assert len({tuple(folds) for folds in result}) == 3
