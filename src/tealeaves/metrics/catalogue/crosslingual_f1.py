"""Crosslingual classification: do topics carry labels from one language to another?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.linked.request import SidesRequest
from tealeaves.evidence.sources import multilingual
from tealeaves.evidence.wording import Wording, wordings_of
from tealeaves.metrics.base import Result
from tealeaves.metrics.crosslingual.f1 import Average
from tealeaves.metrics.crosslingual.family import CrosslingualMetric, LanguagePair
from tealeaves.metrics.crosslingual.folds import deal
from tealeaves.metrics.crosslingual.labelled import (
    LabelledSide,
    labelled_side,
    provenance_of_side,
)
from tealeaves.metrics.crosslingual.linked import mean_result
from tealeaves.metrics.crosslingual.transfer import SEPARATOR, sklearn, transfer_f1
from tealeaves.metrics.following.model_texts import request_for
from tealeaves.topics.distributions import missing_part
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.evidence.terms import Term


class Transfer(msgspec.Struct, frozen=True, kw_only=True):
    """Who learns from whom, how it is tested, and what is measured.

    Parameters
    ----------
    train
        The language whose documents are learnt from; by default each in turn.
    test
        The language whose documents are judged; by default each other one in turn.
    average
        ``macro``: the mean of the labels' F1; ``micro``: F1 of all labels together.
    folds
        The parts that the tuples are dealt into; each is predicted from the others.
    c
        The inverse of the strength of regularisation.
    seed
        Decides how the tuples are dealt.
    separator
        What stands between the labels of a document that has several.
    iterations
        Steps of the estimation of a document's topics.
    alpha
        Added to each topic's expected number of words in a step.
    """

    train: str | None = None
    test: str | None = None
    average: Average = "macro"
    folds: Annotated[int, Meta(ge=2, le=1000)] = 5
    c: Annotated[float, Meta(gt=0, le=1e9)] = 1.0
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 0
    separator: Annotated[str, Meta(min_length=1)] = SEPARATOR
    iterations: Annotated[int, Meta(ge=1, le=100_000)] = 100
    alpha: Annotated[float, Meta(ge=0, le=1e6)] = 0.1


@dataclass(frozen=True, repr=False, eq=False)
class CrosslingualF1(CrosslingualMetric):
    """How well labels learnt from the topics of one language's documents fit another's."""

    settings: Transfer

    @property
    def source(self) -> str:
        """What the documents of each language are compared by."""
        return "labels of texts; topic-word matrix of each language"

    @property
    def why_undefined(self) -> str:
        """Why a model may have no score."""
        return "as no document with a label has a word of it"

    def lacks(self, model: Topics) -> str:
        """Ask for the languages that are named, and for p(w|t) of each that is read."""
        if lack := self.lack_of_words or super().lacks(model):
            return lack
        languages = multilingual(model).languages
        for named in (self.settings.train, self.settings.test):
            if named is not None and named not in languages:
                return f"no topics in {named}: its languages are {', '.join(languages)}"
        for language in self._languages(model):
            if lack := missing_part(multilingual(model).side(language), "phi"):
                return f"{lack} ({language})"
        return ""

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[SidesRequest]:
        """Ask for documents with labels, and for scikit-learn before these are read."""
        sklearn("sklearn.linear_model")
        languages = {language for model in models for language in self._languages(model)}
        terms: set[Term] = set()
        for language in languages:
            sides = [
                multilingual(model).side(language)
                for model in models
                if language in self._languages(model)
            ]
            terms |= request_for(sides, wordings_of(wording).of(language)).terms
        return [SidesRequest(frozenset(languages), frozenset(terms))]

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Train and test classifiers for each model."""
        return [self._of_model(model, evidence, wording) for model in models]

    def provenance(self, evidence: Evidence) -> str:  # noqa: ARG002
        """Return whose classifier it is."""
        return f"scikit-learn={sklearn().__version__}"

    def provenance_of(
        self,
        model: Topics,
        beside: Sequence[Topics],  # noqa: ARG002
        evidence: Evidence,
    ) -> str:
        """Return the texts of the languages that were read, their links and labels."""
        if self.why_not(model):
            return ""
        return "|".join(
            provenance_of_side(evidence.side(language)) for language in self._languages(model)
        )

    def _pairs(self, model: Topics) -> list[LanguagePair]:
        """Return which language is learnt from, and which is judged."""
        train, test = self.settings.train, self.settings.test
        languages = multilingual(model).languages
        if train is not None and test is not None:
            return [(train, test)]
        pairs = product([train] if train else languages, [test] if test else languages)
        return [(one, other) for one, other in pairs if one != other]

    def _languages(self, model: Topics) -> list[str]:
        return list(dict.fromkeys(name for pair in self._pairs(model) for name in pair))

    def _of_model(self, model: Topics, evidence: Evidence, wording: Wording) -> Result:
        import numpy as np

        settings = self.settings
        sides = {
            language: labelled_side(
                multilingual(model).side(language),
                evidence.side(language),
                wordings_of(wording).of(language),
                separator=settings.separator,
                iterations=settings.iterations,
                alpha=settings.alpha,
            )
            for language in self._languages(model)
        }
        found = [self._of_pair(model, sides[a], sides[b]) for a, b in self._pairs(model)]
        values, shares = ([np.array([one[place]]) for one in found] for place in (0, 1))
        mean = mean_result(values, shares)
        return Result.of_model(model, float(mean.values[0]), float(mean.support[0]))

    def _of_pair(
        self, model: Topics, train: LabelledSide, test: LabelledSide
    ) -> tuple[float, float]:
        """Return the F1 of one language's documents, and the share of documents that is used."""
        if not len(train) or not len(test):
            return float("nan"), 0.0
        folds = self.settings.folds
        names = train.frequent(folds) & test.frequent(folds)
        if len(names) < 2:
            raise InputError(
                f"{model.model}: {self!r} needs two labels with {folds} documents each in both "
                f"{train.language} and {test.language}, and there {_are(len(names))}: give more "
                "labelled texts, or fewer folds"
            )
        learnt, judged = train.only(names), test.only(names)
        dealt = deal(
            {side.language: side.documents for side in (learnt, judged)},
            folds=folds,
            seed=self.settings.seed,
        )
        value = transfer_f1(
            learnt.theta,
            learnt.labels,
            judged.theta,
            judged.labels,
            average=self.settings.average,
            c=self.settings.c,
            folds=(dealt[learnt.language], dealt[judged.language]),
        )
        every = train.all_documents + test.all_documents
        return value, (len(learnt) + len(judged)) / every


