"""Crosslingual classification: do topics carry labels from one language to another?

The documents of all languages are described by the shares of the same topics, so a classifier that
was trained on the documents of one language can be tested on those of another.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta

from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import SidesRequest
from tealeaves.evidence.texts import EncodedTexts
from tealeaves.evidence.wording import Wording, wordings_of
from tealeaves.extras import require
from tealeaves.metrics.base import Result
from tealeaves.metrics.crosslingual.family import CrosslingualMetric, LanguagePair, mean_result
from tealeaves.metrics.per_text.inference import count_words, fold_in
from tealeaves.metrics.per_text.model_texts import model_texts, vocabulary_request
from tealeaves.topics.distributions import missing_part
from tealeaves.topics.multilingual import require_multilingual
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import ArrayLike

    from tealeaves.arrays import Bools, Floats, Integers
    from tealeaves.evidence.requests import Term

Average = Literal["macro", "micro"]
Labels = frozenset[str]

SEPARATOR = "|"
_STEPS = 100_000  # enough for the classifier to converge


class TransferSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The languages of training and test, the classifier, and the measure.

    Parameters
    ----------
    train
        The language of the training documents; by default each in turn.
    test
        The language of the test documents; by default each other one in turn.
    average
        ``macro``: the mean of the labels' F1; ``micro``: F1 of all labels together.
    folds
        The number of folds of linked documents; each is predicted from the others.
    c
        The inverse of the strength of regularisation.
    seed
        Decides how the linked documents are divided into folds.
    separator
        The separator between the labels of a document that has several.
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
    """How well labels learned from the topics of one language's documents fit another's."""

    settings: TransferSettings
    source: ClassVar[str] = "labels of texts; topic-word matrix of each language"
    why_undefined: ClassVar[str] = "because no document with a label has a word of it"

    def lacks(self, model: Topics) -> str:
        """Require the languages that are named, and p(w|t) of each that is read."""
        if lack := self.lack_of_words or super().lacks(model):
            return lack
        languages = require_multilingual(model).languages
        for named in (self.settings.train, self.settings.test):
            if named is not None and named not in languages:
                return f"no topics in {named}: its languages are {', '.join(languages)}"
        for language in self._languages(model):
            if lack := missing_part(require_multilingual(model).side(language), "phi"):
                return f"{lack} ({language})"
        return ""

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[SidesRequest]:
        """Ask for documents with labels; check for scikit-learn before these are read."""
        _sklearn("sklearn.linear_model")
        languages = {language for model in models for language in self._languages(model)}
        terms: set[Term] = set()
        for language in languages:
            sides = [
                require_multilingual(model).side(language)
                for model in models
                if language in self._languages(model)
            ]
            terms |= vocabulary_request(sides, wordings_of(wording).of(language)).terms
        return [SidesRequest(frozenset(languages), frozenset(terms))]

    def score(self, models: Sequence[Topics], evidence: Evidence, wording: Wording) -> list[Result]:
        """Train and test classifiers for each model."""
        return [self._score_model(model, evidence, wording) for model in models]

    def provenance(self, evidence: Evidence) -> str:
        """Return the version of the classifier."""
        return f"scikit-learn={_sklearn().__version__}"

    def origin(self, model: Topics, models: Sequence[Topics], evidence: Evidence) -> str:
        """Return the texts of the languages that were read, their links and labels."""
        return "|".join(
            _side_provenance(language, evidence.side(language))
            for language in self._languages(model)
        )

    def _pairs(self, model: Topics) -> list[LanguagePair]:
        train, test = self.settings.train, self.settings.test
        languages = require_multilingual(model).languages
        if train is not None and test is not None:
            return [(train, test)]
        pairs = product([train] if train else languages, [test] if test else languages)
        return [(one, other) for one, other in pairs if one != other]

    def _languages(self, model: Topics) -> list[str]:
        return list(dict.fromkeys(name for pair in self._pairs(model) for name in pair))

    def _score_model(self, model: Topics, evidence: Evidence, wording: Wording) -> Result:
        sides = {
            language: LabelledSide.of(
                require_multilingual(model).side(language),
                evidence.side(language),
                wordings_of(wording).of(language),
                self.settings,
            )
            for language in self._languages(model)
        }
        results = [self._score_pair(model, sides[a], sides[b]) for a, b in self._pairs(model)]
        values, shares = (
            [np.array([number]) for number in column] for column in zip(*results, strict=True)
        )
        mean = mean_result(values, shares)
        return Result.of_model(model, float(mean.values[0]), float(mean.support[0]))

    def _score_pair(
        self, model: Topics, train: LabelledSide, test: LabelledSide
    ) -> tuple[float, float]:
        """Return the F1 of one language's documents, and the share of documents that is used."""
        if not len(train) or not len(test):
            return float("nan"), 0.0
        folds = self.settings.folds
        names = train.frequent_labels(folds) & test.frequent_labels(folds)
        if len(names) < 2:
            there_are = "there is 1" if len(names) == 1 else f"there are {len(names)}"
            raise InputError(
                f"{model.model}: {self!r} needs two labels with {folds} documents each in both "
                f"{train.language} and {test.language}, and {there_are}: give more labelled texts, "
                "or fewer folds"
            )
        trained, tested = train.only(names), test.only(names)
        fold_of = assign_folds(
            {side.language: side.documents for side in (trained, tested)},
            folds=folds,
            seed=self.settings.seed,
        )
        value = transfer_f1(
            trained.theta,
            trained.labels,
            tested.theta,
            tested.labels,
            average=self.settings.average,
            c=self.settings.c,
            folds=(fold_of[trained.language], fold_of[tested.language]),
        )
        every = train.all_documents + test.all_documents
        return value, (len(trained) + len(tested)) / every


