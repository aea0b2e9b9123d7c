"""Labels carried across languages: worked examples, scikit-learn, planted topics, SIB-200."""

from __future__ import annotations

import gzip
import math
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tealeaves
from tealeaves import Topics
from tealeaves.arrays import Floats
from tealeaves.errors import InputError, MissingExtraError
from tealeaves.metrics import Score, metric
from tealeaves.metrics.crosslingual.folds import Dealable, deal
from tealeaves.metrics.crosslingual.transfer import transfer_f1
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


def paired(**written: Sequence[Written]) -> PairedCorpus:
    """Texts with ids, by which they are linked."""
    return PairedCorpus(
        {
            language: Corpus.of([Document(text, id=i, label=label) for i, label, text in listed])
            for language, listed in written.items()
        }
    )


def row(topics: Topics, corpus: PairedCorpus, spec: str = "crosslingual_f1") -> Score:
    [found] = tealeaves.score(topics, corpus, spec, tokens="tokens").models
    return found


def clear(language: str, labels: str, times: int = 3) -> list[Written]:
    """One document a label: "x" is of words of topic 0, "y" of topic 1, "z" of topic 2.

    Each topic of ``sharp`` has two words.
    """
    listed = []
    for number, label in enumerate(labels):
        words = [f"{language}{2 * 'xyz'.index(label) + place % 2}" for place in range(times)]
        listed.append((f"d{number}", label, " ".join(words)))
    return listed


def sharp(order: Sequence[int] = (0, 1, 2)) -> Floats:
    """Three topics of two words each, with a little of all others."""
    return (np.kron(np.eye(3), np.full((1, 2), 0.47)) + 0.01)[list(order)]


# ------------------------------------------------------------------ planted topics


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_aligned_topics_carry_every_label(average: str) -> None:
    corpus = paired(en=clear("en", "xyz" * 5), sv=clear("sv", "xyz" * 5))
    found = row(model(en=sharp(), sv=sharp()), corpus, f"crosslingual_f1(average={average})")
    assert (found.value, found.support) == (1.0, 1.0)


def test_topics_that_are_not_aligned_carry_labels_by_chance() -> None:
    corpus = paired(en=clear("en", "xyz" * 5), sv=clear("sv", "xyz" * 5))
    found = {
        order: row(model(en=sharp(), sv=sharp(order)), corpus, "crosslingual_f1").value
        for order in permutations(range(3))
    }
    # a label is carried where its topic is the same: of 3 labels, those of the fixed points
    for order, value in found.items():
        assert value == sum(place == one for place, one in enumerate(order)) / 3
    assert np.mean(list(found.values())) == pytest.approx(1 / 3)


def test_several_labels_are_carried() -> None:
    kinds = [("x", "en0 en1"), ("y", "en2 en3"), ("x | y", "en0 en1 en2 en3"), ("z", "en4 en5")]
    english = [(f"d{n}", *kinds[n % 4]) for n in range(24)]
    swedish = [(i, label, text.replace("en", "sv")) for i, label, text in english]
    corpus = paired(en=english, sv=swedish)
    topics, changed = (model(en=sharp(), sv=sharp(order)) for order in ((0, 1, 2), (1, 0, 2)))
    for average, expected in (("macro", 2 / 3), ("micro", 36 / 60)):
        spec = f"crosslingual_f1(c=1000, average={average})"
        assert row(topics, corpus, spec).value == 1.0
        # with x and y changed in Swedish, x (6 documents) is given y and y (6) x, what has both or
        # z stays right. x: TP 6, FP 6, FN 6: 12/24; y the same; z: 1. All: TP 18, FP 12, FN 12
        assert row(changed, corpus, spec).value == pytest.approx(expected)
    # otherwise separated, "x | y" is a label of its own, and each document has one; of the four x
    # and y are never right, the others always
    assert row(topics, corpus, "crosslingual_f1(c=1000, separator=;)").value == 1.0
    assert row(changed, corpus, "crosslingual_f1(c=1000, separator=;)").value == 0.5


def noisy(seed: int, size: int = 60) -> tuple[MultilingualTopics, list[list[Written]]]:
    """Tuples whose documents have words of other topics too."""
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
    """Folding in, word by word."""
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


