"""Stability: does the same model find the same topics again?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tealeaves.arrays import Floats
from tealeaves.evidence.evidence import Evidence
from tealeaves.metrics.base import Result
from tealeaves.metrics.formulas import RBO
from tealeaves.metrics.topic_similarity.family import SimilarityMetric
from tealeaves.metrics.topic_similarity.matching import match_topics, means_of_matches
from tealeaves.metrics.topic_similarity.similarity import (
    SimilaritySettings,
    cosine,
    jensen_shannon,
    normalise_rows,
    similarity_of_lists,
    similarity_of_runs,
)
from tealeaves.metrics.topic_similarity.word_lists import WordLists, filled_shares
from tealeaves.tables.numbers import list_text
from tealeaves.topics.distributions import missing_part
from tealeaves.topics.topics import Topics


@dataclass(frozen=True, repr=False, eq=False)
class Stability(SimilarityMetric):
    """How similar the topics of several runs are, when matched one to one."""

    why_undefined: ClassVar[str] = "for lack of another run of the same family"

    @property
    def source(self) -> str:
        """Other runs of the model."""
        by_words = self.settings.by_words
        return "the topics' words, of several runs" if by_words else "φ, of several runs"

    def lacks(self, model: Topics) -> str:
        """Ask for the topic-word matrix, where distributions are compared."""
        return "" if self.settings.by_words else missing_part(model, "phi")

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return the number of runs that were compared, and a digest of their content."""
        return evidence.memo.once(self._origins, models)[model.family]

    def _origins(self, models: Sequence[Topics]) -> dict[str, str]:
        """Return for each family the number of its runs, and a digest of their content."""
        families: dict[str, list[int]] = {}
        for run in models:
            if self.settings.by_words or not self.lacks(run):
                families.setdefault(run.family, []).append(run.digest)
        return {
            family: f"{f'family={family}|' if family else ''}runs={len(digests)}"
            f"#{sum(digests) % 2**64:016x}"
            for family, digests in families.items()
        }

    def remarks(self, models: Sequence[Topics]) -> list[str]:
        """Name the models without a family, which count as runs of one model."""
        runs = [model.model for model in models if not model.family]
        if len(runs) < 2:
            return []
        return [f"{self!r} takes models without a family for runs of one model: {list_text(runs)}"]

    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Compare each model with the others of its family."""
        families: dict[str, list[int]] = {}
        for number, model in enumerate(models):
            families.setdefault(model.family, []).append(number)
        results = [Result.undefined(model) for model in models]
        for numbers in families.values():
            runs = [models[number] for number in numbers]
            for number, result in zip(numbers, self._compare_runs(runs), strict=True):
                results[number] = result
        return results

    def _compare_runs(self, runs: Sequence[Topics]) -> list[Result]:
        if len(runs) == 1:
            return [Result.undefined(runs[0])]
        similarity, share = similarity_of_runs(runs, self.settings, self.top)
        matches = match_topics(similarity, [len(run) for run in runs])
        values, support = means_of_matches(matches, share, len(runs))
        edges = np.cumsum([len(run) for run in runs])[:-1]
        parts = zip(np.split(values, edges), np.split(support, edges), strict=True)
        return [Result(*part) for part in parts]


@dataclass(frozen=True, repr=False, eq=False)
class PosteriorStability(SimilarityMetric):
    """How similar the samples of one chain are to their mean."""

    source: ClassVar[str] = "samples of one chain"

    def lacks(self, model: Topics) -> str:
        """Ask for two samples at least."""
        if model.samples is not None and len(model.samples) < 2:
            return "fewer than 2 samples of one chain"
        return missing_part(model, "samples")

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return the number of samples."""
        return "" if model.samples is None else f"samples={len(model.samples)}"

    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Compare the samples of each model with their mean."""
        return [
            Result.undefined(model) if self.lacks(model) else self._compare_samples(model)
            for model in models
        ]

    def _compare_samples(self, model: Topics) -> Result:
        """Return each topic's mean similarity of its samples to their mean, and its support.

        A sample in which a topic has no words at all cannot be compared.
        """
        result = Result.undefined(model)
        samples = np.asarray(model.samples)
        for k, topic in enumerate(model.topics):
            rows = normalise_rows(samples[:, k])
            known = rows[~np.isnan(rows).any(axis=1)]
            if len(known) < 2:
                continue
            mean = known.mean(axis=0, keepdims=True)
            if self.settings.by_words:
                size = len(topic.words) if self.top is None else self.top
                similarity, share = self._compare_lists(np.concatenate([mean, known]), size)
            else:
                compare = cosine if self.settings.similarity == "cosine" else jensen_shannon
                similarity, share = compare(mean, known), np.ones(len(known) + 1)
            result.values[k] = similarity.mean()
            result.support[k] = len(known) / len(rows) * float((share[0] * share[1:]).mean())
        return result

    def _compare_lists(self, distributions: Floats, size: int) -> tuple[Floats, Floats]:
        """Compare the first words of the first distribution with those of all others."""
        lists = WordLists.of([_first_words(row, size) for row in distributions])
        similarity = similarity_of_lists(lists, self.settings)
        return similarity(range(1), range(1, len(lists))), filled_shares(lists, size)


def _first_words(distribution: Floats, size: int) -> list[int]:
    """Return the most probable words, of equals the first; none of probability 0."""
    order = np.argsort(-distribution, kind="stable")[:size]
    words: list[int] = order[distribution[order] > 0].tolist()
    return words


stability = Stability(
    name="stability",
    summary="similarity of each topic to its match in other runs of the model, mean",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Greene, O'Callaghan & Cunningham 2014; Hoyle et al. 2022; Hosseiny Marani & Baumer 2023",
    settings=SimilaritySettings(),
    formula=(
        r"\frac{1}{\lvert R \rvert} \sum_{r \in R} \mathrm{RBO}(W_t, W_{\pi_r(t)}), \quad "
        r"\pi_r \text{ maximises } \sum_{u} \mathrm{RBO}(W_u, W_{\pi_r(u)}), \quad " + RBO
    ),
    misleads=(
        "It is not a property of one model alone, and changes with the runs that are given. Runs "
        "that all find the same poor topics are stable."
    ),
    details="""\
    The topics of each two runs are matched one to one so that the sum of their similarities is
    greatest (Hungarian algorithm): π_r(t) is the match of topic t in run r. A topic's value is its
    mean similarity to its matches, in R, the other runs that have one. Runs are the models of the
    same family that are scored together; models without a family are taken for runs of one model.
    A model with no other run has no score. Where runs have different numbers of topics, the surplus
    topics have no match: their support falls, their value does not.

    similarity: rbo (rank-biased overlap of word lists W, with its p, extrapolated as in irbo: A_d
    is the share of the first d words that both have, X_d their number, s and l are the lengths of
    the shorter and of the longer list), jaccard (of word sets), js (1 - Jensen-Shannon divergence
    in bits) and cosine (both of φ, over the union of the vocabularies; these need topic-word
    matrices, and @n does not change them). js is slow for many runs: a second for 10 runs of 25
    topics and 5000 words, a hundred times as long for 100 runs.
    Defaults: rbo with p = 0.9 of all words of the topics; stability@10 compares the first 10.
    """,
)

posterior_stability = PosteriorStability(
    name="posterior_stability",
    summary="similarity of the samples of one chain to their mean",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Xing & Paul 2018",
    settings=SimilaritySettings(similarity="cosine", p=None),
    formula=(
        r"\frac{1}{S} \sum_{s=1}^{S} \cos(\varphi_t^{(s)}, \bar{\varphi}_t), \quad "
        r"\bar{\varphi}_t = \frac{1}{S} \sum_{s=1}^{S} \varphi_t^{(s)}"
    ),
    misleads=(
        "A chain that cannot leave a poor mode is stable, and so are samples that were taken too "
        "close to each other. Topics that trade places within the chain look unstable."
    ),
    details="""\
    The mean over the S samples of one chain of the similarity of a topic's φ = p(w|t) in the sample
    to its mean over samples. The samples of one chain keep the numbers of topics, so nothing is
    matched. Use samples after burn-in, some sweeps apart. 1: the topic does not change.

    similarity: cosine or js (1 - Jensen-Shannon divergence in bits) of the distributions; rbo (with
    its p) or jaccard of the first n words of each, without words of probability 0.
    Defaults: cosine. Without @n word lists are as long as those of the topics.
    """,
)