crosslingual_f1 = CrosslingualF1(
    name="crosslingual_f1",
    summary="how well labels learned from one language's topics are found in another's",
    better="higher",
    bounds=(0.0, 1.0),
    cite="Hao, Boyd-Graber & Paul 2018",
    settings=TransferSettings(),
    level="model",
    formula=(
        r"\frac{1}{\lvert Q \rvert} \sum_{(a, b) \in Q} \frac{1}{\lvert C_{ab} \rvert} "
        r"\sum_{c \in C_{ab}} \frac{2 \, \mathrm{TP}_c}"
        r"{2 \, \mathrm{TP}_c + \mathrm{FP}_c + \mathrm{FN}_c}"
    ),
    misleads=(
        "Many topics give the classifier more to learn from, short texts say little about their "
        "topics, and with few texts the folds decide (try other seeds). Translations that are not "
        "linked may be on both sides of a fold, which makes the value too high. A rare label "
        "weighs as much as any other in macro, next to nothing in micro; where documents have "
        "several labels, one that is seldom more probable than not is hardly ever predicted (a "
        "higher c helps)."
    ),
    details="""\
    A classifier learns the labels of documents of one language (train) from p(t|d) alone and
    predicts those of another (test): logistic regression or, if any document has several labels,
    logistic regression of each label against the rest. For a label c, TP documents have it and it
    is predicted, for FP documents it is predicted but they do not have it, FN documents have it but
    it is not predicted: average=macro is the mean of F1 over the labels C, micro F1 of all labels
    together, both over the predictions of all folds. Without train and test, it is the mean over Q,
    all ordered pairs of the model's languages. train=en, test=en stays in one language: the
    difference is the loss from changing the language.

    p(t|d) of a document is estimated from the words of its own language with p(w|t) fixed, as in
    perplexity(estimator=fold_in): nothing of its translation is used. Folds are made of linked
    documents: the classifier that judges a document has seen neither it nor the documents it is
    linked to. Each label is divided evenly; a document without a link is assigned by itself.

    Defaults: macro, 5 folds, c 1, seed 0, labels separated by |, 100 iterations, alpha 0.1. The
    paper names neither its classifier nor its folds. Documents without a label or a word of the
    model are left out, and so are labels that fewer documents than folds have in either language;
    the support is the share of all documents that are left. scikit-learn is needed.
    """,
)


# ---------------------------------------------------------------------- labelled documents