def by_hand(pair: tuple[str, str], steps: int, alpha: float) -> tuple[list[str], list[str]]:
    """Return the labels of documents, and those that scikit-learn predicts in folds of tuples."""
    from sklearn.linear_model import LogisticRegression

    topics, sides = noisy(5)
    written = dict(zip(("en", "sv"), sides, strict=True))
    known = [Dealable(i, n, frozenset(label)) for n, (i, label, _) in enumerate(written["en"])]
    fold = deal({"en": known, "sv": known}, folds=4, seed=3)["en"]  # of either side
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
def test_it_is_what_scikit_learn_makes_of_documents_alone(
    pair: tuple[str, str], steps: int, alpha: float
) -> None:
    from sklearn.metrics import f1_score

    topics, sides = noisy(5)
    truth, predicted = by_hand(pair, steps, alpha)
    for average in ("macro", "micro"):
        chosen = f"train={pair[0]}, test={pair[1]}, average={average}"
        more = f"folds=4, c=2, seed=3, iterations={steps}, alpha={alpha}"
        spec = f"crosslingual_f1({chosen}, {more})"
        found = row(topics, paired(en=sides[0], sv=sides[1]), spec).value
        assert 0.35 < found < 0.95
        assert found == pytest.approx(f1_score(truth, predicted, average=average))


def test_each_case_above_has_its_own_predictions() -> None:
    cases = [(100, 0.1), (100, 3.0), (1, 0.1)]
    assert len({tuple(by_hand(("sv", "en"), *case)[1]) for case in cases}) == 3


# ------------------------------------------------------------------ nothing leaks


def test_the_shared_topics_of_tuples_are_not_looked_at() -> None:
    topics, sides = noisy(6)
    corpus = paired(en=sides[0], sv=sides[1])
    told = np.array([np.eye(3)["xyz".index(label)] for _, label, _ in sides[0]])
    telling = MultilingualTopics.of_languages(
        topics.by_language,
        model="m",
        document_topic=told,
        document_ids=tuple(i for i, _, _ in sides[0]),
    )
    assert row(telling, corpus).value == row(topics, corpus).value < 1


def test_a_translation_of_a_training_text_is_never_tested() -> None:
    # each tuple has its own topic, so that nothing but its translation could tell the label
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
    linked = paired(en=sides["en"], sv=sides["sv"])
    for seed in range(4):
        spec = f"crosslingual_f1(c=1000000, alpha=0, average=micro, seed={seed}, folds=4)"
        assert row(topics, linked, spec).value <= 0.5
    # without links they are dealt on their own, and most are met in training
    assert row(topics, linked.unlink(0.0, seed=0), spec).value > 0.5


def test_the_order_of_documents_does_not_matter() -> None:
    topics, sides = noisy(7, 40)
    expected = row(topics, paired(en=sides[0], sv=sides[1])).value
    for seed in range(3):
        mixed = [
            random.Random(seed + n).sample(listed, len(listed)) for n, listed in enumerate(sides)
        ]
        assert row(topics, paired(en=mixed[0], sv=mixed[1])).value == expected
    turned = MultilingualTopics.of_languages(
        {name: topics.side(name) for name in ("sv", "en")}, model="m"
    )
    assert row(turned, paired(sv=sides[1], en=sides[0])).value == pytest.approx(expected)


def test_each_language_learns_from_each_other() -> None:
    first, sides = noisy(8, 45)
    topics = MultilingualTopics.of_languages(
        {"en": first.side("en"), "sv": first.side("sv"), "tr": side("tr", sharp())}, model="m"
    )
    turkish = clear("tr", "".join(label for _, label, _ in sides[0]))
    corpus = paired(en=sides[0], sv=sides[1], tr=turkish)

    def of(**chosen: str) -> float:
        asked = ", ".join(f"{name}={value}" for name, value in chosen.items())
        return row(
            topics, corpus, f"crosslingual_f1({asked})" if asked else "crosslingual_f1"
        ).value

    each = {pair: of(train=pair[0], test=pair[1]) for pair in permutations(("en", "sv", "tr"), 2)}
    assert len(set(each.values())) > 2
    assert of() == pytest.approx(np.mean(list(each.values())))
    assert of(train="en") == pytest.approx((each["en", "sv"] + each["en", "tr"]) / 2)
    assert of(test="en") == pytest.approx((each["sv", "en"] + each["tr", "en"]) / 2)
    # other languages do not move a pair
    alone = row(first, paired(en=sides[0], sv=sides[1]), "crosslingual_f1(train=en, test=sv)")
    assert alone.value == each["en", "sv"]


# ------------------------------------------------------------------ what is left out, and lacking


def test_documents_that_say_nothing_are_left_out() -> None:
    english = [
        *clear("en", "xy" * 3),
        ("e1", "", "en0"),
        ("e2", "x", "other words"),
        ("e3", "x", ""),
    ]
    swedish = [*clear("sv", "xy" * 3), ("s1", "rare", "sv0"), ("e1", "y", "sv2")]
    corpus = paired(en=english, sv=swedish)
    found = row(model(en=sharp(), sv=sharp()), corpus, "crosslingual_f1(folds=3)")
    assert found.value == 1.0
    # of 9 and 8 documents: 6 of English; of Swedish 6, and the one whose English has no label
    assert found.support == pytest.approx((6 + 7) / (9 + 8))