def _are(number: int) -> str:
    return "is 1" if number == 1 else f"are {number}"


crosslingual_f1 = CrosslingualF1(
    name="crosslingual_f1",
    summary="how well labels learnt from one language's topics are found in another's",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=Transfer(),
    accepts=(
        "train",
        "test",
        "average",
        "folds",
        "c",
        "seed",
        "separator",
        "iterations",
        "alpha",
    ),
    level="model",
    formula=(
        r"\frac{1}{\lvert Q \rvert} \sum_{(a, b) \in Q} \frac{1}{\lvert C_{ab} \rvert} "
        r"\sum_{c \in C_{ab}} \frac{2 \, \mathrm{TP}_c}"
        r"{2 \, \mathrm{TP}_c + \mathrm{FP}_c + \mathrm{FN}_c}"
    ),
    misleads=(
        "Many topics give the classifier more to learn from, short texts say little of their "
        "topics, and with few texts the folds decide (try other seeds). Translations that are not "
        "linked may be on both sides of a fold, which flatters. A rare label weighs as much as "
        "any in macro, next to nothing in micro; where labels are several, one that is seldom "
        "more probable than not is hardly ever given (a higher c helps)."
    ),
    details="""\
    A classifier learns the labels of documents of one language (train) from p(t|d) alone and
    predicts those of another (test): logistic regression or, where any document has several labels,
    logistic regression of each label against the rest. Of a label c, TP documents have it and are
    given it, FP are given it and have it not, FN have it and are not given it: average=macro is the
    mean of F1 over the labels C, micro F1 of all labels together, both over the predictions of all
    folds. Without train and test, the mean over Q, all ordered pairs of the model's languages.
    train=en, test=en stays in one language: what is lost by leaving it is the difference.

    p(t|d) of a document is estimated from the words of its own language with p(w|t) fixed, as in
    perplexity(estimator=fold_in): nothing of its translation comes in. Folds are of tuples: the
    classifier that judges a document has seen neither it nor what it is linked to. Each label is
    dealt evenly; documents without a link are dealt on their own.

    Defaults: macro, 5 folds, c 1, seed 0, labels separated by |, 100 iterations, alpha 0.1. The
    paper names neither its classifier nor its folds. Left out are documents without a label or a
    word of the model, and labels that fewer documents than folds have in either language; the
    support is the share of all documents that are left. scikit-learn is needed.
    """,
)
