"""Probabilities from a model's matrices: p(w|t), p(t|d), p(t), p(t|w)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from tealeaves.errors import InputError
from tealeaves.topics.matrices import divide_rows, is_distribution
from tealeaves.topics.topics import Topics

if TYPE_CHECKING:
    from tealeaves.arrays import Floats

TopicsPart = Literal["phi", "theta", "assignments", "samples"]
_FIELDS: dict[TopicsPart, tuple[str, str]] = {
    "phi": ("topic_word", "topic-word matrix"),
    "theta": ("document_topic", "document-topic matrix"),
    "assignments": ("assignments", "token assignments"),
    "samples": ("samples", "samples of one chain"),
}
Prior = Literal["auto", "tokens", "documents", "uniform"]


class TopicShares(NamedTuple):
    """p(t) of the topics, and what it was computed from."""

    values: Floats
    origin: str


def missing_part(topics: Topics, *parts: TopicsPart) -> str:
    """Return in a few words which of these parts the model lacks, "" if it has them all.

    >>> missing_part(Topics.of([["cat", "dog"]]), "phi", "theta")
    'no topic-word matrix'
    """
    for part in parts:
        field, name = _FIELDS[part]
        if getattr(topics, field) is None:
            return f"no {name}"
    if "phi" in parts and topics.topic_word is not None and not is_distribution(topics.topic_word):
        return (
            "its topic-word matrix holds weights, not probabilities: a row does not sum to 1 (in "
            "Python, adapt(model, normalize=True) divides each by its sum)"
        )
    return ""


def phi(topics: Topics) -> Floats:
    """Return p(w|t), one row per topic; a model without it is an error."""
    lack = missing_part(topics, "phi")
    if topics.topic_word is None or lack:
        raise InputError(f"{topics.model}: {lack}")
    return divide_rows(topics.topic_word)  # the sums of a rounded file are only near 1


def theta(topics: Topics) -> Floats:
    """Return p(t|d), one row per document; a document without a topic is a row of zeros."""
    if topics.document_topic is None:
        raise InputError(f"{topics.model}: {missing_part(topics, 'theta')}")
    return divide_rows(topics.document_topic)


def topic_shares(topics: Topics, prior: Prior = "auto") -> TopicShares:
    """Return p(t): by tokens, by documents or uniform.

    Shares of tokens come from the token assignments, or from θ and the documents' lengths; shares
    of documents are the mean of θ. ``auto`` takes the first of these that the model has.
    """
    import numpy as np

    if prior in ("auto", "tokens"):
        if topics.assignments is not None:
            tokens = topics.assignments.topics
            counts = np.bincount(tokens[tokens >= 0], minlength=len(topics)).astype(np.float64)
            if counts.sum():
                return TopicShares(counts / counts.sum(), "tokens")
        if topics.document_topic is not None and topics.document_lengths is not None:
            counts = topics.document_lengths @ theta(topics)
            if counts.sum():
                return TopicShares(counts / counts.sum(), "tokens")
    if prior in ("auto", "documents") and topics.document_topic is not None:
        counts = theta(topics).sum(axis=0)
        if counts.sum():
            return TopicShares(counts / counts.sum(), "documents")
    if prior in ("tokens", "documents"):
        needed = "a document-topic matrix"
        if prior == "tokens":
            needed = "token assignments, or a document-topic matrix and the documents' lengths"
        raise InputError(f"{topics.model}: prior={prior} needs {needed}")
    return TopicShares(np.full(len(topics), 1.0 / len(topics)), "uniform")


def topics_given_words(phi: Floats, shares: Floats) -> Floats:
    """Return p(t|w) = φ_wt p(t) / Σ_s φ_ws p(s), one row per topic; 0 for words of no topic."""
    import numpy as np

    joint: Floats = phi * shares[:, None]
    total = joint.sum(axis=0)
    posterior: Floats = np.divide(joint, total, out=np.zeros_like(joint), where=total > 0)
    return posterior