def test_a_label_that_is_too_rare_is_dropped_from_documents_that_have_others() -> None:
    english = clear("en", "xy" * 3)
    english[0] = ("d0", "x|rare", english[0][2])
    corpus = paired(en=english, sv=clear("sv", "xy" * 3))
    found = row(model(en=sharp(), sv=sharp()), corpus, "crosslingual_f1(folds=3)")
    assert (found.value, found.support) == (1.0, 1.0)


def test_no_document_with_a_word_of_the_model_is_no_number() -> None:
    topics = model(en=sharp(), sv=sharp())
    strange = [*clear("other", "xy" * 3), ("d9", "", "sv0")]
    found = row(topics, paired(en=clear("en", "xy" * 3), sv=strange))
    assert math.isnan(found.value)
    assert found.support == 0


def test_too_few_documents_are_an_error() -> None:
    topics = model(en=sharp(), sv=sharp())
    four = paired(en=clear("en", "xy" * 4), sv=clear("sv", "xy" * 4))
    message = r"m: crosslingual_f1 needs two labels with 5 documents each in both en and sv, and th"
    with pytest.raises(InputError, match=message + "ere are 0"):
        row(topics, four)
    assert row(topics, four, "crosslingual_f1(folds=4)").value == 1.0
    other = paired(en=clear("en", "xy" * 5), sv=clear("sv", "xz" * 5))
    with pytest.raises(InputError, match="there is 1: give more"):
        row(topics, other)


def test_texts_without_labels_are_an_error() -> None:
    listed = [(i, "", text) for i, _, text in clear("sv", "xy")]
    with pytest.raises(InputError, match=r"texts of sv have no labels.*--label-field"):
        row(model(en=sharp(), sv=sharp()), paired(en=clear("en", "xy"), sv=listed))


def test_it_says_what_a_model_lacks() -> None:
    one, topics = metric("crosslingual_f1"), model(en=sharp(), sv=sharp())
    words = Topics.of([["a"], ["b"], ["c"]])
    half = MultilingualTopics.of_languages({"en": side("en", sharp()), "sv": words})
    assert one.why_not(topics) == ""
    assert one.why_not(half) == "no topic-word matrix (sv)"
    assert one(train="en", test="en").why_not(half) == ""
    assert "in one language" in one.why_not(words)
    assert one(test="tr").why_not(topics) == "no topics in tr: its languages are en, sv"
    assert "leave out @5" in (one @ 5).why_not(topics)
    with pytest.raises(InputError, match=r"m: no topic-word matrix \(en\)"):
        row(
            MultilingualTopics.of_languages({"en": words, "sv": words}, model="m"),
            paired(en=clear("en", "xy"), sv=clear("sv", "xy")),
        )


def test_without_scikit_learn_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "sklearn"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    corpus = paired(en=clear("en", "xy"), sv=clear("sv", "xy"))
    monkeypatch.setattr(PairedCorpus, "keyed_documents", lambda *_: pytest.fail("texts were read"))
    with pytest.raises(MissingExtraError, match=r"classification needs.*tealeaves\[models\]"):
        row(model(en=sharp(), sv=sharp()), corpus)


def test_the_signature_tells_what_changes_the_number() -> None:
    import sklearn

    topics = model(en=sharp(), sv=sharp())
    english, swedish = clear("en", "xy" * 5), clear("sv", "xy" * 5)
    found = row(topics, paired(en=english, sv=swedish)).signature
    for part in ("average=macro", "folds=5", "seed=0", f"scikit-learn={sklearn.__version__}"):
        assert part in found
    relinked = [(f"d{(n + 2) % 10}", label, text) for n, (_, label, text) in enumerate(swedish)]
    relabelled = [(i, {"x": "y", "y": "x"}[label], text) for i, label, text in swedish]
    reworded = [(i, label, f"{text} sv0") for i, label, text in swedish]
    others = [
        row(topics, paired(en=english, sv=listed)).signature
        for listed in (relinked, relabelled, reworded)
    ]
    assert len({found, *others}) == 4
    alone = row(topics, paired(en=english, sv=swedish), "crosslingual_f1(train=en, test=en)")
    assert "sv: tokens" in found
    assert "sv: tokens" not in alone.signature


# ------------------------------------------------------------------ real texts


@pytest.mark.reference
def test_topics_that_are_labels_carry_them_across_sib200(reference_data: Path) -> None:
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
    scores = tealeaves.score(models, paired(**written), asked, tokens="words")
    # the most frequent label is a quarter of 303 sentences; seven labels by chance are 1/7
    assert scores.value("labels", "crosslingual_f1") > 0.5
    assert scores.value("labels", "crosslingual_f1(average=micro)") > 0.55
    assert scores.value("turned", "crosslingual_f1") < 1 / 7
    assert all(found.support == 1.0 for found in scores.models)
