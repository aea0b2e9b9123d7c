"""``cnpmi_estimated``: the CNPMI that a rich reference would give, estimated from a Bible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import msgspec

from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.units import Unit
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Result
from tealeaves.metrics.crosslingual.family import CrosslingualMetric, language_pairs, mean_result
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.estimator.estimators import Estimators
    from tealeaves.metrics.base import AnyRequest


class EstimatorChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The estimators that are used.

    Parameters
    ----------
    estimator
        A file that `tealeaves estimator fit` made; by default the estimators of tealeaves.
    """

    estimator: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class EstimatedCoherence(CrosslingualMetric):
    """The CNPMI of a rich reference, estimated from a small one."""

    settings: EstimatorChoice
    reads_dictionaries: ClassVar[bool] = True
    reads_auxiliary: ClassVar[bool] = True
    source: ClassVar[str] = "counts of linked documents, an estimator"
    why_undefined: ClassVar[str] = "unjudgeable as the reference has too few of their words"

    @property
    def estimators(self) -> Estimators:
        """The estimators of the settings."""
        from tealeaves.estimator.estimators import open_estimators

        return open_estimators(self.settings.estimator)

    @property
    def files(self) -> tuple[str, ...]:
        """The file of estimators, if one is named."""
        return () if self.settings.estimator is None else (self.settings.estimator,)

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[AnyRequest]:
        """Return the requests of all features."""
        return self.estimators.features.needs(models, [self.top], wording)

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Estimate each topic in each pair of languages, and take the mean."""
        estimators = self.estimators
        results = []
        for model in models:
            parts = estimators.features.of(model, self.top, evidence, wording)
            values = [estimators.estimate(part).values for part in parts]
            results.append(mean_result(values, [part.support for part in parts]))
        return results

    def caveats(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[str]:
        """Say which estimators were used, and what is unlike the training topics."""
        from tealeaves.estimator.notes import notes_on_estimates

        estimators = self.estimators
        notes = []
        for model in models:
            parts = estimators.features.of(model, self.top, evidence, wording)
            notes += notes_on_estimates(estimators, parts, evidence)
        return list(dict.fromkeys(notes))

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return the estimators, the texts and tokens, and the other sources."""
        pairs = language_pairs(model)
        parts = [f"estimator={self.estimators.signature}"]
        units = [Unit.of_link(*pair) for pair in pairs]
        parts += [f"{unit}|{evidence.counts(unit).provenance}" for unit in units]
        if covered := [pair for pair in pairs if evidence.translates(*pair)]:
            parts.append(f"dictionary={evidence.dictionaries.signature_of(covered)}")
        for name, source in (("eras", evidence.years), ("drift", evidence.drift)):
            if source is not None:
                parts.append(f"{name}={source.signature}")
        return "|".join(parts)


cnpmi_estimated = EstimatedCoherence(
    name="cnpmi_estimated",
    summary="the CNPMI that a rich reference would give, estimated from a Bible",
    better="higher",
    bounds=(-1.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=EstimatorChoice(),
    formula=(
        r"\max \left( -1, \min \left( 1, b_0 + \sum_{j} b_j z_j + \sum_{j \le k} b_{jk} z_j z_k "
        r"\right) \right), \quad z_j = \frac{\min(\max(x_j, l_j), h_j) - m_j}{s_j}"
    ),
    misleads=(
        "An estimate is no evidence: if there is a rich reference, use cnpmi. It is on the "
        "scale of the reference it was learned from, not on that of the Bible's own CNPMI, and "
        "knows pairs with English, topics of 5 to 50 words, and Bibles; notes say where it is "
        "asked for more. Without a dictionary it ranks the topics of a model, but compares models "
        "less well than cnpmi itself."
    ),
    details="""\
    An estimator learned, from languages with rich references, which topics a small one misjudges.
    From the small reference it reads CNPMI, INPMI, the shares of words that it has (TWC), and how
    the coherence inside each language compares with that across (MC, ICC); with a dictionary
    (--dictionary) MTA too, with years of words (--years) how old the topic's words are, with modern
    texts (--modern) whether the reference uses them as we do. These are the x of the formula, each
    cut to the range from l to h that it had in learning, less its mean m there, divided by its
    deviation s; b are what was learned, by ridge regression (squares and products only where they
    helped, else b_jk is 0). Each topic is judged by the estimator that did best, on languages it
    had never seen, among those whose features the topic has. Of more than two languages, the mean
    over pairs of them. (The estimators that come with tealeaves did no better with years of words,
    and leave them out.)

    Defaults: the estimators that come with tealeaves, learned from English beside 23 languages:
    chapters of Bibles against news, encyclopedic sentences and human rights. `tealeaves estimator
    fit` makes others: cnpmi_estimated(estimator="my.json"). `tealeaves estimator predict` shows
    intervals, `explain` what moved a number.
    """,
)
