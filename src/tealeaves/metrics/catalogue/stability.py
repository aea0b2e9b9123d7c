"""Stability: does the same model find the same topics again?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tealeaves.metrics.base import Result
from tealeaves.metrics.comparing.family import LikenessMetric, LikenessSettings
from tealeaves.metrics.formulas import RBO
from tealeaves.metrics.notes import listed
from tealeaves.topics.distributions import missing_part
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, repr=False, eq=False)
class Stability(LikenessMetric):
    """How alike the topics of several runs are, when matched one to one."""

    @property
    def source(self) -> str:
        """Other runs of the model."""
        return "the topics' words, of several runs" if self.by_words else "φ, of several runs"

    def lacks(self, model: Topics) -> str:
        """Distributions are compared by the topic-word matrix."""
        return "" if self.by_words else missing_part(model, "phi")

    def origin(self, model: Topics, beside: Sequence[Topics]) -> str:
        """Name the runs that it was compared with: how many, and a digest of what they say."""
        runs = [one for one in beside if one.family == model.family and not self.lacks(one)]
        family = f"family={model.family}|" if model.family else ""
        return f"{family}runs={len(runs)}#{sum(run.digest for run in runs) % 2**64:016x}"

    def remarks(self, models: Sequence[Topics]) -> list[str]:
        """Name the models that are taken for runs of one."""
        runs = [model.model for model in models if not model.family]
        if len(runs) < 2:
            return []
        return [f"{self!r} takes for runs of one model, as none names its family: {listed(runs)}"]

    @property
    def why_undefined(self) -> str:
        """It takes two runs to compare."""
        return "for lack of another run of the same family"

    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Compare each model with the others of its family."""
        families: dict[str, list[int]] = {}
        for number, model in enumerate(models):
            families.setdefault(model.family, []).append(number)
        results = [Result.undefined(model) for model in models]
        for numbers in families.values():
            found = self._of_runs([models[number] for number in numbers])
            for number, result in zip(numbers, found, strict=True):
                results[number] = result
        return results

    def _of_runs(self, runs: Sequence[Topics]) -> list[Result]:
        import numpy as np

        from tealeaves.metrics.comparing.likeness import likeness_of_runs
        from tealeaves.metrics.comparing.matching import matches, means_of_matches

        if len(runs) == 1:
            return [Result.undefined(runs[0])]
        likeness, share = likeness_of_runs(runs, self.settings, self.top)
        found = matches(likeness, [len(run) for run in runs])
        values, support = means_of_matches(found, share, len(runs))
        edges = np.cumsum([len(run) for run in runs])[:-1]
        parts = zip(np.split(values, edges), np.split(support, edges), strict=True)
        return [Result(*part) for part in parts]


@dataclass(frozen=True, repr=False, eq=False)
class PosteriorStability(LikenessMetric):
    """How alike the samples of one chain are to their mean."""

    @property
    def source(self) -> str:
        """Samples of the posterior."""
        return "samples of one chain"

    def lacks(self, model: Topics) -> str:
        """Two samples are the least that can vary."""
        if model.samples is not None and len(model.samples) < 2:
            return "fewer than 2 samples of one chain"
        return missing_part(model, "samples")

    def origin(self, model: Topics, beside: Sequence[Topics]) -> str:  # noqa: ARG002
        """Return the number of samples."""
        return "" if model.samples is None else f"samples={len(model.samples)}"

    def results(self, models: Sequence[Topics]) -> list[Result]:
        """Compare the samples of each model with their mean."""
        from tealeaves.metrics.comparing.samples import means_of_samples

        return [
            Result.undefined(model)
            if self.lacks(model)
            else Result(*means_of_samples(model, self.settings, self.top))
            for model in models
        ]


stability = Stability(
    name="stability",
    summary="similarity of each topic to its match in other runs of the model, mean",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Greene, O'Callaghan & Cunningham 2014; Hoyle et al. 2022; Hosseiny Marani & Baumer 2023",
    settings=LikenessSettings(),
    accepts=("similarity", "p"),
    formula=(
        r"\frac{1}{\lvert R \rvert} \sum_{r \in R} \mathrm{RBO}(W_t, W_{\pi_r(t)}), \quad "
        r"\pi_r \text{ maximises } \sum_{u} \mathrm{RBO}(W_u, W_{\pi_r(u)}), \quad " + RBO
    ),
    misleads=(
        "It is no property of one model alone, and changes with the runs that are given. Runs "
        "that all find the same poor topics are stable."
    ),
    details="""\
    The topics of each two runs are matched one to one so that their similarity is greatest in sum
    (Hungarian algorithm): π_r(t) is the match of topic t in run r. A topic's value is its mean
    similarity to its matches, in R, the other runs that have one. Runs are the models of the same
    family that are scored together; models without a family are taken for runs of one model. A
    model with no other run has no score. Where numbers of topics differ, topics left over in a run
    count as missing there: the support falls, the value does not.

    similarity: rbo (rank-biased overlap of word lists W, with its p, extrapolated as in irbo: A_d
    is the share of the first d words that both have, X_d their number, s and l are the lengths of
    the shorter and of the longer list), jaccard (of word sets), js (1 - Jensen-Shannon divergence
    in bits) and cosine (both of φ, over the union of the vocabularies; these need topic-word
    matrices, and @n does not matter to them). js is slow for many runs: a second for 10 runs of 25
    topics and 5000 words, a hundred times that for 100 runs.
    Defaults: rbo with p = 0.9 of all words of the topics; stability@10 compares the first 10.
    """,
)

posterior_stability = PosteriorStability(
    name="posterior_stability",
    summary="similarity of the samples of one chain to their mean",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Xing & Paul 2018",
    settings=LikenessSettings(similarity="cosine", p=None),
    accepts=("similarity", "p"),
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
    matched; samples after burn-in, some sweeps apart, are meant. 1: the topic does not move.

    similarity: cosine or js (1 - Jensen-Shannon divergence in bits) of the distributions; rbo (with
    its p) or jaccard of the first n words of each, where words of probability 0 are left out.
    Defaults: cosine. Without @n word lists are as long as those of the topics.
    """,
)
