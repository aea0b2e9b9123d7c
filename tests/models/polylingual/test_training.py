"""Training the polylingual topic model."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import pytest
from scipy.special import gammaln

from tealeaves.errors import InputError
from tealeaves.models import model, train
from tealeaves.models.model import sampled_iterations
from tealeaves.models.polylingual.chain import GibbsChain
from tealeaves.models.polylingual.model import PolylingualModel
from tealeaves.models.polylingual.training import BestChain, TrainingOptions, TrainingProgress
from tealeaves.models.texts import TrainingTexts
from tealeaves.models.training import training_texts
from tealeaves.text.paired import PairedCorpus
from tealeaves.topics.multilingual import MultilingualTopics
from tealeaves.topics.reading import read_topics
from tealeaves.topics.topics import Topics

from .planted import THEMES, WORDS, planted, planted_tuples, words_of

QUICK = "pltm(k=3, iterations=60, burn_in=20, optimize=10, max_df=0.5)"


def trained(spec: str, paired: PairedCorpus, **known: Any) -> MultilingualTopics:
    topics = train(spec, paired, **known)
    assert isinstance(topics, MultilingualTopics)
    return topics


def sampled(spec: str, texts: TrainingTexts, **options: Any) -> BestChain:
    chosen = model(spec)
    assert isinstance(chosen, PolylingualModel)
    return chosen.sample(texts, TrainingOptions(**options))


def test_planted_topics_are_found_in_both_languages() -> None:
    topics = trained(QUICK, planted(60, lacking=5), threads=1)
    themes = []
    for number in range(THEMES):
        english = set(topics.side("en")[number].words[:WORDS])
        theme = next(t for t in range(THEMES) if english == set(words_of("en", t)))
        assert set(topics.side("sv")[number].words[:WORDS]) == set(words_of("sv", theme))
        themes.append(theme)
    assert topics.document_topic is not None
    best = topics.document_topic.argmax(axis=1)
    assert [themes[k] for k in best] == [row % THEMES for row in range(60)]


def test_what_the_topics_say() -> None:
    topics = trained(QUICK, planted(30, lacking=10), seed=4)
    assert (topics.model, topics.family) == (
        "pltm-3-4",
        "pltm(k=3, max_df=0.5, iterations=60, optimize=10, burn_in=20)",
    )
    assert topics.languages == ("en", "sv")
    assert topics.document_ids == tuple(str(number) for number in range(1, 31))
    assert topics.document_languages is not None
    assert topics.document_languages.sum(axis=0).tolist() == [30, 27]
    assert topics.document_lengths is not None
    assert topics.document_lengths.tolist() == [20 if row % 10 == 0 else 40 for row in range(30)]
    assert topics.document_topic is not None
    assert np.allclose(topics.document_topic.sum(axis=1), 1)
    for language, tokens in (("en", 600), ("sv", 540)):
        side = topics.side(language)
        assert (side.language, side.tokens, side.samples) == (language, "words", None)
        assert side.vocabulary == tuple(sorted(w for t in range(3) for w in words_of(language, t)))
        assert side.topic_word is not None
        assert np.allclose(side.topic_word.sum(axis=1), 1)
        assert side.term_frequency is not None
        assert side.term_frequency.sum() == tokens
        assert side[0].weights is not None
        assert side[0].weights[0] == side.topic_word[0].max()


def test_tuples_without_words_have_no_topic() -> None:
    tuples = planted_tuples(20)
    tuples[7] = {"en": "?", "sv": "!"}
    topics = trained(QUICK, PairedCorpus.of(tuples))
    assert topics.document_topic is not None
    assert topics.document_topic[7].tolist() == [0, 0, 0]
    counts = topics.documents_per_topic()
    assert counts is not None
    assert (sum(counts[0]), counts[1]) == (19, 1)


def test_unlinked_documents_have_a_theta_each() -> None:
    topics = trained(QUICK, planted(20).unlink(0.5, seed=2))
    assert topics.documents == 10 + 2 * 10
    assert topics.document_languages is not None
    assert sorted(topics.document_languages.sum(axis=1).tolist()) == [1] * 20 + [2] * 10
    assert topics.document_ids is not None
    assert sum(one.startswith("sv:") for one in topics.document_ids) == 10


def test_one_language_is_lda() -> None:
    texts = [sides["en"] for sides in planted_tuples(30)]
    topics = train(QUICK, texts)
    assert type(topics) is Topics
    words = {frozenset(topic.words[:WORDS]) for topic in topics.topics}
    assert words == {frozenset(words_of("en", theme)) for theme in range(THEMES)}
    # φ and θ are what the tokens' topics say, α and β being those at the end of the chain
    chain = sampled(QUICK, training_texts(model(QUICK), texts)).chain
    assert topics.assignments is not None
    assert np.array_equal(topics.assignments.topics, chain.topics)
    counts = np.zeros((3, len(topics.vocabulary or ())))
    np.add.at(counts, (topics.assignments.topics, topics.assignments.words), 1)
    alpha, beta = chain.priors
    smoothed = counts + beta[0]
    assert topics.topic_word is not None
    assert np.allclose(topics.topic_word, smoothed / smoothed.sum(axis=1, keepdims=True))
    assert topics.document_topic is not None
    assert np.allclose(
        topics.document_topic[4],
        (np.bincount(chain.topics[80:100], minlength=3) + alpha) / (20 + alpha.sum()),
    )


def test_threads_do_not_show_and_the_seed_decides() -> None:
    paired = planted(30)
    spec = QUICK.replace("k=3", "k=3, parts=4")
    one, two, other = (
        trained(spec, paired, threads=threads, seed=seed)
        for threads, seed in ((1, 1), (3, 1), (1, 2))
    )
    assert one.digest == two.digest
    assert np.array_equal(one.document_topic, two.document_topic)  # type: ignore[arg-type]
    assert one.digest != other.digest


@pytest.mark.parametrize("sampler", ["dense", "sparse"])
def test_the_sampler_is_the_one_that_was_chosen(
    sampler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    start = GibbsChain.start

    def watched(*given: Any, **known: Any) -> GibbsChain:
        seen.append((known["sampler"], known["parts"]))
        return start(*given, **known)

    monkeypatch.setattr(GibbsChain, "start", watched)
    train(f"pltm(k=2, iterations=3, sampler={sampler}, parts=2, max_df=1)", planted(6))
    assert seen == [(sampler, 2)]


def test_of_several_chains_the_best_is_kept() -> None:
    paired = planted(24, length=6)
    spec = "pltm(k=6, iterations=25, optimize=0, max_df=0.5)"
    progress: list[TrainingProgress] = []
    best = trained(spec, paired, chains=4, on_sweep=progress.append)
    assert (progress[-1].sweeps, progress[-1].total) == (100, 100)
    finals = [trace[-1] for trace in progress[-1].traces]
    assert len(set(finals)) == 4
    kept = finals.index(max(finals))
    alone: list[TrainingProgress] = []
    same = trained(spec, paired, seed=1 + kept, on_sweep=alone.append)
    assert alone[-1].traces == (progress[-1].traces[kept],)
    assert same.digest == best.digest
    assert np.array_equal(same.document_topic, best.document_topic)  # type: ignore[arg-type]


def dirichlet_multinomial(counts: np.ndarray[Any, Any], prior: float) -> float:
    """Return log Π Γ(Ka)/Γ(n + Ka) Π Γ(n_k + a)/Γ(a), over rows and their columns."""
    size = counts.shape[1]
    whole = gammaln(size * prior) - gammaln(counts.sum(axis=1) + size * prior)
    return float(whole.sum() + (gammaln(counts + prior) - gammaln(prior)).sum())


def test_the_trace_is_the_log_likelihood_a_token() -> None:
    paired = planted(12)
    spec = "pltm(k=3, iterations=50, max_df=0.5)"
    texts = training_texts(model(spec), paired)
    progress: list[TrainingProgress] = []
    best = sampled(spec, texts, on_sweep=progress.append)
    # after 20, 40 and the last of 50 sweeps
    assert [len(one.traces[0]) for one in progress] == [0] * 20 + [1] * 20 + [2] * 10 + [3]
    # p(w, z) = Π over tuples DirMult(n_d; α) · Π over languages and topics DirMult(n_lk; β_l)
    tuples = np.repeat(np.arange(len(texts)), texts.lengths)
    by_tuple = np.zeros((len(texts), 3))
    np.add.at(by_tuple, (tuples, best.chain.topics), 1)
    expected = dirichlet_multinomial(by_tuple, 0.1)
    for language in range(2):
        by_word = np.zeros((3, len(texts.vocabularies[language])))
        own = texts.token_languages == language
        np.add.at(by_word, (best.chain.topics[own], texts.words[own]), 1)
        expected += dirichlet_multinomial(by_word, 0.01)
    assert best.traces[0][-1] == pytest.approx(expected / len(texts.words), abs=1e-12)
    assert math.isnan(progress[0].log_likelihood)
    assert progress[-1].log_likelihood == best.traces[0][-1]


def test_alpha_and_beta_are_fitted_when_they_should_be(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted: list[int] = []
    monkeypatch.setattr(GibbsChain, "optimise", lambda chain: fitted.append(chain.sweep))
    known: dict[str, Any] = {"k": 2, "iterations": 50, "max_df": 0.5}
    train("pltm(optimize=10, burn_in=20)", planted(6), **known)
    assert fitted == [30, 40, 50]
    train("pltm(optimize=0, burn_in=0)", planted(6), **known)
    train("pltm", planted(6), **known)  # by default the first 200 sweeps are before
    assert fitted == [30, 40, 50]


def test_samples_do_not_change_the_chain() -> None:
    paired = planted(20)
    plain = trained(QUICK, paired)
    kept = trained(QUICK, paired, samples=5)
    assert kept.digest == plain.digest
    assert kept.family == plain.family
    for language in kept.languages:
        side = kept.side(language)
        assert side.samples is not None
        assert side.topic_word is not None
        assert side.samples.shape == (5, *side.topic_word.shape)
        assert np.array_equal(side.samples[-1], side.topic_word)  # the last is the chain's end
        assert not np.array_equal(side.samples[0], side.samples[1])
    settings = model("pltm(iterations=60, samples=5)").settings
    assert sampled_iterations(settings) == {36, 42, 48, 54, 60}


@pytest.mark.parametrize("suffix", ["topics", "json"])
def test_topics_are_read_as_they_were_saved(tmp_path: Any, suffix: str) -> None:
    topics = trained(QUICK, planted(12, lacking=4), samples=2)
    topics.save(tmp_path / f"saved.{suffix}")
    saved = read_topics(tmp_path / f"saved.{suffix}")
    assert saved == topics
    assert isinstance(saved, MultilingualTopics)
    for name in ("document_topic", "document_languages", "document_lengths"):
        assert np.array_equal(getattr(saved, name), getattr(topics, name)), name
    for language in topics.languages:
        for name in ("topic_word", "term_frequency", "samples"):
            mine, theirs = (getattr(one.side(language), name) for one in (topics, saved))
            assert np.array_equal(mine, theirs), name


@pytest.mark.parametrize(
    ("spec", "known", "message"),
    [
        ("pltm(k=50, max_df=1)", {}, "more topics than texts with words: en=memory"),
        ("pltm(min_df=9)", {}, "no word of en is in at least 9"),
        ("pltm(sampler=fast)", {}, "sampler must be one of auto, dense, sparse, not fast"),
        ("pltm(parts=0)", {}, "parts must be a whole number of at least 1, or none, not 0"),
        ("pltm(iterations=10, samples=6)", {}, "samples must be at most 5, half"),
        ("pltm", {"tokens": {"tr": "words"}}, "tokens for tr, but the texts are in en, sv"),
        ("lda", {}, "lda takes texts in one language: train pltm, or give the texts of one"),
        ("lda", {"threads": 2}, "threads is for pltm, not for lda"),
    ],
)
def test_what_cannot_be_trained_is_one_clear_line(
    spec: str, known: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        train(spec, planted(12), **known)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_more_topics_than_words_of_a_language() -> None:
    tuples = [{"en": f"{a} {b}", "sv": "x"} for a, b in ("ab", "cd", "ef", "gh")]
    with pytest.raises(InputError, match=r"more topics than words of sv: .* has 1"):
        train("pltm(k=2, max_df=1)", PairedCorpus.of(tuples))


def test_tokens_by_language_are_for_paired_texts() -> None:
    with pytest.raises(InputError, match="tokens for each language are for paired texts"):
        train("pltm(k=2)", ["a b", "c d"], tokens={"en": "words"})


def test_selecting_works_on_one_language_and_refuses_several() -> None:
    from tealeaves.models import select

    texts = [sides["en"] for sides in planted_tuples(20)]
    selection = select("pltm(iterations=20, max_df=0.5)", texts, [2, 3], "npmi@5", runs=1)
    assert {candidate.k for candidate in selection.candidates} == {2, 3}
    with pytest.raises(InputError, match="texts in one language are needed, not paired texts"):
        select("pltm", planted(12), [2])  # type: ignore[arg-type]


class Terminal(io.StringIO):
    """What a bar takes for a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_bar_shows_sweeps_and_log_likelihood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    steps: list[TrainingProgress] = []
    train("pltm(k=2, iterations=40, max_df=0.5)", planted(6), progress=True, on_sweep=steps.append)
    shown = terminal.getvalue()
    assert "pltm: " in shown
    assert "40/40" in shown
    assert f"log-likelihood {steps[-1].log_likelihood:.3f}" in shown
    assert "nan" not in shown
    assert len(steps) == 41
