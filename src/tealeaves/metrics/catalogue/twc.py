"""TWC: how many words of a topic does the reference know?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from tealeaves.evidence.request import Pair
from tealeaves.evidence.terms import Term
from tealeaves.metrics.crosslingual.linked import LinkedMetric, Lists, occurrences, places

if TYPE_CHECKING:
    from tealeaves.arrays import Floats
    from tealeaves.evidence.counts import Counts


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """Whose words are looked for.

    Parameters
    ----------
    language
        The one language that is looked at; by default the mean over languages.
    """

    language: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class TopicWordCoverage(LinkedMetric):
    """The share of a topic's words that linked documents have."""

    settings: Coverage

    def pairs_of(self, left: tuple[Term, ...], right: tuple[Term, ...]) -> Iterable[Pair]:  # noqa: ARG002
        """Ask for words alone."""
        return ()

    def of_pair(self, lists: dict[str, Lists], counts: Counts) -> tuple[Floats, Floats]:
        """Count the words that are there, language by language."""
        import numpy as np

        chosen = [lists[name] for name in lists if self.judges(name)]
        shares = [
            [float((occurrences(places(terms, counts), counts) > 0).mean()) for terms in listed]
            for listed in chosen
        ]
        lengths = [[len(terms) / max(len(terms), self.top or 1) for terms in one] for one in chosen]
        return np.array(shares).mean(axis=0), np.array(lengths).mean(axis=0)


twc = TopicWordCoverage(
    name="twc",
    summary="topic word coverage: share of the words that the linked documents have",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=Coverage(),
    accepts=("language",),
    formula=(
        r"\frac{1}{2} \sum_{\ell=1}^{2} "
        r"\frac{\lvert \{w \in W_{\ell} \, : \, D_{\ell}(w) > 0\} \rvert}{\lvert W_{\ell} \rvert}"
    ),
    misleads=(
        "It judges the reference as much as the topic, and says nothing of coherence: common "
        "words are in any reference, whatever topic they make. Where it is low, cnpmi and inpmi "
        "rest on few words, and say so by their support."
    ),
    details="""\
    The share of a topic's words that are in at least one linked document of their own language,
    averaged over the two languages; twc(language=sv) is that of one. W are the words of a language,
    D(w) is the number of its linked documents with w. Of more than two languages, the mean over
    pairs of them.

    Defaults: all words of the topics (10 are usual: @10).
    """,
)