class LabelledDocument(NamedTuple):
    """The key of a document's links (``""`` for none), a digest of its text, and its labels."""

    key: str
    text: int
    labels: Labels


@dataclass(frozen=True, eq=False)
class LabelledSide:
    """The documents of a language that have a label and a word of the model, and their p(t|d).

    Their order does not depend on that of the corpus. ``all_documents`` is the number of all
    documents of the language.
    """

    language: str
    documents: tuple[LabelledDocument, ...]
    theta: Floats
    all_documents: int

    @classmethod
    def of(
        cls, topics: Topics, texts: EncodedTexts, wording: Wording, settings: TransferSettings
    ) -> LabelledSide:
        """Estimate p(t|d) of the labelled documents of a language from its own words alone.

        Nothing of the documents they are linked to is used, unlike in the shares that a model has
        for all linked documents together.
        """
        labels = label_sets(texts.labels, settings.separator)
        if not any(labels):
            raise InputError(
                f"the texts of {wording.language} have no labels: name their field with "
                '--label-field or PairedCorpus.open(paths, fields={"label": ...})'
            )
        own = model_texts(topics, texts, wording)
        theta = fold_in(
            count_words(own),
            len(own),
            own.by_word,
            iterations=settings.iterations,
            alpha=settings.alpha,
        )
        digests = texts.origins.digests
        documents = [
            (LabelledDocument(texts.ids[row], int(digests[row]), labels[row]), row)
            for row in np.flatnonzero(own.lengths > 0).tolist()
            if labels[row]
        ]
        documents.sort(key=lambda pair: (pair[0].key, pair[0].text, sorted(pair[0].labels)))
        rows = [row for _, row in documents]
        sorted_documents = tuple(document for document, _ in documents)
        return cls(wording.language, sorted_documents, theta[rows], len(texts))

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def labels(self) -> list[Labels]:
        """The labels of each document."""
        return [document.labels for document in self.documents]

    def frequent_labels(self, least: int) -> Labels:
        """Return the labels that at least so many documents have."""
        counts = Counter(name for labels in self.labels for name in labels)
        return frozenset(name for name, count in counts.items() if count >= least)

    def only(self, names: Labels) -> LabelledSide:
        """Return the documents with one of these labels, without their other labels."""
        kept = [document._replace(labels=document.labels & names) for document in self.documents]
        rows = [row for row, document in enumerate(kept) if document.labels]
        chosen = tuple(kept[row] for row in rows)
        return LabelledSide(self.language, chosen, self.theta[rows], self.all_documents)


