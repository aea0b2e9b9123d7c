"""Documents that have both a label and a topic."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from tealeaves.errors import InputError
from tealeaves.evidence.evidence import Evidence
from tealeaves.evidence.requests import TextRequest
from tealeaves.evidence.texts import EncodedTexts
from tealeaves.evidence.wording import Wording
from tealeaves.metrics.base import Metric
from tealeaves.metrics.per_text.alignment import document_rows
from tealeaves.metrics.per_text.model_texts import provenance_of_texts
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Integers


@dataclass(frozen=True, repr=False, eq=False)
class LabelMetric(Metric):
    """A metric of how well the topics of documents agree with the labels of the texts."""

    source: ClassVar[str] = "labels of texts; document-topic matrix"

    def lacks(self, model: Topics) -> str:
        """Ask for the topics of documents."""
        if self.lack_of_words or model.topic_of_documents() is not None:
            return self.lack_of_words
        return "no document-topic matrix, and no best topic of each document"

    def needs(self, models: Sequence[Topics], wording: Wording) -> Iterable[TextRequest]:
        """Ask for the texts' ids and labels."""
        yield TextRequest()

    def provenance(self, evidence: Evidence) -> str:
        """Return the texts, and a digest of their labels."""
        labels = "\n".join(evidence.texts.labels).encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(labels, digest_size=8).hexdigest()
        return f"{provenance_of_texts(evidence)}|labels={digest}"


@dataclass(frozen=True, eq=False)
class LabelledDocuments:
    """The documents with a label and a topic: number of the label, topic, row of the model.

    ``names`` are the labels that the numbers stand for, ``texts`` is the number of all texts.
    """

    names: tuple[str, ...]
    labels: Integers
    topics: Integers
    rows: Integers
    texts: int

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def support(self) -> float:
        """The share of all texts that have a label and a topic."""
        return len(self) / self.texts if self.texts else 0.0

    def table(self, topics: int) -> Integers:
        """Return how many documents have each topic and each label."""
        size = max(1, len(self.names))
        counts = np.bincount(self.topics * size + self.labels, minlength=topics * size)
        return counts.reshape(topics, size)


def labelled_documents(model: Topics, texts: EncodedTexts) -> LabelledDocuments:
    """Return the documents of a model that have a label and a topic."""
    if not any(texts.labels):
        raise InputError(
            "the texts have no labels: name the field that holds them with --label-field or "
            'Corpus.open(path, fields={"label": ...})'
        )
    best = model.topic_of_documents()
    if best is None:
        raise InputError(f"{model.model}: the topics of its documents are not known")
    rows = document_rows(model, texts)
    topics = np.where(rows >= 0, best[rows], -1) if len(best) else np.full(len(rows), -1)
    chosen = (topics >= 0) & np.array([bool(label) for label in texts.labels], dtype=np.bool_)
    labels = [label for label, used in zip(texts.labels, chosen, strict=True) if used]
    names = tuple(sorted(set(labels)))
    number_of = {name: number for number, name in enumerate(names)}
    numbers = np.array([number_of[label] for label in labels], dtype=np.int64)
    return LabelledDocuments(
        names, numbers, topics[chosen].astype(np.int64), rows[chosen], len(texts)
    )