def _side_provenance(language: str, texts: EncodedTexts) -> str:
    """Return the tokens and texts of a language, and a digest of their links and labels."""
    lines = "\n".join(f"{key}\t{label}" for key, label in zip(texts.ids, texts.labels, strict=True))
    digest = hashlib.blake2b(lines.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    tokens = texts.pipeline.signature
    return f"{language}: tokens={tokens}|texts={texts.fingerprint}|labels={digest}"


def label_sets(labels: Sequence[str | Collection[str]], separator: str = SEPARATOR) -> list[Labels]:
    """Return the labels of each document.

    >>> [sorted(labels) for labels in label_sets(["art | design", "art", "", ["a|b"]])]
    [['art', 'design'], ['art'], [], ['a|b']]
    """
    split = [text.split(separator) if isinstance(text, str) else text for text in labels]
    return [frozenset(part.strip() for part in parts if part.strip()) for parts in split]


# ---------------------------------------------------------------------- folds


class _LinkKey(NamedTuple):
    """What linked documents share: a key or, for a document without one, its text and number."""

    key: str
    language: str = ""
    text: int = 0
    labels: tuple[str, ...] = ()
    number: int = 0


def assign_folds(
    sides: Mapping[str, Sequence[LabelledDocument]], *, folds: int, seed: int
) -> dict[str, Integers]:
    """Return the fold of each document of each language; linked documents share one.

    So a translation of a training text is never a test text. The documents of each set of labels
    are divided evenly, in each language. The seed decides how; the order of the documents does not.

    >>> kings, bread = frozenset(["kings"]), frozenset(["bread"])
    >>> en = [("a", 1, kings), ("b", 2, kings), ("", 3, bread)]
    >>> sv = [("b", 4, kings), ("a", 5, kings)]
    >>> sides = {"en": en, "sv": sv}
    >>> sides = {name: [LabelledDocument(*one) for one in side] for name, side in sides.items()}
    >>> assigned = assign_folds(sides, folds=2, seed=0)
    >>> bool(assigned["en"][0] == assigned["sv"][1] != assigned["en"][1])
    True
    """
    keys = {language: _link_keys(language, side) for language, side in sides.items()}
    labels: dict[_LinkKey, set[str]] = {}
    languages: dict[_LinkKey, list[str]] = {}
    for language in sorted(sides):
        for key, document in zip(keys[language], sides[language], strict=True):
            labels.setdefault(key, set()).update(document.labels)
            languages.setdefault(key, []).append(language)
    order = _fold_order(labels, languages, seed)
    fold_of = {key: place % folds for place, key in enumerate(order)}
    return {
        language: np.array([fold_of[key] for key in side], dtype=np.int64)
        for language, side in keys.items()
    }


def _link_keys(language: str, documents: Sequence[LabelledDocument]) -> list[_LinkKey]:
    """Return the key of each document; equal documents without a link are numbered."""
    seen: Counter[LabelledDocument] = Counter()
    keys = []
    for document in documents:
        key, text, labels = document
        if key:
            keys.append(_LinkKey(key))
        else:
            keys.append(_LinkKey("", language, text, tuple(sorted(labels)), seen[document]))
            seen[document] += 1
    return keys


def _fold_order(
    labels: Mapping[_LinkKey, set[str]], languages: Mapping[_LinkKey, list[str]], seed: int
) -> list[_LinkKey]:
    """Return the order in which linked documents get their folds: by labels, then at random."""
    keys = sorted(labels)
    strata: dict[tuple[str, ...], list[_LinkKey]] = {}
    for place in np.random.default_rng(seed).permutation(len(keys)):
        strata.setdefault(tuple(sorted(labels[keys[place]])), []).append(keys[place])
    # [en], [en, sv], [sv]: in this order the documents of either language are consecutive, so
    # that assigning them one by one is even in both
    return [
        key for stratum in strata.values() for key in sorted(stratum, key=languages.__getitem__)
    ]


# ---------------------------------------------------------------------- classifier


def transfer_f1(
    train_theta: ArrayLike,
    train_labels: Sequence[str | Collection[str]],
    test_theta: ArrayLike,
    test_labels: Sequence[str | Collection[str]],
    *,
    average: Average = "macro",
    c: float = 1.0,
    separator: str = SEPARATOR,
    folds: tuple[ArrayLike, ArrayLike] | None = None,
) -> float:
    """Train a classifier on documents of one language, and return its F1 on those of another.

    If every document has one label, it is multinomial logistic regression; if any has several, it
    is logistic regression of each label against the rest, which predicts all labels that are more
    probable than not.

    Parameters
    ----------
    train_theta, test_theta
        p(t|d), one row per document and one column per topic.
    train_labels, test_labels
        The labels of each document: a collection, or a string. Documents without one are left out.
    average
        ``macro`` is the mean of the labels' F1, ``micro`` that of all labels together.
    c
        The inverse of the strength of regularisation.
    separator
        The separator between the labels in a string.
    folds
        The folds of the training and of the test documents: the documents of a test fold are judged
        by a classifier that was trained on all other folds.

    >>> english, swedish = [[0.9, 0.1], [0.8, 0.2], [0.1, 0.9]], [[0.2, 0.8], [0.7, 0.3]]
    >>> transfer_f1(english, ["kings", "kings", "bread"], swedish, ["bread", "kings"], c=100)
    1.0
    """
    train_sets, test_sets = label_sets(train_labels, separator), label_sets(test_labels, separator)
    names = sorted(frozenset[str]().union(*train_sets, *test_sets))
    train_folds, test_folds = folds or (np.zeros(len(train_sets)), np.ones(len(test_sets)))
    train = _Documents.of(train_theta, train_sets, names, train_folds)
    test = _Documents.of(test_theta, test_sets, names, test_folds)
    if train.theta.shape[1] != test.theta.shape[1]:
        raise InputError(
            f"the training documents have {train.theta.shape[1]} topics, the test documents "
            f"{test.theta.shape[1]}: they must be the same topics"
        )
    if train.truth.any(axis=0).sum() < 2:
        raise InputError("a classifier needs training documents of two labels or more")
    several = any(len(labels) > 1 for labels in (*train_sets, *test_sets))
    predict = _predict_each_label if several else _predict_one_label
    predicted = np.zeros_like(test.truth)
    for fold in np.unique(test.fold):
        trained, tested = train.fold != fold, test.fold == fold
        if not trained.any():
            raise InputError(f"all training documents are in fold {fold:g}, which is tested")
        predicted[tested] = predict(
            train.theta[trained], train.truth[trained], test.theta[tested], c
        )
    return label_f1(test.truth, predicted, average)


@dataclass(frozen=True, eq=False)
class _Documents:
    """Documents with a label: p(t|d), which labels each has, and its fold."""

    theta: Floats
    truth: Bools
    fold: Floats

    @classmethod
    def of(
        cls, theta: ArrayLike, labels: list[Labels], names: list[str], fold: ArrayLike
    ) -> _Documents:
        shares, folds = np.asarray(theta, dtype=np.float64), np.asarray(fold, dtype=np.float64)
        if shares.ndim != 2 or len(shares) != len(labels) or folds.shape != (len(labels),):
            raise InputError(
                f"{len(labels)} documents have labels: give a row of topics, and a fold if any, "
                f"for each (topics: {shares.shape}, folds: {folds.shape})"
            )
        truth = np.array([[name in one for name in names] for one in labels], dtype=np.bool_)
        truth = truth.reshape(len(labels), len(names))
        labelled = truth.any(axis=1)
        return cls(shares[labelled], truth[labelled], folds[labelled])


def _predict_one_label(train: Floats, truth: Bools, test: Floats, c: float) -> Bools:
    """Predict the most probable label of each document."""
    labels = truth.argmax(axis=1)
    if len(set(labels.tolist())) < 2:  # a classifier needs two labels
        predicted = np.full(len(test), labels[0])
    else:
        predicted = _regression(c).fit(train, labels).predict(test)
    one_hot: Bools = np.eye(truth.shape[1], dtype=np.bool_)[predicted]
    return one_hot


def _predict_each_label(train: Floats, truth: Bools, test: Floats, c: float) -> Bools:
    """Predict every label that is more probable than not."""
    predicted = np.zeros((len(test), truth.shape[1]), dtype=np.bool_)
    for label, has in enumerate(truth.T):
        if has.all() or not has.any():  # all training documents have it, or none has
            predicted[:, label] = has.all()
        else:
            predicted[:, label] = _regression(c).fit(train, has).predict(test)
    return predicted


def _regression(c: float) -> Any:
    return _sklearn("sklearn.linear_model").LogisticRegression(C=c, max_iter=_STEPS)


def _sklearn(module: str = "sklearn") -> ModuleType:
    return require(module, extra="models", reason="crosslingual classification")


def label_f1(truth: Bools, predicted: Bools, average: Average) -> float:
    """Return 2 TP / (2 TP + FP + FN) of labels, with one row per document, one column per label.

    ``macro`` is the mean of the labels' F1; a label that no document has and none was predicted to
    have is left out. ``micro`` adds the counts of all labels first; if each document has one label
    and one is predicted, it is the share of correct predictions.

    >>> truth = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], dtype=bool)
    >>> predicted = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=bool)
    >>> macro, micro = (label_f1(truth, predicted, name) for name in ("macro", "micro"))
    >>> macro == (4 / 5 + 2 / 3) / 2, micro
    (True, 0.75)
    """
    right = (truth & predicted).sum(axis=0)
    either = truth.sum(axis=0) + predicted.sum(axis=0)
    if average == "micro":
        right, either = right.sum(keepdims=True), either.sum(keepdims=True)
    known = either > 0
    return float((2 * right[known] / either[known]).mean()) if known.any() else float("nan")
